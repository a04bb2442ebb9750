"""BUCC 2018: find the pairs of translations in two heaps of sentences.

By margin (Artetxe and Schwenk 2019), or by the nearest neighbour alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import Value
from hyperbaton.tasks.nearest import Vectors, nearest, neighbours
from hyperbaton.tasks.rows import chosen, found, tabbed
from hyperbaton.tasks.task import Examples, Judged, Retrieval


@dataclass(frozen=True)
class Bucc(Retrieval):
    """`zh-en.dev.zh`, `zh-en.dev.en` and `zh-en.dev.gold`: sentences with numbers, and pairs."""

    name: ClassVar[str] = "bucc"
    known: ClassVar[str] = "en"
    score: ClassVar[str] = "F1"
    paper: ClassVar[Mapping[str, Value]] = {"by": "nearest"}

    by: Literal["margin", "nearest"] = "margin"
    """What a pair is ranked by: its margin, or the cosine of the nearest neighbour."""
    k: int = 4
    """Neighbours that a margin is measured against."""

    def languages(self, folder: Path) -> tuple[str, ...]:
        """Those with gold pairs."""
        names = sorted(path.name.split("-")[0] for path in folder.glob("*-en.dev.gold*"))
        if not names:
            raise HyperbatonError(f"{folder} has no XX-en.dev.gold: name the folder of BUCC")
        return tuple(names)

    def examples(self, folder: Path, language: str, limit: int | None = None) -> Examples:
        """All sentences of both heaps; -1 for one that has no translation."""
        chosen(language, self.languages(folder), folder)
        head = f"{language}-en.dev"
        texts, english, pairs = (
            {cells[0]: cells[1] for cells in tabbed(found(folder, f"{head}.{side}"), 2)}
            for side in (language, self.known, "gold")
        )
        places = {number: place for place, number in enumerate(english)}
        some = dict(islice(texts.items(), limit))
        gold = tuple(places.get(pairs.get(number, ""), -1) for number in some)
        return Examples(
            tuple(some), tuple((text,) for text in some.values()), gold, tuple(english.values())
        )

    def judge(self, examples: Examples, vectors: Vectors, answers: Vectors) -> Judged:
        """F1 of the pairs above the threshold that is best for it: 2·hits / (found + there)."""
        if self.by == "nearest":
            places, values = nearest(vectors, answers)
        else:
            places, values = margins(vectors, answers, self.k)
        gold = np.array(examples.gold)
        right = places == gold
        taken = values >= best_threshold(values, right, int((gold >= 0).sum()))
        return Judged(
            (2 * (right & taken)).astype(np.float32),
            (taken + (gold >= 0).astype(np.int64)).astype(np.float32),
            tuple(
                examples.answers[place] if said else ""
                for place, said in zip(places.tolist(), taken.tolist(), strict=True)
            ),
        )


def margins(
    queries: Vectors, answers: Vectors, k: int
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """The answer with the best margin for each query: its cosine over that of k neighbours."""
    places, cosines = neighbours(queries, answers, k)
    _, back = neighbours(answers, queries, k)
    around = (cosines.mean(axis=1)[:, None] + back.mean(axis=1)[places]) / 2
    ratios = cosines / np.where(np.abs(around) > 1e-9, around, 1e-9)
    best = ratios.argmax(axis=1)[:, None]
    return (
        np.take_along_axis(places, best, axis=1)[:, 0],
        np.take_along_axis(ratios, best, axis=1)[:, 0].astype(np.float32),
    )


def best_threshold(values: NDArray[np.float32], right: NDArray[np.bool_], there: int) -> float:
    """The threshold with the highest F1, given how many pairs there are to find.

    >>> best_threshold(np.array([3, 2, 1], np.float32), np.array([True, True, False]), 2)
    2.0
    """
    order = np.argsort(-values, kind="stable")
    hits = np.cumsum(right[order])
    f1 = 2 * hits / (np.arange(1, len(order) + 1) + there)
    # Equal values cannot be parted.
    last = np.append(values[order][1:] != values[order][:-1], True)
    return float(values[order][int(np.where(last, f1, -1).argmax())])
