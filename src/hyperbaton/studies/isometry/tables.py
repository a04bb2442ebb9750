"""Tables and words of the study: frequency of M, kinds of agreement, correlations, examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import numpy as np
import polars as pl

from hyperbaton.base.randomness import Rng
from hyperbaton.report.contents import Explorer, Table
from hyperbaton.stats import Bootstrap
from hyperbaton.studies.isometry.samples import (
    LABELS,
    OUTCOMES,
    SHORT,
    Judged,
    judge_quality,
    majorities,
    rated,
    shares,
    surest,
)
from hyperbaton.studies.isometry.study import PARAPHRASE
from hyperbaton.studies.layer.correlations import Strength, row_correlation
from hyperbaton.studies.layer.experiment import Score
from hyperbaton.studies.layer.ranking import difference_tables
from hyperbaton.studies.layer.sources import short_names

__all__ = ["GLOSSARY", "MEANINGS", "agreement", "correlate", "explorer", "scores", "tables"]


Row = dict[str, object]
METRIC_NAMES = ("chrF̄2", "BLEU")
PROCEDURES = ("majority", "pooled")
VOTE = "vote"  # what stands for a metric beside the outcomes
EXPLORED = 4000  # pairs in the page; with more it loads slowly
_TEXTS = {
    "s1": "first sentence",
    "s2": "second sentence",
    "f(s1)": "translation of the first",
    "f(s2)": "translation of the second",
}
_SIDES = {"before": "sources", "after": "translations"}
_WHEN = tuple(f" {when}" for when in _SIDES)
_FILTERS = {"outcome": "outcome", "label": "true label", "system": "system", "data": "data set"}


def tables(runs: Sequence[Judged], bootstrap: Bootstrap) -> list[Table]:
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
        ("T1", "Detectors against the true labels", known): _detectors(runs),
        ("T2", "Frequency of M", counted): _frequencies(runs, bootstrap),
        ("labels", "Outcome by true label", truth): _by_label(runs),
        ("F5", "Kinds of agreement", ""): _agreement(runs),
        ("T3", similar, procedures): _correlations(runs, bootstrap),
        ("T4", "Example pairs", chosen): _examples(runs),
    }
    frames = {key: pl.DataFrame(list(found)) for key, found in rows.items()}
    made = [Table(*key[:2], frame, key[2]) for key, frame in frames.items() if frame.width]
    return [*made, *difference_tables([run.samples for run in runs], rated(bootstrap))]


def _detectors(runs: Sequence[Judged]) -> Iterator[Row]:
    """The detectors on the sources, once for each data set."""
    for run in {run.dataset: run for run in reversed(runs)}.values():
        names, sources = short_names(run.detectors), run.probabilities[:, :, 0]
        for row in judge_quality(run.gold, names, sources, run.epsilon):
            yield {"data": run.dataset, **row}


def _frequencies(runs: Sequence[Judged], bootstrap: Bootstrap) -> Iterator[Row]:
    for run in runs:
        for outcome, share in shares(run, bootstrap).items():
            row: Row = {"system": run.label, "data": run.dataset, "M": outcome}
            row |= {"meaning": MEANINGS[outcome][1], "count": run.votes.counts()[outcome]}
            yield {**row, "share": share.value, "low": share.low, "high": share.high}


def _by_label(runs: Sequence[Judged]) -> Iterator[Row]:
    """How often each outcome came among true paraphrases, and among the others."""
    for run in runs:
        if not {0, 1} <= set(run.gold):
            continue
        for label, name in LABELS.items():
            chosen = run.votes.outcomes[[gold == label for gold in run.gold]]
            if label is not None:
                row: Row = {"system": run.label, "data": run.dataset, "true label": name}
                counts = {SHORT[m]: int((chosen == i).sum()) for i, m in enumerate(OUTCOMES)}
                yield {**row, "pairs": len(chosen), **counts}


def agreement(run: Judged) -> dict[str, dict[str, int]]:
    """Which detectors made the majority, for each M."""
    found = {}
    for kind, members in majorities(short_names(run.detectors)).items():
        chosen = run.votes.outcomes[(run.votes.agreeing == members).all(axis=1)]
        found[kind] = {name: int((chosen == i).sum()) for i, name in enumerate(OUTCOMES)}
    return found


def _agreement(runs: Sequence[Judged]) -> Iterator[Row]:
    for run in runs:
        for kind, counts in agreement(run).items():
            row: Row = {"system": run.label, "data": run.dataset, "agreement": kind}
            yield {**row, "count": sum(counts.values()), **counts}


def correlate(
    run: Judged, metric: str, procedure: str, bootstrap: Bootstrap | None = None
) -> Strength | None:
    """r of similarity and label, by the procedure of the paper's text or of its printed table."""
    values = run.chrf if metric == METRIC_NAMES[0] else run.bleu
    if procedure == "majority":
        labels = run.votes.labels().astype(np.float64)
        return row_correlation(values[run.votes.decided], labels, bootstrap)
    spread = np.repeat(values[:, None, :], len(run.detectors), axis=1)
    labels = run.labels.reshape(len(run), -1).astype(np.float64)
    return row_correlation(spread.reshape(len(run), -1), labels, bootstrap)


