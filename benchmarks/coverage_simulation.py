"""How often intervals hold the truth and verdicts are right, where the truth is known.

    python benchmarks/coverage_simulation.py [--runs 2000] [--coverage | --claims]

Each run draws n items with replacement from a large made-up population and treats them as a study
would. The truth is the same number on the whole population; of rank correlations over
perturbations, whose value depends on the number of examples, it is the mean over many samples of
the same size. Three tables: coverage of 95 % intervals (aim: 92 % to 98 %; --coverage prints no
other, --claims the rest) for every kind of number that has an interval on a report, claims of the
kind "X is the most …", and false decisions among six claims that are all null, both as a report
judges them. Beside each new rule stands the one used before it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from hyperbaton.metrics import METRICS
from hyperbaton.report.contents import Finding
from hyperbaton.stats import interval
from hyperbaton.stats.correlation import moments, r_of_moments, rank_correlations
from hyperbaton.stats.intervals import Method
from hyperbaton.stats.resample import FloatArray, count_vectors
from hyperbaton.studies.grammar.samples import noise_ratio
from hyperbaton.studies.isometry.samples import vote
from hyperbaton.studies.layer import evidence
from hyperbaton.studies.layer.aggregate import Aggregate
from hyperbaton.studies.layer.claims import corrected
from hyperbaton.studies.structure.series import series_ranks

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
    expected: bool = False
    """Whether the truth is what samples of the same size give on average."""
    sizes: tuple[int, ...] = (10, 50, 500)

    def truth(self, items: int) -> float:
        """The number on the whole population, or on average over samples."""
        if not self.expected:
            return float(self.statistic(np.ones((1, len(self.population))), self.population)[0])
        rng, once = np.random.default_rng(7), np.ones((1, items))
        drawn = [self.sample(rng, items) for _ in range(4000)]
        return float(np.mean([self.statistic(once, rows)[0] for rows in drawn]))

    def sample(self, rng: np.random.Generator, items: int) -> FloatArray:
        """Items drawn from the population."""
        return np.asarray(self.population[rng.integers(0, len(self.population), items)])


def main() -> None:
    """Print the three tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--coverage", action="store_true")
    only.add_argument("--claims", action="store_true")
    args = parser.parse_args()
    if not args.claims:
        print_coverage(args.runs)
    if not args.coverage:
        print_claims(args.runs)


