"""A run from corpus to scores: stages over parts, each of which is done once and for all."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from hyperbaton.corpus.item import Item
from hyperbaton.errors import HyperbatonError
from hyperbaton.pipeline.board import Board, Stage
from hyperbaton.pipeline.corpora import Corpus
from hyperbaton.pipeline.design import Pair
from hyperbaton.pipeline.job import Job, check_metric, recorded
from hyperbaton.pipeline.layout import Layout
from hyperbaton.pipeline.locking import alone, one_sentence
from hyperbaton.pipeline.parts import sound
from hyperbaton.pipeline.pool import Pool
from hyperbaton.pipeline.probing import make_probes
from hyperbaton.pipeline.record import Record, read_record
from hyperbaton.pipeline.results import Run
from hyperbaton.pipeline.scoring import Scoring, Target, score_part
from hyperbaton.pipeline.translating import Desk
from hyperbaton.pipeline.whole import judge_whole
from hyperbaton.progress import Advance
from hyperbaton.systems.store import Store, working_store

__all__ = ["execute"]


def execute(job: Job, folder: Path) -> Run:
    """Do what is not yet done of a job in a run directory, and open what is there.

    In a folder that holds a run already, what failed is asked for again, and nothing else is.
    """
    job = job.normalised()
    layout = Layout(folder)
    with one_sentence(), alone(folder), ExitStack() as stack:
        # A second run of the same command is how a user asks for what an outage left open.
        job = replace(job, retry_failed=job.retry_failed or layout.record.exists())
        record = _begun(job, layout)
        store = stack.enter_context(working_store(job.cache)) if job.cached else None
        parts = sum(record.progress[str(corpus.pair)].parts for corpus in job.corpora)
        pool = stack.enter_context(Pool(job.workers_for(parts)))
        board = stack.enter_context(Board(_totals(job, record)))
        work = _Work(job, layout, record, store, pool, board)
        for corpus in job.corpora:
            work.through(corpus)
        pool.drain()
    return Run(folder)


def _begun(job: Job, layout: Layout) -> Record:
    """The record of a job, written down; parts that nobody knows the origin of are refused."""
    if layout.has_parts and not layout.record.exists():
        raise HyperbatonError(
            f"{layout.root} holds parts of a run but no run.json that says which: "
            "choose another folder with --out, or delete this one"
        )
    before = read_record(layout.record) if layout.record.exists() else None
    record = recorded(job, before, layout.root)
    layout.sweep()
    if before is not None:
        _drop_narrower(before, record, layout)
    record.write(layout.record)
    return record


def _drop_narrower(before: Record, record: Record, layout: Layout) -> None:
    """Remove the scores of a metric that compares more than before: they are made anew."""
    for metric in before.metrics:
        for of_outputs in (False, True):
            now = record.compared(metric, of_outputs)
            if len(now) > len(before.compared(metric, of_outputs)) > 0:
                layout.drop(metric, of_outputs)


def _totals(job: Job, record: Record) -> dict[Stage, int]:
    sizes = {str(corpus.pair): record.progress[str(corpus.pair)].items for corpus in job.corpora}
    per_system = sum(items * len(job.systems_of(pair)) for pair, items in sizes.items())
    return {"probes": sum(sizes.values()), "translations": per_system, "scores": per_system}


class _Work:
    """The stages of one job."""

    def __init__(
        self,
        job: Job,
        layout: Layout,
        record: Record,
        store: Store | None,
        pool: Pool,
        board: Board,
    ) -> None:
        self._job = job
        self._layout = layout
        self._record = record
        self._store = store
        self._pool = pool
        self._board = board

    def through(self, corpus: Corpus) -> None:
        """All systems over one corpus; the first meets the probes as they are made."""
        design, pair = self._job.design, corpus.pair
        for number, system in enumerate(self._job.systems_of(str(pair))):
            retry = self._job.retry_failed
            with Desk(system, design.output, pair, self._store, retry) as desk:
                parts = self._probes(corpus) if number == 0 else self._known(pair)
                for part in parts:
                    if number == 0:
                        self._score(None, pair, part)
                    self._translate(system, desk, pair, part)
                    self._score(system, pair, part)
            self._whole(system, pair)

    def _known(self, pair: Pair) -> Iterator[int]:
        return iter(range(self._record.progress[str(pair)].parts))

    def _items(self, pair: Pair, part: int) -> int:
        items = self._record.progress[str(pair)].items
        return min(self._job.part, items - part * self._job.part)

    def _probes(self, corpus: Corpus) -> Iterator[int]:
        """The parts of probes, each as soon as it is there."""
        configuration = self._record.configuration(corpus.pair)
        paths = [self._layout.probes(corpus.pair, part) for part in self._known(corpus.pair)]
        there = [sound(path, configuration) is not None for path in paths]
        if all(there):
            self._board.advance("probes", self._record.progress[str(corpus.pair)].items)
            yield from range(len(paths))
            return
        stream = corpus.items()
        ahead: deque[Future[None] | None] = deque()
        given = 0
        for part, path in enumerate(paths):
            items = [_portable(item) for item in islice(stream, self._job.part)]
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
        job, configuration = self._job, self._record.configuration(pair)
        return self._pool.submit(
            done, make_probes, path, configuration, job.design, items, pair, job.parse
        )

    def _translate(self, system: str, desk: Desk, pair: Pair, part: int) -> None:
        """Make a part of outputs, or ask again for what failed in it."""
        path, probes = self._layout.outputs(system, pair, part), self._layout.probes(pair, part)
        items = self._items(pair, part)
        stamp = sound(path, self._record.configuration(pair, system))
        if stamp is not None and not (stamp.failed and desk.may_recover):
            self._board.advance("translations", items)
            return
        self._sign(system, desk, pair)
        configuration = self._record.configuration(pair, system)
        bar = partial(self._bar, items)
        drop = partial(self._drop, system, pair, part)
        if stamp is None:
            drop()
            desk.translate(probes, path, configuration, bar)
        else:
            desk.fill(probes, path, configuration, bar, drop)

    def _bar(self, items: int, rows: int) -> Advance:
        return self._board.share("translations", items, 2 * rows)

    def _drop(self, system: str, pair: Pair, part: int) -> None:
        """Remove what is made of outputs that are about to change, by whatever metric."""
        for metric in self._record.metrics:
            self._layout.scores(system, pair, metric, part).unlink(missing_ok=True)
        self._layout.whole(system, pair).unlink(missing_ok=True)

    def _sign(self, system: str, desk: Desk, pair: Pair) -> None:
        """Enter the signature of a system, or refuse outputs of two systems under one name."""
        known = self._record.systems[system].get(str(pair))
        if known is None:
            signatures = {**self._record.systems[system], str(pair): desk.signature}
            systems = {**self._record.systems, system: signatures}
            bound = self._record.batch_bound
            if not desk.batch_free:
                bound = {**bound, system: (*bound.get(system, ()), str(pair))}
            self._record = replace(self._record, systems=systems, batch_bound=bound)
            self._record.write(self._layout.record)
        elif known != desk.signature:
            raise HyperbatonError(
                f"{self._layout.root} holds outputs of another {system} ({known}, now "
                f"{desk.signature}): choose another folder with --out, or delete this one"
            )

    def _score(self, system: str | None, pair: Pair, part: int) -> None:
        """Hand over what is to be scored; without a system, what belongs to the probes."""
        items = 0 if system is None else self._items(pair, part)
        done = partial(self._board.advance, "scores", items)
        targets = {}
        for metric in self._record.metrics:
            comparisons = self._record.compared(metric, system is not None)
            path = (
                self._layout.measures(pair, metric, part)
                if system is None
                else self._layout.scores(system, pair, metric, part)
            )
            configuration = self._record.configuration(pair, system, metric)
            if comparisons and sound(path, configuration) is None:
                check_metric(metric, pair, self._record, self._layout.root)
                targets[metric] = Target(path, comparisons, configuration)
        if not targets:
            done()
            return
        outputs = None if system is None else self._layout.outputs(system, pair, part)
        job = Scoring(pair, self._layout.probes(pair, part), outputs, targets)
        self._pool.submit(done, score_part, job)

    def _whole(self, system: str, pair: Pair) -> None:
        """The stage that sees a whole corpus, once all parts of a system are there."""
        if not self._record.whole:
            return
        configuration = self._record.whole_configuration(pair, system)
        path = self._layout.whole(system, pair)
        if sound(path, configuration, outdated=True) is not None:
            return
        self._pool.drain()
        job = (path, configuration, self._job.design, self._layout.root, pair, system)
        self._pool.submit(_nothing, judge_whole, *job)


def _nothing() -> None:
    """No bar counts the stage over a whole corpus."""


def _portable(item: Item) -> Item:
    """The item with columns that can go to another process."""
    return replace(item, columns=dict(item.columns))