def _strengths(
    runs: Sequence[Judged], bootstrap: Bootstrap
) -> Iterator[tuple[Judged, str, str, Strength]]:
    for run, metric, procedure in product(runs, METRIC_NAMES, PROCEDURES):
        strength = correlate(run, metric, procedure, bootstrap)
        if strength is not None:
            yield run, metric, procedure, strength


def _correlations(runs: Sequence[Judged], bootstrap: Bootstrap) -> Iterator[Row]:
    for run, metric, procedure, strength in _strengths(runs, bootstrap):
        found, span = strength.found, strength.interval
        row: Row = {"system": run.label, "data": run.dataset, "metric": metric}
        row |= {"procedure": procedure, "n": found.n, "r": found.r, "low": span.low}
        yield row | {"high": span.high, "t": strength.t, "p": found.p, "band": found.band}


def scores(runs: Sequence[Judged], bootstrap: Bootstrap, metric: str | None) -> list[Score]:
    """The numbers of T2 and T3 as rows; the outcomes are the vote of all detectors."""
    found = []
    for run in runs:
        key = run.system, run.pair, PARAPHRASE
        for outcome, share in shares(run, bootstrap).items():
            extra = {"data": run.dataset, "M": outcome}
            name = MEANINGS[outcome][0]
            found.append(Score(*key, VOTE, name, *share.span, len(run), extra))
    for run, name, procedure, strength in _strengths(runs, bootstrap):
        extra = {"data": run.dataset, "procedure": procedure}
        span = strength.found.r, strength.interval.low, strength.interval.high
        key = run.system, run.pair, PARAPHRASE
        found.append(Score(*key, name, "r", *span, strength.found.n, extra))
    return [score for score in found if metric in (None, score.metric)]


def _examples(runs: Sequence[Judged], each: int = 3) -> Iterator[Row]:
    """Pairs for each M; how sure detectors are is the mean distance of P from ε."""
    names = {"chrF̄2 before": "chrF̄2 source", "chrF̄2 after": "chrF̄2 target"}
    shown = ("system", "data", "M", "item", *_TEXTS, *names)
    for run in runs:
        sure = np.abs(run.probabilities - run.epsilon).mean(axis=(1, 2))
        rows = run.frame().select(shown).rename(names)
        for number, outcome in enumerate(OUTCOMES):
            places = np.flatnonzero(run.votes.outcomes == number)
            for place in surest(sure, places, Rng(1, run.name, outcome), each):
                yield rows.row(place, named=True)


def explorer(runs: Sequence[Judged]) -> Explorer:
    """Single pairs, equally many of each run."""
    room = max(1, EXPLORED // len(runs))
    rows = pl.concat([run.frame().head(room) for run in runs], how="diagonal")
    shown = {
        f"{name} {when}": f"{name} of the {side}"
        if name == METRIC_NAMES[0]
        else f"P(paraphrase), {side}, by {name}"
        for name, when in (
            column.rsplit(" ", 1) for column in rows.columns if column.endswith(_WHEN)
        )
        for side in [_SIDES[when]]
    }
    filters = {name: label for name, label in _FILTERS.items() if name != "label" or _known(runs)}
    return Explorer(rows, _TEXTS, shown, filters, item="item", within=("data",), along=("system",))


def _known(runs: Sequence[Judged]) -> bool:
    return any(label is not None for run in runs for label in run.gold)


MEANINGS = {
    "[1,1]": ("isometric", "isometric"),
    "[0,0]": ("ambiguous", "ambiguous"),
    "[0,1]": ("made_equal", "type-1 anisometric: translation made them equal"),
    "[1,0]": ("broken_apart", "type-2 anisometric: translation broke them apart"),
    "∅": ("no_majority", "ambiguous: no majority"),
}
"""Each M as a name that can be typed, and in the paper's words."""
GLOSSARY: Mapping[str, str] = {
    "isometric": "The two sentences mean the same before translation, and so do the translations.",
    "broken apart": "They mean the same before translation, their translations do not.",
    "made equal": "They do not mean the same before translation, their translations do.",
    "both different": "They do not mean the same before translation, nor do their translations.",
    "no majority": "The detectors do not agree on what they are before and after.",
    "detector": "A program that says how likely it is that two sentences mean the same.",
    "S": "1 where a detector takes two sentences for paraphrases, else 0.",
    "M": "The labels before and after translation that most detectors give: [1,1] is isometric.",
    "chrF̄2": "How like two sentences are spelt, the same in both directions.",
}
