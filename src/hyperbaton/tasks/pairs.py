"""Texts with labels: pairs in tables (PAWS-X, XNLI, XGLUE), and XCOPA.

XGLUE has questions and answers, queries and advertisements, queries and pages; XCOPA asks which of
two sentences is the cause, or the result, of a third (Ponti et al. 2020).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.tasks.rows import chosen, found, objects, tabbed, there
from hyperbaton.tasks.task import Examples, Judged
from hyperbaton.tasks.tuned import Part, Row, Tuned, TunedPairs, labelled, share

_KEYS = ("premise", "choice1", "choice2", "question", "label")
_QUESTIONS = {"cause": "What was the cause?", "effect": "What happened as a result?"}


class Pairs(TunedPairs):
    """`train-en.tsv`, `dev-de.tsv`, `test-de.tsv`: first text, second text, label."""

    def languages(self, folder: Path) -> tuple[str, ...]:
        """Those with a development set."""
        names = {p.name.split(".")[0].removeprefix("dev-") for p in folder.glob("dev-*.tsv*")}
        if self.known not in names:
            raise HyperbatonError(
                f"{folder} has no dev-{self.known}.tsv: name the folder of {self.name} with --data"
            )
        return tuple(sorted(names))

    def part(self, folder: Path, language: str, part: Part, limit: int | None = None) -> Examples:
        """A set of its own where there is a training set, or a share of the development set."""
        whole = there(folder, f"train-{self.known}.tsv") is not None
        path = there(folder, f"{part if whole else 'dev'}-{language}.tsv")
        if path is None:
            raise HyperbatonError(f"{folder} has no {part}-{language}.tsv")
        rows: list[tuple[int, Row]] = [
            (number, ((cells[0], cells[1]), cells[2]))
            for number, cells in enumerate(tabbed(path, 3), 1)
        ]
        return labelled(rows if whole else share(rows, part), self.labels, path, limit)


@dataclass(frozen=True)
class PawsX(Pairs):
    """Pairs with much the same words, half of them paraphrases; 7 languages."""

    name: ClassVar[str] = "pawsx"
    labels: ClassVar[tuple[str, ...]] = ("0", "1")


@dataclass(frozen=True)
class Xnli(Pairs):
    """Premise, hypothesis and one of three labels; 15 languages."""

    name: ClassVar[str] = "xnli"
    labels: ClassVar[tuple[str, ...]] = ("entailment", "neutral", "contradiction")


class Xglue(TunedPairs):
    """`xglue.NAME.en.train`, `xglue.NAME.de.dev` and so on: texts, then the label in the end.

    The first text is one side of the pair, the others together are the other.
    """

    texts: ClassVar[int] = 2

    def languages(self, folder: Path) -> tuple[str, ...]:
        """Those with a test set."""
        paths = folder.glob(f"xglue.{self.name}.*.test*")
        names = sorted({path.name.split(".")[2] for path in paths})
        if not names:
            raise HyperbatonError(
                f"{folder} has no xglue.{self.name}.XX.test: name the folder of {self.name} in "
                "XGLUE with --data"
            )
        return tuple(names)

    def part(self, folder: Path, language: str, part: Part, limit: int | None = None) -> Examples:
        path = found(folder, f"xglue.{self.name}.{language}.{part}")
        rows = [
            (number, ((cells[0], " ".join(cells[1 : self.texts])), cells[self.texts].strip()))
            for number, cells in enumerate(tabbed(path, self.texts + 1), 1)
        ]
        return labelled(rows, self.labels, path, limit)


@dataclass(frozen=True)
class Qadsm(Xglue):
    """Query, title and description of the advertisement, Bad or Good; en, de and fr."""

    name: ClassVar[str] = "qadsm"
    texts: ClassVar[int] = 3
    labels: ClassVar[tuple[str, ...]] = ("Bad", "Good")


@dataclass(frozen=True)
class Qam(Xglue):
    """Question, passage, and 0 or 1; en, de and fr."""

    name: ClassVar[str] = "qam"
    labels: ClassVar[tuple[str, ...]] = ("0", "1")


@dataclass(frozen=True)
class Wpr(Xglue):
    """Query, title and snippet of the page, one of five grades; 7 languages."""

    name: ClassVar[str] = "wpr"
    score: ClassVar[str] = "nDCG"
    texts: ClassVar[int] = 3
    labels: ClassVar[tuple[str, ...]] = ("Bad", "Fair", "Good", "Excellent", "Perfect")

    def judge(self, examples: Examples, predicted: NDArray[np.intp]) -> Judged:
        """nDCG of the pages of each query, which stand together, written at the first of them."""
        scores = np.zeros(len(predicted), np.float32)
        weights = np.zeros(len(predicted), np.float32)
        gold = np.array(examples.gold)
        for _, same in groupby(range(len(predicted)), key=lambda at: examples.texts[at][0]):
            places = list(same)
            scores[places[0]] = ndcg(predicted[places], gold[places])
            weights[places[0]] = 1
        names = tuple(examples.answers[grade] for grade in predicted.tolist())
        return Judged(scores, weights, names)


def ndcg(predicted: NDArray[np.intp], gold: NDArray[np.intp]) -> float:
    """How near the order of predicted grades comes to the best one; 1 where nothing is relevant.

    Pages with the same predicted grade share their places: each counts with the mean discount.

    >>> ndcg(np.array([2, 1, 0]), np.array([2, 1, 0])), ndcg(np.array([0, 0]), np.array([1, 1]))
    (1.0, 1.0)
    >>> round(ndcg(np.array([0, 1]), np.array([1, 0])), 4)
    0.6309
    """
    gains = 2.0**gold - 1
    discounts = 1 / np.log2(np.arange(2, len(gold) + 2))
    best = float(np.sort(gains)[::-1] @ discounts)
    if not best:
        return 1.0
    _, tied, counts = np.unique(-predicted, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    shared = np.array(
        [discounts[end - count : end].mean() for end, count in zip(ends, counts, strict=True)]
    )
    return float(gains @ shared[tied]) / best


@dataclass(frozen=True)
class Xcopa(Tuned):
    """English COPA to learn from (`copa/train-en.jsonl`), `xcopa/et/val.et.jsonl` and `test`."""

    name: ClassVar[str] = "xcopa"
    known: ClassVar[str] = "en"
    kind = "choice"
    labels: ClassVar[tuple[str, ...]] = ("first", "second")

    def languages(self, folder: Path) -> tuple[str, ...]:
        """The folders in `xcopa`."""
        names = sorted(p.parent.name for p in (folder / "xcopa").glob("*/test.*.jsonl*"))
        if not names:
            raise HyperbatonError(
                f"{folder} has no xcopa/XX/test.XX.jsonl: name the folder that holds copa and "
                "xcopa with --data"
            )
        return tuple(names)

    def examples(self, folder: Path, language: str, limit: int | None = None) -> Examples:
        """The test set of a language."""
        chosen(language, self.languages(folder), folder)
        return self._read(folder / "xcopa" / language, f"test.{language}.jsonl", limit)

    def training(self, folder: Path) -> Examples:
        return self._read(folder / "copa", "train-en.jsonl")

    def validation(self, folder: Path, language: str) -> Examples:
        if language == self.known:
            return self._read(folder / "copa", "val-en.jsonl")
        return self._read(folder / "xcopa" / language, f"val.{language}.jsonl")

    def _read(self, folder: Path, name: str, limit: int | None = None) -> Examples:
        path = found(folder, name)
        rows = [(number, _row(cells, path)) for number, cells in enumerate(objects(path, _KEYS), 1)]
        return labelled(rows, self.labels, path, limit)


def _row(cells: dict[str, object], path: Path) -> Row:
    """The premise with its question, and both choices."""
    question = _QUESTIONS.get(str(cells["question"]))
    if question is None or cells["label"] not in (0, 1):
        raise HyperbatonError(f"{path}: question is cause or effect, and label 0 or 1")
    first, second = str(cells["choice1"]), str(cells["choice2"])
    label = Xcopa.labels[int(str(cells["label"]))]
    return (f"{cells['premise']} {question}", first, second), label
