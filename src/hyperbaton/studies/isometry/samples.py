"""Pairs of sentences, their translations, and what detectors say of both sides."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.randomness import Rng
from hyperbaton.base.wording import counted
from hyperbaton.detectors.scoring import quality
from hyperbaton.metrics import METRICS
from hyperbaton.pipeline import Run
from hyperbaton.stats import Bootstrap, ratios
from hyperbaton.studies.isometry.study import BLEU, CHRF, DETECTOR, PARAPHRASE
from hyperbaton.studies.layer.aggregate import Aggregate, Floats, of_sums
from hyperbaton.studies.layer.answers import MOST, Answers, unrelated
from hyperbaton.studies.layer.ranking import Measure
from hyperbaton.studies.layer.samples import Samples
from hyperbaton.studies.layer.sources import (
    Source,
    is_control,
    short_names,
    sources,
    systems_of_claims,
    with_claimed,
)
from hyperbaton.systems.faults import EMPTY

__all__ = [
    "LABELS",
    "OUTCOMES",
    "SHORT",
    "SIDES",
    "Judged",
    "Sides",
    "Votes",
    "claimed",
    "claims_said",
    "dataset_name",
    "judge_quality",
    "judged_runs",
    "lost_pairs",
    "majorities",
    "rated",
    "read_sides",
    "share_of",
    "shares",
    "surest",
    "titles",
    "vote",
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


OUTCOMES = ("[1,1]", "[0,0]", "[0,1]", "[1,0]", "∅")
"""Every pair of labels, and none: the outcome M of a vote."""
SHORT = {
    "[1,1]": "isometric",
    "[0,0]": "both different",
    "[0,1]": "made equal",
    "[1,0]": "broken apart",
    "∅": "no majority",
}
"""Each M as a reader calls it."""
NO_MAJORITY = OUTCOMES.index("∅")
_OUTCOME_OF_PAIR = np.array([OUTCOMES.index(f"[{s},{t}]") for s in (0, 1) for t in (0, 1)])


@dataclass(frozen=True, eq=False)
class Votes:
    """The outcome of each pair as a position in OUTCOMES, and the judges that gave it."""

    outcomes: NDArray[np.int64]
    agreeing: NDArray[np.bool_]
    """Items × judges; nobody where there is no majority."""

    @property
    def decided(self) -> NDArray[np.bool_]:
        """Where there is a majority."""
        return np.asarray(self.outcomes != NO_MAJORITY)

    def labels(self) -> NDArray[np.int64]:
        """The majority's labels of both sides, of the decided pairs only."""
        pairs = np.array([[1, 1], [0, 0], [0, 1], [1, 0]])
        return np.asarray(pairs[self.outcomes[self.decided]])

    def counts(self) -> dict[str, int]:
        """How often each outcome came."""
        found = np.bincount(self.outcomes, minlength=len(OUTCOMES))
        return {name: int(n) for name, n in zip(OUTCOMES, found, strict=True)}


def vote(labels: ArrayLike) -> Votes:
    """Votes on the pair (source label, target label), not on each side apart.

    `labels` are items × judges × sides, the judges odd in number.

    >>> one = [[1, 1], [1, 1], [1, 0]]  # each side has a majority here, and so has the pair
    >>> two = [[1, 0], [0, 1], [1, 1]]  # here each side has one, but the pair has none
    >>> vote([one, two]).counts()
    {'[1,1]': 1, '[0,0]': 0, '[0,1]': 0, '[1,0]': 0, '∅': 1}
    """
    given = np.asarray(labels, dtype=np.int64)
    if given.ndim != 3 or given.shape[2] != 2:
        raise HyperbatonError(f"labels are items × detectors × 2 sides, not {given.shape}")
    detectors = given.shape[1]
    if detectors % 2 == 0:
        raise HyperbatonError(
            f"{detectors} detectors cannot always give a majority: take an odd number of them"
        )
    pairs = 2 * given[:, :, 0] + given[:, :, 1]
    counts = np.stack([(pairs == pair).sum(axis=1) for pair in range(4)], axis=1)
    leading = counts.argmax(axis=1)
    decided = 2 * counts.max(axis=1) > detectors
    outcomes = np.where(decided, _OUTCOME_OF_PAIR[leading], NO_MAJORITY)
    agreeing = (pairs == leading[:, None]) & decided[:, None]
    return Votes(outcomes, agreeing)


