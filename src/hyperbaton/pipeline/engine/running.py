"""A run from corpus to scores: stages over parts, each of which is done once and for all."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from hyperbaton.base.progress import Advance
from hyperbaton.corpus.item import Item
from hyperbaton.pipeline.corpora import Corpus
from hyperbaton.pipeline.design import Pair
from hyperbaton.pipeline.engine.budgets import Till, Watch
from hyperbaton.pipeline.engine.engines import Ray
from hyperbaton.pipeline.engine.planning import Plan, begun
from hyperbaton.pipeline.engine.pool import Pool
from hyperbaton.pipeline.engine.progress import Board
from hyperbaton.pipeline.job import Job
from hyperbaton.pipeline.run.layout import Layout
from hyperbaton.pipeline.run.locking import alone, one_sentence
from hyperbaton.pipeline.run.parts import sound
from hyperbaton.pipeline.run.results import Run
from hyperbaton.pipeline.stages.probing import make_probes
from hyperbaton.pipeline.stages.scoring import (
    Judging,
    Scoring,
    judge,
    lacking,
    score_part,
    unjudged,
)
from hyperbaton.pipeline.stages.translating import Desk
from hyperbaton.systems.store.store import Store, working_store

__all__ = ["execute"]


def execute(job: Job, folder: Path) -> Run:
    """Do what is not yet done of a job in a run directory, and open what is there.

    In a folder that holds a run already, what failed is asked for again, and nothing else is.
    """
    watch = Watch(job.options)
    job = job.normalised()
    layout = Layout(folder)
    with one_sentence(), alone(folder):
        # A second run of the same command is how a user asks for what an outage left open.
        retry = job.options.retry_failed or layout.record.exists()
        job = replace(job, options=replace(job.options, retry_failed=retry))
        plan = begun(job, layout)
        if isinstance(job.options.engine, Ray):
            from hyperbaton.pipeline.engine.ray import execute_on_ray

            execute_on_ray(plan, job.options.engine, watch)
        else:
            _execute_here(plan, watch)
    return Run(folder)


def _execute_here(plan: Plan, watch: Watch) -> None:
    job = plan.job
    with ExitStack() as stack:
        options = job.options
        store = stack.enter_context(working_store(options.cache)) if options.cached else None
        parts = sum(plan.parts(corpus.pair) for corpus in job.corpora)
        pool = stack.enter_context(Pool(options.workers_for(parts), watch.check))
        board = stack.enter_context(Board(plan.totals))
        till = stack.enter_context(closing(Till(plan.layout, options, watch)))
        work = _Work(plan, store, pool, board, till)
        for corpus in job.corpora:
            work.through(corpus)
        pool.drain()


class _Work:
    """The stages of one job."""

    def __init__(
        self, plan: Plan, store: Store | None, pool: Pool, board: Board, till: Till
    ) -> None:
        self._plan = plan
        self._job, self._layout = plan.job, plan.layout
        self._store = store
        self._pool = pool
        self._board = board
        self._till = till

    def through(self, corpus: Corpus) -> None:
        """All systems over one corpus; the first meets the probes as they are made."""
        pair = corpus.pair
        for number, system in enumerate(self._job.systems_of(str(pair))):
            retry = self._job.options.retry_failed
            before = partial(self._till.before, system)
            with Desk(system, pair, self._store, retry, before) as desk:
                parts = self._probes(corpus) if number == 0 else iter(range(self._plan.parts(pair)))
                for part in parts:
                    self._till.watch.check()
                    if number == 0:
                        self._score(None, pair, part)
                    self._translate(system, desk, pair, part)
                    self._score(system, pair, part)
            self._whole(system, pair)

    def _probes(self, corpus: Corpus) -> Iterator[int]:
        """The parts of probes, each as soon as it is there."""
        configuration = self._plan.record.configuration(corpus.pair)
        parts = range(self._plan.parts(corpus.pair))
        paths = [self._layout.probes(corpus.pair, part) for part in parts]
        there = [sound(path, configuration) is not None for path in paths]
        if all(there):
            self._board.advance("probes", self._plan.record.progress[str(corpus.pair)].items)
            yield from range(len(paths))
            return
        stream = corpus.items()
        ahead: deque[Future[None] | None] = deque()
        given = 0
        for part, path in enumerate(paths):
            items = [_portable(item) for item in islice(stream, self._job.options.part)]
            ahead.append(None if there[part] else self._make(path, items, corpus.pair))
            if there[part]:
                self._board.advance("probes", len(items))
            while ahead and (len(ahead) > self._pool.workers or part == len(paths) - 1):
                made = ahead.popleft()
                if made is not None:
                    self._pool.finish(made)
                yield given
                given += 1

    def _make(self, path: Path, items: list[Item], pair: Pair) -> Future[None]:
        done = partial(self._board.advance, "probes", len(items))
        job, configuration = self._job, self._plan.record.configuration(pair)
        return self._pool.submit(
            done, make_probes, path, configuration, job.design, items, pair, job.parse
        )

    def _translate(self, system: str, desk: Desk, pair: Pair, part: int) -> None:
        """Make a part of outputs, or ask again for what failed in it."""
        path, probes = self._layout.outputs(system, pair, part), self._layout.probes(pair, part)
        items = self._plan.items(pair, part)
        stamp = sound(path, self._plan.record.configuration(pair, system))
        lacking = stamp is None or (stamp.failed > 0 and desk.may_recover)
        if not lacking and desk.is_current(path):
            self._board.advance("translations", items)
            return
        if lacking:
            self._plan.sign(system, pair, desk.signature, desk.batch_free)
        configuration = self._plan.record.configuration(pair, system)
        bar = partial(self._bar, items)
        drop = partial(self._drop, system, pair, part)
        # Signing drops what only failed, where the system is another than before.
        if stamp is None or not path.exists() or not desk.may_recover:
            drop()
            desk.translate(probes, path, configuration, bar)
        else:
            desk.fill(probes, path, configuration, bar, drop)

    def _bar(self, items: int, rows: int) -> Advance:
        return self._board.share("translations", items, 2 * rows)

    def _drop(self, system: str, pair: Pair, part: int) -> None:
        """Remove what is made of outputs that are about to change."""
        for path in self._plan.made_of_outputs(system, pair, part):
            path.unlink(missing_ok=True)

    def _score(self, system: str | None, pair: Pair, part: int) -> None:
        """Hand over what is to be scored; without a system, what belongs to the probes."""
        items = 0 if system is None else self._plan.items(pair, part)
        done = partial(self._board.advance, "scores", items)
        scoring = lacking(self._plan.scoring(system, pair, part))
        judging = None
        if system is not None and self._plan.record.whole and self._plan.record.by_parts:
            judging = unjudged(self._plan.judging(system, pair, part))
        if scoring is None and judging is None:
            done()
        else:
            self._pool.submit(done, finish_part, scoring, judging)

    def _whole(self, system: str, pair: Pair) -> None:
        """The stage that sees a whole corpus, once all parts of a system are there."""
        if not self._plan.record.whole or self._plan.record.by_parts:
            return
        job = unjudged(self._plan.judging(system, pair))
        if job is not None:
            self._pool.drain()
            self._pool.submit(_nothing, judge, job)


def finish_part(scoring: Scoring | None, judging: Judging | None) -> None:
    """Score a part, then judge it: whatever of the two is still to be done."""
    if scoring is not None:
        score_part(scoring)
    if judging is not None:
        judge(judging)


def _nothing() -> None:
    """No bar counts the stage over a whole corpus."""


def _portable(item: Item) -> Item:
    """The item with columns that can go to another process."""
    return replace(item, columns=dict(item.columns))
