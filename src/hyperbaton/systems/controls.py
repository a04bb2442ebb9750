"""Controls, the poles of the scale: oracle, literal and copy answer with columns of a probe."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.system import System, Translation, Translator, signature

Cell = str | Sequence[str] | Sequence[int] | None
"""What a column of a probe may hold: a text, words, an order, or nothing."""


class Control(System, ABC):
    """A system that answers with a column of the probe itself."""

    output: ClassVar[str]
    """The column that stands for the translation of `source`."""
    varied_output: ClassVar[str]
    """The column that stands for the translation of `varied`."""
    columns: ClassVar[tuple[str, ...]] = ()
    """What else of the probe it must know."""

    def answer(
        self, probe: Mapping[str, Cell], languages: tuple[str, str] = ("", "")
    ) -> tuple[Translation, Translation]:
        """The outputs for a probe's `source` and `varied`.

        >>> probe = {"source": "a b", "varied": "b a", "reference": "x y"}
        >>> Oracle().answer(probe)
        (Translation(text='x y', fault=''), Translation(text='x y', fault=''))
        """
        return self._from(probe, self.output), self._from(probe, self.varied_output)

    def _from(self, probe: Mapping[str, Cell], column: str) -> Translation:
        text = probe.get(column)
        if not isinstance(text, str):
            return Translation(None, f"the probe has no {column}, which '{self}' answers with")
        return Translation(text)

    def remedy(self, command: str) -> str:
        """Its answers are those of the corpus, and never change."""
        return ""

    def open(self, source: str, target: str) -> Translator:
        """Controls that need references cannot translate text alone."""
        raise HyperbatonError(
            f"'{self}' answers with references, which a text to translate does not have: "
            "use it in a study of a corpus that has them, or 'copy' here"
        )


@dataclass(frozen=True)
class Oracle(Control):
    """Answers with the reference, however the source was varied: β1 = 1."""

    name: ClassVar[str] = "oracle"
    output: ClassVar[str] = "reference"
    varied_output: ClassVar[str] = "reference"


@dataclass(frozen=True)
class Literal(Control):
    """Answers a varied source with the equally varied reference: β2 = 1."""

    name: ClassVar[str] = "literal"
    output: ClassVar[str] = "reference"
    varied_output: ClassVar[str] = "varied_reference"


@dataclass(frozen=True)
class Copy(Control):
    """Answers with the source as it is."""

    name: ClassVar[str] = "copy"
    output: ClassVar[str] = "source"
    varied_output: ClassVar[str] = "varied"

    def open(self, source: str, target: str) -> Translator:
        """A translator that changes nothing."""
        return _Copier(signature("copy", source, target))


class _Copier(Translator):
    batch_free = True
    stored = False

    def __init__(self, signature: str) -> None:
        self.signature = signature

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        return [Translation(text) for text in texts]
