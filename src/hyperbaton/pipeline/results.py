"""A run as it lies on disk: its record, and its parts as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

import polars as pl

from hyperbaton.errors import HyperbatonError
from hyperbaton.pipeline.design import Pair
from hyperbaton.pipeline.layout import Layout, read_part
from hyperbaton.pipeline.record import Record, read_record

__all__ = ["Run"]


class Run:
    """A run directory, opened for reading; what is still missing is told in one sentence."""

    def __init__(self, folder: Path) -> None:
        self.layout = Layout(folder)
        self.folder = folder

    @cached_property
    def record(self) -> Record:
        """Configuration, signatures, progress."""
        return read_record(self.layout.record)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The language pairs."""
        return tuple(map(Pair.parse, self.record.corpora))

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that were asked for, without the poles."""
        asked = [name for name in self.record.systems if name not in self.record.poles]
        return tuple(asked or self.record.systems)

    def pairs_of(self, system: str) -> tuple[Pair, ...]:
        """The language pairs that a system was put to."""
        there = self.record.systems.get(system, {})
        return tuple(pair for pair in self.pairs if str(pair) in there)

    @property
    def poles(self) -> tuple[str, ...]:
        """The systems with known answers that came with the run."""
        return self.record.poles

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, the leading one first."""
        return tuple(self.record.metrics)

    def parts(
        self,
        pair: Pair,
        system: str | None = None,
        metric: str | None = None,
        columns: Sequence[str] | None = None,
    ) -> Iterator[pl.DataFrame]:
        """The probes of a pair part by part, beside them outputs and scores as far as asked for.

        `columns` keeps memory low: only these are read.
        """
        for part in range(self.record.progress[str(pair)].parts):
            paths = [self.layout.probes(pair, part)]
            if system is not None:
                paths.append(self.layout.outputs(system, pair, part))
            if metric is not None:
                measures = self.layout.measures(pair, metric, part)
                paths += [measures] if measures.exists() else []
                if system is not None:
                    paths.append(self.layout.scores(system, pair, metric, part))
            yield self._beside(paths, columns)

    def table(
        self,
        pair: Pair,
        system: str | None = None,
        metric: str | None = None,
        columns: Sequence[str] | None = None,
    ) -> pl.DataFrame:
        """All parts as one table."""
        return pl.concat(self.parts(pair, system, metric, columns))

    def scores(self) -> pl.DataFrame:
        """Every probe, output and score in one long table, a row per pair, system and metric."""
        frames = [
            self.table(pair, system, metric).with_columns(
                pl.lit(str(pair)).alias("pair"),
                pl.lit(system).alias("system"),
                pl.lit(metric).alias("metric"),
            )
            for system in self.record.systems
            for pair in self.pairs_of(system)
            for metric in self.metrics
        ]
        return pl.concat(frames)

    def _beside(self, paths: Sequence[Path], columns: Sequence[str] | None) -> pl.DataFrame:
        frames = []
        for path in paths:
            if not path.exists():
                raise HyperbatonError(
                    f"{self.folder} is not complete (no {path.relative_to(self.folder)}): "
                    "the command that began it goes on from there"
                )
            there = pl.read_parquet_schema(path)
            frames.append(
                read_part(path, None if columns is None else [c for c in columns if c in there])
            )
        return pl.concat([frame for frame in frames if frame.width], how="horizontal")
