"""A run from corpus to scores: stages over parts, each of which is done once and for all."""

from __future__ import annotations

import fcntl
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from hyperbaton.corpus.item import Item
from hyperbaton.errors import HyperbatonError
from hyperbaton.pipeline.board import Board, Stage
from hyperbaton.pipeline.corpora import Corpus
from hyperbaton.pipeline.design import Pair
from hyperbaton.pipeline.job import Job, recorded
from hyperbaton.pipeline.layout import Layout
from hyperbaton.pipeline.pool import Pool
from hyperbaton.pipeline.probing import make_probes
from hyperbaton.pipeline.record import Record
from hyperbaton.pipeline.results import Run
from hyperbaton.pipeline.scoring import Scoring, score_part
from hyperbaton.pipeline.translating import Desk
from hyperbaton.systems.store import Store

__all__ = ["execute"]


def execute(job: Job, folder: Path) -> Run:
    """Do what is not yet done of a job in a run directory, and open what is there."""
    job = job.normalised()
    layout = Layout(folder)
    with _alone(folder), ExitStack() as stack:
        record = recorded(job, layout.record)
        layout.sweep()
        record.write(layout.record)
        store = stack.enter_context(Store(job.cache)) if job.cached else None
        parts = sum(record.progress[str(corpus.pair)].parts for corpus in job.corpora)
        pool = stack.enter_context(Pool(job.workers_for(parts)))
        items = sum(record.progress[str(corpus.pair)].items for corpus in job.corpora)
        per_system = sum(
            record.progress[str(corpus.pair)].items * len(job.systems_of(str(corpus.pair)))
            for corpus in job.corpora
        )
        totals: dict[Stage, int] = {
            "probes": items,
            "translations": per_system,
            "scores": per_system,
        }
        board = stack.enter_context(Board(totals))
        work = _Work(job, layout, record, store, pool, board)
        for corpus in job.corpora:
            work.through(corpus)
        pool.drain()
    return Run(folder)


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
        for number, system in enumerate(self._job.systems_of(str(corpus.pair))):
            with Desk(system, corpus.pair, self._store, self._job.retry_failed) as desk:
                parts = self._probes(corpus) if number == 0 else self._known(corpus.pair)
                for part in parts:
                    if number == 0:
                        self._score(None, corpus.pair, part)
                    self._translate(system, desk, corpus.pair, part)
                    self._score(system, corpus.pair, part)

    def _known(self, pair: Pair) -> Iterator[int]:
        return iter(range(self._record.progress[str(pair)].parts))

    def _items(self, pair: Pair, part: int) -> int:
        items = self._record.progress[str(pair)].items
        return min(self._job.part, items - part * self._job.part)

    def _probes(self, corpus: Corpus) -> Iterator[int]:
        """The parts of probes, each as soon as it is there."""
        paths = [self._layout.probes(corpus.pair, part) for part in self._known(corpus.pair)]
        if all(path.exists() for path in paths):
            self._board.advance("probes", self._record.progress[str(corpus.pair)].items)
            yield from range(len(paths))
            return
        stream = corpus.items()
        ahead: deque[Future[None] | None] = deque()
        given = 0
        for part, path in enumerate(paths):
            items = [_portable(item) for item in islice(stream, self._job.part)]
            ahead.append(self._make(path, items, corpus.pair))
            while ahead and (len(ahead) > self._pool.workers or part == len(paths) - 1):
                made = ahead.popleft()
                if made is not None:
                    self._pool.finish(made)
                yield given
                given += 1

    def _make(self, path: Path, items: list[Item], pair: Pair) -> Future[None] | None:
        done = partial(self._board.advance, "probes", len(items))
        if path.exists():
            done()
            return None
        job = self._job
        return self._pool.submit(done, make_probes, path, job.design, items, pair, job.parse)

    def _translate(self, system: str, desk: Desk, pair: Pair, part: int) -> None:
        path = self._layout.outputs(system, pair, part)
        items = self._items(pair, part)
        if path.exists():
            self._board.advance("translations", items)
            return
        self._sign(system, desk, pair)
        desk.translate(
            self._layout.probes(pair, part),
            path,
            lambda rows: self._board.share("translations", items, 2 * rows),
        )

    def _sign(self, system: str, desk: Desk, pair: Pair) -> None:
        """Enter the signature of a system, or refuse outputs of two systems under one name."""
        known = self._record.systems[system].get(str(pair))
        if known is None:
            signatures = {**self._record.systems[system], str(pair): desk.signature}
            systems = {**self._record.systems, system: signatures}
            self._record = replace(self._record, systems=systems)
            self._record.write(self._layout.record)
        elif known != desk.signature:
            raise HyperbatonError(
                f"{self._layout.root} holds outputs of another {system} ({known}, now "
                f"{desk.signature}): choose another folder with --out, or delete this one"
            )

    def _score(self, system: str | None, pair: Pair, part: int) -> None:
        """Hand over what is to be scored; without a system, what belongs to the probes."""
        paths = {
            metric: self._layout.measures(pair, metric, part)
            if system is None
            else self._layout.scores(system, pair, metric, part)
            for metric in self._job.metrics
        }
        missing = {metric: path for metric, path in paths.items() if not path.exists()}
        comparisons = tuple(
            c for c in self._job.design.comparisons if c.of_outputs == (system is not None)
        )
        items = 0 if system is None else self._items(pair, part)
        done = partial(self._board.advance, "scores", items)
        if not (missing and comparisons):
            done()
            return
        outputs = None if system is None else self._layout.outputs(system, pair, part)
        probes = self._layout.probes(pair, part)
        job = Scoring(pair, probes, outputs, comparisons, missing)
        self._pool.submit(done, score_part, job)


def _portable(item: Item) -> Item:
    """The item with columns that can go to another process."""
    return replace(item, columns=dict(item.columns))


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other processes out of a run directory; the lock goes with the process, however.

    A folder that was made for nothing, since the job cannot be done, is taken away again.
    """
    new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("w")
    except OSError as error:
        raise HyperbatonError(f"{folder} cannot be written: {error.strerror}") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise HyperbatonError(f"another process is at work in {folder}: let it end") from None
        try:
            yield
        except HyperbatonError:
            if new and [path.name for path in folder.iterdir()] == [".lock"]:
                (folder / ".lock").unlink()
                folder.rmdir()
            raise
