"""The run directory: which part lies where, and Parquet files written whole or not at all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import polars as pl

from hyperbaton.files import atomic_path
from hyperbaton.pipeline.design import Pair

__all__ = ["OUTPUTS", "PROBES", "Layout", "read_part", "slug", "write_part"]

PROBES = pl.Schema(
    {
        "item": pl.String(),
        "variant": pl.String(),
        "draw": pl.Int32(),
        "source": pl.String(),
        "varied": pl.String(),
        "reference": pl.String(),
        "varied_reference": pl.String(),
        "words": pl.List(pl.String()),
        "order": pl.List(pl.Int32()),
        "reference_words": pl.List(pl.String()),
        "reference_order": pl.List(pl.Int32()),
    }
)
"""The columns of every probe; those of the study itself come after them, as text."""

OUTPUTS = pl.Schema({"output": pl.String(), "varied_output": pl.String(), "fault": pl.String()})
"""What a system made of `source` and `varied`, row by row as the probes; null where it failed."""


def slug(name: str) -> str:
    """A name as a folder; a digest keeps two names apart that would look the same.

    >>> slug("oracle"), slug("ct2:models/tiny(beam=4)")
    ('oracle', 'ct2-models-tiny-beam-4-2b38af')
    """
    plain = re.sub(r"[^\w.+-]+", "-", name).strip("-.")
    if plain == name:
        return name
    return f"{plain[-60:].lstrip('-.')}-{blake2b(name.encode(), digest_size=3).hexdigest()}"


@dataclass(frozen=True)
class Layout:
    """The paths of one run directory."""

    root: Path

    @property
    def record(self) -> Path:
        """Configuration, signatures and progress."""
        return self.root / "run.json"

    @property
    def report(self) -> Path:
        """The page."""
        return self.root / "report.html"

    def probes(self, pair: Pair, part: int) -> Path:
        """A part of the probes."""
        return self._part(self.root / "probes" / str(pair), part)

    def outputs(self, system: str, pair: Pair, part: int) -> Path:
        """What a system made of that part."""
        return self._part(self.root / "outputs" / slug(system) / str(pair), part)

    def scores(self, system: str, pair: Pair, metric: str, part: int) -> Path:
        """How a metric rates what a system made of that part."""
        return self._part(self.root / "scores" / slug(system) / str(pair) / slug(metric), part)

    def measures(self, pair: Pair, metric: str, part: int) -> Path:
        """What a metric says of the probes of that part themselves."""
        return self._part(self.root / "measures" / str(pair) / slug(metric), part)

    @staticmethod
    def _part(folder: Path, part: int) -> Path:
        return folder / f"part-{part:05d}.parquet"

    def sweep(self) -> None:
        """Remove what a killed process left half-written."""
        for path in self.root.rglob(".*.part"):
            path.unlink(missing_ok=True)


def write_part(path: Path, frame: pl.DataFrame) -> None:
    """Write a part; the same rows always make the same bytes."""
    with atomic_path(path) as temporary:
        frame.write_parquet(
            temporary,
            compression="zstd",
            compression_level=3,
            row_group_size=max(1, frame.height),
            statistics=True,
        )


def read_part(path: Path, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """A part, or some of its columns."""
    return pl.read_parquet(path, columns=None if columns is None else list(columns), glob=False)
