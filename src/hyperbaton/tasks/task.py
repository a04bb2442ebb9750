"""What a task is: examples in some languages, and how answers to them are judged."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import Registry, Spec, Value, split
from hyperbaton.tasks.nearest import Places, Vectors, nearest

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Examples:
    """The examples of a task in one language."""

    ids: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...]
    """The texts of each example, one or more, each of which is perturbed by itself."""
    gold: tuple[int, ...]
    """The place of the right answer among `answers`; -1 where there is none."""
    answers: tuple[str, ...]
    """The texts to find, or the names of the labels; never perturbed."""
    language: str = ""
    """As the data set names it."""

    def __post_init__(self) -> None:
        if not self.ids:
            raise HyperbatonError("the task has no examples in this language: name another with -l")

    @cached_property
    def digest(self) -> str:
        """A hash of the content."""
        rows = repr((self.ids, self.texts, self.gold, self.answers)).encode()
        return blake2b(rows, digest_size=8).hexdigest()


class Judged(NamedTuple):
    """How good answers are: the score of a data set is Σ scores / Σ weights over its examples."""

    scores: Floats
    weights: Floats
    answers: tuple[str, ...]
    """What was answered, for a reader."""
    faults: tuple[str, ...] = ()
    """Why examples have no answer and weigh nothing, in no order."""
    untranslated: tuple[str, ...] = ()
    """What is wrong with answers that are no translations, in no order."""
    right: Floats | None = None
    """1 where the answer is right, for a score that does not say it."""


class Task(Spec, ABC):
    """A task as the user names it: `tatoeba`, `sib200(splits=all)`."""

    score: ClassVar[str] = "accuracy"
    """What its score is called."""
    known: ClassVar[str]
    """The language that is never perturbed: that of the texts to find, or of the training text."""
    paper: ClassVar[Mapping[str, Value]] = {}
    """Options by which it is scored as in the structure paper."""
    shipped: ClassVar[bool] = False
    """Whether its data come with hyperbaton, so that no folder is needed."""

    @abstractmethod
    def languages(self, folder: Path) -> tuple[str, ...]:
        """The languages that a study of all takes, as the data set names them."""

    @abstractmethod
    def examples(self, folder: Path, language: str, limit: int | None = None) -> Examples:
        """The examples of a language, all or the first."""


class Retrieval(Task):
    """Find the English sentence that a perturbed one translates, by the cosine of vectors."""

    def judge(self, examples: Examples, vectors: Vectors, answers: Vectors) -> Judged:
        """1 where the nearest of the answers is the right one."""
        found, _ = nearest(vectors, answers)
        right = found == np.array(examples.gold)
        return Judged(
            right.astype(np.float32),
            np.ones(len(right), np.float32),
            tuple(examples.answers[place] for place in found),
        )


@dataclass(frozen=True)
class Bitext(Retrieval):
    """Retrieval where each sentence has its translation among the answers."""

    paper: ClassVar[Mapping[str, Value]] = {"by": "F1"}

    by: Literal["accuracy", "F1"] = "accuracy"
    """`F1` also counts how often the right answer was given to other sentences."""

    @property
    def score(self) -> str:  # type: ignore[override]
        return self.by

    def judge(self, examples: Examples, vectors: Vectors, answers: Vectors) -> Judged:
        """1 where the nearest is right; by F1 that of the example's answer, a class of its own."""
        judged = super().judge(examples, vectors, answers)
        if self.by == "accuracy":
            return judged
        places = {text: place for place, text in enumerate(examples.answers)}
        found = np.array([places[text] for text in judged.answers])
        f1 = class_f1(found, np.array(examples.gold), len(examples.answers))
        return judged._replace(scores=f1, right=judged.scores)


def class_f1(found: Places, gold: Places, classes: int) -> Floats:
    """The F1 of each example's class; their mean is the F1 weighted by support of scikit-learn.

    >>> class_f1(np.array([0, 0, 2]), np.array([0, 1, 2]), 3).round(2).tolist()
    [0.6700000166893005, 0.0, 1.0]
    """
    hits = np.bincount(gold[found == gold], minlength=classes)
    said = np.bincount(found, minlength=classes) + np.bincount(gold, minlength=classes)
    return np.asarray((2 * hits[gold] / said[gold]), np.float32)


def as_in_paper(text: str) -> str:
    """A task with the options of the structure paper, where none are said.

    >>> as_in_paper("tatoeba(least=1)"), as_in_paper("sib200(by=accuracy)"), as_in_paper("bucc")
    ('tatoeba(by=F1, least=1)', 'sib200(by=accuracy)', 'bucc(by=nearest)')
    """
    parsed = split(text)
    paper = TASKS.get(parsed.name).paper
    if paper.keys() <= parsed.options.keys():
        return text
    options = {**paper, **parsed.options}
    return str(TASKS.build(replace(parsed, options=options), text))


def bitext(ids: Sequence[str], texts: Sequence[str], english: Sequence[str]) -> Examples:
    """Examples of retrieval; an English sentence that stands there twice is one answer."""
    answers = tuple(dict.fromkeys(english))
    places = {text: place for place, text in enumerate(answers)}
    return Examples(
        tuple(ids),
        tuple((text,) for text in texts),
        tuple(places[text] for text in english),
        answers,
    )


TASKS: Registry[Task] = Registry(
    "task",
    {
        "starter": "hyperbaton.tasks.tatoeba:Starter",
        "tatoeba": "hyperbaton.tasks.tatoeba:Tatoeba",
        "sib200": "hyperbaton.tasks.sib200:Sib200",
        "bucc": "hyperbaton.tasks.bucc:Bucc",
        "pawsx": "hyperbaton.tasks.pairs:PawsX",
        "xnli": "hyperbaton.tasks.pairs:Xnli",
        "xcopa": "hyperbaton.tasks.pairs:Xcopa",
        "sib200-topics": "hyperbaton.tasks.sib200:Topics",
        "qam": "hyperbaton.tasks.pairs:Qam",
        "qadsm": "hyperbaton.tasks.pairs:Qadsm",
        "wpr": "hyperbaton.tasks.pairs:Wpr",
        "translation": "hyperbaton.tasks.translation:Translation",
    },
)