def majorities(names: Sequence[str]) -> dict[str, NDArray[np.bool_]]:
    """Every majority that there can be and who is in it, the whole first, none last.

    >>> list(majorities(["a", "b", "c"]))
    ['full', 'a & b', 'a & c', 'b & c', 'none']
    """
    total = len(names)
    kinds = {}
    for size in range(total, total // 2, -1):
        for group in combinations(range(total), size):
            name = "full" if size == total else " & ".join(names[i] for i in group)
            kinds[name] = np.isin(np.arange(total), group)
    return {**kinds, "none": np.zeros(total, dtype=np.bool_)}


_SHIPPED = re.compile(r"^paraphrases(?=,|$)")
_HASH = re.compile(r" \([^()]*\)$")


class Sides(NamedTuple):
    """The rows of one variant that were translated, and each metric on both sides of them."""

    rows: pl.DataFrame
    scores: dict[str, Floats]
    """Rows × (before, after), by metric."""


def dataset_name(source: Source) -> str:
    """The corpus of a run by its own name, with the pair where there are several."""
    known = source.run.record.corpora.get(str(source.pair), source.run.folder.name)
    name = _SHIPPED.sub("shipped pairs", _HASH.sub("", known))
    return name if len(source.run.pairs) == 1 else f"{name} {source.pair}"


def read_sides(source: Source, variant: str, metrics: Sequence[str]) -> Sides:
    """Read the comparisons `before` and `after`, without pairs that lack a translation or score."""
    rows = source.run.table(source.pair, source.name)
    kept = (rows["variant"] == variant) & rows["output"].is_not_null()
    kept &= rows["varied_output"].is_not_null()
    rows, scores = rows.filter(kept), {}
    for metric in metrics:
        names = ("before", "after")
        found = source.run.table(source.pair, source.name, metric, columns=names)
        scores[metric] = found.filter(kept).select(names).to_numpy().astype(np.float64)
    scored = np.all([np.isfinite(values).all(axis=1) for values in scores.values()], axis=0)
    return Sides(rows.filter(scored), {name: values[scored] for name, values in scores.items()})


def judge_quality(
    gold: Sequence[int | None], names: Sequence[str], probabilities: Floats, epsilon: float
) -> list[dict[str, object]]:
    """Macro-F1 of judges (items × judges) where labels are known and differ."""
    known = np.array([label is not None for label in gold], dtype=bool)
    labels = np.array([label or 0 for label in gold])
    if len(set(labels[known])) < 2:
        return []
    rows: list[dict[str, object]] = []
    for number, name in enumerate(names):
        found = quality(probabilities[known, number], labels[known], epsilon)
        row: dict[str, object] = {"detector": name, "macro-F1": found.macro_f1}
        row |= {"accuracy": found.accuracy, "pairs": found.pairs}
        rows.append({**row, "share of paraphrases": found.positive})
    return rows


def surest(sure: Floats, places: NDArray[np.intp], rng: Rng, most: int) -> list[int]:
    """The place that is surest, then others drawn at random."""
    order = places[np.argsort(-sure[places], kind="stable")]
    rest = order[1:]
    return [*order[:1].tolist(), *rest[sorted(rng.permutation(len(rest))[: most - 1])].tolist()]


def judged_runs(runs: Sequence[Run], epsilon: float) -> list[Judged]:
    """Every system on every data set; what was not translated is left out."""
    asked = [source for source in sources(runs, with_runs=False) if not source.pole]
    every = [(_judged(source, epsilon), source.run.folder.name) for source in asked]
    found = [(judged, folder) for judged, folder in every if len(judged)]
    if not found:
        raise HyperbatonError("no pair was translated and judged: there is nothing to report")
    names = Counter(judged.name for judged, _ in found)
    # The same system on the same data in two runs is told apart by the run's name.
    return [
        one if names[one.name] == 1 else replace(one, dataset=f"{one.dataset} in {folder}")
        for one, folder in found
    ]


def _judged(source: Source, epsilon: float) -> Judged:
    metrics = [metric for metric in source.run.metrics if metric.startswith(DETECTOR)]
    if not metrics:
        raise HyperbatonError(f"{source.run.folder} has no detector: add one with --detector")
    rows, scores = read_sides(source, PARAPHRASE, (CHRF, BLEU, *metrics))
    return Judged(
        system=source.system,
        dataset=dataset_name(source),
        detectors=tuple(getattr(METRICS.parse(metric), "detector", metric) for metric in metrics),
        items=tuple(rows["item"].to_list()),
        source=tuple(rows["source"].to_list()),
        varied=tuple(rows["varied"].to_list()),
        output=tuple(rows["output"].to_list()),
        varied_output=tuple(rows["varied_output"].to_list()),
        probabilities=np.stack([scores[metric] for metric in metrics], axis=1),
        chrf=scores[CHRF],
        bleu=scores[BLEU],
        gold=tuple(None if v is None else int(v) for v in rows["label"].to_list()),
        epsilon=epsilon,
        pair=str(source.pair),
    )
