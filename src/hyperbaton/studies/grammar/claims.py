"""What decides each claim of the grammar paper: the numbers of some systems on some corpora."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise

import numpy as np
import polars as pl

from hyperbaton.base.wording import decimal
from hyperbaton.studies.grammar.places import Asked, Number, leaning, near, sides, spread_by_quarter
from hyperbaton.studies.grammar.samples import LearnerSamples
from hyperbaton.studies.layer.aggregate import (
    NOTHING,
    Aggregate,
    Floats,
    average,
    combined,
    correlated,
    gap,
)
from hyperbaton.studies.layer.evidence import Evidence, Test

RECOVERABLE = ("VERB:INFL", "VERB:SVA", "ORTH", "VERB:FORM", "WO")
LEXICAL = ("CONJ", "OTHER", "NOUN", "ADV", "VERB")
"""The types with the highest and the lowest RB in the paper's Table 2."""
SEMANTIC = ("NOUN", "VERB", "ADV", "CONJ")
_KIND = pl.col("variant").str.replace(r"^[MRU]:", "")
_LEVEL = re.compile(r"(?:^|[/\\ ])([ABC])\.")
_MOST_ERRORS = 10
_FEWEST = 5
"""Sentences that a group needs to be one of the numbers of a claim."""


def robust(samples: LearnerSamples) -> Aggregate:
    """RB as a share."""
    return samples.share("same")


def _corpora(asked: Asked) -> Evidence | str:
    """Over corpora, for each system; corpora are few, their sentences are resampled."""
    by_system: dict[str, list[LearnerSamples]] = {}
    for samples in asked.systems:
        by_system.setdefault(samples.source.short, []).append(samples)
    if max(map(len, by_system.values())) < 3:
        return "needs three corpora"
    metrics = [asked.metric, *(m for m in asked.systems[0].metrics if m.startswith("METEOR"))]
    measures: dict[str, Number] = {"RB": robust}
    for name in dict.fromkeys(metrics):
        measures[f"f-{name}"] = partial(asked.changed, metric=name)
    numbers = {}
    for label, of in measures.items():
        found = [
            correlated([one.mean("errors") for one in mine], [of(one) for one in mine], "fisher")
            for mine in by_system.values()
            if len(mine) >= 3
        ]
        numbers[f"−r(corrections, {label})"] = -average(found)
    detail = "Corpora are few; the interval is over their sentences alone"
    return Evidence("−r of corrections a sentence, over corpora", numbers, detail)


def _levels(asked: Asked) -> Evidence | str:
    levels: dict[str, list[LearnerSamples]] = {}
    for samples in asked.systems:
        found = _LEVEL.search(samples.corpus.partition(": ")[2])
        if found:
            levels.setdefault(found[1], []).append(samples)
    if sorted(levels) != ["A", "B", "C"]:
        return "needs corpora of the levels A, B and C, in files that begin so (A.m2, B.m2, C.m2)"
    means = {level: asked.over(robust, some) for level, some in levels.items()}
    numbers = {f"{high} minus {low}": means[high] - means[low] for low, high in pairwise("ABC")}
    return Evidence("RB of one level minus that of the one beneath", numbers)


def _noise(asked: Asked) -> Evidence:
    numbers = {str(one): one.noise_ratio(asked.metric) for one in asked.systems}
    return Evidence("NR, the noise ratio", numbers, threshold=1.0)


def _less_noise(asked: Asked) -> Evidence:
    def apart(samples: LearnerSamples) -> Aggregate:
        kept = samples.row_scores(asked.metric, "sources")
        ratios = samples.noise_ratios(asked.metric)
        known = np.isfinite(ratios)
        halves = [known & (kept > np.median(kept)), known & (kept <= np.median(kept))]
        columns = [c for half in halves for c in (np.where(half, ratios, 0), half)]

        def of(sums: Floats) -> Floats:
            return np.asarray(sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3])

        return samples.of(np.column_stack(columns).astype(np.float64), of)

    detail = "Mean NR of single sentences; halves by how much of the source the errors leave"
    statistic = "NR of the less noisy half of the sentences minus NR of the noisier half"
    return Evidence(statistic, {"": asked.over(apart)}, detail)


def _with(errors: int, or_more: bool = False) -> pl.Expr:
    """The sentences with so many errors."""
    return pl.col("errors") >= errors if or_more else pl.col("errors") == errors


def _halving(asked: Asked) -> Evidence:
    def part(samples: LearnerSamples, errors: int) -> LearnerSamples:
        return samples.where(_with(errors))

    def halved(samples: LearnerSamples) -> Aggregate:
        known = [part(samples, n) for n in range(1, 7)]
        there = [len(one) >= _FEWEST for one in known]
        steps = [n for n in range(5) if there[n] and there[n + 1]]
        shares = {n: robust(known[n]).by("bca-t") for n in {*steps, *(n + 1 for n in steps)}}
        weights = {n: (0.5 * (n in steps)) - (n - 1 in steps) for n in shares}
        return combined([(shares[n], weights[n]) for n in shares])

    def share(samples: LearnerSamples, errors: int) -> Aggregate:
        return robust(samples.where(_with(errors, or_more=errors == 6)))

    said = ", ".join(
        f"{errors if errors < 6 else 'more than 5'}: "
        f"{decimal(asked.over(partial(share, errors=errors)).value, '.1%')}"
        for errors in range(1, 7)
    ).replace("%", " %")
    statistic = "half of the summed RB of 1 to 5 errors minus that of 2 to 6"
    return Evidence(statistic, {"": asked.over(halved)}, f"RB by errors: {said}")


