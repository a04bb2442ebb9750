"""The numbers of the grammar study: by corpus, number of errors, length, type, noise and place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
import polars as pl

from hyperbaton.pipeline import Run
from hyperbaton.report.contents import Table
from hyperbaton.stats import pearson
from hyperbaton.studies.grammar.damage import spread
from hyperbaton.studies.grammar.samples import SIDES, Pool, ratio, ratios, read_pools
from hyperbaton.studies.layer.ranking import Measure, difference_tables
from hyperbaton.studies.study import ALL, Score

__all__ = ["PUBLISHED", "correlations", "pools", "rated", "scores", "shown", "tables"]

FEWEST = 10
"""Sentences of one type of error, at least, for a share that says something."""
PUBLISHED = pl.DataFrame(
    {
        "corpus": ["W&I A", "W&I B", "W&I C", "W&I N", "NUCLE", "FCE", "JFLEG", "Lang-8"],
        "corrections": [3.4, 2.6, 1.8, 1.8, 2.0, 2.4, 3.8, 2.4],
        "RB": [17.77, 21.17, 29.07, 28.80, 20.69, 20.48, 12.42, 16.06],
        "f-BLEU": [46.75, 54.72, 63.46, 64.79, 59.97, 50.45, 42.05, 37.15],
        "f-METEOR": [65.29, 70.80, 76.63, 77.35, 74.6, 67.49, 61.99, 58.89],
        "NR": [2.12, 2.39, 2.73, 3.23, 2.92, 2.43, 2.18, 2.20],
    }
)
"""Table 1 of the paper; its f-scores leave robust pairs out."""
_LENGTHS = (0, 5, 10, 15, 20, 25, 30, 40)
_KEPT = (0.0, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_MANY = 5


def pools(runs: Sequence[Run], metric: str | None = None) -> tuple[list[Pool], str]:
    """The sentences with errors of every system and corpus, and the leading metric."""
    more = {
        "same": pl.col("output") == pl.col("varied_output"),
        "length": pl.col("clean_words").list.len(),
    }
    return read_pools(runs, ("errors", "place", "clean_words"), SIDES, metric, more)


def correlations(rows: pl.DataFrame, names: Sequence[str]) -> dict[str, float]:
    """Pearson's r of corrections per sentence with each measure, over corpora.

    >>> found = correlations(PUBLISHED, ["RB", "f-BLEU", "f-METEOR"])
    >>> [round(r, 3) for r in found.values()]
    [-0.823, -0.711, -0.714]
    """
    return {name: pearson(rows["corrections"], rows[name]).r for name in names}


def single(pool: Pool) -> Pool:
    """The sentences with one error."""
    return pool.where(pl.col("errors") == 1)


def by_type(pool: Pool) -> dict[str, pl.Expr]:
    """The types of error that enough sentences have alone, the most frequent first."""
    counts = single(pool).rows["variant"].value_counts(sort=True)
    return {kind: pl.col("variant") == kind for kind, n in counts.iter_rows() if n >= FEWEST}


def by_errors(pool: Pool) -> dict[str, pl.Expr]:
    """The sentences by their number of errors."""
    exact = {str(n): pl.col("errors") == n for n in range(1, _MANY)}
    return exact | {f"{_MANY} or more": pl.col("errors") >= _MANY}


def by_length(pool: Pool) -> dict[str, pl.Expr]:
    """The sentences by their length in words."""
    length = pl.col("length")
    bins = {f"{a + 1}–{b}": length.is_between(a + 1, b) for a, b in pairwise(_LENGTHS)}
    return bins | {f"over {_LENGTHS[-1]}": length > _LENGTHS[-1]}


def by_quarter(pool: Pool) -> dict[str, pl.Expr]:
    """The sentences by the place of their error."""
    quarter = (4 * pl.col("place") / pl.col("length")).floor().clip(0, 3)
    return {f"error in quarter {n + 1}": quarter == n for n in range(4)}


def by_noise(pool: Pool, metric: str) -> dict[str, pl.Expr]:
    """The sentences by how much of the source the errors left."""
    kept = pl.lit(pl.Series(pool.sentences(metric, "sources")))
    bins = {f"{a:g}–{b:g}": (kept >= a) & (kept < b) for a, b in pairwise(_KEPT)}
    return bins | {"1": kept >= 1}


def rated(metric: str) -> list[Measure]:
    """What systems are compared by."""
    return [
        Measure("RB", lambda pool: pool.share("same").times(100), leads="is more robust than"),
        Measure(
            f"f-{metric}",
            lambda pool: pool.score(metric, "translations").times(100),
            "translations",
        ),
        Measure("NR", lambda pool: ratio(pool, metric), "", True, "magnifies noise less than"),
    ]


def _corpus(pool: Pool, metric: str) -> dict[str, object]:
    changed = pool.where(~pl.col("same"))
    row: dict[str, object] = {**pool.label, "sentences": len(pool)}
    row |= {"corrections": pool.mean(pool.rows["errors"].cast(pl.Float64).to_numpy()).value}
    row |= pool.share("same").times(100).spread("RB")
    for name in pool.metrics:
        row |= pool.score(name, "translations").times(100).spread(f"f-{name}")
        row |= changed.score(name, "translations").times(100).spread(f"f-{name} changed")
    row |= {**ratio(pool, metric).spread("NR"), **pool.mean(ratios(pool, metric)).spread("NR mean")}
    return row | ratio(pool, metric, discount=True).spread("NR discounted")


def _by(
    pool: Pool, metric: str, name: str, groups: Mapping[str, pl.Expr]
) -> Iterator[dict[str, object]]:
    """The measures of groups that hold sentences."""
    for value, part in pool.groups(groups):
        row = {**pool.label, name: value, "sentences": len(part)}
        for measure in rated(metric):
            row |= measure.of(part).spread(measure.label)
        yield row


def _marked(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """With a mark on the types beyond two standard deviations from the mean over types."""
    shares = np.array([row["RB"] for row in rows], dtype=np.float64)
    middle, far = (shares.mean(), 2 * shares.std()) if rows else (0, 0)
    for row, share in zip(rows, shares, strict=True):
        mark = "recoverable" if share > middle else "non-recoverable"
        row["marked"] = mark if abs(share - middle) > far else ""
    return sorted(rows, key=lambda row: -float(str(row["RB"])))


def _damage(pool: Pool) -> Iterator[dict[str, object]]:
    """µ, σ and γ1 of the places of the damage, for all single errors, by place and by type."""
    one = single(pool)
    groups = {"all": pl.lit(True), **by_quarter(one), **by_type(one)}
    for name, part in one.groups(groups) if "figure" in one.rows.columns else ():
        rows = part.rows
        row: dict[str, object] = {**pool.label, "errors": name, "sentences": rows.height}
        row |= {"linked": rows["pivot"].drop_nulls().len(), **spread(rows)}
        if "figure n" in row:
            yield row


def tables(found: Sequence[Pool], metric: str) -> list[Table]:
    """All tables; those that the errors of the corpus cannot fill are left out."""
    kept = f"{metric} of the source"
    made = [
        _table(
            "T1",
            "Robustness and noise ratio of each corpus",
            [_corpus(pool, metric) for pool in found],
            "RB: percent of pairs with the same translation. f-scores: the translation of the "
            "noisy sentence against that of the corrected one; changed: without the robust pairs, "
            f"as the paper prints them. NR, the noise ratio: 1 − {metric} of the translations over "
            f"1 − {metric} of the sources, above 1 where noise is magnified; mean: of single "
            "sentences; discounted: times the words of the source over those of the translation, "
            "as the metric counts them. 95 % intervals over sentences, each with all its "
            "corrections.",
        ),
        _table(
            "F1",
            "By number of errors",
            [row for p in found for row in _by(p, metric, "errors", by_errors(p))],
            "The same measures for sentences with so many errors.",
        ),
        _table(
            "length",
            "By length of the sentence",
            [row for p in found for row in _by(p, metric, "words", by_length(p))],
            "Words of the corrected sentence.",
        ),
        _table(
            "noise",
            "By noise of the source",
            [row for p in found for row in _by(p, metric, kept, by_noise(p, metric))],
            "NR depends on how noisy the sources are: compare corpora and systems in the same bin.",
        ),
        _table(
            "T2",
            "By type of error",
            [row for p in found for row in _marked([*_by(single(p), metric, "type", by_type(p))])],
            f"Sentences with a single error, types with {FEWEST} of them or more; marked: beyond "
            "two standard deviations from the mean over types.",
        ),
        _table(
            "F5",
            "Where the damage lies",
            [row for pool in found for row in _damage(pool)],
            "Words that differ between the two translations of a sentence with a single error, "
            "counted from the word that stands for the error: below 0 to its left. figure: words "
            "of the clean translation that the other lacks; formula: words of the other that the "
            "clean one lacks. n words, µ mean, σ standard deviation, γ skewness; linked: errors "
            "that an aligned word stands for.",
        ),
    ]
    if len({pool.source.run for pool in found}) > 2:
        made.append(_correlated(made[0].data, metric))
    made += difference_tables(found, rated(metric))
    return [table for table in made if table.data.height]


def _table(name: str, title: str, rows: Sequence[Mapping[str, object]], note: str) -> Table:
    frame = pl.DataFrame(list(rows), infer_schema_length=None)
    alone = frame.height and frame["run"].n_unique() < 2
    return Table(name, title, frame.drop("run") if alone else frame, note)


def _correlated(rows: pl.DataFrame, metric: str) -> Table:
    names = [n for n in ("RB", f"f-{metric}", "f-METEOR", "NR") if n in rows.columns]
    paper = correlations(PUBLISHED, ["RB", "f-BLEU", "f-METEOR", "NR"])
    found = correlations(rows, names).items()
    frame = pl.DataFrame([{"measure": n, "r": r, "r of the paper": paper.get(n)} for n, r in found])
    note = f"Pearson's r of corrections per sentence with each measure, over {rows.height} rows."
    return Table("r", "More errors, less robust?", frame, note)


def shown(metric: str) -> tuple[dict[str, str], dict[str, pl.Expr], dict[str, tuple[str, pl.Expr]]]:
    """What the explorer shows: scores, where they come from, and what to filter by."""
    same = pl.col("output") == pl.col("varied_output")
    state = pl.when(same).then(pl.lit("unchanged")).otherwise(pl.lit("changed"))
    labels = {"translations": f"f-{metric}", "sources": f"{metric} of the sources"}
    several = pl.col("errors").cast(pl.String)
    filters = {"robust": ("translation", state), "number": ("errors", several)}
    return labels, {name: pl.col(name) for name in labels}, filters


def scores(runs: Sequence[Run], metric: str | None = None) -> list[Score]:
    """RB, f-scores and NR over all errors, and of each type alone."""
    rows = []
    found, leading = pools(runs, metric)
    for pool in found:
        for variant, part in [(ALL, pool), *single(pool).groups(by_type(pool))]:
            names = [metric] if metric else pool.metrics
            numbers = [("ExactMatch", "RB", part.share("same").times(100))]
            numbers += [(m, f"f-{m}", part.score(m, "translations").times(100)) for m in names]
            numbers.append((leading, "NR", ratio(part, leading)))
            for by, name, value in numbers:
                label = (pool.source.system, str(pool.source.pair), variant, by, name)
                rows.append(Score(*label, *value.span, len(part), {"run": pool.label["run"]}))
    return rows
