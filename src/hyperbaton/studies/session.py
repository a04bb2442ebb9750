"""A study in three lines of Python: run it, look at its tables, draw its figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hyperbaton.errors import HyperbatonError
from hyperbaton.pipeline import Corpus, Files, Items, Job, Pair, Run, Starter, execute
from hyperbaton.studies.study import STUDIES, load_contents

if TYPE_CHECKING:
    import polars

    from hyperbaton.report.contents import Contents, Figure, Finding, Table

__all__ = ["Session", "wordorder"]

Texts = str | Path | Sequence[str]
"""A file, or the texts themselves."""


class Session:
    """A finished run with everything that is drawn from it; notebooks show it as the report."""

    def __init__(self, run: Run, keep: TemporaryDirectory[str] | None = None) -> None:
        self.run = run
        self._keep = keep

    @cached_property
    def scores(self) -> polars.DataFrame:
        """A row per probe, system and metric: texts, outputs, scores."""
        return self.run.scores()

    @cached_property
    def contents(self) -> Contents:
        """The whole report."""
        return load_contents([self.run.folder])

    @property
    def findings(self) -> Sequence[Finding]:
        """The claims of the paper with their verdicts."""
        return self.contents.findings

    @property
    def tables(self) -> Mapping[str, Table]:
        """The tables by the paper's numbers."""
        return {table.id: table for table in self.contents.tables}

    @property
    def figures(self) -> Mapping[str, Figure]:
        """The figures by the paper's numbers."""
        return {figure.id: figure for figure in self.contents.figures}

    def report(self, path: str | Path) -> Path:
        """Write the page."""
        from hyperbaton.report import write_report

        write_report(self.contents, Path(path))
        return Path(path)

    def _repr_html_(self) -> str:
        return self.contents._repr_html_()


def wordorder(
    system: str | Sequence[str],
    languages: str | Sequence[str] = "en-de",
    source: Texts | None = None,
    reference: Texts | None = None,
    *,
    metrics: Sequence[str] = (),
    perturbations: str = "wordorder",
    draws: int = 1,
    seed: int = 0,
    convention: str = "default",
    parsers: Mapping[str, str] | None = None,
    limit: int | None = None,
    poles: bool = True,
    out: str | Path | None = None,
    workers: int = 0,
    cache: str | Path | None = None,
) -> Session:
    """Put systems to the word-order study; without texts, on the corpus that comes along.

    With `workers` above 0 a script needs `if __name__ == "__main__":`, as all of Python's
    processes do. Without `out` the run lives as long as what is returned.
    """
    pairs = [languages] if isinstance(languages, str) else list(languages)
    keep = TemporaryDirectory(prefix="hyperbaton-") if out is None else None
    options = f'perturbations="{perturbations}", draws={draws}, seed={seed}'
    job = Job(
        design=STUDIES.parse(f"wordorder({options}, convention={convention})"),
        corpora=tuple(_corpus(Pair.parse(p), source, reference, limit, len(pairs)) for p in pairs),
        systems=(system,) if isinstance(system, str) else tuple(system),
        metrics=tuple(metrics),
        parsers=parsers or {},
        poles=poles,
        workers=workers,
        cache=None if cache is None else Path(cache),
    )
    folder = Path(keep.name) if keep is not None else Path(out or "")
    return Session(execute(job, folder), keep)


def _corpus(
    pair: Pair, source: Texts | None, reference: Texts | None, limit: int | None, pairs: int
) -> Corpus:
    if source is None:
        return Starter(pair, limit)
    if pairs > 1:
        raise HyperbatonError("texts are in one language pair: call it once for each pair")
    if isinstance(source, str | Path):
        paths = [str(source)]
        if isinstance(reference, str | Path):
            paths.append(str(reference))
        elif reference is not None:
            raise HyperbatonError("source is a file but reference is not: give two files")
        return Files(pair, tuple(paths), limit)
    if reference is None or isinstance(reference, str | Path):
        raise HyperbatonError("source is a list of texts: give a list of references too")
    return Items.of(pair, source, reference, limit)
