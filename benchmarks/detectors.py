"""How often detectors are right on labelled pairs, and how far above the better constant.

    python benchmarks/detectors.py e5-pair 'e5-pair(trained=edits)' --pawsx test-de.tsv

The pairs are those of the project (120 of several kinds, 310 minimal ones, and both together, in
German and English), and the lines of `--pawsx` FILE (German unless `--language` says otherwise).
Nothing here was trained on. Intervals: 95 %, pairs drawn anew 2,000 times; the last column is
accuracy minus that of the constant answer that is right more often, on the same drawn pairs.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import hyperbaton
from hyperbaton.detectors import DETECTORS
from hyperbaton.detectors.scoring import quality

SHIPPED = Path(hyperbaton.__file__).parent / "data" / "paraphrases"
SETS = ("paraphrases", "minimal")
DRAWS = 2000
Pairs = list[tuple[str, str]]
Labels = NDArray[np.int64]
Floats = NDArray[np.float64]


def main() -> None:
    """Print a row for each set of pairs and detector."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("detectors", nargs="+")
    parser.add_argument("--pawsx", type=Path)
    parser.add_argument("--language", default="de")
    given = parser.parse_args()
    sets = dict(_shipped())
    if given.pawsx:
        # All lines, also those where PAWS-X has `NS` for a sentence.
        rows = [line.split("\t") for line in given.pawsx.read_text("utf-8").splitlines()[1:]]
        labels = np.array([int(row[3]) for row in rows])
        sets[given.pawsx.stem, given.language] = [(row[1], row[2]) for row in rows], labels
    print("| pairs | language | detector | macro-F1 | accuracy | above |\n" + "|---" * 6 + "|")
    for (name, language), (pairs, labels) in sets.items():
        for constant in (1, 0):
            _print(name, language, f"always {constant}", np.full(len(labels), constant), labels)
        for detector in given.detectors:
            first, second = zip(*pairs, strict=True)
            found = DETECTORS.parse(detector).probabilities(first, second, language)
            _print(name, language, f"`{detector}`", found, labels)


def _shipped() -> Iterator[tuple[tuple[str, str], tuple[Pairs, Labels]]]:
    """Each set in each language, then both sets together."""
    for language in ("de", "en"):
        for name, sets in {**{name: (name,) for name in SETS}, "both": SETS}.items():
            yield (name, language), labelled(language, sets)


def labelled(language: str, sets: Sequence[str] = SETS) -> tuple[Pairs, Labels]:
    """The project's own pairs of a language, and whether they mean the same."""
    rows = []
    for name in sets:
        head, *lines = (SHIPPED / f"{name}.tsv").read_text("utf-8").splitlines()
        rows += [dict(zip(head.split("\t"), line.split("\t"), strict=True)) for line in lines]
    pairs = [(row[f"{language}1"], row[f"{language}2"]) for row in rows]
    return pairs, np.array([int(row["label"]) for row in rows])


def _print(name: str, language: str, detector: str, chances: Floats, labels: Labels) -> None:
    drawn = np.random.default_rng(1).integers(0, len(labels), (DRAWS, len(labels)))
    scores = [quality(chances[some], labels[some]).macro_f1 for some in drawn]
    right = ((chances >= 0.5) == (labels == 1)).astype(float)
    above = right - (labels == (labels.mean() >= 0.5))
    print(
        f"| {name} ({len(labels):,}) | {language} | {detector} "
        f"| {_spread(quality(chances, labels).macro_f1, scores)} "
        f"| {_spread(right.mean(), right[drawn].mean(axis=1))} "
        f"| {_spread(above.mean(), above[drawn].mean(axis=1))} |",
        flush=True,
    )


def _spread(value: float, drawn: Sequence[float] | Floats) -> str:
    low, high = np.quantile(drawn, [0.025, 0.975])
    return f"{value:.3f} [{low:.3f}, {high:.3f}]"


if __name__ == "__main__":
    main()
