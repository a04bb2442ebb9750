"""How far aligners and the outcome rule agree with labels set by readers, and how fast the rule is.

Run from the repository, with scikit-learn: python -m benchmarks.outcome_figures
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from benchmarks.outcomes import shares
from hyperbaton.alignment import ALIGNERS
from hyperbaton.metrics.outcomes import OUTCOMES, judge
from tests.alignment import checked
from tests.metrics.labelled import (
    Row,
    agreement,
    asked,
    by_pair,
    judged,
    labelled,
    languages,
    reading,
    samples,
)
from tests.metrics.learnt import schooling, stored_readings, weights
from tests.metrics.ordinary import ordinary

ALIGNED = (
    "gloss",
    "fast_align",
    "fast_align(symmetry=grow-diag-final-and)",
    "fast_align(dictionary=false)",
    "attention(system=bundled)",
)
LOOKS = ((True, True), (True, False), (False, False))
"""With alignments or without, with further looks or without."""
SAMPLES = 20_000
READ = 2_000
SETS: dict[str, Callable[[Row], bool]] = {
    "ordinary translators (set 15)": lambda row: row["set"] == "15",
    "ordinary translators (set 17)": lambda row: row["set"] == "17",
    "ordinary translators (set 20)": lambda row: row["set"] == "20",
    "learnt from: ordinary translators (sets 16, 18, 19)": lambda row: (
        row["set"] in ("16", "18", "19")
    ),
    "learnt from: starter corpus (sets 9 to 11)": lambda row: row["set"] in ("9", "10", "11"),
    "learnt from: into English (set 13)": lambda row: row["set"] == "13",
    "learnt from: other translators (set 14)": lambda row: row["set"] == "14",
    "younger models (sets 1 to 8)": lambda row: int(row["set"]) <= 8,
}
KINDS: dict[str, Callable[[Row], bool]] = {
    "all": lambda row: True,
    "bundled": lambda row: row["id"].endswith("/bundled"),
    "steered(mode=robust)": lambda row: "robust" in row["id"],
    "OPUS-MT": lambda row: "OPUS" in row["id"] or "argos" in row["id"],
    "Apertium": lambda row: "pertium" in row["id"],
    "steered(mode=faithful)": lambda row: "faithful" in row["id"],
    "gloss": lambda row: row["id"].endswith("/gloss"),
    "news": lambda row: row["id"].startswith("ntrex"),
    "Tatoeba": lambda row: row["id"].startswith("tatoeba"),
    "ja zh": lambda row: languages(row)[1] in ("ja", "zh"),
    "all readers alike": lambda row: len(row["readers"]) > 1 and len(set(row["readers"])) == 1,
}


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
    """Agreement with readers, and shares by reading and by rule, for each kind of sample."""
    every = [*ordinary(), *labelled()]
    for name, belongs in SETS.items():
        rows = [row for part in by_pair([row for row in every if belongs(row)]) for row in part]
        looks = [judged(rows, aligned, read) for aligned, read in LOOKS]
        for kind, fits in KINDS.items():
            places = [place for place, row in enumerate(rows) if fits(row)]
            if not places:
                continue
            own = [[look[place] for place in places] for look in looks]
            said = ", ".join(f"{share:.3f} ({kappa:.2f})" for share, kappa in map(agreement, own))
            print(f"{name}, {kind}, {len(places)}: all looks, first, without alignments: {said}")
            print(f"  {shares(own[0])}")
        print(Counter(looks[0]).most_common())


def readers() -> None:
    """Agreement of three readers with each other."""
    for number in ("15", "17", "20"):
        rows = [row for row in ordinary() if row["set"] == number]
        seen = [*zip(*(row["readers"] for row in rows), strict=True)]
        for (one, first), (two, second) in combinations(zip("ABC", seen, strict=True), 2):
            print_agreement(f"set {number}, readers {one} and {two}", first, second)


def print_agreement(what: str, one: Sequence[str], two: Sequence[str]) -> None:
    """Agreement of two lists of first letters."""
    names = {name[0]: name for name in OUTCOMES}
    pairs = [(names[a], names[b]) for a, b in zip(one, two, strict=True)]
    share, kappa = agreement(pairs)
    print(f"{what}: {share:.3f}, kappa {kappa:.3f}")


def speed() -> None:
    """Samples a second, each with another varied output: first looks on one core, others on all."""
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
    for name, look in reading(many, batch)._asdict().items():
        look([0])
        start = time.perf_counter()
        look(range(READ))
        print(f"{READ / (time.perf_counter() - start):,.0f} looks {name} a second")
    parts = by_pair([row for row in ordinary() if row["set"] in ("15", "17", "20")])
    second, third = (sum(counts) for counts in zip(*map(asked, parts), strict=True))
    print(f"{second} and {third} of the {sum(map(len, parts))} samples of sets 15, 17, 20 get them")


if __name__ == "__main__":
    for learnt in weights(schooling(), stored_readings()):
        print(np.round(learnt, 2).tolist())
    aligners()
    outcomes()
    readers()
    speed()
