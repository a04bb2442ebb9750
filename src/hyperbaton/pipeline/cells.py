"""A run kept in cells: systems × languages × perturbations × seeds, a score for each example.

Where probes would be millions of texts, only what was found of each example is kept. A part holds
one system, language and seed. Worker processes vary and read texts while the systems answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from hyperbaton.errors import HyperbatonError
from hyperbaton.perturb.perturbation import Perturbation
from hyperbaton.pipeline.answerers import Answerer, Cell
from hyperbaton.pipeline.budgets import Watch
from hyperbaton.pipeline.cell_parts import CellRow, cell_frame
from hyperbaton.pipeline.cell_record import cell_record, vocabulary_mark
from hyperbaton.pipeline.cell_workers import Judges, varied
from hyperbaton.pipeline.engines import Local
from hyperbaton.pipeline.job import Job
from hyperbaton.pipeline.layout import Layout
from hyperbaton.pipeline.locking import alone, one_sentence
from hyperbaton.pipeline.parts import Stamp, sound, write_part
from hyperbaton.pipeline.record import Record
from hyperbaton.pipeline.results import Run
from hyperbaton.pipeline.task_corpora import TaskCorpus
from hyperbaton.pipeline.varying import Made, Variation, variation_ids
from hyperbaton.progress import progress

__all__ = ["Grid", "execute_cells"]

ROWS = 65_536
"""Texts that a system is given at once: enough to keep a GPU busy."""
SHOWN = 2
"""Examples of each perturbation whose texts are kept for the reader of the report."""


@dataclass(frozen=True)
class Grid:
    """What every system goes through in every language."""

    settings: tuple[Perturbation, ...]
    seeds: int
    """Draws of each perturbation."""
    tokenizer: str
    """For systems that have none of their own, where no other system has one."""
    open: Callable[[str], Answerer]
    """A system of that name, ready for the task."""
    trainings: int = 1
    """Trained models of each system: part number = training × seeds + seed."""


class _Chunk(NamedTuple):
    """Cells of one language that are made together, for systems that lack them."""

    corpus: TaskCorpus
    cells: Sequence[Cell]
    systems: Sequence[str]
    tokenizer: str


def execute_cells(job: Job, grid: Grid, folder: Path) -> Run:
    """Do what is not yet done of a job in a run directory, and open what is there."""
    if job.engine != Local():
        raise HyperbatonError(
            f"{job.design.name} runs on one machine only: leave out --engine {job.engine}"
        )
    if job.limits.cost is not None:
        raise HyperbatonError(f"{job.design.name} has no paid systems: leave out --max-cost")
    job = job.normalised()
    layout, watch = Layout(folder), Watch(job.limits)
    with one_sentence(), alone(folder), ExitStack() as stack:
        record = cell_record(job, grid.seeds * grid.trainings, layout)
        corpora = [corpus for corpus in job.corpora if isinstance(corpus, TaskCorpus)]
        work = _Work(grid, layout, record, corpora, job.workers)
        if work.lacking:
            # All of them, since one may lend its tokenizer to another.
            names = dict.fromkeys(s for c in corpora for s in job.systems_of(str(c.pair)))
            work.open({n: stack.enter_context(closing(grid.open(n))) for n in names})
            work.through(watch)
    return Run(folder)


class _Work:
    """The cells of one job that are not there yet."""

    def __init__(
        self,
        grid: Grid,
        layout: Layout,
        record: Record,
        corpora: Sequence[TaskCorpus],
        workers: int | None,
    ) -> None:
        self._grid, self._layout, self._record = grid, layout, record
        self._corpora, self._workers = corpora, workers
        self._systems: Mapping[str, Answerer] = {}
        self._tokenizers: Mapping[str, str] = {}
        self._rows: dict[tuple[str, str, int], dict[int, CellRow]] = defaultdict(dict)
        self._lock = Lock()
        self.lacking = self._lacking()

    def _lacking(self) -> dict[tuple[str, str], list[int]]:
        """The parts that are missing or damaged, by system and pair."""
        found = {}
        for corpus in self._corpora:
            for system in self._record.asked[str(corpus.pair)]:
                configuration = self._record.configuration(corpus.pair, system)
                signed = str(corpus.pair) in self._record.systems[system]
                parts = [
                    part
                    for part in range(self._record.progress[str(corpus.pair)].parts)
                    if not signed
                    or sound(self._layout.cells(system, corpus.pair, part), configuration) is None
                ]
                if parts:
                    found[system, str(corpus.pair)] = parts
        return found

    def open(self, systems: Mapping[str, Answerer]) -> None:
        """Take the systems, and enter the signature of each in each language."""
        self._systems = systems
        own = [answerer.tokenizer for answerer in systems.values() if answerer.tokenizer]
        shared = own[0] if own else self._grid.tokenizer
        self._tokenizers = {name: one.tokenizer or shared for name, one in systems.items()}
        signed = {name: dict(known) for name, known in self._record.systems.items()}
        for corpus in self._corpora:
            pair = str(corpus.pair)
            for name, answerer in systems.items():
                whose = "own" if answerer.tokenizer else "lent"
                mark = f"{whose}:{vocabulary_mark(self._tokenizers[name])}"
                now = f"{answerer.signed(corpus.language)}|vocabulary:{mark}"
                known = signed[name].setdefault(pair, now)
                if known != now and (name, pair) in self.lacking:
                    raise HyperbatonError(
                        f"{self._layout.root} holds answers of another {name} ({known}, now {now})"
                        ": choose another folder with --out, or delete this one"
                    )
        self._record = replace(self._record, systems=signed)
        self._record.write(self._layout.record)

    def through(self, watch: Watch) -> None:
        """Everything that is lacking, in the order of tokenizers and languages."""
        chunks = list(self._chunks())
        total = sum(len(chunk.cells) * _texts(chunk.corpus) for chunk in chunks)
        made = varied(chunks, self._variation, total, self._workers)
        with Judges() as judges, progress("texts", total) as advance:
            for chunk, what in made:
                watch.check()
                for place, system in enumerate(chunk.systems):
                    answers = self._systems[system].answer(
                        chunk.corpus.examples, what.texts, what.inputs[place], chunk.cells
                    )
                    judges.submit(partial(self._judge, chunk, system, answers, what))
                advance(len(chunk.cells) * _texts(chunk.corpus))

    def _chunks(self) -> Iterator[_Chunk]:
        for tokenizer in dict.fromkeys(self._tokenizers.values()):
            same = [name for name, path in self._tokenizers.items() if path == tokenizer]
            for corpus in self._corpora:
                pair = str(corpus.pair)
                systems = [name for name in same if (name, pair) in self.lacking]
                parts = sorted({part for name in systems for part in self.lacking[name, pair]})
                cells = list(product(parts, range(len(self._grid.settings))))
                step = max(1, ROWS // _texts(corpus))
                for start in range(0, len(cells), step):
                    yield _Chunk(corpus, cells[start : start + step], systems, tokenizer)

    def _variation(self, chunk: _Chunk) -> Variation:
        examples = chunk.corpus.examples
        return Variation(
            ids=variation_ids(examples.ids, examples.texts),
            texts=[text for texts in examples.texts for text in texts],
            cells=[
                (part % self._grid.seeds, self._grid.settings[setting])
                for part, setting in chunk.cells
            ],
            tokenizer=chunk.tokenizer,
            readers=[self._systems[name].reader() for name in chunk.systems],
            shown=SHOWN * len(examples.texts[0]),
        )

    def _judge(self, chunk: _Chunk, system: str, answers: object, made: Made) -> None:
        """Judge some cells of a system; a part that is whole with them is written."""
        pair, each = str(chunk.corpus.pair), len(chunk.corpus.examples.texts[0])
        judged = self._systems[system].judge(chunk.corpus.examples, answers, chunk.cells)
        whole = []
        with self._lock:
            for place, (part, setting) in enumerate(chunk.cells):
                if part not in self.lacking[system, pair]:
                    continue
                rows = self._rows[system, pair, part]
                name = str(self._grid.settings[setting])
                shown = _joined(made.shown[place], each) if part == 0 else []
                rows[setting] = CellRow(name, made.measures[place], judged[place], shown)
                if len(rows) == len(self._grid.settings):
                    whole.append((part, self._rows.pop((system, pair, part))))
        for part, rows in whole:
            frame = cell_frame([rows[setting] for setting in sorted(rows)])
            configuration = self._record.configuration(chunk.corpus.pair, system)
            path = self._layout.cells(system, chunk.corpus.pair, part)
            write_part(path, frame, Stamp(configuration))


def _texts(corpus: TaskCorpus) -> int:
    return sum(map(len, corpus.examples.texts))


def _joined(texts: Sequence[str], each: int) -> list[str]:
    """The texts of an example as one."""
    return ["\n".join(texts[at : at + each]) for at in range(0, len(texts), each)]
