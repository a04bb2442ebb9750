"""The samples of the isometry study: a row for each pair of sentences, and how detectors vote."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics import METRICS
from hyperbaton.pipeline import Run
from hyperbaton.studies.isometry.study import BLEU, CHRF, DETECTOR, PARAPHRASE
from hyperbaton.studies.layer.aggregate import Aggregate, Floats
from hyperbaton.studies.layer.answers import MOST, Answers, unrelated
from hyperbaton.studies.layer.ranking import Measure
from hyperbaton.studies.layer.samples import Samples
from hyperbaton.studies.layer.sources import Source, is_control, short_names, sources

SIDES = ("source", "target")
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
_NO_MAJORITY = OUTCOMES.index("∅")
_PAIRS = np.array([[1, 1], [0, 0], [0, 1], [1, 0]])
"""The labels of each outcome."""
_OUTCOME_OF_PAIR = np.array([OUTCOMES.index(f"[{s},{t}]") for s in (0, 1) for t in (0, 1)])
_NAMED = {"literal": "human translation"}
"""What a control stands for where sentences have two translations by people."""
_SHIPPED = re.compile(r"^paraphrases(?=,|$)")
_HASH = re.compile(r" \([^()]*\)$")


@dataclass(frozen=True, eq=False)
class PairSamples(Samples):
    """One row for each pair of sentences of a data set that one system translated.

    The groups are the two sides, before translation and after it; the scores are chrF̄2 and
    symmetric BLEU in [0, 1], and P(paraphrase) by each detector. The frame has the texts and the
    true label, where it is known.
    """

    system: str = field(kw_only=True)
    dataset: str = field(kw_only=True)
    detectors: tuple[str, ...] = field(kw_only=True)
    epsilon: float = 0.5
    """From which probability on two sentences count as paraphrases."""
    pair: str = ""
    """The languages, where they are known."""
    failed: int = 0
    """Pairs that are left out, since a recorded translation of theirs is empty."""

    @property
    def label(self) -> str:
        """The system as a reader calls it."""
        return self.names[0]

    @property
    def name(self) -> str:
        """System and data set in one line."""
        return self.names[1]

    @property
    def by_people(self) -> bool:
        """Whether people translated it, so that claims can be tested on it though it is no system.

        A ranking of systems it stands in as little as any control.
        """
        return self.system in _NAMED

    @property
    def chrf(self) -> Floats:
        """chrF̄2: rows × sides."""
        return self.scores[CHRF]

    @property
    def bleu(self) -> Floats:
        """Symmetric BLEU: rows × sides."""
        return self.scores[BLEU]

    @property
    def probabilities(self) -> Floats:
        """P(paraphrase): rows × detectors × sides."""
        return np.stack([self.scores[DETECTOR + name] for name in self.detectors], axis=1)

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """S: 1 where P ≥ ε; rows × detectors × sides."""
        return np.asarray(self.probabilities >= self.epsilon, dtype=np.int64)

    @cached_property
    def votes(self) -> Votes:
        """M of every pair, and who agreed."""
        return vote(self.labels)

    def outcome_share(self, outcome: str) -> Aggregate:
        """How often an outcome comes."""
        return self.share(self.votes.outcomes == OUTCOMES.index(outcome))

    @cached_property
    def unrelated(self) -> str:
        """Why nothing can be found out: the answers do not belong to their sentences."""
        texts = self.frame.gather_every(max(1, -(-len(self) // MOST)))
        columns = [texts[name].to_list() for name in ("source", "output", "varied_output")]
        return unrelated([Answers(columns[0], columns[1], columns[2], references=False)])

    @property
    def silent(self) -> str:
        """Why nothing is said of the system; a control is what it is meant to be."""
        return "" if self.control else self.unrelated

    def of_dataset(self, dataset: str) -> PairSamples:
        """The same under another name of the data."""
        label = _NAMED.get(self.system, self.system)
        judges = ", ".join(short_names(self.detectors))
        names, corpus = (label, f"{label}, {dataset}"), f"{dataset}, judged by {judges}"
        return replace(self, dataset=dataset, names=names, corpus=corpus)


MEASURES = (
    Measure(
        "share of isometric pairs",
        lambda samples: samples.outcome_share("[1,1]"),
        leads="is more isometric than",
        share=True,
    ),
    Measure(
        "share of pairs broken apart",
        lambda samples: samples.outcome_share("[1,0]"),
        lower=True,
        leads="breaks fewer pairs apart than",
        share=True,
    ),
)
"""What systems are ranked by: pairs that stay equivalent, and pairs that do not."""


@dataclass(frozen=True, eq=False)
class Votes:
    """The outcome of each pair as a position in OUTCOMES, and the detectors that gave it."""

    outcomes: NDArray[np.int64]
    agreeing: NDArray[np.bool_]
    """Rows × detectors; nobody where there is no majority."""

    @property
    def decided(self) -> NDArray[np.bool_]:
        """Where there is a majority."""
        return np.asarray(self.outcomes != _NO_MAJORITY)

    def labels(self) -> NDArray[np.int64]:
        """The majority's labels of both sides, of the decided pairs only."""
        return np.asarray(_PAIRS[self.outcomes[self.decided]])

    def counts(self) -> dict[str, int]:
        """How often each outcome came."""
        numbers = np.bincount(self.outcomes, minlength=len(OUTCOMES)).tolist()
        return dict(zip(OUTCOMES, numbers, strict=True))


