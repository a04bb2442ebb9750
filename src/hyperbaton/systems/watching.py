"""Translators that are asked to go on or to stop: before anything is sent, and in between."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence

from hyperbaton.systems.system import Translation, Translator

__all__ = ["Asking", "Before", "Same", "watched"]

Before = Callable[[Sequence[str]], None]
"""Called with texts before they are sent, and without any in between; what it raises ends the
job. Translators with several requests under way call it from several threads."""


class Asking(Translator):
    """A translator that calls `before` itself, with the texts of every single request."""

    @abstractmethod
    def asking(self, before: Before) -> Translator:
        """The same translator, which calls this."""


class Same(Translator):
    """Another translator behind a name of its own."""

    def __init__(self, translator: Translator) -> None:
        self._translator = translator
        self.signature = translator.signature
        self.chunk = translator.chunk
        self.stored = translator.stored

    @property
    def batch_tokens(self) -> int:
        return self._translator.batch_tokens

    @batch_tokens.setter
    def batch_tokens(self, size: int) -> None:
        self._translator.batch_tokens = size

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        return self._translator.translate(texts)

    def stream(self, texts: Sequence[str]) -> Iterator[tuple[int, Translation]]:
        return self._translator.stream(texts)

    def cost(self, text: str) -> int:
        return self._translator.cost(text)

    def glance(self) -> None:
        self._translator.glance()


def watched(translator: Translator, before: Before) -> Translator:
    """The same translator; `before` is called with all texts that are sent, each time they are."""
    if isinstance(translator, Asking):
        return translator.asking(before)
    return _Watched(translator, before)


class _Watched(Same):
    """Calls `before` with every batch, and after every result that comes by itself."""

    def __init__(self, translator: Translator, before: Before) -> None:
        super().__init__(translator)
        self._before = before

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        self._before(texts)
        return super().translate(texts)

    def stream(self, texts: Sequence[str]) -> Iterator[tuple[int, Translation]]:
        self._before(texts)
        results = super().stream(texts)
        # Others have all their results already.
        return self._between(results) if isinstance(results, Generator) else results

    def glance(self) -> None:
        self._before(())

    def _between(
        self, results: Generator[tuple[int, Translation], None, None]
    ) -> Iterator[tuple[int, Translation]]:
        try:
            for result in results:
                yield result
                self._before(())
        finally:
            results.close()
