"""How many sentences do I need? The half-width of 95 % intervals by number of sentences.

    python -m benchmarks.half_widths [--runs 200]

Items are drawn from the made-up populations of coverage_simulation.py, and each number gets the
interval that a report gives it. Printed is the median half-width over the runs, in the unit of the
number: points of a share in per cent, points of BLEU, NR as it is.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from benchmarks.coverage_simulation import (
    PEOPLE,
    Kind,
    binary,
    mean,
    noise,
    ratio,
    resampling,
    sentence_scores,
    texts,
)
from hyperbaton.stats import interval

SIZES = (20, 50, 100, 200, 500, 1000, 2000)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    runs = parser.parse_args().runs
    print("| number | " + " | ".join(f"n = {size:,}" for size in SIZES) + " |")
    print("|---" * (len(SIZES) + 1) + "|")
    for kind, scale, digits in kinds():
        widths = [f"{scale * half_width(kind, size, runs):.{digits}f}" for size in SIZES]
        print(f"| {kind.name} | " + " | ".join(f"± {width}" for width in widths) + " |", flush=True)


def kinds() -> Iterator[tuple[Kind, int, int]]:
    """The numbers, what they are multiplied by, and how many decimals tell something."""
    rng = np.random.default_rng(1)
    scores = sentence_scores(rng, 2)
    # As much of the score of another sentence's as of its own: β1 is not β times a constant.
    kept = np.column_stack([0.6 * scores[:, 1] + 0.05 * rng.random(PEOPLE), scores[:, 0]])
    yield Kind("mean sentence score (β, β1): points of 100", scores[:, :1], mean), 100, 1
    yield Kind("kept, about 60 %: percentage points", kept, ratio), 100, 1
    for share in (0.05, 0.2, 0.5):
        name = f"share of {share:.0%} (an outcome, RB): percentage points".replace("%", " %", 1)
        yield Kind(name, binary(rng, share)[:, :1], mean, "wilson"), 100, 1
    noisy = np.hstack([texts("chrF", 0.5), texts("chrF", 0.2)])
    yield Kind("noise ratio NR, about 2", noisy, noise), 1, 2


def half_width(kind: Kind, items: int, runs: int) -> float:
    """The median half-width of the interval of samples of this size."""
    rng = np.random.default_rng(items)
    counts, everything = resampling(items), np.ones((1, items))
    found = []
    for _ in range(runs):
        rows = kind.sample(rng, items)
        value = float(kind.statistic(everything, rows)[0])
        span = interval(value, kind.statistic(counts, rows), items, method=kind.method)
        found.append((span.high - span.low) / 2)
    return float(np.nanmedian(found))


if __name__ == "__main__":
    main()
