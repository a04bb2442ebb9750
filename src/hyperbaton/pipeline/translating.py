"""Probes to outputs: the one stage that a translator takes part in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

import polars as pl

from hyperbaton.pipeline.design import IDENTITY, Pair
from hyperbaton.pipeline.layout import OUTPUTS, read_part, write_part
from hyperbaton.progress import Advance
from hyperbaton.systems.controls import Control
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.store import Store
from hyperbaton.systems.system import SYSTEMS, Translation, Translator

__all__ = ["Desk"]

_READ = ("variant", "source", "varied")
_READ_BY_CONTROLS = (*_READ, "reference", "varied_reference")


class _Again(Translator):
    """The same translator under another name, so that the store does not answer for it."""

    def __init__(self, translator: Translator) -> None:
        self._translator = translator
        self.signature = f"{translator.signature}|again"
        self.chunk = translator.chunk
        self.stored = translator.stored

    @property
    def batch_tokens(self) -> int:
        return self._translator.batch_tokens

    @batch_tokens.setter
    def batch_tokens(self, size: int) -> None:
        self._translator.batch_tokens = size

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        return self._translator.translate(texts)

    def cost(self, text: str) -> int:
        return self._translator.cost(text)


class Desk:
    """One system at work on one language pair; the model is loaded when a part needs it."""

    def __init__(self, system: str, pair: Pair, store: Store | None, retry_failed: bool) -> None:
        self._system = SYSTEMS.parse(system)
        self._pair = pair
        self._store = store
        self._retry = retry_failed
        self._stack = ExitStack()
        self._translator: Translator | None = None

    @property
    def signature(self) -> str:
        """What the outputs depend on; controls depend on nothing but the probes."""
        if isinstance(self._system, Control):
            return f"{self._system}|{self._pair}"
        return self._open().signature

    def _open(self) -> Translator:
        if self._translator is None:
            opened = self._system.open(self._pair.source, self._pair.target)
            self._translator = self._stack.enter_context(opened)
        return self._translator

    def translate(self, probes: Path, outputs: Path, bar: Callable[[int], Advance]) -> None:
        """Write the outputs of one part; `bar` makes what is told of texts done, given the rows."""
        if isinstance(self._system, Control):
            frame = _answered(self._system, read_part(probes, _READ_BY_CONTROLS))
            bar(frame.height)(2 * frame.height)
        else:
            rows = read_part(probes, _READ)
            frame = self._translated(rows, bar(rows.height))
        write_part(outputs, frame)

    def _translated(self, rows: pl.DataFrame, advance: Advance) -> pl.DataFrame:
        same = rows["variant"] == IDENTITY
        sources = rows["source"].to_list()
        again = rows.filter(same)["varied"].to_list()
        others = rows.filter(~same)["varied"].to_list()
        first = self._ask(self._open(), [*sources, *others], advance)
        second = iter(self._ask(_Again(self._open()), again, advance) if again else [])
        advance(2 * rows.height - len({*sources, *others}) - len(set(again)))
        rest = iter(first[len(sources) :])
        varied = [next(second if is_same else rest) for is_same in same]
        return _frame(first[: len(sources)], varied)

    def _ask(
        self, translator: Translator, texts: Sequence[str], advance: Advance
    ) -> list[Translation]:
        return translate_all(
            translator, texts, store=self._store, retry_failed=self._retry, advance=advance
        )

    def close(self) -> None:
        """Give the translator back."""
        self._translator = None
        self._stack.close()

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _answered(control: Control, probes: pl.DataFrame) -> pl.DataFrame:
    answers = [control.answer(row) for row in probes.iter_rows(named=True)]
    return _frame([first for first, _ in answers], [second for _, second in answers])


def _frame(outputs: Sequence[Translation], varied: Sequence[Translation]) -> pl.DataFrame:
    faults = [a.fault or b.fault or None for a, b in zip(outputs, varied, strict=True)]
    data = {
        "output": [answer.text for answer in outputs],
        "varied_output": [answer.text for answer in varied],
        "fault": faults,
    }
    return pl.DataFrame(data, schema=OUTPUTS)
