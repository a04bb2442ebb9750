"""`projected`: the pole that answers as a translator would that moves each word with its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from hyperbaton.alignment.gloss import Gloss
from hyperbaton.alignment.word_order import project_sentence
from hyperbaton.alignment.words import spaced
from hyperbaton.systems.controls import Cell, Control
from hyperbaton.systems.system import Translation


@dataclass(frozen=True)
class Projected(Control):
    """Answers a varied source with the projected reference: β2 projected = 1.

    Words are linked by dictionary, as studies link them unless told otherwise.

    >>> probe = {"source": "I sleep", "varied": "sleep I", "reference": "Ich schlafe"}
    >>> words = {"words": ["I", "sleep"], "reference_words": ["Ich", "schlafe"], "order": [1, 0]}
    >>> Projected().answer(probe | words, ("en", "de"))[1].text
    'schlafe Ich'
    """

    name: ClassVar[str] = "projected"
    output: ClassVar[str] = "reference"
    varied_output: ClassVar[str] = "reference"
    columns: ClassVar[tuple[str, ...]] = ("words", "order", "reference_words")

    def answer(
        self, probe: Mapping[str, Cell], languages: tuple[str, str] = ("", "")
    ) -> tuple[Translation, Translation]:
        """The reference, and the reference with its words moved as those of the source."""
        clean, varied = super().answer(probe, languages)
        words, order, own = (_numbered(probe.get(name)) for name in self.columns)
        if clean.text is None or not (words and order and own):
            return clean, self._moved_nothing(probe, varied)
        target = [str(word) for word in own]
        links = Gloss().align([([str(word) for word in words], target)], *languages)[0]
        places = [int(place) for place in order]
        reference = spaced(clean.text, target, languages[1])
        return clean, Translation(project_sentence(places, reference, links)[0])

    def _moved_nothing(self, probe: Mapping[str, Cell], varied: Translation) -> Translation:
        if varied.text is None or probe.get("varied") == probe.get("source"):
            return varied
        return Translation(None, f"the probe does not say which words moved, as '{self}' must know")


def _numbered(cell: Cell) -> tuple[str | int, ...]:
    return () if cell is None or isinstance(cell, str) else tuple(cell)
