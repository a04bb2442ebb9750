"""Pairs of sentences, their translations, and what detectors say of both sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.stats import Bootstrap, ratios
from hyperbaton.studies.layer.aggregate import Aggregate, of_sums
from hyperbaton.studies.layer.ranking import Measure
from hyperbaton.studies.layer.samples import Samples
from hyperbaton.studies.layer.sources import (
    is_control,
    short_names,
    systems_of_claims,
    with_claimed,
)
from hyperbaton.studies.relation import MOST, Answers, unrelated
from hyperbaton.studies.votes import OUTCOMES, SHORT, Votes, vote
from hyperbaton.systems.faults.blank import EMPTY

__all__ = [
    "LABELS",
    "SIDES",
    "Judged",
    "claimed",
    "claims_said",
    "lost_pairs",
    "rated",
    "share_of",
    "shares",
    "titles",
]

SIDES = ("source", "target")
LABELS = {1: "paraphrase", 0: "no paraphrase", None: "not known"}
"""What is known of two sentences, in words."""
_NAMED = {"literal": "human translation"}
"""What a control stands for where sentences have two translations by people."""


@dataclass(frozen=True, eq=False)
class Judged:
    """One data set translated by one system: texts, probabilities, surface similarities."""

    system: str
    dataset: str
    detectors: tuple[str, ...]
    items: tuple[str, ...]
    source: tuple[str, ...]
    varied: tuple[str, ...]
    output: tuple[str, ...]
    varied_output: tuple[str, ...]
    probabilities: NDArray[np.float64]
    """P(paraphrase): items × detectors × the two sides."""
    chrf: NDArray[np.float64]
    """chrF̄2 in [0, 1]: items × the two sides."""
    bleu: NDArray[np.float64]
    """Symmetric BLEU in [0, 1]: items × the two sides."""
    gold: tuple[int | None, ...] = ()
    """Whether the sources are paraphrases in truth, where that is known."""
    epsilon: float = 0.5
    pair: str = ""
    """The languages, where they are known."""
    failed: int = 0
    """Pairs that are left out, since a recorded translation of theirs is empty."""

    def __post_init__(self) -> None:
        if self.probabilities.shape != (len(self.items), len(self.detectors), 2):
            raise HyperbatonError(f"{self.name}: probabilities must be items × detectors × 2")

    def __len__(self) -> int:
        return len(self.items)

    @property
    def name(self) -> str:
        """System and data set in one line."""
        return f"{self.label}, {self.dataset}"

    @property
    def label(self) -> str:
        """The system as a reader calls it."""
        return _NAMED.get(self.system, self.system)

    @property
    def by_people(self) -> bool:
        """Whether people translated it, so that claims can be tested on it though it is no system.

        A ranking of systems it stands in as little as any control.
        """
        return self.system in _NAMED

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """S: 1 where P ≥ ε; items × detectors × sides."""
        return np.asarray(self.probabilities >= self.epsilon, dtype=np.int64)

    @cached_property
    def votes(self) -> Votes:
        """M of every pair, and who agreed."""
        return vote(self.labels)

    @property
    def samples(self) -> Samples:
        """What it brings to a comparison of systems: M of each pair, by the same detectors."""
        return Samples(
            self.items,
            frame=pl.DataFrame({"M": self.votes.outcomes}),
            names=(self.label, self.name),
            corpus=f"{self.dataset}, judged by {', '.join(short_names(self.detectors))}",
            control=self.control,
        )

    @property
    def control(self) -> bool:
        """Whether it is no translator to be judged, though it was asked for."""
        return is_control(self.system)

    @cached_property
    def unrelated(self) -> str:
        """Why nothing can be found out: its answers do not belong to their sentences."""
        step = max(1, -(-len(self) // MOST))
        texts = (side[::step] for side in (self.source, self.output, self.varied_output))
        sources, outputs, again = texts
        return unrelated([Answers(sources, outputs, again, references=False)])

    @property
    def silent(self) -> str:
        """Why nothing is said of it; a control is what it is meant to be."""
        return "" if self.control else self.unrelated

    def frame(self) -> pl.DataFrame:
        """A row per pair, with everything that is known of it."""
        columns: dict[str, object] = {"item": self.items, "s1": self.source, "s2": self.varied}
        columns |= {"f(s1)": self.output, "f(s2)": self.varied_output}
        outcomes = [OUTCOMES[i] for i in self.votes.outcomes]
        columns |= {"M": outcomes, "outcome": [SHORT[outcome] for outcome in outcomes]}
        columns |= {"system": [self.label] * len(self), "data": [self.dataset] * len(self)}
        gold = self.gold or (None,) * len(self)
        columns |= {"label": [LABELS[label] for label in gold]}
        scores = {"chrF̄2": self.chrf}
        for number, name in enumerate(short_names(self.detectors)):
            scores[name] = self.probabilities[:, number]
        for name, values in scores.items():
            columns |= {f"{name} before": values[:, 0], f"{name} after": values[:, 1]}
        return pl.DataFrame(columns)


def titles(runs: Sequence[Judged]) -> dict[str, str]:
    """What tells runs apart, by name: the system, and the data set where there are several."""
    alone = len({run.dataset for run in runs}) == 1
    return {run.name: run.label if alone else run.name for run in runs}


def claimed(runs: Sequence[Judged]) -> list[Judged]:
    """Those that claims are tested on: systems of claims, and what people translated."""
    systems = systems_of_claims(run.system for run in runs if not run.by_people)
    return [run for run in runs if run.by_people or run.system in systems]


def claims_said(sentence: str, runs: Sequence[Judged]) -> str:
    """A sentence on claims, and what they are not tested on."""
    return with_claimed(sentence, (run.system for run in runs if not run.by_people))


def lost_pairs(runs: Sequence[Judged]) -> list[str]:
    """What was recorded and left out, in words."""
    return [
        f"{run.name} failed on {run.failed:,} of {counted(len(run) + run.failed, 'pair')}: "
        f"{EMPTY}. No number includes them."
        for run in runs
        if run.failed
    ]


def share_of(true: NDArray[np.bool_], bootstrap: Bootstrap) -> Aggregate:
    """How often something is true of pairs."""
    table = np.column_stack([true, np.ones(len(true))]).astype(np.float64)
    return of_sums(table, ratios, bootstrap).as_share()


def shares(run: Judged, bootstrap: Bootstrap) -> dict[str, Aggregate]:
    """How often each M comes."""
    found = run.votes.outcomes
    return {name: share_of(found == number, bootstrap) for number, name in enumerate(OUTCOMES)}


def rated(bootstrap: Bootstrap) -> list[Measure]:
    """What systems are compared by: pairs that stay equivalent, and pairs that do not."""

    def share(outcome: str) -> Callable[[Samples], Aggregate]:
        number = OUTCOMES.index(outcome)
        return lambda samples: share_of((samples.frame["M"] == number).to_numpy(), bootstrap)

    return [
        Measure("share of isometric pairs", share("[1,1]"), leads="is more isometric than"),
        Measure(
            "share of pairs broken apart",
            share("[1,0]"),
            lower=True,
            leads="breaks fewer pairs apart than",
        ),
    ]
