"""How far aligners and the outcome rule agree with labels set by hand, and how fast the rule is.

Run from the repository: python -m benchmarks.outcomes
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, product
from zlib import crc32

import numpy as np

from hyperbaton.alignment import ALIGNERS
from hyperbaton.metrics import outcomes as rule
from hyperbaton.metrics.outcomes import OUTCOMES, judge
from tests.alignment import checked
from tests.metrics.labelled import (
    LANGUAGES,
    Row,
    agreement,
    judged,
    labelled,
    language,
    samples,
)

ALIGNED = (
    "gloss",
    "fast_align",
    "fast_align(symmetry=grow-diag-final-and)",
    "fast_align(dictionary=false)",
    "attention(system=bundled)",
)
SAMPLES = 20_000
NEW = ("9", "10")
"""The sets with three readers."""
LIMITS = {
    "_CROSSED": (0.03, 0.05, 0.08, 0.1, 0.15, 1.0),
    "_LENGTH": (0.0, 0.8, 0.83, 0.85, 0.88),
    "_IN_ORDER": (0.6, 0.65, 0.7),
}
HALVES = 20


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
        "all readers alike": lambda row: len(set(row["readers"])) == 1,
    }
    for sets in ("1 2 3 4 5 6 7 8", "9", "10", "9 10"):
        for kind, fits in kinds.items():
            rows = [row for row in labelled() if row["set"] in sets.split() and fits(row)]
            if not rows:
                continue
            for aligned in (True, False):
                pairs = judged(rows, aligned)
                share, kappa = agreement(pairs)
                with_them = "with" if aligned else "without"
                print(f"sets {sets}, {kind}, {len(rows)}, {with_them} alignments: ", end="")
                print(f"{share:.3f}, kappa {kappa:.3f}")
        print(
            Counter(judged([row for row in labelled() if row["set"] in sets.split()])).most_common()
        )


def readers() -> None:
    """Agreement of the three readers with each other, and of the rule with each."""
    rows = [row for row in labelled() if row["set"] in NEW]
    rules = {code: iter(judged([r for r in rows if language(r) == code])) for code in LANGUAGES}
    ruled = [next(rules[language(row)])[1][0] for row in rows]
    seen = [*zip(*(row["readers"] for row in rows), strict=True), ruled]
    for (one, first), (two, second) in combinations(zip("ABC", seen[:3], strict=True), 2):
        print_agreement(f"readers {one} and {two}", first, second)
    for one, labels in zip("ABC", seen[:3], strict=True):
        print_agreement(f"reader {one} and the rule", labels, seen[3])


def print_agreement(what: str, one: Sequence[str], two: Sequence[str]) -> None:
    """Agreement of two lists of first letters."""
    names = {name[0]: name for name in OUTCOMES}
    pairs = [(names[a], names[b]) for a, b in zip(one, two, strict=True)]
    share, kappa = agreement(pairs)
    print(f"{what}: {share:.3f}, kappa {kappa:.3f}")


def held_out() -> None:
    """Agreement in sets 9 and 10 where the limits are chosen with the other half of the sources."""
    rows = [row for code in LANGUAGES for row in labelled() if language(row) == code]
    batches = [(samples([r for r in rows if language(r) == code]), code) for code in LANGUAGES]
    hands = np.array([row["label"] for row in rows])
    right = []
    for limits in product(*LIMITS.values()):
        for name, value in zip(LIMITS, limits, strict=True):
            setattr(rule, name, value)
        told = np.concatenate([judge(batch, code).outcomes for batch, code in batches])
        right.append(told == hands)
    found = np.array(right)
    new = np.array([row["set"] in NEW for row in rows])
    shares = []
    for number in range(HALVES):
        keys = (f"{row['id'].split('/')[0]}{number}".encode() for row in rows)
        half = np.array([crc32(key) % 2 for key in keys], dtype=bool)
        for one in (half, ~half):
            best = found[:, one].mean(axis=1).argmax()
            shares.append(found[best, ~one & new].mean())
    print(f"limits from the other half of the sources: {np.mean(shares):.3f}")


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
    readers()
    speed()
    held_out()
