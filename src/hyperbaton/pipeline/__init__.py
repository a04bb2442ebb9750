"""Stages over parts of a corpus, the run directory, resuming; no study is known here by name."""

from __future__ import annotations

from hyperbaton.pipeline.corpora import Corpus, Files, Items, Starter
from hyperbaton.pipeline.design import IDENTITY, Comparison, Design, Pair, Parse, Probe
from hyperbaton.pipeline.engine.execution import execute
from hyperbaton.pipeline.job import Job
from hyperbaton.pipeline.options import RunOptions
from hyperbaton.pipeline.run.results import Run

__all__ = [
    "IDENTITY",
    "Comparison",
    "Corpus",
    "Design",
    "Files",
    "Items",
    "Job",
    "Pair",
    "Parse",
    "Probe",
    "Run",
    "RunOptions",
    "Starter",
    "execute",
]
