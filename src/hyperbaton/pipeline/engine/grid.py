"""A run kept in cells: systems × languages × perturbations × seeds, a score for each example.

Where probes would be millions of texts, only what was found of each example is kept.
"""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.remote_paths import RemotePath
from hyperbaton.pipeline.engine.budgets import Watch
from hyperbaton.pipeline.engine.engines import Ray
from hyperbaton.pipeline.engine.grid_work import CellWork, Grid, introduced, lacking_cells
from hyperbaton.pipeline.job import Job
from hyperbaton.pipeline.run.grid_record import cell_record
from hyperbaton.pipeline.run.layout import Layout
from hyperbaton.pipeline.run.locking import alone, one_sentence
from hyperbaton.pipeline.run.results import Run
from hyperbaton.pipeline.stages.task_corpora import TaskCorpus

__all__ = ["Grid", "execute_cells"]


def execute_cells(job: Job, grid: Grid, folder: Path) -> Run:
    """Do what is not yet done of a job in a run directory, and open what is there."""
    if job.options.max_cost is not None:
        raise HyperbatonError(
            f"{job.design.name} keeps no account of paid systems: leave out --max-cost"
        )
    if grid.trains and isinstance(folder, RemotePath):
        raise HyperbatonError(
            f"{folder}: models are trained in the run's folder, which must be on this machine: "
            "choose one with --out"
        )
    watch = Watch(job.options)
    job = job.normalised()
    layout = Layout(folder).absolute() if isinstance(job.options.engine, Ray) else Layout(folder)
    with one_sentence(), alone(folder):
        record = cell_record(job, grid.seeds * grid.trainings, layout)
        corpora = [corpus for corpus in job.corpora if isinstance(corpus, TaskCorpus)]
        lacking = lacking_cells(layout, record, corpora)
        if lacking:
            # All of them, since one may lend its tokenizer to another.
            names = dict.fromkeys(s for c in corpora for s in job.systems_of(str(c.pair)))
            work = CellWork(grid, layout, record, corpora, lacking)
            if isinstance(job.options.engine, Ray):
                from hyperbaton.pipeline.engine.ray import execute_cells_on_ray

                execute_cells_on_ray(
                    job, grid, layout, work, corpora, list(names), job.options.engine, watch
                )
            else:
                _execute_here(job, grid, work, corpora, list(names), watch)
    return Run(folder)


def _execute_here(
    job: Job,
    grid: Grid,
    work: CellWork,
    corpora: list[TaskCorpus],
    names: list[str],
    watch: Watch,
) -> None:
    with ExitStack() as stack:
        systems = {name: stack.enter_context(closing(grid.open(name))) for name in names}
        work.introduce({name: introduced(one, corpora) for name, one in systems.items()})
        work.take(systems, work.tokenizers)
        work.through(watch, job.options.workers)
