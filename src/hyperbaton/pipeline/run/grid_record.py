"""run.json of a run kept in cells."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version

from hyperbaton import __version__
from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.tokenizing import CHARACTERS, PIECES, is_unigram
from hyperbaton.pipeline.engine.starting import forget_silent, is_worthless
from hyperbaton.pipeline.job import Job
from hyperbaton.pipeline.run.layout import Layout
from hyperbaton.pipeline.run.record import OtherConfiguration, Progress, Record
from hyperbaton.pipeline.run.record_reading import read_record

__all__ = ["cell_record", "vocabulary_mark"]

_PACKAGES = ("numpy", "polars", "sentencepiece", "tokenizers", "torch", "ctranslate2")


def cell_record(job: Job, parts: int, layout: Layout) -> Record:
    """The record of a job, joined to what is there already, and written down."""
    if layout.has_parts and not layout.record.exists():
        raise HyperbatonError(
            f"{layout.root} holds parts of a run but no run.json that says which: "
            "choose another folder with --out, or delete this one"
        )
    pairs = [str(corpus.pair) for corpus in job.corpora]
    record = Record(
        study=str(job.design),
        part=1,
        corpora={str(corpus.pair): corpus.identity for corpus in job.corpora},
        parsers={},
        asked={pair: job.systems_of(pair) for pair in pairs},
        systems={system: {} for pair in pairs for system in job.systems_of(pair)},
        metrics={},
        comparisons={},
        cells=True,
        command=job.options.command,
        versions=_versions(),
    )
    if layout.record.exists():
        before = read_record(layout.record)
        try:
            record = forget_silent(layout, before, job).joined(record, layout.root)
        except OtherConfiguration:
            if not is_worthless(layout, before):
                raise
    counted = {
        str(corpus.pair): Progress(sum(1 for _ in corpus.items()), parts) for corpus in job.corpora
    }
    record = replace(record, progress={**record.progress, **counted})
    layout.sweep()
    record.write(layout.record)
    return record


def vocabulary_mark(tokenizer: str) -> str:
    """A hash of a tokenizer, which decides subwords and compression."""
    path = Path(tokenizer)
    return fingerprint([path / PIECES, path / CHARACTERS] if is_unigram(path) else [path])


def _versions() -> dict[str, str]:
    """The versions of those packages that are installed."""
    found = {"hyperbaton": __version__, "python": python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
