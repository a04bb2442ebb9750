"""The tables of the study: frequency of M, kinds of agreement, correlations, examples."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hyperbaton.randomness import Rng
from hyperbaton.stats import Bootstrap, means
from hyperbaton.studies.isometry.correlation import PROCEDURES, correlate
from hyperbaton.studies.isometry.judged import Judged, short_names
from hyperbaton.studies.isometry.study import PARAPHRASE
from hyperbaton.studies.isometry.vote import MEANINGS, OUTCOMES
from hyperbaton.studies.study import Score

__all__ = ["METRIC_NAMES", "agreement", "correlations", "examples", "frequencies", "scores"]

METRIC_NAMES = ("chrF̄2", "BLEU")
VOTE = "vote"
"""What stands for a metric beside the outcomes."""
NAMES = {
    "[1,1]": "isometric",
    "[0,0]": "ambiguous",
    "[0,1]": "made_equal",
    "[1,0]": "broken_apart",
    "∅": "no_majority",
}
"""The outcomes as names that can be typed."""


def frequencies(runs: Sequence[Judged], bootstrap: Bootstrap | None = None) -> pl.DataFrame:
    """T2: how often each M comes, with the share and its interval."""
    rows = []
    for run in runs:
        found = means(np.eye(len(OUTCOMES))[run.votes.outcomes], bootstrap)
        for outcome, share in zip(OUTCOMES, found, strict=True):
            rows.append(
                {
                    "system": run.system,
                    "data": run.dataset,
                    "M": outcome,
                    "meaning": MEANINGS[outcome],
                    "count": run.votes.counts()[outcome],
                    "share": share.value,
                    "low": share.interval.low,
                    "high": share.interval.high,
                }
            )
    return pl.DataFrame(rows)


def agreement(runs: Sequence[Judged]) -> pl.DataFrame:
    """F5 in numbers: which detectors made the majority, for each M."""
    rows = []
    for run in runs:
        for kind, members in _kinds(run.detectors).items():
            chosen = (run.votes.agreeing == members).all(axis=1)
            counts = np.bincount(run.votes.outcomes[chosen], minlength=len(OUTCOMES))
            rows.append(
                {
                    "system": run.system,
                    "data": run.dataset,
                    "agreement": kind,
                    "count": int(counts.sum()),
                    **{name: int(n) for name, n in zip(OUTCOMES, counts, strict=True)},
                }
            )
    return pl.DataFrame(rows)


def _kinds(detectors: tuple[str, ...]) -> dict[str, NDArray[np.bool_]]:
    """Every majority that there can be, the whole first, none last."""
    names = short_names(detectors)
    total = len(names)
    kinds = {}
    for size in range(total, total // 2, -1):
        for group in combinations(range(total), size):
            name = "full" if size == total else " & ".join(names[i] for i in group)
            kinds[name] = np.isin(np.arange(total), group)
    return {**kinds, "none": np.zeros(total, dtype=np.bool_)}


def correlations(runs: Sequence[Judged], bootstrap: Bootstrap | None = None) -> pl.DataFrame:
    """T3: r of surface similarity with S, by both procedures."""
    rows = []
    for run in runs:
        for metric in METRIC_NAMES:
            for procedure in PROCEDURES:
                strength = correlate(run, metric, procedure, bootstrap)
                if strength is not None:
                    found = strength.found
                    rows.append(
                        {
                            "system": run.system,
                            "data": run.dataset,
                            "metric": metric,
                            "procedure": procedure,
                            "n": found.n,
                            "r": found.r,
                            "low": strength.interval.low,
                            "high": strength.interval.high,
                            "t": strength.t,
                            "p": found.p,
                            "band": found.band,
                        }
                    )
    return pl.DataFrame(rows)


def scores(runs: Sequence[Judged], metric: str | None = None) -> list[Score]:
    """The numbers of T2 and T3 as rows; the outcomes are the vote of all detectors."""
    found = []
    for run in runs:
        data = {"data": run.dataset}
        for row in frequencies([run]).iter_rows(named=True) if metric in (None, VOTE) else ():
            span = row["share"], row["low"], row["high"]
            names = run.system, run.pair, PARAPHRASE, VOTE, NAMES[row["M"]]
            found.append(Score(*names, *span, len(run), {**data, "M": row["M"]}))
        for row in correlations([run]).iter_rows(named=True):
            if metric in (None, row["metric"]):
                names = run.system, run.pair, PARAPHRASE, row["metric"], "r"
                span = row["r"], row["low"], row["high"]
                extra = {**data, "procedure": row["procedure"]}
                found.append(Score(*names, *span, row["n"], extra))
    return found


def examples(runs: Sequence[Judged], each: int = 3, seed: int = 1) -> pl.DataFrame:
    """T4: pairs for each M; those the detectors are surest of first, then drawn at random.

    How sure they are is the mean distance of their probabilities from ε.
    """
    rows = []
    for run in runs:
        sure = np.abs(run.probabilities - run.epsilon).mean(axis=(1, 2))
        for number, outcome in enumerate(OUTCOMES):
            places = np.flatnonzero(run.votes.outcomes == number)
            order = places[np.argsort(-sure[places], kind="stable")]
            rest = order[1:]
            drawn = sorted(Rng(seed, run.name, outcome).permutation(len(rest))[: each - 1])
            for place in [*order[:1], *rest[drawn]]:
                rows.append(
                    {
                        "system": run.system,
                        "data": run.dataset,
                        "M": outcome,
                        "item": run.items[place],
                        "s1": run.source[place],
                        "s2": run.varied[place],
                        "f(s1)": run.output[place],
                        "f(s2)": run.varied_output[place],
                        "chrF̄2 source": float(run.chrf[place, 0]),
                        "chrF̄2 target": float(run.chrf[place, 1]),
                    }
                )
    return pl.DataFrame(rows)
