"""The bootstrap against sacreBLEU's, in one run on the same cached BLEU statistics.

    python benchmarks/bootstrap.py [--segments 100000] [--resamples 1000]

Two tasks: the interval of one system, and the paired comparison of two, as sacreBLEU's
`PairedTest` needs too; each timed on statistics that are already there, so no text is read in the
time measured. Text is random words: the time does not depend on what the counts are. sacreBLEU
holds all indices and all resampled rows at once (about 5 GB for the default sizes).
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import Result, _bootstrap_resample, _paired_bs_test, estimate_ci

from hyperbaton.stats import Bootstrap, compare, estimate
from hyperbaton.stats.resample import FloatArray

T = TypeVar("T")
WORDS = np.array([f"w{i}" for i in range(300)])


class Cached(BLEU):
    """sacreBLEU's metric with the statistics of a system found by its name."""

    def __init__(self, tables: dict[str, list[list[int]]]) -> None:
        super().__init__(tokenize="none")
        self.tables = tables

    def _extract_corpus_statistics(self, hypotheses, references):  # type: ignore[no-untyped-def]
        return self.tables[hypotheses[0]]


def main() -> None:
    """Print the four times and the two ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=100_000)
    parser.add_argument("--resamples", type=int, default=1000)
    args = parser.parse_args()
    first, second = (statistics(args.segments, noise, seed=0) for noise in (0.30, 0.31))
    tables = {"first": first.astype(int).tolist(), "second": second.astype(int).tolist()}
    spec = Bootstrap(resamples=args.resamples)
    print(f"{args.segments:,} segments, {args.resamples:,} resamples, one process")

    ours, interval = timed(lambda: estimate(first, bleu, spec))
    ours_paired, comparison = timed(lambda: compare(first, second, bleu, spec))
    print(f"peak memory before sacreBLEU: {peak():.2f} GB")

    metric = Cached(tables)
    theirs, resampled = timed(
        lambda: _bootstrap_resample(tables["first"], metric, args.resamples)[1]
    )
    mean, half = estimate_ci(np.array([score.score for score in resampled]))
    del resampled
    base = Result(metric._aggregate_and_compute(tables["first"]).score)
    theirs_paired, (_, results) = timed(
        lambda: _paired_bs_test(
            {"BLEU": (tables["first"], base)},
            "second",
            ["second"] * args.segments,
            None,
            {"BLEU": metric},
            args.resamples,
            seed=12345,
        )
    )
    print(f"peak memory with sacreBLEU:   {peak():.2f} GB")
    print(f"interval   ours {ours:7.2f} s   sacreBLEU {theirs:7.2f} s   ratio {ours / theirs:.2%}")
    print(f"           ours {interval.mean:.4f} ± {interval.interval.half_width:.4f}", end="   ")
    print(f"sacreBLEU {mean:.4f} ± {half:.4f}")
    print(
        f"comparison ours {ours_paired:7.2f} s   sacreBLEU {theirs_paired:7.2f} s   "
        f"ratio {ours_paired / theirs_paired:.2%}"
    )
    their = results["BLEU"]
    second_found = comparison.second
    print(
        f"           ours {second_found.mean:.4f} ± {second_found.interval.half_width:.4f}",
        end="   ",
    )
    print(f"sacreBLEU {their.mean:.4f} ± {their.ci:.4f}")


def statistics(segments: int, noise: float, seed: int) -> FloatArray:
    """sacreBLEU's statistics of random text in which a share of the words was replaced."""
    rng = np.random.default_rng(seed)
    metric = BLEU(tokenize="none")
    rows: list[list[int]] = []
    for _ in range(segments):
        words = WORDS[rng.integers(0, len(WORDS), rng.integers(5, 40))]
        other = WORDS[rng.integers(0, len(WORDS), len(words))]
        changed = np.where(rng.random(len(words)) < noise, other, words)
        rows += metric._extract_corpus_statistics([" ".join(changed)], [[" ".join(words)]])
    return np.array(rows, dtype=np.float64)


def bleu(sums: FloatArray) -> FloatArray:
    """BLEU-4 from sacreBLEU's columns: lengths, matches of order 1-4, n-grams of order 1-4."""
    length, reference, matches, totals = sums[:, 0], sums[:, 1], sums[:, 2:6], sums[:, 6:10]
    penalty = np.minimum(0, 1 - reference / length)
    return np.asarray(100 * np.exp(penalty + np.log(matches / totals).mean(axis=1)))


def timed(call: Callable[[], T]) -> tuple[float, T]:
    """Seconds that a call takes, and what it gives."""
    began = time.perf_counter()
    result = call()
    return time.perf_counter() - began, result


def peak() -> float:
    """The most memory this process has held, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


if __name__ == "__main__":
    main()
