"""The run directory: which part lies where, and which columns it has."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import polars as pl

from hyperbaton.pipeline.design import Pair

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
"""The columns of every probe; those of the study itself come after them."""

UNTRANSLATED = "untranslated"
"""What is wrong with `varied_output` where it is no translation: `copied`, or its language."""

OUTPUTS = ("output", "varied_output", "fault", UNTRANSLATED)
"""What a system made of `source` and `varied`, row by row as the probes; null where it failed."""

STATISTICS = ".statistics"
"""How the column of a metric's sufficient statistics ends, beside that of the score."""

FOLDERS = ("probes", "measures", "outputs", "scores", "whole", "cells")
_LEFT_BEHIND = re.compile(r"\.(part-\d+\.parquet|run\.json)\..+\.part")


def slug(name: str) -> str:
    """A name as a folder; a digest keeps two names apart that would look the same.

    >>> slug("oracle"), slug("ct2:models/tiny(beam=4)")
    ('oracle', 'ct2-models-tiny-beam-4-2b38af')
    """
    plain = re.sub(r"[^\w.+-]+", "-", name).strip("-.")
    if plain == name and len(name.encode()) <= 80:
        return name
    return f"{plain[-60:].lstrip('-.')}-{blake2b(name.encode(), digest_size=3).hexdigest()}"


@dataclass(frozen=True)
class Layout:
    """The paths of one run directory."""

    root: Path

    def absolute(self) -> Layout:
        """The same from whatever folder a process works in."""
        return Layout(self.root.absolute())

    @property
    def record(self) -> Path:
        """Configuration, signatures and progress."""
        return self.root / "run.json"

    @property
    def report(self) -> Path:
        """The page."""
        return self.root / "report.html"

    @property
    def costs(self) -> Path:
        """What was spent on each paid system."""
        return self.root / "costs.json"

    def probes(self, pair: Pair, part: int) -> Path:
        """A part of the probes."""
        return self._part(self.root / "probes" / str(pair), part)

    def outputs(self, system: str, pair: Pair, part: int) -> Path:
        """What a system made of that part."""
        return self._part(self.root / "outputs" / slug(system) / str(pair), part)

    def scores(self, system: str | None, pair: Pair, metric: str, part: int) -> Path:
        """How a metric rates what a system made of that part; without one, the probes of it."""
        of = self.root / "measures" if system is None else self.root / "scores" / slug(system)
        return self._part(of / str(pair) / slug(metric), part)

    def whole(self, system: str, pair: Pair, part: int = 0) -> Path:
        """What the whole corpus says of a system; or a part of it, where it is kept by parts."""
        return self._part(self.root / "whole" / slug(system) / str(pair), part)

    def cells(self, system: str, pair: Pair, part: int) -> Path:
        """What a system found in one language with one seed."""
        return self._part(self.root / "cells" / slug(system) / str(pair), part)

    @staticmethod
    def _part(folder: Path, part: int) -> Path:
        return folder / f"part-{part:05d}.parquet"

    @property
    def has_parts(self) -> bool:
        """Whether any part of a run lies here."""
        return any(True for name in FOLDERS for _ in (self.root / name).glob("**/part-*.parquet"))

    def drop(self, metric: str, of_outputs: bool) -> None:
        """Remove all scores of a metric."""
        where = "scores/*/*" if of_outputs else "measures/*"
        for path in self.root.glob(f"{where}/{slug(metric)}/part-*.parquet"):
            path.unlink(missing_ok=True)

    def remove_without_record(self) -> None:
        """Remove parts that no record belongs to, and the folders that they were in."""
        if self.record.exists():
            return
        self.sweep()
        self.clear()
        for folder in (self.root / name for name in FOLDERS):
            for path in sorted(folder.glob("**/"), reverse=True):
                with suppress(OSError):  # somebody else's file is in it
                    path.rmdir()
        with suppress(OSError):
            self.root.rmdir()

    def drop_answers(self, system: str, pair: Pair) -> None:
        """Remove what a system answered in a pair, and all that is made of it."""
        for name in ("outputs", "scores", "whole", "cells"):
            folder = self.root / name / slug(system) / str(pair)
            for path in folder.glob("**/part-*.parquet"):
                path.unlink(missing_ok=True)

    def clear(self) -> None:
        """Remove every part; run.json stays, so that what is left is known to be ours."""
        for name in FOLDERS:
            for path in (self.root / name).glob("**/part-*.parquet"):
                path.unlink(missing_ok=True)

    def sweep(self) -> None:
        """Remove what a killed process of ours left half-written, and nothing else."""
        folders = [self.root / name for name in FOLDERS]
        found = [*self.root.glob(".*.part"), *(p for f in folders for p in f.rglob(".*.part"))]
        for path in found:
            if _LEFT_BEHIND.fullmatch(path.name):
                path.unlink(missing_ok=True)
