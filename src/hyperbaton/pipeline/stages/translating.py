"""Probes to outputs: the one stage that a translator takes part in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

import polars as pl

from hyperbaton.base.progress import Advance
from hyperbaton.pipeline.design import IDENTITY, Pair
from hyperbaton.pipeline.run.layout import UNTRANSLATED
from hyperbaton.pipeline.run.parts import Stamp, column_names, read_part, write_part
from hyperbaton.systems.controls import Control
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.faults import translation_of
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import SYSTEMS, Before, Translation, Translator
from hyperbaton.systems.untranslated import untranslated_answers

__all__ = ["Desk"]

_READ = ("variant", "source", "varied")
_READ_BY_CONTROLS = (*_READ, "reference", "varied_reference")


class Desk:
    """One system at work on one language pair; the model is loaded when a part needs it."""

    def __init__(
        self,
        system: str,
        pair: Pair,
        store: Store | None,
        retry_failed: bool,
        before: Before = lambda texts: None,
    ) -> None:
        self._system = SYSTEMS.parse(system)
        self._pair = pair
        self._store = store
        self._retry = retry_failed
        self._before = before
        self._stack = ExitStack()
        self._translator: Translator | None = None

    @property
    def signature(self) -> str:
        """What the outputs depend on; controls depend on nothing but the probes."""
        if isinstance(self._system, Control):
            return f"{self._system}|{self._pair}"
        return self._open().signature

    @property
    def batch_free(self) -> bool:
        """Whether no output depends on the others of its batch."""
        return isinstance(self._system, Control) or self._open().batch_free

    @property
    def may_recover(self) -> bool:
        """Whether what failed may succeed another time; a control's answers never change."""
        return not isinstance(self._system, Control)

    def is_current(self, outputs: Path) -> bool:
        """Whether a part says all that is said of answers today; older ones lack a column."""
        return UNTRANSLATED in column_names(outputs)

    def _open(self) -> Translator:
        if self._translator is None:
            opened = self._system.open(self._pair.source, self._pair.target)
            self._translator = self._stack.enter_context(opened)
        return self._translator

    def translate(
        self, probes: Path, outputs: Path, configuration: str, bar: Callable[[int], Advance]
    ) -> None:
        """Write the outputs of one part; `bar` makes what is told of texts done, given the rows."""
        if isinstance(self._system, Control):
            rows = read_part(probes, (*_READ_BY_CONTROLS, *self._system.columns))
            languages = self._pair.source, self._pair.target
            answers = [self._system.answer(row, languages) for row in rows.iter_rows(named=True)]
            frame = self._frame(rows, [*(a for a, _ in answers), *(b for _, b in answers)])
            bar(rows.height)(2 * rows.height)
        else:
            rows = read_part(probes, _READ)
            unknown = [None] * (2 * rows.height)
            frame = self._translated(rows, unknown, self._retry, bar(rows.height))
        _write(outputs, frame, configuration)

    def fill(
        self,
        probes: Path,
        outputs: Path,
        configuration: str,
        bar: Callable[[int], Advance],
        changing: Callable[[], None],
    ) -> None:
        """Ask again for what failed in a part, and for nothing else.

        `changing` is called before the part is written anew.
        """
        rows, before = read_part(probes, _READ), read_part(outputs)
        known = [*before["output"], *before["varied_output"]]
        frame = self._translated(rows, known, True, bar(rows.height))
        if not frame.equals(before):
            changing()
            _write(outputs, frame, configuration)

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
            if places:
                translator = self._open()
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
                    signature=f"{translator.signature}|again" if renamed else "",
                )
                for i, answer in zip(places, new, strict=True):
                    answers[i] = answer
                done += len(set(some))
        advance(len(texts) - done)
        return self._frame(rows, [answer for answer in answers if answer is not None])

    def _frame(self, rows: pl.DataFrame, answers: Sequence[Translation]) -> pl.DataFrame:
        """The answers to all sources, then to all varied ones, as columns."""
        texts = _texts(rows)
        checked = list(map(translation_of, texts, answers))
        outputs, varied = checked[: rows.height], checked[rows.height :]
        languages = self._pair.source, self._pair.target
        doubts = untranslated_answers(texts[rows.height :], [a.text for a in varied], languages)
        columns = {
            "output": [answer.text for answer in outputs],
            "varied_output": [answer.text for answer in varied],
            "fault": [a.fault or b.fault or None for a, b in zip(outputs, varied, strict=True)],
            UNTRANSLATED: doubts,
        }
        return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))

    def close(self) -> None:
        """Give the translator back."""
        self._translator = None
        self._stack.close()

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _texts(rows: pl.DataFrame) -> list[str]:
    """All sources, then all varied ones."""
    return [*rows["source"], *rows["varied"]]


def _write(path: Path, frame: pl.DataFrame, configuration: str) -> None:
    failed = frame.height - frame["fault"].null_count()
    write_part(path, frame, Stamp(configuration, failed))
