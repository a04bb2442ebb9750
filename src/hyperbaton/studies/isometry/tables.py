"""Tables and words of the study: frequency of M, kinds of agreement, correlations, examples."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hyperbaton.base.randomness import Rng
from hyperbaton.detectors.scoring import quality
from hyperbaton.report.contents import Explorer, Table
from hyperbaton.stats import Correlation, pearson
from hyperbaton.studies.isometry.samples import MEASURES, OUTCOMES, SHORT, PairSamples
from hyperbaton.studies.isometry.study import PARAPHRASE
from hyperbaton.studies.layer.aggregate import Aggregate, Floats
from hyperbaton.studies.layer.experiment import Score
from hyperbaton.studies.layer.ranking import difference_tables
from hyperbaton.studies.layer.sources import short_names

Row = dict[str, object]
METRIC_NAMES = ("chrF̄2", "BLEU")
PROCEDURES = ("majority", "pooled")
VOTE = "vote"  # what stands for a metric beside the outcomes
EXPLORED = 4000  # pairs in the page; with more it loads slowly
_LABELS = {1: "paraphrase", 0: "no paraphrase", None: "not known"}
"""What is known of two sentences, in words."""
_TEXTS = {
    "s1": "first sentence",
    "s2": "second sentence",
    "f(s1)": "translation of the first",
    "f(s2)": "translation of the second",
}
_SIDES = {"before": "sources", "after": "translations"}
_FILTERS = {"outcome": "outcome", "label": "true label", "system": "system", "data": "data set"}


def tables(systems: Sequence[PairSamples]) -> list[Table]:
    """T1 where labels are known, then T2 to T4."""
    known = "Measured on the sources of this very data, whose labels are known."
    counted = "Shares with 95 % intervals over pairs."
    truth = "How the pairs whose label is known came out; a detector that errs moves them."
    procedures = (
        "majority: the majority's labels, ∅ removed, both sides pooled (the paper's text). "
        "pooled: every detector's own labels, nothing removed (the paper's printed table). "
        "p is one-tailed and takes observations for independent, which they are not; the interval "
        "resamples whole pairs."
    )
    chosen = "For each M the pair of which the detectors are surest, then pairs drawn at random."
    similar = "Correlation of surface similarity with S"
    rows = {
        ("T1", "Detectors against the true labels", known): detector_rows(systems),
        ("T2", "Frequency of M", counted): _frequencies(systems),
        ("labels", "Outcome by true label", truth): _by_label(systems),
        ("F5", "Kinds of agreement", ""): _agreement(systems),
        ("T3", similar, procedures): _correlations(systems),
        ("T4", "Example pairs", chosen): _examples(systems),
    }
    frames = {key: pl.DataFrame(list(found)) for key, found in rows.items()}
    shares = {"T2": ("share", "low", "high")}
    made = [
        Table(name, title, frame, note, percent=shares.get(name, ()))
        for (name, title, note), frame in frames.items()
        if frame.width
    ]
    return [*made, *difference_tables(systems, MEASURES)]


def detector_rows(systems: Sequence[PairSamples]) -> Iterator[Row]:
    """Macro-F1 of the detectors on the sources, once for each data set with both labels."""
    for samples in {s.dataset: s for s in reversed(systems)}.values():
        labelled = samples.where(pl.col("label").is_not_null())
        gold = labelled.frame["label"].to_numpy()
        if len(set(gold.tolist())) < 2:
            continue
        for number, name in enumerate(short_names(samples.detectors)):
            found = quality(labelled.probabilities[:, number, 0], gold, samples.epsilon)
            row: Row = {"data": samples.dataset, "detector": name, "macro-F1": found.macro_f1}
            row |= {"accuracy": found.accuracy, "pairs": found.pairs}
            yield {**row, "share of paraphrases": found.positive}


def _frequencies(systems: Sequence[PairSamples]) -> Iterator[Row]:
    for samples in systems:
        for outcome, count in samples.votes.counts().items():
            value, low, high = samples.outcome_share(outcome).span
            row: Row = {"system": samples.label, "data": samples.dataset, "M": outcome}
            row |= {"meaning": MEANINGS[outcome][1], "count": count}
            yield {**row, "share": value, "low": low, "high": high}


def _by_label(systems: Sequence[PairSamples]) -> Iterator[Row]:
    """How often each outcome came among true paraphrases, and among the others."""
    for samples in systems:
        parts = {label: samples.where(pl.col("label") == label) for label in (1, 0)}
        for label, part in parts.items() if all(map(len, parts.values())) else ():
            row: Row = {"system": samples.label, "data": samples.dataset}
            row |= {"true label": _LABELS[label], "pairs": len(part)}
            yield row | {SHORT[m]: n for m, n in part.votes.counts().items()}


def agreement(samples: PairSamples) -> dict[str, dict[str, int]]:
    """Which detectors made the majority, for each M."""
    votes, found = samples.votes, {}
    for kind, members in _majorities(short_names(samples.detectors)).items():
        chosen = votes.outcomes[(votes.agreeing == members).all(axis=1)]
        found[kind] = {name: int((chosen == i).sum()) for i, name in enumerate(OUTCOMES)}
    return found


def _majorities(names: Sequence[str]) -> dict[str, NDArray[np.bool_]]:
    """Every majority that there can be and who is in it, the whole first, none last.

    >>> list(_majorities(["a", "b", "c"]))
    ['full', 'a & b', 'a & c', 'b & c', 'none']
    """
    total = len(names)
    kinds = {}
    for size in range(total, total // 2, -1):
        for group in combinations(range(total), size):
            name = "full" if size == total else " & ".join(names[i] for i in group)
            kinds[name] = np.isin(np.arange(total), group)
    return {**kinds, "none": np.zeros(total, dtype=np.bool_)}


def _agreement(systems: Sequence[PairSamples]) -> Iterator[Row]:
    for samples in systems:
        for kind, counts in agreement(samples).items():
            row: Row = {"system": samples.label, "data": samples.dataset, "agreement": kind}
            yield {**row, "count": sum(counts.values()), **counts}


class Strength(NamedTuple):
    """r with its one-tailed test, and with an interval for which whole pairs are resampled.

    The observations of a pair hang together, so that the test claims more than there is.
    """

    test: Correlation
    t: float
    r: Aggregate


def strength(samples: PairSamples, values: Floats, labels: Floats) -> Strength | None:
    """r over all observations, rows × columns; None where fewer than three are left."""
    if values.size < 3:
        return None
    test = pearson(values.ravel(), labels.ravel())
    r = samples.correlation(values, labels)._replace(value=test.r)
    return Strength(test, _t(test.r, test.n), r)


def _t(r: float, n: int) -> float:
    """t = r·√((n − 2) / (1 − r²)).

    >>> round(_t(0.2686, 11982), 2), _t(float("nan"), 10)
    (30.52, nan)
    """
    if math.isnan(r):
        return r
    return r * math.sqrt((n - 2) / (1 - r * r)) if abs(r) < 1 else math.copysign(math.inf, r)


def label_correlation(samples: PairSamples, metric: str, procedure: str) -> Strength | None:
    """r of similarity and label, by the procedure of the paper's text or of its printed table."""
    if procedure == "majority":
        samples = samples.where(samples.votes.decided)
    values = samples.chrf if metric == METRIC_NAMES[0] else samples.bleu
    if procedure == "majority":
        return strength(samples, values, samples.votes.labels().astype(np.float64))
    spread = np.repeat(values[:, None, :], len(samples.detectors), axis=1)
    labels = samples.labels.reshape(len(samples), -1).astype(np.float64)
    return strength(samples, spread.reshape(len(samples), -1), labels)


