"""A run that failed at its start: what never answered must not stand in the way."""

from __future__ import annotations

import logging

from hyperbaton.pipeline.design import Pair
from hyperbaton.pipeline.job import Job
from hyperbaton.pipeline.run.completeness import has_answers
from hyperbaton.pipeline.run.layout import Layout
from hyperbaton.pipeline.run.record import Record

__all__ = ["forget_silent", "is_worthless"]

_log = logging.getLogger(__name__)


def forget_silent(layout: Layout, record: Record, job: Job) -> Record:
    """The record without systems that a job no longer names and that never answered.

    A misspelt or dead system of an earlier command would leave the run incomplete for ever.
    """
    for corpus in job.corpora:
        pair = corpus.pair
        for system in record.asked.get(str(pair), ()):
            named = system in job.systems_of(str(pair)) or system in record.poles
            if not named and not has_answers(layout, record, system, pair):
                _log.warning(
                    "hyperbaton: %s: %s never answered in %s and is left out now",
                    layout.root,
                    system,
                    pair,
                )
                layout.drop_answers(system, pair)
                record = record.without(system, pair)
    return record


def is_worthless(layout: Layout, record: Record) -> bool:
    """Whether no system but the poles answered anything, so that nothing is lost by a new start."""
    return not any(
        has_answers(layout, record, system, Pair.parse(pair))
        for pair, systems in record.asked.items()
        for system in systems
        if system not in record.poles
    )
