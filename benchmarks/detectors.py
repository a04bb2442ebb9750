"""How often detectors are right on labelled pairs: macro-F1 with its interval, and the constants.

    python benchmarks/detectors.py aligned e5-pair 'e5-pair(trained=edits)' --pawsx test-de.tsv

The pairs are those of the project (120 of several kinds, 310 minimal ones, German and English),
and the lines of `--pawsx` FILE (German unless `--language` says otherwise). Nothing here was
trained on. Intervals: 95 %, pairs drawn anew 2,000 times.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import hyperbaton
from hyperbaton.detectors import DETECTORS
from hyperbaton.detectors.scoring import quality

SHIPPED = Path(hyperbaton.__file__).parent / "data" / "paraphrases"
DRAWS = 2000
Pairs = list[tuple[str, str]]


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
    print("| pairs | language | detector | macro-F1 | accuracy |\n" + "|---" * 5 + "|")
    for (name, language), (pairs, labels) in sets.items():
        for constant in (1, 0):
            _print(name, language, f"always {constant}", np.full(len(labels), constant), labels)
        for detector in given.detectors:
            first, second = zip(*pairs, strict=True)
            found = DETECTORS.parse(detector).probabilities(first, second, language)
            _print(name, language, f"`{detector}`", found, labels)


def _shipped() -> Iterator[tuple[tuple[str, str], tuple[Pairs, NDArray[np.int64]]]]:
    for name in ("paraphrases", "minimal"):
        head, *lines = (SHIPPED / f"{name}.tsv").read_text("utf-8").splitlines()
        rows = [dict(zip(head.split("\t"), line.split("\t"), strict=True)) for line in lines]
        labels = np.array([int(row["label"]) for row in rows])
        for language in ("de", "en"):
            pairs = [(row[f"{language}1"], row[f"{language}2"]) for row in rows]
            yield (name, language), (pairs, labels)


def _print(
    name: str,
    language: str,
    detector: str,
    chances: NDArray[np.float64],
    labels: NDArray[np.int64],
) -> None:
    rng = np.random.default_rng(1)
    drawn = rng.integers(0, len(labels), (DRAWS, len(labels)))
    scores = [quality(chances[some], labels[some]).macro_f1 for some in drawn]
    low, high = np.quantile(scores, [0.025, 0.975])
    whole = quality(chances, labels)
    print(
        f"| {name} ({len(labels):,}) | {language} | {detector} "
        f"| {whole.macro_f1:.3f} [{low:.3f}, {high:.3f}] | {whole.accuracy:.3f} |",
        flush=True,
    )


if __name__ == "__main__":
    main()
