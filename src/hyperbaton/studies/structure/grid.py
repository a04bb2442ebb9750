"""The grid of the study: systems × languages × perturbations × seeds, as a plan of one stage.

Where probes would be millions of texts, only what was found of each example is kept: a part holds
one system, language and seed, with a row for each perturbation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import polars as pl

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.processes import cores
from hyperbaton.base.remote_paths import RemotePath
from hyperbaton.corpus.item import Item
from hyperbaton.language.tokenizing import CHARACTERS, PIECES, is_unigram
from hyperbaton.perturb.perturbation import Perturbation
from hyperbaton.pipeline import Corpus, Job, Pair, Run, execute
from hyperbaton.pipeline.corpora import identity_of
from hyperbaton.pipeline.engine.stages import Bar, Key, Lane, Plan, Resident, Stage
from hyperbaton.pipeline.run.completeness import has_answers
from hyperbaton.pipeline.run.layout import UNTRANSLATED, Layout
from hyperbaton.pipeline.run.parts import Stamp, sound, write_part
from hyperbaton.pipeline.run.record import Record
from hyperbaton.studies.structure.systems import OpenSystem
from hyperbaton.studies.structure.varying import MEASURES, Variation, Varied, vary_ahead
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import Before
from hyperbaton.tasks import Examples, Judged, Task

TEXTS = 16_384
"""Texts that a system is given at once: enough to keep a GPU busy."""
SHOWN = 2
"""Examples of each perturbation whose texts are kept for the reader of the report."""
_FEW = 100_000
"""Texts that one process varies sooner than others start."""
_SCHEMA = pl.Schema(
    {
        "variant": pl.String(),
        **{name: pl.Float64() for name in MEASURES},
        "scores": pl.List(pl.Float32()),
        "weights": pl.List(pl.Float32()),
        "right": pl.List(pl.Float32()),
        "shown": pl.List(pl.String()),
        "answers": pl.List(pl.String()),
        "faults": pl.List(pl.String()),
        UNTRANSLATED: pl.List(pl.String()),
    }
)


@dataclass(frozen=True)
class TaskCorpus(Corpus):
    """The examples of a task in one language, all or the first."""

    task: Task
    folder: Path
    language: str
    limit: int | None = None
    pair: Pair = field(init=False)
    """The language whose texts are perturbed, and the one that stays as it is."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "pair", Pair(self.language, self.task.known))

    @cached_property
    def examples(self) -> Examples:
        """The examples, read once."""
        examples = self.task.examples(self.folder, self.language, self.limit)
        return replace(examples, language=self.language)

    @property
    def texts(self) -> int:
        """How many texts they have."""
        return sum(map(len, self.examples.texts))

    def items(self) -> Iterator[Item]:
        examples = self.examples
        for item, texts, gold in zip(examples.ids, examples.texts, examples.gold, strict=True):
            yield Item(item, " ".join(texts), examples.answers[gold] if gold >= 0 else None)

    @property
    def identity(self) -> str:
        name = f"{self.task} in {self.language}"
        return identity_of(name, self.limit, self.examples.digest)


@dataclass(frozen=True)
class Grid:
    """What every system goes through in every language."""

    settings: tuple[Perturbation, ...]
    seeds: int
    """Draws of each perturbation."""
    tokenizer: str
    """For systems that have none of their own, where no other system has one."""
    open: Callable[[str, Store | None], OpenSystem]
    """A system of that name, ready for the task."""
    trainings: int = 1
    """Trained models of each system: part number = training × seeds + seed."""
    trains: bool = False
    """Whether a system trains models in the run's folder, which two must not do at once."""


def execute_grid(job: Job, grid: Grid, folder: Path) -> Run:
    """Do what is not yet done of a job in a run directory, and open what is there."""
    if grid.trains and isinstance(folder, RemotePath):
        raise HyperbatonError(
            f"{folder}: models are trained in the run's folder, which must be on this machine: "
            "choose one with --out"
        )
    return execute(job, folder, partial(GridPlan, grid), grid.seeds * grid.trainings)


