"""Systems put to a task: what they make of varied texts, and how that is judged."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import NamedTuple

from hyperbaton.encoders.encoder import OpenEncoder, Read, Reader, Vectors
from hyperbaton.tasks.task import Examples, Judged, Retrieval

__all__ = ["Answerer", "Cell", "Retriever"]

Cell = tuple[int, int]
"""The number of a part and of a setting."""


class Answerer(ABC):
    """A system that is open; `answer` is called by one thread, `judge` by others beside it."""

    check: Callable[[], None] = staticmethod(lambda: None)
    """Called between texts by systems that take long; what it raises ends the run."""
    tokenizer: str | None = None
    """The model's own tokenizer, as `hyperbaton.perturb.subwords` opens it."""

    def reader(self) -> Reader | None:
        """How texts are read in other processes; None where the system takes texts."""
        return None

    @abstractmethod
    def signed(self, language: str) -> str:
        """Everything that changes its answers in a language."""

    @abstractmethod
    def answer(
        self, examples: Examples, texts: Sequence[str], read: Read | None, cells: Sequence[Cell]
    ) -> object:
        """Answers to the varied examples, cell after cell, as `judge` takes them."""

    @abstractmethod
    def judge(self, examples: Examples, answers: object, cells: Sequence[Cell]) -> list[Judged]:
        """How good they are, for each cell."""

    @abstractmethod
    def close(self) -> None:
        """Give the resources back."""


class _Found(NamedTuple):
    varied: Vectors
    clean: Vectors


class Retriever(Answerer):
    """An encoder that finds the answer nearest to a varied text."""

    def __init__(self, encoder: OpenEncoder, task: Retrieval) -> None:
        self._encoder = encoder
        self._task = task
        self.tokenizer = None if encoder.tokenizer is None else str(encoder.tokenizer)
        self._clean: tuple[tuple[str, ...], Vectors] | None = None

    def signed(self, language: str) -> str:
        return self._encoder.signature

    def reader(self) -> Reader | None:
        return self._encoder.reader()

    def answer(
        self, examples: Examples, texts: Sequence[str], read: Read | None, cells: Sequence[Cell]
    ) -> _Found:
        """The vectors of the varied texts, and those of the clean answers, made once."""
        if self._clean is None or self._clean[0] != examples.answers:
            self._clean = examples.answers, self._encoder.encode(examples.answers)
        encoder = self._encoder
        vectors = encoder.encode(texts) if read is None else encoder.encode_read(read)
        return _Found(vectors, self._clean[1])

    def judge(self, examples: Examples, answers: object, cells: Sequence[Cell]) -> list[Judged]:
        if not isinstance(answers, _Found):
            raise TypeError("vectors are judged by their own retriever")
        size = len(examples.ids)
        return [
            self._task.judge(examples, answers.varied[at * size : (at + 1) * size], answers.clean)
            for at in range(len(cells))
        ]

    def close(self) -> None:
        self._encoder.close()
