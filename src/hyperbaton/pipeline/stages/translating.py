"""Probes to outputs: the one stage that a translator takes part in."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from hyperbaton.pipeline.design import IDENTITY, Pair
from hyperbaton.pipeline.engine.stages import Bar, Resident
from hyperbaton.pipeline.run.layout import UNTRANSLATED
from hyperbaton.pipeline.run.parts import Stamp, read_part, sound, write_part
from hyperbaton.systems.controls import Control
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.faults import translation_of
from hyperbaton.systems.store.store import Store, recall_terms
from hyperbaton.systems.system import SYSTEMS, Before, Translation, Translator
from hyperbaton.systems.untranslated import untranslated_answers

if TYPE_CHECKING:
    from hyperbaton.base.progress import Advance

_READ = ("item", "variant", "source", "varied")
_READ_BY_CONTROLS = (*_READ, "reference", "varied_reference")


@dataclass(frozen=True)
class Outputs:
    """A part of outputs: what it is made of, and what must go before it changes."""

    probes: Path
    path: Path
    configuration: str
    made_of_it: tuple[Path, ...]

    def write(self, frame: pl.DataFrame) -> None:
        """Write it, and remove what was made of it."""
        for path in self.made_of_it:
            path.unlink(missing_ok=True)
        failed = frame.height - frame["fault"].null_count()
        write_part(self.path, frame, Stamp(self.configuration, failed))


class Signed(NamedTuple):
    """What a translator says of itself."""

    signature: str
    """What its outputs depend on."""
    batch_free: bool
    """Whether no output depends on the others of its batch."""


class Desk(Resident):
    """A translator at work on one language pair; the model is loaded when a part needs it."""

    def __init__(self, system: str, pair: Pair, retry_failed: bool = False) -> None:
        self._system = SYSTEMS.parse(system)
        self._pair = pair
        self._retry = retry_failed
        self._store: Store | None = None
        self._before: Before = _nothing
        self._stack: ExitStack | None = None

    def sign(self, store: Store | None, before: Before) -> Signed:
        """Load the model."""
        self._store, self._before = store, before
        translator = self._open()
        recall_terms(translator, store)
        return Signed(translator.signature, translator.batch_free)

    def _open(self) -> Translator:
        if self._stack is None:
            self._stack = ExitStack()
            opened = self._system.open(self._pair.source, self._pair.target)
            self._translator = self._stack.enter_context(opened)
        return self._translator

    def make(self, part: Outputs, bar: Bar) -> None:
        """Make a part, or ask again for what failed in it and for nothing else."""
        stamp = sound(part.path, part.configuration)
        if stamp is None:
            rows = read_part(part.probes, _READ)
            unknown = [None] * (2 * rows.height)
            part.write(self._translated(rows, unknown, self._retry, bar(2 * rows.height)))
        elif stamp.failed:
            rows, before = read_part(part.probes, _READ), read_part(part.path)
            known = [*before["output"], *before["varied_output"]]
            frame = self._translated(rows, known, True, bar(2 * rows.height))
            if not frame.equals(before):
                part.write(frame)

    def _translated(
        self, rows: pl.DataFrame, known: Sequence[str | None], retry: bool, advance: Advance
    ) -> pl.DataFrame:
        """The outputs of some rows; the control rows are asked for apart from all others.

        `known` are answers to all sources, then to all varied ones; None must be asked for.
        """
        answers = [None if text is None else Translation(text) for text in known]
        texts = _texts(rows)
        control = [*[False] * rows.height, *(rows["variant"] == IDENTITY).to_list()]
        done = 0
        for again in (False, True):
            places = [i for i, a in enumerate(answers) if a is None and control[i] == again]
            if places and (translator := self._open()).recorded:
                for i in places:
                    item, varied = rows["item"][i % rows.height], i >= rows.height
                    answers[i] = translator.recall(texts[i], item, varied, again)
            elif places:
                some = [texts[i] for i in places]
                # Under another name the store does not answer for it.
                renamed = again and translator.repeatable
                new = translate_all(
                    translator,
                    some,
                    store=self._store,
                    retry_failed=retry,
                    advance=advance,
                    before=self._before,
                    apart="|again" if renamed else "",
                    signed=True,
                )
                for i, answer in zip(places, new, strict=True):
                    answers[i] = answer
                done += len(set(some))
        advance(len(texts) - done)
        return _table(rows, [answer for answer in answers if answer is not None], self._pair)

    def close(self) -> None:
        """Give the translator back."""
        if self._stack is not None:
            self._stack.close()
            self._stack = None


def complete(outputs: Outputs, system: str, pair: Pair) -> bool:
    """Do what needs no model for a part of outputs; whether a model is needed still."""
    control, stamp = SYSTEMS.parse(system), sound(outputs.path, outputs.configuration)
    if isinstance(control, Control):
        if stamp is None:
            rows = read_part(outputs.probes, (*_READ_BY_CONTROLS, *control.columns))
            languages = pair.source, pair.target
            answers = [control.answer(row, languages) for row in rows.iter_rows(named=True)]
            both = [*(clean for clean, _ in answers), *(varied for _, varied in answers)]
            outputs.write(_table(rows, both, pair))
        return False
    if stamp is None:
        outputs.path.unlink(missing_ok=True)  # it is damaged, and that is told once
    return stamp is None or bool(stamp.failed)


def _table(rows: pl.DataFrame, answers: Sequence[Translation], pair: Pair) -> pl.DataFrame:
    """The answers to all sources of some probes, then to all varied ones, as columns."""
    texts, languages = _texts(rows), (pair.source, pair.target)
    checked = list(map(translation_of, texts, answers))
    outputs, varied = checked[: rows.height], checked[rows.height :]
    doubts = untranslated_answers(texts[rows.height :], [a.text for a in varied], languages)
    columns = {
        "output": [answer.text for answer in outputs],
        "varied_output": [answer.text for answer in varied],
        "fault": [a.fault or b.fault or None for a, b in zip(outputs, varied, strict=True)],
        UNTRANSLATED: doubts,
    }
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))


def _texts(rows: pl.DataFrame) -> list[str]:
    """All sources, then all varied ones."""
    return [*rows["source"], *rows["varied"]]


def _nothing(texts: Sequence[str]) -> None:
    """Nothing is asked before texts are sent."""
