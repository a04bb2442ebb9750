"""How far aligners and the outcome rule agree with labels set by readers, and how fast the rule is.

Run from the repository, with scikit-learn: python -m benchmarks.outcomes
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from hyperbaton.alignment import ALIGNERS
from hyperbaton.metrics.outcomes import OUTCOMES, judge
from tests.alignment import checked
from tests.metrics.labelled import (
    Row,
    agreement,
    by_pair,
    doubtful,
    judged,
    labelled,
    languages,
    reading,
    samples,
    unused,
)
from tests.metrics.learnt import weights

ALIGNED = (
    "gloss",
    "fast_align",
    "fast_align(symmetry=grow-diag-final-and)",
    "fast_align(dictionary=false)",
    "attention(system=bundled)",
)
SAMPLES = 20_000
READ = 2_000
SETS = {
    "younger models, one reader": (range(1, 9), 0),
    "today's models, half that was learnt from": ((9, 10), -1),
    "today's models, other half": ((9, 10, 11), 1),
    "of these, set 11": ((11,), 1),
    "into English": ((13,), 1),
    "other translators": ((14,), 1),
    "three readers, not learnt from": ((9, 10, 11, 13, 14), 1),
    "played no part": ((11, 13, 14), 1),
}
"""Names of sets together; 1 for the half that nothing was learnt from, -1 for the other one."""


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


def chosen(name: str) -> list[Row]:
    """The samples of sets that go together."""
    sets, half = SETS[name]
    return [
        row
        for row in labelled()
        if int(row["set"]) in sets and (not half or unused(row) == (half > 0))
    ]


def outcomes() -> None:
    """Agreement with readers by kind of sample."""
    kinds: dict[str, Callable[[Row], bool]] = {
        "all": lambda row: True,
        "without gloss": lambda row: not row["id"].endswith("/gloss"),
        "bundled": lambda row: row["id"].endswith("/bundled"),
        "gloss": lambda row: row["id"].endswith("/gloss"),
        "steered(mode=robust)": lambda row: "robust" in row["id"],
        "steered(mode=faithful)": lambda row: "faithful" in row["id"],
        "OPUS-MT zh-en": lambda row: "argos" in row["id"],
        "Apertium en-es": lambda row: "apertium" in row["id"],
        "de fr es it ru": lambda row: languages(row)[1] not in ("ja", "zh", "en"),
        "ja zh": lambda row: languages(row)[1] in ("ja", "zh"),
        "all readers alike": lambda row: len(set(row["readers"])) == 1,
    }
    for name in SETS:
        for kind, fits in kinds.items():
            rows = [row for row in chosen(name) if fits(row)]
            if not rows:
                continue
            shares = [
                agreement(judged(rows, aligned, read))
                for aligned, read in ((True, True), (True, False), (False, False))
            ]
            said = ", ".join(f"{share:.3f} ({kappa:.3f})" for share, kappa in shares)
            print(f"{name}, {kind}, {len(rows)}: second look, first, without alignments: {said}")
        print(Counter(judged(chosen(name))).most_common())


def readers() -> None:
    """Agreement of the three readers with each other, and of the rule with each."""
    for name in ("today's models, other half", "into English", "other translators"):
        rows = [row for part in by_pair(chosen(name)) for row in part]
        ruled = [label[0] for _, label in judged(rows)]
        seen = [*zip(*(row["readers"] for row in rows), strict=True)]
        for (one, first), (two, second) in combinations(zip("ABC", seen, strict=True), 2):
            print_agreement(f"{name}: readers {one} and {two}", first, second)
        for one, labels in zip("ABC", seen, strict=True):
            print_agreement(f"{name}: reader {one} and the rule", labels, ruled)


def print_agreement(what: str, one: Sequence[str], two: Sequence[str]) -> None:
    """Agreement of two lists of first letters."""
    names = {name[0]: name for name in OUTCOMES}
    pairs = [(names[a], names[b]) for a, b in zip(one, two, strict=True)]
    share, kappa = agreement(pairs)
    print(f"{what}: {share:.3f}, kappa {kappa:.3f}")


def speed() -> None:
    """Samples a second, every varied output another text: first looks on one core, second looks on
    all."""
    rows = [row for row in labelled() if languages(row) == ("en", "de")]
    many = [
        {**rows[i % len(rows)], "varied_output": f"{rows[i % len(rows)]['varied_output']} {i}"}
        for i in range(SAMPLES)
    ]
    batch = samples(many)
    judge(samples(many[:100]), "de")
    start = time.perf_counter()
    judge(batch, "de")
    print(f"{SAMPLES / (time.perf_counter() - start):,.0f} first looks a second")
    read = reading(many, batch)
    read([0])
    start = time.perf_counter()
    read(range(READ))
    print(f"{READ / (time.perf_counter() - start):,.0f} second looks a second")
    asked = [
        sum(1 for _ in doubtful(part)) / len(part) for part in by_pair(chosen("of these, set 11"))
    ]
    print(f"{sum(asked) / len(asked):.2f} of the samples of set 11 get one")


if __name__ == "__main__":
    print(np.round(weights(), 2).tolist())
    aligners()
    outcomes()
    readers()
    speed()
