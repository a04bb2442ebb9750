"""The speed table of the README says what benchmarks/RESULTS.md says."""

from __future__ import annotations

import re
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
RESULTS = "benchmarks/RESULTS.md"
FIGURE = re.compile(r"\d+(?:\.\d+)?(?: ?%|×)")


def section(name: str, heading: str) -> str:
    """The text under a heading, down to the next one."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]


def rows(text: str) -> list[str]:
    """The rows of the tables in a text, without their heads."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [line for line in lines if FIGURE.search(line)]


def figures(text: str) -> list[float]:
    """Ratios (27×) and percentages (2.5 %), as numbers."""
    return [float(figure.rstrip("×% ")) for figure in FIGURE.findall(text)]


METRICS = "Metrics, bootstrap, parsing"
PLACES = {
    "a whole word-order study": ("A whole study", r"\| whole study with .*, greedy"),
    "a whole study with `copy`": ("A whole study", r"\| the plain script \("),
    "sentence BLEU against sacreBLEU": (METRICS, r"\| sentence BLEU, a reference each"),
    "chrF against sacreBLEU": (METRICS, r"\| chrF, a reference each"),
    "`hyperbaton score` against": (METRICS, r"\| `hyperbaton score`"),
    "the same for three systems": (METRICS, r"\| three systems, BLEU and chrF"),
    "sentence BLEU, 16 variants": (METRICS, r"\| sentence BLEU, 16 variants"),
    "chrF, 16 variants": (METRICS, r"\| chrF, 16 variants"),
    "1,000 bootstrap resamples": (METRICS, r"\| 1,000 bootstrap"),
    "batch parsing": (METRICS, r"\| parsing in batches"),
    "the word-order study": ("The word-order study without translation", r"\| Hyperbaton, "),
}
"""The first words of a row of the README: the section and the rows of RESULTS.md it sums up."""


def test_every_row_has_its_place() -> None:
    table = rows(section("README.md", "Speed"))
    for row in table:
        assert any(row.startswith(f"| {name}") for name in PLACES), row
    assert len(table) == len(PLACES)


@pytest.mark.parametrize("name", PLACES)
def test_the_figures_are_those_that_were_measured(name: str) -> None:
    heading, pattern = PLACES[name]
    (row,) = (r for r in rows(section("README.md", "Speed")) if r.startswith(f"| {name}"))
    measured = [
        figures(line) for line in rows(section(RESULTS, heading)) if re.match(pattern, line)
    ]
    known = [number for line in measured for number in line]
    assert figures(row)
    assert set(figures(row)) <= set(known), f"RESULTS.md has {known}"
    # A range names the least and the largest; with several rows, of each row.
    ends = {end for line in measured for end in (min(line), max(line))}
    assert ends == set(figures(row)), f"RESULTS.md has {known}"


def test_the_speed_of_the_bundled_translator_is_the_median_over_directions() -> None:
    table = section("benchmarks/translator.md", "Speed")
    measured = re.findall(r"\| bundled, beam (\d) \|.*\| (\d+) \|\n", table)
    said = re.search(r"about (\d+) sentences a second there, (\d+) with a beam of 4", README)
    assert said
    for beam, figure in (("1", said[1]), ("4", said[2])):
        assert int(figure) == pytest.approx(
            median(int(speed) for known, speed in measured if known == beam), rel=0.03
        )


def test_the_growth_with_the_corpus_is_the_ratio_by_the_clock() -> None:
    (row,) = re.findall(
        r"\| ratio \| *\| × (\d\.\d+)", section(RESULTS, "Word order, long and short corpora")
    )
    assert f"an item takes {row} times as long" in README
