"""A run kept in cells on a cluster: a part for each system, language and seed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.progress import Advance, progress
from hyperbaton.pipeline.engine.budgets import Watch
from hyperbaton.pipeline.engine.engines import Ray
from hyperbaton.pipeline.engine.grid_work import CellWork, Grid, Introduction, introduced
from hyperbaton.pipeline.engine.ray.agenda import Agenda
from hyperbaton.pipeline.engine.ray.cluster import joined, told_in_a_sentence
from hyperbaton.pipeline.engine.ray.driver import Driver
from hyperbaton.pipeline.engine.ray.lanes import Lane
from hyperbaton.pipeline.engine.ray.library import RemoteStore
from hyperbaton.pipeline.engine.ray.workers import Receipt, Site, work
from hyperbaton.pipeline.job import Job
from hyperbaton.pipeline.run.layout import Layout
from hyperbaton.pipeline.run.parts import sound
from hyperbaton.pipeline.run.record import Record
from hyperbaton.pipeline.stages.answerers import Answerer
from hyperbaton.pipeline.stages.task_corpora import TaskCorpus

if TYPE_CHECKING:
    from ray.actor import ActorHandle

__all__ = ["CellActor", "CellPart", "execute_cells_on_ray"]


@dataclass(frozen=True)
class CellPart:
    """A part to be made, with all that decides its content."""

    record: Record
    corpus: TaskCorpus
    number: int
    tokenizer: str


class CellActor:
    """A system that stays open; made and opened in its own process."""

    def __init__(
        self, site: Site, system: str, grid: Grid, layout: Layout, corpora: Sequence[TaskCorpus]
    ) -> None:
        self._site, self._name, self._grid, self._layout = site, system, grid, layout
        self._corpora = corpora
        self._watch = Watch(site.options)
        self._system: Answerer | None = None

    def sign(self) -> Receipt[Introduction]:
        """Open it; what it says of itself."""
        return work(self._site, lambda: introduced(self._opened(), self._corpora))

    def make(self, part: CellPart) -> Receipt[None]:
        """Make a part, if it is not there."""
        return work(self._site, partial(self._make, part))

    def _make(self, part: CellPart) -> None:
        pair = part.corpus.pair
        path = self._layout.cells(self._name, pair, part.number)
        if sound(path, part.record.configuration(pair, self._name)) is not None:
            return
        lacking = {(self._name, str(pair)): [part.number]}
        cells = CellWork(self._grid, self._layout, part.record, [part.corpus], lacking)
        cells.take({self._name: self._opened()}, {self._name: part.tokenizer})
        cells.through(self._watch, workers=0)

    def _opened(self) -> Answerer:
        if self._system is None:
            self._system = self._grid.open(self._name)
        return self._system

    def close(self) -> None:
        """Give the model back."""
        if self._system is not None:
            self._system.close()


class CellAgenda(Agenda):
    """A lane for each system, through all parts that it lacks; no tasks beside them."""

    actor = CellActor

    def __init__(
        self,
        grid: Grid,
        layout: Layout,
        cells: CellWork,
        corpora: Sequence[TaskCorpus],
        systems: Sequence[str],
        advance: Advance,
    ) -> None:
        self._grid, self._layout, self._cells = grid, layout, cells
        self._corpora, self._systems, self._advance = corpora, systems, advance
        self._known: dict[str, Introduction] = {}
        self._parts = {
            system: [
                (corpus, part)
                for corpus in corpora
                for part in cells.lacking.get((system, str(corpus.pair)), ())
            ]
            for system in systems
        }
        most = 1 if grid.trains else None
        self.lanes = [
            Lane(system, corpora[0].pair, len(parts), control=False, known=False, most=most)
            for system, parts in self._parts.items()
        ]

    def hiring(
        self, lane: Lane, store: RemoteStore | None, purse: ActorHandle | None
    ) -> tuple[object, ...]:
        """What a system is made of."""
        return lane.system, self._grid, self._layout, self._corpora

    def signed(self, lane: Lane, value: Introduction) -> None:
        """Once all systems are known, which may lend each other tokenizers, work begins."""
        known = self._known.setdefault(lane.system, value)
        if known != value:
            raise HyperbatonError(
                f"{lane.system} is not the same on every node: install the same versions and "
                "models on all of them"
            )
        if len(self._known) == len(self._systems) and not self._cells.tokenizers:
            self._cells.introduce({name: self._known[name] for name in self._systems})
            for one in self.lanes:
                one.ready.extend(range(one.parts))

    def given(self, lane: Lane, part: int) -> CellPart:
        """A part, as a system is asked for it."""
        corpus, number = self._parts[lane.system][part]
        return CellPart(self._cells.record, corpus, number, self._cells.tokenizers[lane.system])

    def answered(self, lane: Lane, part: int) -> None:
        """A part is there."""
        lane.answered += 1
        self._advance()

    def named(self, lane: Lane, part: int | None) -> str:
        """A part in words."""
        if part is None:
            return lane.system
        corpus, number = self._parts[lane.system][part]
        return f"part {number} of {lane.system} in {corpus.language}"


def execute_cells_on_ray(
    job: Job,
    grid: Grid,
    layout: Layout,
    cells: CellWork,
    corpora: Sequence[TaskCorpus],
    systems: Sequence[str],
    engine: Ray,
    watch: Watch,
) -> None:
    """Make all parts that are lacking, on a cluster."""
    total = sum(map(len, cells.lacking.values()))
    # Vectors are not stored, and translations of a task are not either.
    job = replace(job, cached=False)
    with (
        joined(engine) as ray,
        progress("parts", total) as advance,
        told_in_a_sentence(ray),
    ):
        agenda = CellAgenda(grid, layout, cells, corpora, systems, advance)
        with closing(Driver(ray, agenda, job, layout, engine, watch)) as driver:
            driver.introduce()
            driver.run()
