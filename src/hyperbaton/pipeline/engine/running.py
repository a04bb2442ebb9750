"""Executing a job in a run directory, on either engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from hyperbaton.pipeline.engine.budgets import Watch
from hyperbaton.pipeline.engine.engines import Ray
from hyperbaton.pipeline.engine.local import execute_here
from hyperbaton.pipeline.engine.planning import ProbePlan, started
from hyperbaton.pipeline.engine.stages import Plan
from hyperbaton.pipeline.job import Job
from hyperbaton.pipeline.run.layout import Layout
from hyperbaton.pipeline.run.locking import alone, one_sentence
from hyperbaton.pipeline.run.record import Record
from hyperbaton.pipeline.run.results import Run

__all__ = ["execute"]

MakePlan = Callable[[Job, Layout, Record], Plan]


def execute(job: Job, folder: Path, plan_of: MakePlan = ProbePlan, parts: int | None = None) -> Run:
    """Do what is not yet done of a job in a run directory, and open what is there.

    In a folder that holds a run already, what failed is asked for again, and nothing else is.
    Another plan than that of probes says how many `parts` a system has in each pair.
    """
    watch = Watch(job.options)
    job = job.normalised()
    engine = job.options.engine
    layout = Layout(folder)
    with one_sentence(), alone(folder):
        # A second run of the same command is how a user asks for what an outage left open.
        retry = job.options.retry_failed or layout.record.exists()
        job = replace(job, options=replace(job.options, retry_failed=retry))
        record = started(job, layout, parts)
        if isinstance(engine, Ray):
            from hyperbaton.pipeline.engine.ray.driver import execute_on_ray

            plan = plan_of(job, layout.absolute(), record)
            execute_on_ray(plan, engine, watch)
        else:
            plan = plan_of(job, layout, record)
            execute_here(plan, watch)
    return Run(folder, record=plan.record)
