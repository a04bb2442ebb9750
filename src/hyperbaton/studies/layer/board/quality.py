"""How good systems are, beside how they hold: given scores, or a main test set with references."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.lines import read_lines
from hyperbaton.corpus.wmt import MAIN, Wmt
from hyperbaton.metrics import METRICS
from hyperbaton.report.contents import Contest
from hyperbaton.stats import Bootstrap
from hyperbaton.studies.layer.aggregate import Aggregate, of_sums
from hyperbaton.studies.layer.ranking import Measure, ranking

LOWER = ("autorank", "metricx", "rank", "ter", "wer", "mqm")
"""Scores of which the lowest is the best, as the field's tables name them."""


def scored_quality(path: Path) -> list[Contest]:
    """The columns of numbers in a table of systems (TSV, the names first): one ranking each.

    WMT's AutoRank comes last, so that it is what stability is compared with.
    """
    header, *rows = [line.text.split("\t") for line in read_lines(path) if line.text.strip()]
    if len(header) < 2 or any(len(row) != len(header) for row in rows):
        raise HyperbatonError(
            f"{path}: write a header and a row for each system, its name and its scores, with tabs"
        )
    names = [row[0] for row in rows]
    found = []
    for number, label in list(enumerate(header))[1:]:
        values = [_number(row[number]) for row in rows]
        if all(math.isfinite(value) for value in values):
            found.append(_ranked(label, dict(zip(names, values, strict=True))))
    if not found:
        raise HyperbatonError(f"{path} has no column of numbers beside the names of the systems")
    return sorted(found, key=lambda contest: contest.score.lower() == "autorank")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _ranked(label: str, values: dict[str, float]) -> Contest:
    """A ranking without intervals: nobody can tell from one number what is certain."""
    lower = label.lower() in LOWER
    keys = {system: value if lower else -value for system, value in values.items()}
    order = sorted(keys, key=lambda system: keys[system])
    places = {system: 1 + sum(keys[other] < keys[system] for other in order) for system in order}
    ranks = {system: (places[system], (values[system], math.nan, math.nan)) for system in order}
    return Contest(label, f"{order[0]} comes first by {label}.", ranks, (), lower=lower)


def measured_quality(
    corpus: Wmt, source: str, target: str, metrics: Sequence[str] = ("BLEU", "chrF")
) -> list[Contest]:
    """Every system of a folder on its main test set, with intervals and ties."""
    folder = corpus.folder(source, target)
    items = [item for item in folder.items(MAIN) if item.reference_text]
    if not items:
        raise HyperbatonError(f"{folder.root} has no references of its main test set")
    references = [item.reference_text or "" for item in items]
    sources = [item.source_text for item in items]
    outputs = {}
    for system, path in folder.systems.items():
        lines = [line.text for line in read_lines(path)]
        chosen = [lines[int(item.id) - 1] if int(item.id) <= len(lines) else "" for item in items]
        if any(text.strip() for text in chosen):
            outputs[system] = chosen
    contests = []
    for name in metrics:
        metric = METRICS.parse(name).for_language(target)

        def score(texts: list[str]) -> Aggregate:
            table = metric.statistics(texts, references, sources)  # noqa: B023 - used at once
            return of_sums(
                table,
                lambda sums: metric.from_statistics(sums, "corpus"),  # noqa: B023
                Bootstrap(),
            ).times(100)

        means = {system: score(texts) for system, texts in outputs.items()}
        contest = ranking(Measure(name, lower=not metric.higher_is_better), means)
        contests += [contest] if contest is not None else []
    return contests
