"""The cells of a run that are not there yet: varied, answered, judged and written.

A part holds one system, language and seed. Worker processes vary and read texts while the systems
answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from threading import Lock
from typing import NamedTuple

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.progress import progress
from hyperbaton.perturb.perturbation import Perturbation
from hyperbaton.pipeline.engine.budgets import Watch
from hyperbaton.pipeline.engine.grid_workers import Judges, varied
from hyperbaton.pipeline.run.completeness import has_answers
from hyperbaton.pipeline.run.grid_parts import CellRow, cell_frame
from hyperbaton.pipeline.run.grid_record import vocabulary_mark
from hyperbaton.pipeline.run.layout import Layout
from hyperbaton.pipeline.run.parts import Stamp, sound, write_part
from hyperbaton.pipeline.run.record import Record
from hyperbaton.pipeline.stages.answerers import Answerer, Cell
from hyperbaton.pipeline.stages.task_corpora import TaskCorpus
from hyperbaton.pipeline.stages.varying import Made, Variation, variation_ids

__all__ = ["CellWork", "Grid", "Introduction", "Lacking", "introduced", "lacking_cells"]

ROWS = 65_536
"""Texts that a system is given at once: enough to keep a GPU busy."""
SHOWN = 2
"""Examples of each perturbation whose texts are kept for the reader of the report."""

Lacking = Mapping[tuple[str, str], list[int]]
"""The parts that are missing or damaged, by system and pair."""


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
    trains: bool = False
    """Whether a system trains models in the run's folder, which two must not do at once."""


class Introduction(NamedTuple):
    """What must be known of a system before its answers are kept."""

    tokenizer: str | None
    """Its own, where it has one."""
    signatures: Mapping[str, str]
    """What changes its answers, by pair."""


def introduced(system: Answerer, corpora: Iterable[TaskCorpus]) -> Introduction:
    """What an open system says of itself."""
    signatures = {str(corpus.pair): system.signed(corpus.language) for corpus in corpora}
    return Introduction(system.tokenizer, signatures)


def lacking_cells(layout: Layout, record: Record, corpora: Iterable[TaskCorpus]) -> Lacking:
    """What is not there of corpora."""
    found = {}
    for corpus in corpora:
        for system in record.asked[str(corpus.pair)]:
            configuration = record.configuration(corpus.pair, system)
            signed = str(corpus.pair) in record.systems[system]
            parts = [
                part
                for part in range(record.progress[str(corpus.pair)].parts)
                if not signed
                or sound(layout.cells(system, corpus.pair, part), configuration) is None
            ]
            if parts:
                found[system, str(corpus.pair)] = parts
    return found


class _Chunk(NamedTuple):
    """Cells of one language that are made together, for systems that lack them."""

    corpus: TaskCorpus
    cells: Sequence[Cell]
    systems: Sequence[str]
    tokenizer: str


class CellWork:
    """The cells of one job that are not there yet."""

    def __init__(
        self,
        grid: Grid,
        layout: Layout,
        record: Record,
        corpora: Sequence[TaskCorpus],
        lacking: Lacking,
    ) -> None:
        self._grid, self._layout, self.record = grid, layout, record
        self._corpora, self.lacking = corpora, lacking
        self._systems: Mapping[str, Answerer] = {}
        self.tokenizers: Mapping[str, str] = {}
        """What makes the subwords of each system, once all are introduced."""
        self._rows: dict[tuple[str, str, int], dict[int, CellRow]] = defaultdict(dict)
        self._lock = Lock()

    def introduce(self, systems: Mapping[str, Introduction]) -> None:
        """Enter the signature of each system in each language; one may lend its tokenizer."""
        own = [system.tokenizer for system in systems.values() if system.tokenizer]
        shared = own[0] if own else self._grid.tokenizer
        self.tokenizers = {name: one.tokenizer or shared for name, one in systems.items()}
        signed = {name: dict(known) for name, known in self.record.systems.items()}
        for corpus in self._corpora:
            pair = str(corpus.pair)
            for name, system in systems.items():
                whose = "own" if system.tokenizer else "lent"
                mark = f"{whose}:{vocabulary_mark(self.tokenizers[name])}"
                now = f"{system.signatures[pair]}|vocabulary:{mark}"
                known = signed[name].setdefault(pair, now)
                if known != now and not has_answers(self._layout, self.record, name, corpus.pair):
                    signed[name][pair] = now
                elif known != now and (name, pair) in self.lacking:
                    raise HyperbatonError(
                        f"{self._layout.root} holds answers of another {name} ({known}, now {now})"
                        ": choose another folder with --out, or delete this one"
                    )
        self.record = replace(self.record, systems=signed)
        self.record.write(self._layout.record)

    def take(self, systems: Mapping[str, Answerer], tokenizers: Mapping[str, str]) -> None:
        """Take open systems, each with what makes its subwords."""
        self._systems, self.tokenizers = systems, tokenizers

    def through(self, watch: Watch, workers: int | None) -> None:
        """Everything that is lacking, in the order of tokenizers and languages."""
        chunks = list(self._chunks())
        total = sum(len(chunk.cells) * _texts(chunk.corpus) for chunk in chunks)
        made = varied(chunks, self._variation, total, workers)
        for system in self._systems.values():
            system.check = watch.check
        with Judges() as judges, progress("texts", total) as advance:
            for chunk, what in made:
                watch.check()
                for place, name in enumerate(chunk.systems):
                    answers = self._systems[name].answer(
                        chunk.corpus.examples, what.texts, what.inputs[place], chunk.cells
                    )
                    judges.submit(partial(self._judge, chunk, name, answers, what))
                advance(len(chunk.cells) * _texts(chunk.corpus))

    def _chunks(self) -> Iterator[_Chunk]:
        for tokenizer in dict.fromkeys(self.tokenizers.values()):
            same = [name for name, path in self.tokenizers.items() if path == tokenizer]
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
            configuration = self.record.configuration(chunk.corpus.pair, system)
            path = self._layout.cells(system, chunk.corpus.pair, part)
            failed = sum(len(row.judged.faults) for row in rows.values())
            write_part(path, frame, Stamp(configuration, failed))


def _texts(corpus: TaskCorpus) -> int:
    return sum(map(len, corpus.examples.texts))


def _joined(texts: Sequence[str], each: int) -> list[str]:
    """The texts of an example as one."""
    return ["\n".join(texts[at : at + each]) for at in range(0, len(texts), each)]