def vote(labels: ArrayLike) -> Votes:
    """Votes on the pair (source label, target label), not on each side apart.

    `labels` are rows × detectors × sides, the detectors odd in number.

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
    outcomes = np.where(decided, _OUTCOME_OF_PAIR[leading], _NO_MAJORITY)
    agreeing = (pairs == leading[:, None]) & decided[:, None]
    return Votes(outcomes, agreeing)


def pair_samples(
    frame: pl.DataFrame,
    similarities: Mapping[str, Floats],
    probabilities: Mapping[str, Floats],
    system: str,
    dataset: str,
    epsilon: float = 0.5,
    pair: str = "",
    failed: int = 0,
) -> PairSamples:
    """The samples of one system: `frame` has a row for each pair, with item, texts and label.

    `similarities` are by metric and `probabilities` by detector, each of rows × sides.
    """
    chances = {DETECTOR + name: values for name, values in probabilities.items()}
    samples = PairSamples(
        tuple(frame["item"]),
        tuple((side,) for side in SIDES),
        {**similarities, **chances},
        frame=frame,
        control=is_control(system),
        system=system,
        dataset=dataset,
        detectors=tuple(probabilities),
        epsilon=epsilon,
        pair=pair,
        failed=failed,
    )
    return samples.of_dataset(dataset)


def read_pairs(runs: Sequence[Run], epsilon: float) -> list[PairSamples]:
    """Every system on every data set; what was not translated is left out."""
    asked = [source for source in sources(runs, with_runs=False) if not source.pole]
    every = [(_read(source, epsilon), source.run.folder.name) for source in asked]
    systems = [(samples, folder) for samples, folder in every if len(samples)]
    if not systems:
        raise HyperbatonError("no pair was translated and judged: there is nothing to report")
    names = Counter(samples.name for samples, _ in systems)
    # The same system on the same data in two runs is told apart by the run's name.
    return [
        s if names[s.name] == 1 else s.of_dataset(f"{s.dataset} in {folder}")
        for s, folder in systems
    ]


def _read(source: Source, epsilon: float) -> PairSamples:
    """The pairs of one system that have translations and all scores."""
    run, sides = source.run, ("before", "after")
    detectors = [metric for metric in run.metrics if metric.startswith(DETECTOR)]
    if not detectors:
        raise HyperbatonError(f"{run.folder} has no detector: add one with --detector")
    texts = ("source", "varied", "reference", "output", "varied_output")
    columns = ("item", "variant", *texts, "label")
    rows = run.table(source.pair, source.name, columns=columns)
    kept = (rows["variant"] == PARAPHRASE) & rows["output"].is_not_null()
    kept &= rows["varied_output"].is_not_null()
    scores = {}
    for metric in (CHRF, BLEU, *detectors):
        table = run.table(source.pair, source.name, metric, columns=sides)
        scores[metric] = table.filter(kept).to_numpy().astype(np.float64)
    scored = np.all([np.isfinite(values).all(axis=1) for values in scores.values()], axis=0)
    known = {metric: values[scored] for metric, values in scores.items()}
    return pair_samples(
        rows.filter(kept).filter(scored).with_columns(pl.col("label").cast(pl.Int64)),
        {metric: known[metric] for metric in (CHRF, BLEU)},
        {getattr(METRICS.parse(name), "detector", name): known[name] for name in detectors},
        source.system,
        _dataset_name(source),
        epsilon=epsilon,
        pair=str(source.pair),
    )


def _dataset_name(source: Source) -> str:
    """The corpus of a run by its own name, with the pair where there are several."""
    known = source.run.record.corpora.get(str(source.pair), source.run.folder.name)
    name = _SHIPPED.sub("shipped pairs", _HASH.sub("", known))
    return name if len(source.run.pairs) == 1 else f"{name} {source.pair}"