def print_coverage(runs: int) -> None:
    """How often the interval of each kind holds the truth."""
    print("| number | method | coverage | by percentiles |\n" + "|---" * 4 + "|")
    for kind in kinds():
        found = [
            (items, *coverage(kind, items, runs // 4 if kind.slow and items > 50 else runs))
            for items in kind.sizes
        ]
        ours = ", ".join(f"n = {items}: {share:.1%}" for items, share, _ in found)
        plain = ", ".join(f"{share:.1%}" for _, _, share in found)
        print(f"| {kind.name} | {kind.method} | {ours} | {plain} |", flush=True)


def print_claims(runs: int) -> None:
    """How often claims are decided, rightly and wrongly."""
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
    truth, hits = kind.truth(items), np.zeros(2)
    without = 0
    for _ in range(runs):
        rows = kind.sample(rng, items)
        value = float(kind.statistic(everything, rows)[0])
        drawn = kind.statistic(counts, rows)
        for place, method in enumerate((kind.method, "percentile")):
            found = interval(value, drawn, items, method=method)
            without += place == 0 and np.isnan(found.low)
            hits[place] += found.low - 1e-9 <= truth <= found.high + 1e-9
    # Where there is no interval, none is shown that could be wrong.
    new, old = hits / max(1, runs - without)
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
    for share in (0.002, 0.02, 0.05, 0.5, 0.95, 0.998):
        yield Kind(f"share {share}", binary(rng, share)[:, :1], mean, "wilson")
    yield Kind("share .05, mean over 4 cells", binary(rng, 0.05), mean_of_cells, "wilson")
    yield Kind("share .95, mean over 4 cells", binary(rng, 0.95), mean_of_cells, "wilson")
    yield Kind("share .02, mean over 16 cells", binary(rng, 0.02, 16), mean_of_cells, "wilson")
    yield Kind("share of pairs that a vote of three makes isometric", votes(rng), mean, "wilson")
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
    yield from ratios_and_rows(rng, scores)
    yield from over_perturbations()
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


def ratios_and_rows(rng: np.random.Generator, scores: FloatArray) -> Iterator[Kind]:
    """Ratios of paired means, and correlations of rows whose observations hang together."""
    kept = np.column_stack([0.6 * scores[:, 0] + 0.1 * rng.random(PEOPLE), scores[:, 0]])
    yield Kind("ratio of paired means (kept)", kept + np.array([0, 0.05]), ratio)
    noisy = np.hstack([texts("chrF", 0.5), texts("chrF", 0.2)])
    yield Kind("noise ratio NR", noisy, noise)
    ease = rng.normal(size=(20_000, 1))
    x = ease + rng.normal(size=(20_000, 6))
    y = (0.5 * x + ease + rng.normal(size=(20_000, 6)) > 0).astype(np.float64)
    yield Kind("Pearson's r of rows of six observations", np.hstack([x, y]), rows_r)
    both = np.hstack([x[:, :2], 0.4 * x[:, :2] + rng.normal(size=(20_000, 2))])
    yield Kind("mean of Spearman's ρ over two systems, by sentence", both, two_systems, slow=True)


def ratio(counts: FloatArray, rows: FloatArray) -> FloatArray:
    """One mean over another."""
    sums = counts @ rows
    return np.asarray(sums[:, 0] / sums[:, 1])


def noise(counts: FloatArray, rows: FloatArray) -> FloatArray:
    """What translations lose over what sources lose."""
    half, score = rows.shape[1] // 2, corpus_score("chrF")
    return noise_ratio(score(counts, rows[:, :half]), score(counts, rows[:, half:]))


def rows_r(counts: FloatArray, rows: FloatArray) -> FloatArray:
    """Pearson's r of all observations, rows drawn whole."""
    half = rows.shape[1] // 2
    return r_of_moments(counts @ moments(rows[:, :half], rows[:, half:]))


def two_systems(counts: FloatArray, rows: FloatArray) -> FloatArray:
    """The mean ρ of two systems that translated the same sentences."""
    found = [rank_correlations(counts, rows[:, i], rows[:, 2 + i]) for i in (0, 1)]
    return np.asarray(np.mean(found, axis=0))


def over_perturbations() -> Iterator[Kind]:
    """ρ over 41 perturbations of a score with a measure: of one language, and over languages."""
    rng = np.random.default_rng(3)
    sizes = (20, 36, 100)
    for spread, other in ((1.5, 0.4), (0.6, 0.4)):
        made, measure = right_answers(rng, spread, other)
        statistic = ranked_with(measure)
        ρ = statistic(np.ones((1, len(made))), made)[0]
        name = f"ρ over perturbations of one language, {ρ:.2f} with endless examples"
        yield Kind(name, made, statistic, "fisher", True, True, sizes)
    each = []
    for _ in range(2000):
        rows, measure = right_answers(rng, rng.uniform(0.3, 1.2), rng.uniform(0.3, 1.2), 36)
        each.append(ranked_with(measure)(np.ones((1, 36)), rows))
    languages = np.array(each)
    name = "ρ over perturbations, mean over n languages of 36 examples"
    yield Kind(name, languages, mean, "fisher", sizes=(3, 7, 30))
    apart = languages - 0.5 * rng.permutation(languages)
    yield Kind("the same, minus another", apart, mean, "student", sizes=(3, 7, 30))


def right_answers(
    rng: np.random.Generator, spread: float, other: float, size: int = 20_000
) -> tuple[FloatArray, FloatArray]:
    """Examples × perturbations, 1 where the answer is right, and a measure of perturbations."""
    measure = np.sort(rng.random(41))
    level = spread * (measure - measure.mean()) / measure.std() + other * rng.normal(size=41)
    ease = rng.normal(size=(size, 1))
    return (level + ease + rng.normal(size=(size, 41)) > 0).astype(np.float64), measure


def ranked_with(measure: FloatArray) -> Statistic:
    """ρ of the mean scores of perturbations with their measure."""

    def statistic(counts: FloatArray, rows: FloatArray) -> FloatArray:
        # Without rounding, ties would be broken by the order of additions.
        means = np.round(counts @ rows / len(rows), 9)
        return np.asarray(series_ranks(means, measure[:, None])[:, 0])

    return statistic


def votes(rng: np.random.Generator) -> FloatArray:
    """1 where the strict majority of three judges calls both sides of a pair paraphrases."""
    sure = rng.normal(0.8, 1, size=(PEOPLE, 1, 1)) + rng.normal(size=(PEOPLE, 3, 2)) > 0
    return np.asarray((vote(sure).outcomes == 0)[:, None].astype(np.float64))


def binary(rng: np.random.Generator, share: float, columns: int = 4) -> FloatArray:
    """Columns of zeros and ones of the same items, which go together somewhat."""
    level = rng.normal(size=(PEOPLE, 1)) + rng.normal(size=(PEOPLE, columns))
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
    found = dict.fromkeys(("holds", "undecided", "does not hold"), 0)
    before = 0
    for _ in range(runs):
        rows = field(rng, items, means)
        drawn = counts @ rows / items
        (claim,) = corrected([is_most(rows, drawn, named)])
        found[claim.verdict] += 1
        gaps = drawn[:, named].min(axis=1) - drawn[:, others].max(axis=1)
        before += bool(np.quantile(gaps, 0.975) < 0)
    return *found.values(), before


def is_most(rows: FloatArray, drawn: FloatArray, named: list[int]) -> Finding:
    """The claim that the named columns have the largest means, as a report judges it."""
    columns = zip(rows.mean(axis=0).tolist(), drawn.T, strict=True)
    means = {str(i): Aggregate.of(*column, len(rows)) for i, column in enumerate(columns)}
    tested = evidence.most("β2 − β1", means, [str(i) for i in named])
    assert isinstance(tested, evidence.Evidence)
    return evidence.weighed("X is the most", tested)


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
            claims.append(evidence.finding("", "", Aggregate.of(value, drawn, items)))
            old |= interval(value, drawn, items, method="percentile").excludes(0)
        equal = field(rng, items, np.zeros(6))
        drawn = counts @ equal / items
        claims.append(is_most(equal, drawn, [0]))
        gaps = drawn[:, 0] - drawn[:, 1:].max(axis=1)
        old |= bool(np.quantile(gaps, 0.975) < 0 or np.quantile(gaps, 0.025) > 0)
        decided += [{one.verdict for one in corrected(claims)} != {"undecided"}, old]
    new, before = decided / runs
    return float(new), float(before)


if __name__ == "__main__":
    main()
