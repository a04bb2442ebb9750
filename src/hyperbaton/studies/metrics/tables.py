"""The numbers of the atlas, in tables and as scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
import polars as pl

from hyperbaton.pipeline import Run
from hyperbaton.report.contents import Contest, Table
from hyperbaton.stats import holm
from hyperbaton.studies.layer.aggregate import Aggregate
from hyperbaton.studies.layer.experiment import ALL, Score
from hyperbaton.studies.layer.ranking import Measure, ranking
from hyperbaton.studies.metrics.advice import is_graded
from hyperbaton.studies.metrics.kinds import DAMAGES, EXPLAINED
from hyperbaton.studies.metrics.noticing import Atlas, Noticed, Reading, read_atlas

Row = dict[str, object]
_NOTE = (
    "Of N texts that the damage applies to, the share that the metric scores lower than the "
    "undamaged translation (noticed), and alike (tied); the rest it scores higher. Strength: the "
    "mean drop, over what the translation of another sentence loses: 1 is as bad as that. low and "
    "high: 95 % interval."
)
_PERCENT = ("noticed", "tied")
_SCALES = {"severity": "severity", "cut": "how much is cut off"}


def scores(runs: Sequence[Run], metric: str | None = None) -> list[Score]:
    """Every number with its interval: in all pairs together first, then in each."""
    atlas = read_atlas(runs, metric)
    several = {ALL: atlas.readings, **atlas.by_pair} if len(atlas.pairs) > 1 else atlas.by_pair
    return [
        score
        for pair, readings in several.items()
        for reading in readings.values()
        for score in _scores(atlas, reading, pair)
        if np.isfinite(score.value)
    ]


def _scores(atlas: Atlas, reading: Reading, pair: str) -> Iterator[Score]:
    def made(variant: str, name: str, found: Aggregate) -> Score:
        # No system is asked.
        return Score.of(("", pair, variant, reading.metric, name), found, found.n)

    for variant, cell in {ALL: reading.mean(atlas.kinds()), **reading.cells}.items():
        for name, found in _numbers(cell).items():
            yield made(variant, name, found)
    for variant, share in reading.fakes.items():
        yield made(variant, "fooled", share)
    for scale, right in reading.severities.items():
        yield made(scale, "ranked", right)


def _numbers(cell: Noticed) -> dict[str, Aggregate]:
    return {"noticed": cell.noticed, "tied": cell.tied, "strength": cell.strength}


def tables(atlas: Atlas) -> list[Table]:
    """The map by families and kinds; fakes, severity, languages, metrics against each other."""
    found = [_families(atlas), *_maps(atlas), _each(atlas), _others(atlas), _languages(atlas)]
    return [table for table in [*found, _differences(atlas)] if not table.data.is_empty()]


def _families(atlas: Atlas) -> Table:
    rows = [
        {"metric": metric, "damage": family, "kinds": len(kinds)}
        | {name: one.value for name, one in _numbers(reading.mean(kinds)).items()}
        for family, kinds in atlas.groups().items()
        for metric, reading in atlas.readings.items()
    ]
    note = "Means over kinds of damage, each with the same weight. " + _NOTE.split(" low and")[0]
    return Table("T1", "What each metric notices", pl.DataFrame(rows), note, percent=_PERCENT)


def _maps(atlas: Atlas) -> Iterator[Table]:
    """Kinds × metrics, to be sorted by a metric."""
    for number, (name, what) in enumerate(
        {
            "noticed": "Share of damaged texts that are scored lower",
            "tied": "Share of damaged texts that are scored alike",
            "strength": "Strength: the mean drop, over that of another sentence's translation",
        }.items(),
        2,
    ):
        rows = []
        for variant, family in atlas.families.items():
            cells = {m: reading.cells.get(variant) for m, reading in atlas.readings.items()}
            known = [cell for cell in cells.values() if cell]
            row: Row = {"damage": variant, "family": family}
            row["N"] = max((cell.noticed.n for cell in known), default=0)
            values = {m: _numbers(cell)[name].value if cell else None for m, cell in cells.items()}
            rows.append(row | values)
        shares = () if name == "strength" else tuple(atlas.readings)
        yield Table(f"T{number}", what, _frame(rows), _NOTE, percent=shares)


def _each(atlas: Atlas) -> Table:
    rows = [
        {"metric": metric, "damage": variant, "N": cell.noticed.n}
        | {k: v for name, one in _numbers(cell).items() for k, v in one.spread(name).items()}
        for metric, reading in atlas.readings.items()
        for variant, cell in reading.cells.items()
    ]
    return Table(
        "T5", "Every metric and every kind of damage", _frame(rows), _NOTE, percent=_PERCENT
    )


def _others(atlas: Atlas) -> Table:
    """What fools a metric, and whether it ranks damage."""
    rows: list[Row] = []
    for metric, reading in atlas.readings.items():
        for name, share in reading.fakes.items():
            what = f"fooled by: {name}" + (f" ({EXPLAINED[name]})" if name in EXPLAINED else "")
            rows.append({"metric": metric, "what": what, "N": share.n, **share.spread("share")})
        for scale, right in reading.severities.items():
            row = {"metric": metric, "what": f"ranked by: {_SCALES[scale]}", "N": right.n}
            rows.append(row | right.spread("share"))
    note = (
        "Fooled: how often a text that says nothing is scored no lower than the first half of the "
        "translation. Ranked: of two damages of one translation, how often the more severe one "
        "costs more; a tie counts half, and chance gives 50 %."
    )
    title = "What fools a metric, and whether it ranks damage"
    return Table("T6", title, _frame(rows), note, percent=("share",))


def _languages(atlas: Atlas) -> Table:
    rows: list[Row] = []
    for pair, readings in atlas.by_pair.items() if len(atlas.pairs) > 1 else ():
        for family, kinds in atlas.groups().items():
            for metric, reading in readings.items():
                cell = reading.mean(kinds)
                row: Row = {"metric": metric, "pair": pair, "damage": family}
                if cell.noticed.n:
                    for name, one in _numbers(cell).items():
                        row |= one.spread(name)
                    rows.append(row)
    title = "What each metric notices, by language pair"
    return Table("T7", title, _frame(rows), _NOTE, percent=_PERCENT)


def _differences(atlas: Atlas) -> Table:
    """Every two metrics on the same texts."""
    rows: list[Row] = []
    for family, kinds in atlas.groups().items():
        means = {m: reading.mean(kinds).noticed for m, reading in atlas.readings.items()}
        pairs = [(m, n) for m, n in combinations(means, 2) if means[m].n and means[n].n]
        apart = [means[one] - means[other] for one, other in pairs]
        for (one, other), found, p in zip(pairs, apart, holm([a.p for a in apart]), strict=True):
            row: Row = {"damage": family, "first": one, "second": other}
            rows.append(row | found.spread("difference") | {"p": p})
    note = (
        "The share of damaged texts that the first metric notices minus that of the second, on the "
        "same texts; 95 % intervals by paired bootstrap over items; p: is the difference other "
        "than 0, corrected after Holm over the pairs of metrics."
    )
    return Table("T8", "Metrics against each other", _frame(rows), note)


def _frame(rows: Sequence[Mapping[str, object]]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), infer_schema_length=None)


def contests(atlas: Atlas) -> list[Contest]:
    """Metrics by how much damage they notice, and by how well they rank it."""
    kinds = atlas.kinds(DAMAGES)
    graded = {m: reading for m, reading in atlas.readings.items() if is_graded(reading)}
    noticed = {m: reading.mean(kinds).noticed for m, reading in graded.items()}
    noticing = Measure("share of damage noticed", leads="notices more than", share=True)
    found = [ranking(noticing, noticed)]
    for scale, what in _SCALES.items():
        right = {
            m: reading.severities[scale]
            for m, reading in graded.items()
            if scale in reading.severities
        }
        label = f"share of damage ranked by {what}"
        leads = f"ranks damage better by {what} than"
        found.append(ranking(Measure(label, leads=leads, share=True), right))
    return [contest for contest in found if contest is not None]
