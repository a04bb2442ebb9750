"""How often intervals hold the truth and verdicts are right, where the truth is known.

    python benchmarks/coverage_simulation.py [--runs 2000]

Each run draws n items with replacement from a large made-up population and treats them as a study
would. The truth is the same number on the whole population. Three tables: coverage of 95 %
intervals (aim: 93 % to 97 %), claims of the kind "X is the most …", and false decisions among six
claims that are all null. Beside each new rule stands the one used before it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from hyperbaton.metrics import METRICS
from hyperbaton.stats import Claim, interval, leads, p_value, verdicts
from hyperbaton.stats.intervals import Method
from hyperbaton.stats.rank import rank_correlations
from hyperbaton.stats.resample import FloatArray, count_vectors

Statistic = Callable[[FloatArray, FloatArray], FloatArray]
"""From counts (resamples × items) and the rows of the items to a value a resample."""
PEOPLE = 100_000
RESAMPLES = 1000


@dataclass(frozen=True)
class Kind:
    """A kind of interval: where its items come from, and the number made of them."""

    name: str
    population: FloatArray
    statistic: Statistic
    method: Method = "bca-t"
    slow: bool = False

    @property
    def truth(self) -> float:
        """The number on the whole population."""
        return float(self.statistic(np.ones((1, len(self.population))), self.population)[0])


def main() -> None:
    """Print the three tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    runs = parser.parse_args().runs
    print("| interval | method | n = 50 | percentile | n = 500 | percentile |\n" + "|---" * 6 + "|")
    for kind in kinds():
        cells = [
            f"{share:.1%}"
            for items in (50, 500)
            for share in coverage(kind, items, runs // 4 if kind.slow and items > 50 else runs)
        ]
        print(f"| {kind.name} | {kind.method} | {' | '.join(cells)} |", flush=True)
    print('\n| "most" claim | n | holds | undecided | does not hold | before: does not |')
    print("|---" * 6 + "|")
    for name, means, named in FIELDS:
        for items in (50, 500):
            shares = " | ".join(f"{count} of {runs}" for count in most(means, named, items, runs))
            print(f"| {name} | {items} | {shares} |", flush=True)
    print("\n| six null claims, any decision | corrected | before |\n|---|---|---|")
    for items in (50, 500):
        new, old = false_decisions(items, runs)
        print(f"| n = {items} | {new:.1%} | {old:.1%} |", flush=True)


def resampling(items: int) -> FloatArray:
    """The counts of all resamples, as `Bootstrap()` draws them."""
    return np.concatenate(list(count_vectors(items, RESAMPLES, seed=12345)))


def coverage(kind: Kind, items: int, runs: int) -> tuple[float, float]:
    """The share of runs whose interval holds the truth: by the kind's method, by percentiles."""
    rng = np.random.default_rng(items)
    counts, everything = resampling(items), np.ones((1, items))
    truth, hits = kind.truth, np.zeros(2)
    for _ in range(runs):
        rows = kind.population[rng.integers(0, len(kind.population), items)]
        value = float(kind.statistic(everything, rows)[0])
        drawn = kind.statistic(counts, rows)
        for place, method in enumerate((kind.method, "percentile")):
            found = interval(value, drawn, items, method=method)
            hits[place] += found.low - 1e-9 <= truth <= found.high + 1e-9
    new, old = hits / runs
    return float(new), float(old)


def kinds() -> Iterator[Kind]:
    """Every kind of interval that a report shows."""
    rng = np.random.default_rng(1)
    scores = sentence_scores(rng, 12)
    yield Kind("mean sentence score, 45 % zeros", scores[:, :1], mean)
    yield Kind("mean sentence score, very skewed", scores[:, :1] ** 3, mean)
    yield Kind("difference of two systems", scores[:, :1] - 0.8 * scores[:, 1:2], mean)
    yield Kind("mean over 12 cells of shared items, gaps", with_gaps(rng, scores), mean_of_cells)
    yield Kind("6 cells against 6 others", with_gaps(rng, scores * CELLS), difference_of_cells)
    for share in (0.05, 0.5, 0.95):
        yield Kind(f"share {share}", binary(rng, share)[:, :1], mean, "wilson")
    yield Kind("share .05, mean over 4 cells", binary(rng, 0.05), mean_of_cells, "wilson")
    yield Kind("share .95, mean over 4 cells", binary(rng, 0.95), mean_of_cells, "wilson")
    for less, more in ((0.03, 0.07), (0.1, 0.2)):
        chances = [less, 1 - less - more, more]
        changed = rng.choice([-1.0, 0.0, 1.0], p=chances, size=(PEOPLE, 1))
        name = f"difference of two shares, {less} against {more}"
        yield Kind(name, changed, mean, "agresti-min")
    both = np.column_stack([scores[:, 0], scores[:, 1], 0.7 * scores[:, 2] + rng.random(PEOPLE)])
    for name, columns in (("with many ties", [0, 1]), ("without ties", [1, 2])):
        yield Kind(f"Spearman's ρ {name}", both[:20_000, columns], spearman, slow=True)
    normal = rng.multivariate_normal([0, 0], [[1, 0.8], [0.8, 1]], 20_000)
    yield Kind("Spearman's ρ = .79", normal, spearman, slow=True)
    yield Kind("difference of two ρ", both[:20_000], spearmans, slow=True)
    for metric in ("BLEU", "chrF"):
        yield Kind(f"corpus {metric}", texts(metric, 0.5), corpus_score(metric))
        two = np.hstack([texts(metric, 0.5), texts(metric, 0.55)])
        yield Kind(f"difference in corpus {metric}", two, corpus_difference(metric))


CELLS = np.linspace(0.7, 1, 12)


def sentence_scores(rng: np.random.Generator, columns: int) -> FloatArray:
    """Scores from 0 to 1 such as sentence BLEU: some sentences are easy for all, many have 0."""
    ease = rng.normal(size=(PEOPLE, 1))
    return np.clip(ndtr(0.7 * (ease + rng.normal(size=(PEOPLE, columns)))) * 1.2 - 0.55, 0, 1)


def with_gaps(rng: np.random.Generator, scores: FloatArray) -> FloatArray:
    """Some perturbations apply to half of the sentences only."""
    applies = rng.random(scores.shape) < np.linspace(0.5, 1, scores.shape[1])
    return np.where(applies, scores, np.nan)


def binary(rng: np.random.Generator, share: float) -> FloatArray:
    """Four columns of zeros and ones of the same items, which go together somewhat."""
    level = rng.normal(size=(PEOPLE, 1)) + rng.normal(size=(PEOPLE, 4))
    return (level < np.quantile(level, share, axis=0)).astype(np.float64)


def mean(counts: FloatArray, rows: FloatArray) -> FloatArray:
    """The plain mean."""
    return np.asarray((counts @ rows)[:, 0] / counts.sum(axis=1))


def cells(counts: FloatArray, rows: FloatArray) -> FloatArray:
    """The mean of each column over the items that have a value there."""
    known = ~np.isnan(rows)
    return np.asarray((counts @ np.where(known, rows, 0)) / (counts @ known))


def mean_of_cells(counts: FloatArray, rows: FloatArray) -> FloatArray:
    """Every column's mean with the same weight, as a report averages perturbations."""
    return np.asarray(cells(counts, rows).mean(axis=1))


def difference_of_cells(counts: FloatArray, rows: FloatArray) -> FloatArray:
    """The first half of the columns against the other half."""
    means = cells(counts, rows)
    half = means.shape[1] // 2
    return np.asarray(means[:, :half].mean(axis=1) - means[:, half:].mean(axis=1))


def spearman(counts: FloatArray, rows: FloatArray) -> FloatArray:
    """ρ of the two columns."""
    return rank_correlations(counts, rows[:, 0], rows[:, 1])


def spearmans(counts: FloatArray, rows: FloatArray) -> FloatArray:
    """ρ of the first two columns minus ρ of the last two."""
    return spearman(counts, rows) - spearman(counts, rows[:, 1:])


def texts(metric: str, noise: float, segments: int = 20_000) -> FloatArray:
    """The statistics of random text; a part of the words is replaced, more in some segments."""
    rng = np.random.default_rng(2)
    words = np.array([f"{a}{b}{c}" for a in "bdfkl" for b in "aeiou" for c in "mnrst"])
    hypotheses, references = [], []
    for rate in rng.beta(2, 2 / noise - 2, segments):
        reference = words[rng.integers(0, len(words), rng.integers(5, 30))]
        other = words[rng.integers(0, len(words), len(reference))]
        changed = np.where(rng.random(len(reference)) < rate, other, reference)
        references.append(" ".join(reference))
        hypotheses.append(" ".join(changed[: len(changed) - rng.integers(0, 2)]))
    return np.asarray(METRICS.parse(metric).statistics(hypotheses, references), dtype=np.float64)


def corpus_score(metric: str) -> Statistic:
    """The corpus score of each resample, from its sums."""
    made = METRICS.parse(metric)
    return lambda counts, rows: made.from_statistics(counts @ rows, "corpus")


def corpus_difference(metric: str) -> Statistic:
    """The corpus scores of two systems, whose statistics stand side by side, in comparison."""
    score = corpus_score(metric)

    def difference(counts: FloatArray, rows: FloatArray) -> FloatArray:
        half = rows.shape[1] // 2
        return score(counts, rows[:, :half]) - score(counts, rows[:, half:])

    return difference


FIELDS: tuple[tuple[str, FloatArray, list[int]], ...] = (
    ("true, .02 ahead of one, more of the rest", -0.02 * np.arange(16.0), [0]),
    ("true, .02 ahead of 15 equals", np.r_[0, np.full(15, -0.02)], [0]),
    ("true, two named, .02 ahead", np.r_[0.0, -0.005, -0.025 - 0.02 * np.arange(14)], [0, 1]),
    ("all 16 equal", np.zeros(16), [0]),
    ("false, .05 behind one", np.r_[0, 0.05, np.full(14, -0.02)], [0]),
)
"""The true means of sixteen perturbations, and which of them the claim names."""


def field(rng: np.random.Generator, items: int, means: FloatArray) -> FloatArray:
    """Items × perturbations: β2 − β1 of sentence BLEU, as a demo run into German spreads it.

    There the difference of two perturbations has a standard deviation of .13 (the median).
    """
    ease = rng.normal(0, 0.15, (items, 1))
    return np.asarray(means + ease + rng.laplace(0, 0.065, (items, len(means))))


def most(means: FloatArray, named: list[int], items: int, runs: int) -> tuple[int, ...]:
    """In how many runs the claim holds, stays undecided, does not; and was rejected before."""
    rng = np.random.default_rng(items)
    counts = resampling(items)
    others = [i for i in range(len(means)) if i not in named]
    found = {"holds": 0, "undecided": 0, "does not hold": 0}
    before = 0
    for _ in range(runs):
        rows = field(rng, items, means)
        drawn = counts @ rows / items
        lead = leads(rows.mean(axis=0), drawn, named, others, items)
        found[verdicts([Claim(lead.low, lead.high, lead.p)])[0]] += 1
        gaps = drawn[:, named].min(axis=1) - drawn[:, others].max(axis=1)
        before += bool(np.quantile(gaps, 0.975) < 0)
    return *found.values(), before


def false_decisions(items: int, runs: int) -> tuple[float, float]:
    """How often any of six null claims of one report is decided: corrected, and as before."""
    rng = np.random.default_rng(items)
    counts, everything = resampling(items), np.ones((1, items))
    decided = np.zeros(2)
    for _ in range(runs):
        claims, old = [], False
        rows = np.clip(rng.normal(0.1, 0.3, (items, 8)) + rng.normal(0, 0.2, (items, 1)), 0, 1)
        flips = (rng.random((items, 2)) < 0.1).astype(np.float64)
        nulls: list[tuple[Statistic, FloatArray]] = [
            *[(mean, rows[:, [i]] - rows[:, [i + 1]]) for i in (0, 2, 4)],
            (mean, flips[:, :1] - flips[:, 1:]),
            (spearman, np.column_stack([rows[:, 6], rng.random(items)])),
        ]
        for statistic, data in nulls:
            value, drawn = float(statistic(everything, data)[0]), statistic(counts, data)
            found = interval(value, drawn, items)
            claims.append(Claim(found.low, found.high, p_value(value, drawn, items)))
            old |= interval(value, drawn, items, method="percentile").excludes(0)
        equal = field(rng, items, np.zeros(6))
        drawn = counts @ equal / items
        lead = leads(equal.mean(axis=0), drawn, [0], [1, 2, 3, 4, 5], items)
        claims.append(Claim(lead.low, lead.high, lead.p))
        gaps = drawn[:, 0] - drawn[:, 1:].max(axis=1)
        old |= bool(np.quantile(gaps, 0.975) < 0 or np.quantile(gaps, 0.025) > 0)
        decided += [set(verdicts(claims)) != {"undecided"}, old]
    new, before = decided / runs
    return float(new), float(before)


if __name__ == "__main__":
    main()