def _strengths(systems: Sequence[PairSamples]) -> Iterator[tuple[PairSamples, str, str, Strength]]:
    for samples, metric, procedure in product(systems, METRIC_NAMES, PROCEDURES):
        found = label_correlation(samples, metric, procedure)
        if found is not None:
            yield samples, metric, procedure, found


def _correlations(systems: Sequence[PairSamples]) -> Iterator[Row]:
    for samples, metric, procedure, (test, t, r) in _strengths(systems):
        row: Row = {"system": samples.label, "data": samples.dataset, "metric": metric}
        row |= {"procedure": procedure, "n": test.n, "r": test.r, "low": r.low}
        yield row | {"high": r.high, "t": t, "p": test.p, "band": test.band}


def scores(systems: Sequence[PairSamples], metric: str | None) -> list[Score]:
    """The numbers of T2 and T3 as rows; the outcomes are the vote of all detectors."""
    found = []
    for samples in systems:
        for outcome, (name, _) in MEANINGS.items():
            extra = {"data": samples.dataset, "M": outcome}
            key = samples.system, samples.pair, PARAPHRASE, VOTE, name
            found.append(Score.of(key, samples.outcome_share(outcome), len(samples), extra))
    for samples, name, procedure, (test, _, r) in _strengths(systems):
        extra = {"data": samples.dataset, "procedure": procedure}
        key = samples.system, samples.pair, PARAPHRASE, name, "r"
        found.append(Score.of(key, r, test.n, extra))
    return [score for score in found if metric in (None, score.metric)]