def _falling(asked: Asked) -> Evidence | str:
    """A line through f of the changed sentences by number of errors; more than nine are ten."""

    def line(samples: LearnerSamples, degree: int) -> Aggregate:
        changed = samples.where(~pl.col("same"))
        parts = {
            n: changed.where(_with(n, or_more=n == _MOST_ERRORS))
            for n in range(1, _MOST_ERRORS + 1)
        }
        known = {n: part for n, part in parts.items() if len(part) >= _FEWEST}
        if len(known) < 3:
            return combined([])
        weights = np.sqrt([len(part) for part in known.values()])
        table = np.vander(np.array(list(known), dtype=np.float64), 3 if degree == 2 else 2)
        row = np.linalg.pinv(table * weights[:, None])[0] * weights
        scores = (part.corpus_score(asked.metric, "translations") for part in known.values())
        return combined(list(zip(scores, row.tolist(), strict=True)))

    def end(samples: LearnerSamples, errors: int) -> Aggregate:
        return asked.changed(samples.where(_with(errors, or_more=errors > 1)))

    slope, bent = (asked.over(partial(line, degree=degree)) for degree in (1, 2))
    if not np.isfinite(slope.value):
        return "needs changed sentences with one, two and three errors"
    ends = (asked.over(partial(end, errors=errors)).value for errors in (1, _MOST_ERRORS))
    first, last = (decimal(100 * end, ".1f") for end in ends)
    detail = (
        f"f-{asked.metric} of the changed at one error {first}, beyond nine {last}; curvature "
        f"{decimal(bent.value, '.4f')} [{decimal(bent.low, '.4f')}, {decimal(bent.high, '.4f')}]"
    )
    return Evidence(f"fall of f-{asked.metric} with each error", {"": -slope}, detail)


def _by_length(single: bool, sign: int, statistic: str) -> Test[Asked]:
    def apart(samples: LearnerSamples) -> Aggregate:
        some = samples.single if single else samples
        middle = some.frame["length"].median()
        if middle is None:  # no sentence has a single error
            return NOTHING
        longer, shorter = (
            some.where(c) for c in (pl.col("length") > middle, pl.col("length") <= middle)
        )
        return gap(robust(longer), robust(shorter)).times(sign)

    def test(asked: Asked) -> Evidence:
        level = asked.each(lambda samples: robust(samples.single if single else samples))
        return Evidence(statistic, {"": asked.over(apart)}, f"RB: {level}")

    return test


def _types(asked: Asked) -> Evidence | str:
    def part(kinds: Sequence[str]) -> Number:
        return lambda samples: robust(samples.single.where(_KIND.is_in(kinds)))

    def mean(samples: LearnerSamples) -> Aggregate:
        """Over types, which have the same weight; the items behind it are those of all."""
        counts = samples.single.frame.select(_KIND)["variant"].value_counts()
        shares = [part([kind])(samples) for kind, n in counts.iter_rows() if n >= _FEWEST]
        found = average(shares)
        return Aggregate.of(found.value, found.drawn, sum(one.n for one in shares), found.method)

    def apart(one: Number, other: Number) -> Aggregate:
        usable = [s for s in asked.systems if min(one(s).n, other(s).n) > 1]
        return asked.over(lambda samples: gap(one(samples), other(samples)), usable)

    form, choice = part(RECOVERABLE), part(LEXICAL)
    numbers = {
        "form and order above the mean": apart(form, mean),
        "choice below it": apart(mean, choice),
    }
    if not all(np.isfinite(one.value) for one in numbers.values()):
        return "needs typed single errors of both kinds"
    detail = (
        f"Form and order ({', '.join(RECOVERABLE)}): {asked.each(form)}; choice "
        f"({', '.join(LEXICAL)}): {asked.each(choice)}; mean over types: {asked.each(mean)}"
    )
    return Evidence("RB minus the mean RB over types, or that minus RB", numbers, detail)


def _semantic(asked: Asked) -> Evidence | str:
    chosen = _KIND.is_in(SEMANTIC)

    def of(samples: LearnerSamples, which: pl.Expr) -> Aggregate:
        return robust(samples.single.where(which))

    usable = [s for s in asked.systems if min(of(s, chosen).n, of(s, ~chosen).n) > 1]
    if not usable:
        return "needs typed single errors of both kinds"
    apart = asked.over(lambda s: gap(of(s, ~chosen), of(s, chosen)), usable)
    detail = f"{', '.join(SEMANTIC)}: {asked.each(lambda s: of(s, chosen))}"
    return Evidence("RB of the other types minus RB of errors of meaning", {"": apart}, detail)


TESTS: Mapping[str, Test[Asked]] = {
    "G1": _corpora,
    "G2": _levels,
    "G3": _noise,
    "G4": _less_noise,
    "G5": _halving,
    "G6": _falling,
    "G7": _by_length(True, 1, "RB of the longer half with one error minus that of the shorter"),
    "G8": _by_length(False, -1, "RB of the shorter half of all sentences minus that of the longer"),
    "G9": _types,
    "G10": _semantic,
    "G11": near,
    "G12": leaning,
    "G13": sides,
    "G14": spread_by_quarter,
}
# Answers at random magnify most of all: NR is no more than they give, whatever it is.
BY_CHANCE = tuple(name for name in TESTS if name != "G3")
