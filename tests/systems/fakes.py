"""Translators whose every step the tests can see and disturb."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from hyperbaton.systems.system import Translation, Translator

__all__ = ["Fake", "Streaming"]

Fault = Callable[[Sequence[str]], None]


class Fake(Translator):
    """Turns texts around, keeps a list of its batches, and raises what `fault` raises."""

    def __init__(
        self, fault: Fault = lambda texts: None, batch_tokens: int = 100, chunk: int = 1
    ) -> None:
        self.signature = "fake|xx-yy"
        self.batch_tokens = batch_tokens
        self.chunk = chunk
        self.batches: list[list[str]] = []
        self._fault = fault

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        self.batches.append(list(texts))
        self._fault(texts)
        return [Translation(text[::-1]) for text in texts]


class Streaming(Fake):
    """Gives one result after the other, and raises between them."""

    def stream(self, texts: Sequence[str]) -> Iterator[tuple[int, Translation]]:
        self.batches.append(list(texts))
        for position, text in enumerate(texts):
            self._fault([text])
            yield position, Translation(text[::-1])