def _examples(systems: Sequence[PairSamples]) -> Iterator[Row]:
    """Three pairs for each M, the surest first, by the mean distance of P from ε."""
    names = {"chrF̄2 before": "chrF̄2 source", "chrF̄2 after": "chrF̄2 target"}
    shown = ("system", "data", "M", "item", *_TEXTS, *names)
    for samples in systems:
        sure = np.abs(samples.probabilities - samples.epsilon).mean(axis=(1, 2))
        rows = _rows(samples).select(shown).rename(names)
        for number, outcome in enumerate(OUTCOMES):
            places = np.flatnonzero(samples.votes.outcomes == number)
            surest, rest = np.split(places[np.argsort(-sure[places], kind="stable")], [1])
            drawn = sorted(Rng(1, samples.name, outcome).permutation(len(rest))[:2])
            for place in (*surest.tolist(), *rest[drawn].tolist()):
                yield rows.row(place, named=True)


def _rows(samples: PairSamples) -> pl.DataFrame:
    """A row per pair, with everything that is known of it."""
    frame = samples.frame
    texts = zip(_TEXTS, ("source", "varied", "output", "varied_output"), strict=True)
    outcomes = [OUTCOMES[i] for i in samples.votes.outcomes]
    scores = {METRIC_NAMES[0]: samples.chrf}
    for number, name in enumerate(short_names(samples.detectors)):
        scores[name] = samples.probabilities[:, number]
    columns: dict[str, object] = {
        "item": samples.items,
        **{name: frame[column] for name, column in texts},
        "M": outcomes,
        "outcome": [SHORT[outcome] for outcome in outcomes],
        "system": [samples.label] * len(samples),
        "data": [samples.dataset] * len(samples),
        "label": [_LABELS[label] for label in frame["label"]],
    }
    for name, values in scores.items():
        columns |= {f"{name} {when}": values[:, side] for side, when in enumerate(_SIDES)}
    return pl.DataFrame(columns)


def explorer(systems: Sequence[PairSamples]) -> Explorer:
    """Single pairs, equally many of each system."""
    room = max(1, EXPLORED // len(systems))
    rows = pl.concat([_rows(samples).head(room) for samples in systems], how="diagonal")
    shown = {}
    for column in rows.columns:
        name, _, when = column.rpartition(" ")
        if side := _SIDES.get(when):
            likeness = name == METRIC_NAMES[0]
            shown[column] = (
                f"{name} of the {side}" if likeness else f"P(paraphrase), {side}, by {name}"
            )
    known = any(samples.frame["label"].is_not_null().any() for samples in systems)
    filters = {name: label for name, label in _FILTERS.items() if name != "label" or known}
    return Explorer(rows, _TEXTS, shown, filters, item="item", within=("data",), along=("system",))


MEANINGS = {
    "[1,1]": ("isometric", "isometric"),
    "[0,0]": ("ambiguous", "both different (ambiguous)"),
    "[0,1]": ("made_equal", "made equal (type-1 anisometric)"),
    "[1,0]": ("broken_apart", "broken apart (type-2 anisometric)"),
    "∅": ("no_majority", "no majority (ambiguous)"),
}
"""Each M as a name that can be typed, and in the paper's words."""
