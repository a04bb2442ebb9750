"""The runs behind docs/replication-grammar.md, and numbers of them as cells of Markdown tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from types import MappingProxyType

import polars as pl

from hyperbaton.pipeline import Run
from hyperbaton.report.numbers import show
from hyperbaton.studies.grammar.samples import LearnerSamples, learner_samples
from hyperbaton.studies.layer.aggregate import Aggregate, average

CORPORA = {"jfleg": "JFLEG", "cweb-G": "CWEB-G", "cweb-S": "CWEB-S"}
LANGUAGES = {"de": "German", "fr": "French", "es": "Spanish", "ru": "Russian"}
SYSTEMS = ("bundled", "trial")
METRIC = "BLEU"
FEWEST = 10
"""Pairs behind a number of a table, at least."""
ALONE = pl.col("errors") == 1
KIND = pl.col("variant").str.replace(r"^[MRU]:", "")
"""The type of a single error, whether something is missing, wrong or too much."""

Systems = Mapping[tuple[str, str, str], LearnerSamples]
"""By corpus, language and system."""
Measure = Callable[[Sequence[LearnerSamples]], Aggregate]
"""A number of some pools, the mean over them."""
Groups = Callable[[LearnerSamples], Mapping[str, pl.Expr]]
Cell = str | int


def read(folder: Path) -> Systems:
    """Both systems of every run that is there and finished."""
    found = {}
    for corpus, language in product(CORPORA, LANGUAGES):
        path = folder / f"{corpus}-{language}"
        if (path / "report.html").is_file():
            for system, samples in zip(SYSTEMS, learner_samples([Run(path)])[0], strict=True):
                found[corpus, language, system] = samples
    return found


def all_of(found: Systems, corpus: str, system: str) -> list[LearnerSamples]:
    """One system on one corpus, into every language."""
    return [samples for (c, _, s), samples in found.items() if (c, s) == (corpus, system)]


def robust(some: Sequence[LearnerSamples]) -> Aggregate:
    """RB."""
    return average(samples.share("same") for samples in some).as_share().times(100)


def like(metric: str, changed: bool = False) -> Measure:
    """An f-score, maybe of those pairs only whose translations differ."""
    kept = ~pl.col("same") if changed else pl.lit(True)
    return lambda some: average(
        samples.where(kept).corpus_score(metric, "translations") for samples in some
    ).times(100)


def noise(some: Sequence[LearnerSamples]) -> Aggregate:
    """NR."""
    return average(samples.noise_ratio(METRIC) for samples in some)


def cell(found: Aggregate, digits: int = 1) -> str:
    """A number with its interval."""
    value, low, high = (show(number, digits) for number in found.span)
    return f"{value} [{low}, {high}]"


def table(title: str, heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """A table of Markdown under its title."""
    print(f"\n### {title}\n")
    for row in (heads, ["---"] * len(heads), *rows):
        print("| " + " | ".join(f"{c:,}" if isinstance(c, int) else c for c in row) + " |")


def grouped(
    found: Systems,
    title: str,
    groups: Groups,
    of: Measure,
    paper: Mapping[str, str] = MappingProxyType({}),
    digits: int = 1,
) -> None:
    """A measure in groups of sentences, the mean over the four languages, beside the paper's."""
    chosen = {key: groups(samples) for key, samples in found.items()}
    rows = []
    for group in next(iter(chosen.values())):
        row: list[Cell] = [group, *([paper.get(group, "")] if paper else [])]
        for corpus in CORPORA:
            for system in SYSTEMS:
                keys = [key for key in found if (key[0], key[2]) == (corpus, system)]
                parts = [found[key].where(chosen[key][group]) for key in keys]
                fewest = min(map(len, parts), default=0)
                row += [fewest] if system == SYSTEMS[0] else []
                row.append(cell(of(parts), digits) if fewest >= FEWEST else "–")
        rows.append(row)
    heads = [
        head for name in CORPORA.values() for head in (f"{name} pairs", "`bundled`", "`trial`")
    ]
    table(title, ("", *(["paper"] if paper else []), *heads), rows)
