"""Batch sizes: what the translator asks for, less while memory is short."""

from __future__ import annotations

from collections.abc import Sequence

from hyperbaton.systems.system import Translator

_SIGNS = ("out of memory", "cannot allocate memory", "bad_alloc", "alloc_failed", "bad allocation")
_STEPS_BEFORE_GROWTH = 8


def is_out_of_memory(error: BaseException) -> bool:
    """Whether a smaller batch may help: MemoryError, or what torch, CUDA and CTranslate2 raise.

    >>> is_out_of_memory(RuntimeError("CUDA failed with error out of memory"))
    True
    """
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return True
    message = str(error).lower()
    return isinstance(error, RuntimeError) and any(sign in message for sign in _SIGNS)


def take(texts: Sequence[str], start: int, translator: Translator) -> int:
    """Where the chunk that begins at `start` ends, in texts sorted from the longest.

    A batch is padded to its first text, so it takes that text's cost as often as it has texts.
    """
    end = start
    for _ in range(max(1, translator.chunk)):
        if end >= len(texts):
            break
        longest = max(1, translator.cost(texts[end]))
        end += max(1, translator.batch_tokens // longest)
    return min(end, len(texts))


class BatchSize:
    """Halves a translator's batch when memory runs out, and lets it grow back with care."""

    def __init__(self, translator: Translator) -> None:
        self._translator = translator
        self._ceiling = translator.batch_tokens
        self._fits = 0
        self._good = 0

    def shrink(self, longest: str) -> bool:
        """Make the batch smaller after memory ran out; false when it held one text only."""
        size = self._translator.batch_tokens
        if size // max(1, self._translator.cost(longest)) <= 1:
            return False
        # If it was a step of growth that failed, the size before it is known to fit.
        self._translator.batch_tokens = self._fits if 0 < self._fits < size else size // 2
        # The size that failed is not tried again: growth ends below it.
        self._ceiling = min(self._ceiling, size * 9 // 10)
        self._fits = self._good = 0
        return True

    def fitted(self) -> None:
        """A chunk went through; after several the batch grows by a quarter."""
        size = self._fits = self._translator.batch_tokens
        self._good += 1
        if self._good >= _STEPS_BEFORE_GROWTH and size < self._ceiling:
            self._translator.batch_tokens = min(self._ceiling, size + max(1, size // 4))
            self._good = 0