class Introduction(NamedTuple):
    """What must be known of a system before its answers are kept."""

    tokenizer: str | None
    """Its own, where it has one."""
    signatures: Mapping[str, str]
    """What changes its answers, by pair."""


class GridPlan(Plan):
    """The parts that are not there yet, in one stage: varied, answered, judged and written."""

    def __init__(self, grid: Grid, job: Job, layout: Layout, record: Record) -> None:
        super().__init__(job, layout, record)
        self._grid = grid
        self._corpora = {c.pair: c for c in job.corpora if isinstance(c, TaskCorpus)}
        lacking = list(self._lacking())
        self.introduces = bool(lacking)
        self.stores = "translation" in {c.task.name for c in self._corpora.values()}
        # All of them, since one may lend its tokenizer to another.
        names = dict.fromkeys(s for pair in self._corpora for s in job.systems_of(str(pair)))
        self._parts = {name: [key for key in lacking if key.system == name] for name in names}
        most = 1 if grid.trains else None
        lanes = {name: Lane(name, len(self._parts[name]), most=most) for name in names}
        self.lanes = list(lanes.values())
        self.stages = [
            Stage("texts", lambda _: lacking, lambda _: None, lane=lambda key: lanes[key.system])
        ]
        self._known: dict[str, Introduction] = {}
        self._tokenizers: Mapping[str, str] = {}

    def _lacking(self) -> Iterator[Key]:
        """The parts that are missing or damaged."""
        for pair in self._corpora:
            for system in self.record.asked[str(pair)]:
                configuration = self.record.configuration(pair, system)
                signed = str(pair) in self.record.systems[system]
                for part in range(self.record.progress[str(pair)].parts):
                    path = self.layout.cells(system, pair, part)
                    if not signed or sound(path, configuration) is None:
                        yield Key(pair, part, system)

    @property
    def totals(self) -> Mapping[str, int]:
        """The texts of all perturbations."""
        return {"texts": sum(self.size(key) for keys in self._parts.values() for key in keys)}

    def size(self, key: Key) -> int:
        """The texts of a part."""
        return self._corpora[key.pair].texts * len(self._grid.settings)

    def resident(self, lane: Lane) -> GridSystem:
        """A system of the grid."""
        workers = self.job.options.workers
        if workers is None:
            few = sum(map(self.size, self._parts[lane.system])) < _FEW
            workers = 0 if few else max(1, cores() - 1)
        return GridSystem(lane.system, self._grid, list(self._corpora.values()), workers)

    def signed(self, lane: Lane, value: Introduction) -> None:
        """Once all systems are known, their signatures are entered."""
        if self._known.setdefault(lane.system, value) != value:
            raise HyperbatonError(
                f"{lane.system} is not the same on every node: install the same versions and "
                "models on all of them"
            )
        if len(self._known) == len(self.lanes) and not self._tokenizers:
            self._introduce({lane.system: self._known[lane.system] for lane in self.lanes})

    def _introduce(self, systems: Mapping[str, Introduction]) -> None:
        """Enter the signature of each system in each language; one may lend its tokenizer."""
        own = [system.tokenizer for system in systems.values() if system.tokenizer]
        shared = own[0] if own else self._grid.tokenizer
        self._tokenizers = {name: one.tokenizer or shared for name, one in systems.items()}
        signed = {name: dict(known) for name, known in self.record.systems.items()}
        for pair in self._corpora:
            for name, system in systems.items():
                whose = "own" if system.tokenizer else "lent"
                mark = f"{whose}:{_vocabulary_mark(self._tokenizers[name])}"
                now = f"{system.signatures[str(pair)]}|vocabulary:{mark}"
                known = signed[name].setdefault(str(pair), now)
                if known != now and not has_answers(self.layout, self.record, name, pair):
                    signed[name][str(pair)] = now
                elif known != now and any(key.pair == pair for key in self._parts[name]):
                    raise HyperbatonError(
                        f"{self.layout.root} holds answers of another {name} ({known}, now {now})"
                        ": choose another folder with --out, or delete this one"
                    )
        self.record = replace(self.record, systems=signed)
        self.record.write(self.layout.record)

    def given(self, key: Key) -> Cells:
        """A part, as a system is asked for it."""
        return Cells(
            self.layout.cells(key.system, key.pair, key.part or 0),
            self.record.configuration(key.pair, key.system),
            self._corpora[key.pair],
            key.part or 0,
            self._tokenizers[key.system],
        )


