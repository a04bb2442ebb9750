"""The answers of two runs row by row: how many changed, and which changed for the worse."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics import METRICS
from hyperbaton.pipeline import IDENTITY, Run
from hyperbaton.pipeline.run.layout import UNTRANSLATED
from hyperbaton.studies.layer.aggregate import Floats
from hyperbaton.studies.layer.experiment import ALL, Experiment, ProbeStudy, Score
from hyperbaton.studies.layer.gate.scores import Change
from hyperbaton.studies.layer.sources import Source, sources

_PROBE = ("item", "variant", "source", "varied")
_TEXTS = (*_PROBE, "output", "varied_output")
_MOVED = pl.col("output").ne_missing(pl.col("output_before"))
_VARIED_MOVED = pl.col("varied_output").ne_missing(pl.col("varied_output_before"))


class Example(NamedTuple):
    """A sentence with its translation in the earlier run, where there is one, and in this one."""

    item: str
    variant: str
    text: str
    before: str | None
    after: str

    def lines(self) -> list[str]:
        """How it is printed under a verdict."""
        after = "translation" if self.before is None else "now"
        texts = {"source": self.text, "before": self.before, after: self.after}
        told = [f"{name}: {text}" for name, text in texts.items() if text is not None]
        return [f"item {self.item}, {self.variant}", *told]


def source_of(run: Run, system: str, pair: str) -> Source | None:
    """A system of a run in a language pair; a score may be of something else, such as a metric."""
    found = (s for s in sources([run]) if (s.system, str(s.pair)) == (system, pair))
    return next(found, None)


def changed_answers(new: Source | None, old: Source | None) -> tuple[int, int] | None:
    """The rows, and how many have other answers; rows may not have failed in one run alone."""
    if new is None or old is None:
        return None
    rows = changed = 0
    if new.run.record.cells:
        both = zip(new.run.grid(new.pair, new.name), old.run.grid(old.pair, old.name), strict=True)
        for one, other in both:
            scores = [frame["scores"].explode().to_numpy() for frame in (one, other)]
            rows += len(scores[0])
            changed += int((scores[0] != scores[1]).sum())
        return rows, changed
    for frame in _beside(new, old):
        lacks = [
            frame[f"{name}{end}"].is_null()
            for end in ("", "_before")
            for name in ("output", "varied_output")
        ]
        if ((lacks[0] | lacks[1]) != (lacks[2] | lacks[3])).any():
            raise HyperbatonError(
                f"{new.system} failed on other rows in {new.run.folder} than in {old.run.folder}: "
                "run the command of both again with --retry-failed"
            )
        rows += frame.height
        changed += frame.filter(_MOVED | _VARIED_MOVED).height
    return rows, changed


def _beside(
    new: Source, old: Source, metric: str | None = None, columns: Sequence[str] = ()
) -> Iterator[pl.DataFrame]:
    """The rows of both runs, those of the old one under names that end in `_before`."""
    here, there = (s.run.parts(s.pair, s.name, metric, [*_TEXTS, *columns]) for s in (new, old))
    if new.run.record.part != old.run.record.part:
        here, there = iter([pl.concat(here)]), iter([pl.concat(there)])
    for one, other in zip(here, there, strict=True):
        beside = other.select(pl.exclude(_PROBE).name.suffix("_before"))
        if one.height != other.height or not one["varied"].equals(other["varied"]):
            raise HyperbatonError(
                f"{new.run.folder} and {old.run.folder} have other variants of the same sentences: "
                "run both with the same version of hyperbaton"
            )
        yield one.hstack(beside)


class _Measured(NamedTuple):
    """What a score says of single rows."""

    measure: pl.Expr | None
    """Nothing, where it is made of more than a row."""
    metric: str | None
    columns: tuple[str, ...]
    """What must be read beside the texts."""
    rows: pl.Expr
    """The rows that it is about."""
    clean: bool
    """Whether it is about the answer to the clean source."""


def _measured(study: Experiment, score: Score, run: Run) -> _Measured:
    of = pl.col("variant") == score.variant
    chosen = pl.col("variant") != IDENTITY if score.variant == ALL else of
    measures = study.measures if isinstance(study, ProbeStudy) else {}
    measure = {UNTRANSLATED: pl.col(UNTRANSLATED).is_not_null(), **measures}.get(score.name)
    columns = tuple(measure.meta.root_names()) if measure is not None else ()
    known = {c.name: c.hypothesis for c in getattr(study, "comparisons", ())}
    clean = bool(columns) and {known.get(name) for name in columns} == {"output"}
    metric = score.metric if score.metric in run.metrics else None
    unread = tuple(name for name in columns if name not in _TEXTS)
    return _Measured(measure, metric, unread, chosen, clean)


def worst_change(study: Experiment, change: Change, new: Run, old: Run) -> list[str]:
    """The sentence whose answer changed for the worse the most."""
    score = change.new
    here = source_of(new, score.system, score.pair)
    there = source_of(old, change.old.system, score.pair)
    if not change.changed or new.record.cells or here is None or there is None:
        return []
    of = _measured(study, score, new)
    moved = of.rows & (_MOVED | _VARIED_MOVED)
    frames = (frame.filter(moved) for frame in _beside(here, there, of.metric, of.columns))
    return _worst(frames, lambda rows: _losses(rows, of.measure, change.sign), of.clean)


def worst_answer(study: Experiment, score: Score, run: Run, sign: int) -> list[str]:
    """The sentence that has least of a score, or with −1 most.

    Of what no row has, it is the one whose two translations are least alike.
    """
    source = source_of(run, score.system, score.pair)
    if run.record.cells or source is None:
        return []
    of = _measured(study, score, run)
    parts = run.parts(source.pair, source.name, of.metric, [*_TEXTS, *of.columns])
    frames = (part.filter(of.rows) for part in parts)
    if (measure := of.measure) is not None:
        return _worst(frames, lambda rows: -sign * _values(rows, measure), of.clean)
    return _worst(frames, lambda rows: _apart(rows, "output"), of.clean)


def _worst(
    frames: Iterator[pl.DataFrame], losses: Callable[[pl.DataFrame], Floats], clean: bool
) -> list[str]:
    """The row that lost most."""
    worst: tuple[float, Example] | None = None
    for frame in frames:
        rows = frame.drop_nulls(list(_TEXTS))
        if not rows.height:
            continue
        lost = np.nan_to_num(losses(rows), nan=-np.inf)
        place = int(lost.argmax())
        if worst is None or lost[place] > worst[0]:
            worst = float(lost[place]), _example(rows.row(place, named=True), clean)
    return worst[1].lines() if worst else []


def _losses(rows: pl.DataFrame, measure: pl.Expr | None, sign: int) -> Floats:
    """How much each row lost; without a measure of rows, how far its answer is from before."""
    if measure is None:
        return _apart(rows, "varied_output_before")
    roots = [name for name in measure.meta.root_names() if name not in _PROBE]
    before = rows.with_columns(pl.col(f"{name}_before").alias(name) for name in roots)
    return sign * (_values(before, measure) - _values(rows, measure))


def _apart(rows: pl.DataFrame, other: str) -> Floats:
    """How far answers to the variants are from other ones."""
    answers = [rows[name].to_list() for name in ("varied_output", other)]
    return 1 - METRICS.parse("chrF").sentence_scores(*answers)


def _values(rows: pl.DataFrame, measure: pl.Expr) -> Floats:
    column = rows.select(measure.cast(pl.Float64).fill_null(np.nan).alias("value"))["value"]
    return np.asarray(column.to_numpy(), dtype=np.float64)


def _example(row: Mapping[str, str], clean: bool) -> Example:
    """The answer that the score is about, or the other one where that is as before."""
    sides = [("varied", "varied_output"), ("source", "output")]
    if "output_before" in row:
        sides = [side for side in sides if row[side[1]] != row[f"{side[1]}_before"]]
    text, answer = sides[-1 if clean else 0]
    before = row.get(f"{answer}_before")
    return Example(row["item"], row["variant"], row[text], before, row[answer])
