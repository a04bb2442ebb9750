"""SIB-200: the same sentences in over 160 languages (Adelani et al. 2024), found by `index_id`."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import ClassVar, Literal

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.tasks.rows import chosen, found, tabbed
from hyperbaton.tasks.task import Bitext, Examples, bitext
from hyperbaton.tasks.tuned import Tuned, labelled

Splits = Literal["all", "held-out", "train", "dev", "test"]
_SPLITS = {"all": ("train", "dev", "test"), "held-out": ("dev", "test")}


@dataclass(frozen=True)
class Sib200(Bitext):
    """Find the English sentence with the same `index_id`; one table a language."""

    name: ClassVar[str] = "sib200"
    known: ClassVar[str] = "eng_Latn"

    splits: Splits = "held-out"
    """`held-out` is dev and test: the encoder `chars` was trained on the rest."""

    def languages(self, folder: Path) -> tuple[str, ...]:
        """All but English."""
        return tuple(code for code in codes(folder) if code != self.known)

    def examples(self, folder: Path, language: str, limit: int | None = None) -> Examples:
        """The sentences that both languages have, by their number."""
        chosen(language, codes(folder), folder)
        english = {number: text for number, _, text in rows(folder, self.known, self.splits)}
        there = [row for row in rows(folder, language, self.splits) if row[0] in english]
        there = list(islice(sorted(there, key=lambda row: int(row[0])), limit))
        numbers = [number for number, _, _ in there]
        return bitext(numbers, [text for *_, text in there], [english[n] for n in numbers])


def codes(folder: Path) -> list[str]:
    """The languages that there are tables of."""
    names = sorted({path.name.split(".")[0] for path in folder.glob("*_*.tsv*")})
    if not names:
        raise HyperbatonError(
            f"{folder} holds no tables like deu_Latn.tsv: name the folder of SIB-200 with --data"
        )
    return names


def rows(folder: Path, language: str, splits: Splits) -> list[tuple[str, str, str]]:
    """Number, topic and text of the sentences in some splits."""
    wanted = _SPLITS.get(splits, (splits,))
    table = tabbed(found(folder, f"{language}.tsv"), 4, header=True)
    return [(cells[0], cells[2], cells[3]) for cells in table if cells[1] in wanted]


@dataclass(frozen=True)
class Topics(Tuned):
    """English sentences to learn from, the test split of every other language."""

    name: ClassVar[str] = "sib200-topics"
    known: ClassVar[str] = "eng_Latn"
    kind = "single"
    labels: ClassVar[tuple[str, ...]] = (
        "entertainment",
        "geography",
        "health",
        "politics",
        "science/technology",
        "sports",
        "travel",
    )

    def languages(self, folder: Path) -> tuple[str, ...]:
        """All."""
        return tuple(codes(folder))

    def examples(self, folder: Path, language: str, limit: int | None = None) -> Examples:
        """The test split of a language."""
        return self._split(folder, chosen(language, codes(folder), folder), "test", limit)

    def training(self, folder: Path) -> Examples:
        return self._split(folder, self.known, "train")

    def validation(self, folder: Path, language: str) -> Examples:
        return self._split(folder, language, "dev")

    def _split(
        self, folder: Path, language: str, split: Splits, limit: int | None = None
    ) -> Examples:
        found = [(int(n), ((text,), topic)) for n, topic, text in rows(folder, language, split)]
        return labelled(sorted(found), self.labels, folder, limit)