def _vocabulary_mark(tokenizer: str) -> str:
    """A hash of a tokenizer, which decides subwords and compression."""
    path = Path(tokenizer)
    return fingerprint([path / PIECES, path / CHARACTERS] if is_unigram(path) else [path])


@dataclass(frozen=True)
class Cells:
    """A part to be made: the texts of a corpus, perturbed in every way with one seed."""

    path: Path
    configuration: str
    corpus: TaskCorpus
    number: int
    tokenizer: str


class GridSystem(Resident):
    """A system that stays open, with processes that vary texts ahead of it."""

    def __init__(self, name: str, grid: Grid, corpora: Sequence[TaskCorpus], workers: int) -> None:
        self._name, self._grid, self._corpora = name, grid, corpora
        self._workers = workers
        self._system: OpenSystem | None = None

    def sign(self, store: Store | None, before: Before) -> Introduction:
        """Open it, and say what must be known of it."""
        system = self._system = self._grid.open(self._name, store)
        system.before = before
        signatures = {str(c.pair): system.signed(c.language) for c in self._corpora}
        return Introduction(system.tokenizer, signatures)

    def make(self, part: Cells, bar: Bar) -> None:
        """Vary, answer and judge: a few perturbations at a time, as texts take memory."""
        system = self._system
        if system is None or sound(part.path, part.configuration) is not None:
            return
        system.subwords = part.tokenizer
        size, examples = part.corpus.texts, part.corpus.examples
        advance = bar(size * len(self._grid.settings))
        numbered = iter(enumerate(self._grid.settings))
        step = max(1, TEXTS // size)
        chunks = list(iter(lambda: list(islice(numbered, step)), []))
        rows = []
        varied = vary_ahead([self._variation(part, chunk) for chunk in chunks], self._workers)
        for chunk, made in zip(chunks, varied, strict=True):
            system.before(())
            cells = [(part.number, setting) for setting, _ in chunk]
            judged = system.answer(examples, made.texts, made.read, cells)
            for place, (_, setting) in enumerate(chunk):
                rows.append(_row(str(setting), made, place, judged[place], part))
            advance(len(chunk) * size)
        frame = pl.DataFrame(rows, schema=_SCHEMA)
        failed = int(frame["faults"].list.len().sum())
        write_part(part.path, frame, Stamp(part.configuration, failed))

    def _variation(self, part: Cells, chunk: Sequence[tuple[int, Perturbation]]) -> Variation:
        examples = part.corpus.examples
        seed = part.number % self._grid.seeds
        return Variation.of(
            examples,
            [(seed, setting) for _, setting in chunk],
            part.tokenizer,
            self._system.reader() if self._system is not None else None,
            shown=SHOWN * len(examples.texts[0]) if part.number == 0 else 0,
        )

    def close(self) -> None:
        """Give the model back."""
        if self._system is not None:
            self._system.close()


def _row(variant: str, made: Varied, place: int, judged: Judged, part: Cells) -> dict[str, object]:
    """A perturbation; weights that are all 1 are left out."""
    each = len(part.corpus.examples.texts[0])
    texts = made.shown[place]
    shown = ["\n".join(texts[at : at + each]) for at in range(0, len(texts), each)]
    return {
        "variant": variant,
        **dict(zip(MEASURES, made.measures[place].tolist(), strict=True)),
        "scores": judged.scores.tolist(),
        "weights": None if (judged.weights == 1).all() else judged.weights.tolist(),
        "right": None if judged.right is None else judged.right.tolist(),
        "shown": shown,
        "answers": list(judged.answers[: len(shown)]),
        "faults": list(judged.faults),
        UNTRANSLATED: list(judged.untranslated),
    }
