"""A run as it lies on disk: its record, its parts as tables, and what can be told from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline.design import Comparison, Pair
from hyperbaton.pipeline.run.completeness import Failures, failed_rows, failures, missing_parts
from hyperbaton.pipeline.run.layout import OUTPUTS, STATISTICS, Layout
from hyperbaton.pipeline.run.parts import DamagedPart, read_part
from hyperbaton.pipeline.run.record import Record

if TYPE_CHECKING:
    from hyperbaton.pipeline.run.corpus_scores import Sums
    from hyperbaton.stats import Bootstrap, Estimate
    from hyperbaton.stats import Comparison as Difference

_KEPT = 64 << 20
"""Bytes of parts that a run keeps in memory."""


class Run:
    """A run directory, opened for reading; what is still missing is told in one sentence.

    With `part`, tables have the rows of that part alone.
    """

    def __init__(self, folder: Path, part: int | None = None, record: Record | None = None) -> None:
        self.layout = Layout(folder)
        self.folder = folder
        self._only = part
        if record is not None:
            self.__dict__["record"] = record
        self._kept: dict[Path, tuple[tuple[int, ...], pl.DataFrame]] = {}
        self._room = _KEPT

    @cached_property
    def record(self) -> Record:
        """Configuration, signatures, progress."""
        from hyperbaton.pipeline.run.record_reading import read_record

        return read_record(self.layout.record)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The language pairs."""
        return tuple(map(Pair.parse, self.record.corpora))

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that were asked for, without the poles."""
        asked = [name for name in self.record.systems if name not in self.record.poles]
        return tuple(asked or self.record.systems)

    def pairs_of(self, system: str) -> tuple[Pair, ...]:
        """The language pairs that a system is put to."""
        return tuple(pair for pair in self.pairs if system in self.record.asked.get(str(pair), ()))

    @property
    def poles(self) -> tuple[str, ...]:
        """The systems with known answers that came with the run."""
        return self.record.poles

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, the leading one first."""
        return tuple(self.record.metrics)

    @property
    def complete(self) -> bool:
        """Whether everything that was ever asked of this run is done."""
        return next(missing_parts(self.layout, self.record), None) is None

    def missing(self) -> list[str]:
        """What is not done yet, in words."""
        return list(missing_parts(self.layout, self.record))

    def failed(self) -> dict[tuple[str, Pair], int]:
        """How many rows a system has no answer for, by system and pair; only where there are any.

        The next run of the same command asks for exactly these again.
        """
        return failed_rows(self.layout, self.record)

    def failures(self) -> dict[tuple[str, Pair], Failures]:
        """The same with the reasons, and with how many rows there are."""
        return failures(self.layout, self.record)

    def parts(
        self,
        pair: Pair,
        system: str | None = None,
        metric: str | None = None,
        columns: Sequence[str] | None = None,
    ) -> Iterator[pl.DataFrame]:
        """The probes of a pair part by part, beside them outputs and scores as far as asked for.

        `columns` keeps memory low: only these are read. What no part has of them is taken from the
        stage over the whole corpus.
        """
        start, whole = 0, None
        for part in self._numbers(pair):
            frame = self._part(pair, system, metric, part, columns)
            if columns is not None and system is not None and self.record.whole:
                lacking = [name for name in columns if name not in frame.columns]
                if lacking and (whole is None or self.record.by_parts):
                    whole, start = self._judged(pair, system, metric, part), 0
                if lacking and whole is not None:
                    names = [name for name in lacking if name in whole.columns]
                    beside = whole.select(names).slice(start, frame.height)
                    if names and beside.height != frame.height:
                        path = self.layout.whole(system, pair, part if self.record.by_parts else 0)
                        raise DamagedPart(path, "it has fewer rows than the probes")
                    frame = frame.hstack(beside)
            start += frame.height
            yield frame

    def _numbers(self, pair: Pair) -> Sequence[int]:
        parts = self.record.progress[str(pair)].parts
        return range(parts) if self._only is None else (self._only,)

    def table(
        self,
        pair: Pair,
        system: str | None = None,
        metric: str | None = None,
        columns: Sequence[str] | None = None,
    ) -> pl.DataFrame:
        """All parts as one table."""
        return pl.concat(self.parts(pair, system, metric, columns))

    def grid(self, pair: Pair, system: str) -> Iterator[pl.DataFrame]:
        """The parts of a run without probes, the first seed first: a row for each perturbation."""
        configuration = self.record.configuration(pair, system)
        for part in range(self.record.progress[str(pair)].parts):
            yield self._read(self.layout.cells(system, pair, part), configuration, None)

    def scores(self) -> pl.DataFrame:
        """Every probe, output and score in one long table, a row per pair, system and metric.

        Beside them is what the stage over the whole corpus says, such as the outcome. A run without
        probes has a row per perturbation of a text.
        """
        names = [(s, p) for s in self.record.systems for p in self.pairs_of(s)]
        if self.record.cells:
            return pl.concat(
                [
                    cells.with_columns(
                        pl.lit(str(pair)).alias("pair"), pl.lit(system).alias("system")
                    )
                    for system, pair in names
                    for cells in self.grid(pair, system)
                ],
                how="diagonal",
            )
        asked: list[tuple[str | None, Pair]] = [*names] or [(None, pair) for pair in self.pairs]
        frames = [
            self._beside(self.table(pair, system, metric), pair, system, metric).with_columns(
                pl.lit(str(pair)).alias("pair"),
                pl.lit(system, pl.String).alias("system"),
                pl.lit(metric).alias("metric"),
            )
            for system, pair in asked
            for metric in self.metrics
        ]
        return pl.concat(frames, how="diagonal")

    def _beside(
        self, frame: pl.DataFrame, pair: Pair, system: str | None, metric: str
    ) -> pl.DataFrame:
        whole = None if system is None else self.whole(pair, system)
        if whole is None:
            return frame
        found = _by_metric(whole, metric)
        return frame.hstack(found.select(pl.exclude([*frame.columns, "^.*:.*$"])))

    def whole(self, pair: Pair, system: str) -> pl.DataFrame | None:
        """What the stage over the whole corpus says, a row per probe; None without such a stage."""
        if not self.record.whole:
            return None
        kept = self._numbers(pair) if self.record.by_parts else (0,)
        found = pl.concat(self._whole(pair, system, part) for part in kept)
        return found if found.width else None

    def _whole(self, pair: Pair, system: str, part: int) -> pl.DataFrame:
        path = self.layout.whole(system, pair, part)
        return self._read(path, self.record.whole_configuration(pair, system), None)

    def _judged(
        self, pair: Pair, system: str, metric: str | None, part: int
    ) -> pl.DataFrame | None:
        """The same of one part, beside the scores of a metric."""
        found = self._whole(pair, system, part if self.record.by_parts else 0)
        return _by_metric(found, metric) if found.width else None

    def statistics(
        self,
        pair: Pair,
        system: str,
        metric: str,
        comparison: str,
        rows: pl.Expr | None = None,
    ) -> tuple[tuple[str, ...], Sums]:
        """The items of a comparison, and a metric's statistics of each, summed over its rows.

        `rows` chooses rows by their columns, as `pl.col("variant") == "reversed"`.
        """
        from hyperbaton.pipeline.run.corpus_scores import item_sums

        items, (sums,) = item_sums(self, pair, [system], metric, comparison, rows)
        return items, sums

    def corpus_score(
        self,
        pair: Pair,
        system: str,
        metric: str,
        comparison: str,
        rows: pl.Expr | None = None,
        bootstrap: Bootstrap | None = None,
    ) -> Estimate:
        """The corpus score of all rows or some, with its bootstrap interval over items."""
        from hyperbaton.pipeline.run.corpus_scores import settled_metric
        from hyperbaton.stats import estimate

        scorer = settled_metric(self, pair, metric, comparison)
        _, sums = self.statistics(pair, system, metric, comparison, rows)
        return estimate(sums, lambda total: scorer.from_statistics(total, "corpus"), bootstrap)

    def corpus_difference(
        self,
        pair: Pair,
        first: str,
        second: str,
        metric: str,
        comparison: str,
        rows: pl.Expr | None = None,
        bootstrap: Bootstrap | None = None,
    ) -> Difference:
        """Two systems on the same resamples of the rows that both have scores for."""
        from hyperbaton.pipeline.run.corpus_scores import item_sums, settled_metric
        from hyperbaton.stats import compare

        scorer = settled_metric(self, pair, metric, comparison)
        _, (one, two) = item_sums(self, pair, [first, second], metric, comparison, rows)
        return compare(one, two, lambda total: scorer.from_statistics(total, "corpus"), bootstrap)

    def _part(
        self,
        pair: Pair,
        system: str | None,
        metric: str | None,
        part: int,
        columns: Sequence[str] | None,
    ) -> pl.DataFrame:
        """One part, out of those of its files that have one of the columns.

        Statistics are read only where a column of them is named.
        """
        record, layout = self.record, self.layout
        measures = _names(record.compared(metric, False)) if metric is not None else ()
        outputs = OUTPUTS if system is not None else ()
        scores = _names(record.compared(metric, True)) if system and metric is not None else ()
        elsewhere = {*measures, *OUTPUTS, *scores}
        wanted = set(columns) if columns is not None else None
        paths = []
        if wanted is None or wanted - elsewhere:
            paths.append((layout.probes(pair, part), record.configuration(pair)))
        if system is not None and _meet(outputs, wanted):
            path = layout.outputs(system, pair, part)
            paths.append((path, record.configuration(pair, system)))
        if metric is not None and _meet(measures, wanted):
            path = layout.scores(None, pair, metric, part)
            paths.append((path, record.configuration(pair, None, metric)))
        if system is not None and metric is not None and _meet(scores, wanted):
            path = layout.scores(system, pair, metric, part)
            paths.append((path, record.configuration(pair, system, metric)))
        frames = [self._read(path, configuration, columns) for path, configuration in paths]
        rows = next((frame.height for frame in frames if frame.width), 0)
        for (path, _), frame in zip(paths, frames, strict=True):
            if frame.width and frame.height != rows:
                raise DamagedPart(path, f"{frame.height} rows, where {paths[0][0]} has {rows}")
        if columns is None:
            frames = [frame.select(pl.exclude(rf"^.*\{STATISTICS}$")) for frame in frames]
        return pl.concat([frame for frame in frames if frame.width], how="horizontal")

    def _read(self, path: Path, configuration: str, columns: Sequence[str] | None) -> pl.DataFrame:
        """A part, or those of the columns that it has; the first ones are kept as they were read.

        A report reads the same part for one number after the other.
        """
        try:
            found = path.stat()
        except FileNotFoundError:
            raise HyperbatonError(
                f"{self.folder} is not complete (no {path.relative_to(self.folder)}): "
                "run its command again, which resumes it"
            ) from None
        state = (found.st_ino, found.st_mtime_ns, found.st_size)
        if self._kept.get(path, ((), None))[0] == state:
            frame = self._kept[path][1]
            if columns is None:
                return frame
            return frame.select([name for name in columns if name in frame.columns])
        try:
            if found.st_size > self._room:
                return read_part(path, columns, configuration)
            frame = read_part(path, None, configuration)
        except OSError as error:
            raise HyperbatonError(f"{path} cannot be read: {error.strerror or error}") from None
        self._room -= int(frame.estimated_size())
        self._kept[path] = state, frame
        return self._read(path, configuration, columns)


def _by_metric(whole: pl.DataFrame, metric: str | None) -> pl.DataFrame:
    """The columns `score:metric` as `score`."""
    return whole.rename(lambda name: name.removesuffix(f":{metric}"))


def _names(comparisons: Iterable[Comparison]) -> tuple[str, ...]:
    """The columns of a score part."""
    return tuple(name for c in comparisons for name in (c.name, c.name + STATISTICS))


def _meet(there: Sequence[str], wanted: set[str] | None) -> bool:
    return bool(there) and (wanted is None or not wanted.isdisjoint(there))
