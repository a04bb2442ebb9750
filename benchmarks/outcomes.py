"""How far aligners and the outcome rule agree with labels set by hand, and how fast the rule is.

Run from the repository: python -m benchmarks.outcomes
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

from hyperbaton.alignment import ALIGNERS
from hyperbaton.metrics.outcomes import judge
from tests.alignment import checked
from tests.metrics.labelled import Row, agreement, judged, labelled, language, samples

ALIGNED = (
    "gloss",
    "fast_align",
    "fast_align(symmetry=grow-diag-final-and)",
    "fast_align(dictionary=false)",
    "attention(system=bundled)",
)
SAMPLES = 20_000


def aligners() -> None:
    """Precision and recall of links in 25 items a language."""
    sources = checked.words("en")
    for name in ALIGNED:
        for code in checked.LANGUAGES:
            targets = checked.words(code)
            pairs = [(sources[item], targets[item]) for item in sources]
            links = ALIGNERS.parse(name).align(pairs, "en", code)
            counts = checked.agreement(code, dict(zip(sources, links, strict=True)))
            right, found, sure, there = counts
            print(f"{name} {code}: {right} of {found} right, {sure} of {there} found")


def outcomes() -> None:
    """Agreement with hand labels by kind of sample."""
    kinds: dict[str, Callable[[Row], bool]] = {
        "all": lambda row: True,
        "bundled": lambda row: row["id"].endswith("/bundled"),
        "gloss": lambda row: row["id"].endswith("/gloss"),
        "steered(mode=robust)": lambda row: "robust" in row["id"],
        "steered(mode=faithful)": lambda row: "faithful" in row["id"],
        "de fr es it ru": lambda row: language(row) not in ("ja", "zh"),
        "ja zh": lambda row: language(row) in ("ja", "zh"),
    }
    for sets in ("1234567", "56", "7", "8"):
        for kind, fits in kinds.items():
            rows = [row for row in labelled() if row["set"] in sets and fits(row)]
            if not rows:
                continue
            for aligned in (True, False):
                pairs = judged(rows, aligned)
                share, kappa = agreement(pairs)
                with_them = "with" if aligned else "without"
                print(f"sets {sets}, {kind}, {len(rows)}, {with_them} alignments: ", end="")
                print(f"{share:.3f}, kappa {kappa:.3f}")
        print(Counter(judged([row for row in labelled() if row["set"] in sets])).most_common())


def speed() -> None:
    """Samples a second on one core, every varied output another text."""
    rows = [row for row in labelled() if language(row) == "de"]
    many = [
        {**rows[i % len(rows)], "varied_output": f"{rows[i % len(rows)]['varied_output']} {i}"}
        for i in range(SAMPLES)
    ]
    batch = samples(many)
    judge(samples(many[:100]), "de")
    start = time.perf_counter()
    judge(batch, "de")
    print(f"{SAMPLES / (time.perf_counter() - start):,.0f} samples a second")


if __name__ == "__main__":
    aligners()
    outcomes()
    speed()
