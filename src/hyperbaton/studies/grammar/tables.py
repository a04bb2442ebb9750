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
from hyperbaton.studies.grammar.samples import LearnerSamples, learner_samples, pooled
from hyperbaton.studies.layer.aggregate import Aggregate
from hyperbaton.studies.layer.experiment import ALL, Score
from hyperbaton.studies.layer.ranking import Measure, difference_tables

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
_ERRORS, _LENGTH = pl.col("errors"), pl.col("length")
_QUARTER = (4 * pl.col("place") / _LENGTH).floor().clip(0, 3)
_LENGTHS = pairwise((0, 5, 10, 15, 20, 25, 30, 40))
BY_ERRORS: dict[str, pl.Expr] = {str(n): _ERRORS.eq(n) for n in range(1, 10)} | {
    "10 or more": _ERRORS > 9
}
"""Sentences by their number of errors."""
BY_LENGTH: dict[str, pl.Expr] = {f"{a + 1}–{b}": _LENGTH.is_between(a + 1, b) for a, b in _LENGTHS}
BY_LENGTH["over 40"] = _LENGTH > 40
"""Sentences by their length in words."""
BY_QUARTER: dict[str, pl.Expr] = {f"error in quarter {n + 1}": _QUARTER.eq(n) for n in range(4)}
"""Sentences by the place of their error."""
_KEPT = (0.0, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def correlations(rows: pl.DataFrame, names: Sequence[str]) -> dict[str, float]:
    """Pearson's r of corrections per sentence with each measure, over corpora.

    >>> found = correlations(PUBLISHED, ["RB", "f-BLEU", "f-METEOR"])
    >>> [round(r, 3) for r in found.values()]
    [-0.823, -0.711, -0.714]
    """
    return {name: pearson(rows["corrections"], rows[name]).r for name in names}


def by_type(samples: LearnerSamples) -> dict[str, pl.Expr]:
    """The types of error that enough sentences have alone, the most frequent first."""
    counts = samples.single.frame["variant"].value_counts(sort=True)
    return {kind: pl.col("variant") == kind for kind, n in counts.iter_rows() if n >= FEWEST}


def by_kind(samples: LearnerSamples) -> dict[str, pl.Expr]:
    """The same without M, R and U, as the paper's Table 2 has them."""
    kind = pl.col("variant").str.replace(r"^[MRU]:", "")
    counts = samples.single.frame.select(kind)["variant"].value_counts(sort=True)
    return {name: kind == name for name, n in counts.iter_rows() if n >= FEWEST}


def by_noise(samples: LearnerSamples, metric: str) -> dict[str, pl.Expr]:
    """The sentences by how much of the source the errors left."""
    kept = pl.lit(pl.Series(samples.row_scores(metric, "sources")))
    bins = {f"{a:g}–{b:g}": (kept >= a) & (kept < b) for a, b in pairwise(_KEPT)}
    return bins | {"1": kept >= 1}


def rated(metric: str) -> list[Measure]:
    """What systems are compared by."""
    return [
        Measure("RB", lambda s: s.share("same").times(100), leads="is more robust than"),
        Measure(f"f-{metric}", lambda s: _f_score(s, metric), "translations"),
        Measure("NR", lambda s: s.noise_ratio(metric), "", True, "magnifies noise less than"),
    ]


def _f_score(samples: LearnerSamples, metric: str) -> Aggregate:
    return samples.corpus_score(metric, "translations").times(100)


def _corpus(samples: LearnerSamples, metric: str) -> dict[str, object]:
    changed = samples.where(~pl.col("same"))
    row: dict[str, object] = {**samples.label, "sentences": len(samples)}
    row |= {"corrections": samples.mean("errors").value}
    row |= samples.share("same").times(100).spread("RB")
    for name in samples.metrics:
        row |= _f_score(samples, name).spread(f"f-{name}")
        row |= _f_score(changed, name).spread(f"f-{name} changed")
    row |= samples.noise_ratio(metric).spread("NR")
    row |= samples.mean(samples.noise_ratios(metric)).spread("NR mean")
    return row | samples.noise_ratio(metric, discount=True).spread("NR discounted")


def _pooled(systems: Sequence[LearnerSamples], metric: str) -> Iterator[dict[str, object]]:
    """All corpora of a system together, and all but Lang-8 where it is there."""
    mine: dict[tuple[str, str], list[LearnerSamples]] = {}
    for samples in systems:
        mine.setdefault((samples.source.short, str(samples.source.pair)), []).append(samples)
    for (system, _), several in mine.items():
        others = [one for one in several if "lang8" not in one.corpus.lower().replace("-", "")]
        for name, some in (("ALL", several), ("ALL without Lang-8", others)):
            if len(some) > 1 and (name == "ALL" or len(some) < len(several)):
                yield {**_corpus(pooled(some), metric), "system": system, "run": name}


def _by(
    samples: LearnerSamples, metric: str, name: str, groups: Mapping[str, pl.Expr]
) -> Iterator[dict[str, object]]:
    """The measures of groups that hold sentences."""
    for value, part in samples.by(groups):
        row = {**samples.label, name: value, "sentences": len(part)}
        for measure in rated(metric):
            row |= measure.of(part).spread(measure.label)
        row |= _f_score(part.where(~pl.col("same")), metric).spread(f"f-{metric} changed")
        yield row


def _marked(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """With a mark on the types beyond two standard deviations from the mean over types."""
    shares = np.array([row["RB"] for row in rows], dtype=np.float64)
    middle, far = (shares.mean(), 2 * shares.std()) if rows else (0, 0)
    for row, share in zip(rows, shares, strict=True):
        mark = "recoverable" if share > middle else "non-recoverable"
        row["marked"] = mark if abs(share - middle) > far else ""
    return sorted(rows, key=lambda row: -float(str(row["RB"])))


def _damage(samples: LearnerSamples) -> Iterator[dict[str, object]]:
    """µ, σ and γ1 of the places of the damage, for all single errors, by place and by type."""
    one = samples.single
    groups: dict[str, pl.Expr] = {"all": pl.lit(True), **BY_QUARTER, **by_type(one)}
    for name, part in one.by(groups) if "figure" in one.frame.columns else ():
        rows = part.frame
        row: dict[str, object] = {**samples.label, "errors": name, "sentences": rows.height}
        row |= {"linked": rows["pivot"].drop_nulls().len(), **spread(rows)}
        if "figure n" in row:
            yield row


def tables(systems: Sequence[LearnerSamples], metric: str) -> list[Table]:
    """All tables; those that the errors of the corpus cannot fill are left out."""
    kept = f"{metric} of the source"

    def grouped(name: str, groups: Mapping[str, pl.Expr]) -> list[dict[str, object]]:
        return [row for samples in systems for row in _by(samples, metric, name, groups)]

    made = [
        _table(
            "T1",
            "Robustness and noise ratio of each corpus",
            [*(_corpus(samples, metric) for samples in systems), *_pooled(systems, metric)],
            "RB: percent of pairs with the same translation. f-scores: the translation of the "
            "noisy sentence against that of the corrected one; changed: without the robust pairs, "
            f"as the paper prints them. NR, the noise ratio: 1 − {metric} of the translations over "
            f"1 − {metric} of the sources, above 1 where noise is magnified; mean: of single "
            "sentences; discounted: times the words of the source over those of the translation, "
            "as the metric counts them. 95 % intervals over sentences, each with all its "
            "corrections. ALL: the sentences of all corpora together.",
        ),
        _table(
            "F1",
            "By number of errors",
            grouped("errors", BY_ERRORS),
            "The same measures for sentences with so many errors.",
        ),
        _table(
            "length",
            "By length of the sentence",
            grouped("words", BY_LENGTH),
            "Words of the corrected sentence.",
        ),
        _table(
            "length of one error",
            "By length of the sentence, one error",
            [row for s in systems for row in _by(s.single, metric, "words", BY_LENGTH)],
            "The same for sentences with a single error.",
        ),
        _table(
            "noise",
            "By noise of the source",
            [row for s in systems for row in _by(s, metric, kept, by_noise(s, metric))],
            "NR depends on how noisy the sources are: compare corpora and systems in the same bin.",
        ),
        _table(
            "T2",
            "By type of error",
            [row for s in systems for row in _marked([*_by(s.single, metric, "type", by_type(s))])],
            f"Sentences with a single error, types with {FEWEST} of them or more; marked: beyond "
            "two standard deviations from the mean over types.",
        ),
        _table(
            "T2 kinds",
            "By type of error without M, R and U",
            [row for s in systems for row in _marked([*_by(s.single, metric, "type", by_kind(s))])],
            "The same where something is missing, wrong or too much taken together.",
        ),
        _table(
            "F5",
            "Where the damage lies",
            [row for samples in systems for row in _damage(samples)],
            "Words that differ between the two translations of a sentence with a single error, "
            "counted from the word that stands for the error: below 0 to its left. figure: words "
            "of the clean translation that the other lacks; formula: words of the other that the "
            "clean one lacks. n words, µ mean, σ standard deviation, γ skewness; linked: errors "
            "that an aligned word stands for.",
        ),
    ]
    if len({samples.source.run for samples in systems}) > 2:
        rows = made[0].data.filter(~pl.col("run").str.starts_with("ALL"))
        made.append(_correlated(rows, metric))
    made += difference_tables(systems, rated(metric))
    return [table for table in made if table.data.height]


def _table(name: str, title: str, rows: Sequence[Mapping[str, object]], note: str) -> Table:
    frame = pl.DataFrame(list(rows), infer_schema_length=None)
    alone = frame.height and frame["run"].n_unique() < 2
    return Table(name, title, frame.drop("run") if alone else frame, note)


def _correlated(rows: pl.DataFrame, metric: str) -> Table:
    # The paper's f-scores leave out sentences that nothing changed.
    kept = {n: f"{n} changed" if n.startswith("f-") else n
            for n in ("RB", f"f-{metric}", "f-METEOR", "NR")}  # fmt: skip
    some = {n: rows[column] for n, column in kept.items() if column in rows.columns}
    paper = correlations(PUBLISHED, ["RB", "f-BLEU", "f-METEOR", "NR"])
    found = correlations(rows.select("corrections").with_columns(**some), [*some]).items()
    frame = pl.DataFrame([{"measure": n, "r": r, "r of the paper": paper.get(n)} for n, r in found])
    note = (
        f"Pearson's r of corrections per sentence with each measure, over {rows.height} rows; "
        "f-scores of the sentences whose translations differ."
    )
    return Table("r", "More errors, less robust?", frame, note)


def scores(runs: Sequence[Run], metric: str | None = None) -> list[Score]:
    """RB, f-scores and NR over all errors, and of each type alone."""
    rows = []
    systems, leading = learner_samples(runs, metric)
    for samples in systems:
        for variant, part in [(ALL, samples), *samples.single.by(by_type(samples))]:
            names = [metric] if metric else samples.metrics
            numbers = [("ExactMatch", "RB", part.share("same").times(100))]
            numbers += [(name, f"f-{name}", _f_score(part, name)) for name in names]
            numbers.append((leading, "NR", part.noise_ratio(leading)))
            for by, name, value in numbers:
                label = (samples.source.system, str(samples.source.pair), variant, by, name)
                rows.append(Score.of(label, value, len(part), {"run": samples.label["run"]}))
    return rows
