"""Answers that are text, a label or a vector: how each is asked for, stored, and written.

Labels and vectors go through the store of translations: an input is its JSON there, a vector the
base64 of its float32 numbers, which loses nothing.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Literal

import numpy as np
import polars as pl

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import Spec, split
from hyperbaton.encoders.encoder import CLASSIFIERS, ENCODERS, Input, OpenClassifier, OpenEncoder
from hyperbaton.pipeline.design import Pair
from hyperbaton.pipeline.run.layout import UNTRANSLATED
from hyperbaton.systems.controls import Control
from hyperbaton.systems.faults.runaway import translation_of
from hyperbaton.systems.faults.untranslated import untranslated_answers
from hyperbaton.systems.system import SYSTEMS, System, Translation, Translator

__all__ = ["KINDS", "Kind"]


class Kind(ABC):
    """One kind of answers."""

    @abstractmethod
    def parse(self, name: str) -> Spec:
        """The system of a name, or the sentence that there is none."""

    @abstractmethod
    def open(self, name: str, pair: Pair) -> Translator:
        """The system, ready, behind the interface of translators."""

    def texts(self, rows: pl.DataFrame, column: Literal["source", "varied"]) -> list[str]:
        """A column of inputs as the texts that the translator is given."""
        first: list[str] = rows[column].to_list()
        if f"{column}_second" not in rows.columns:
            return [json.dumps(text, ensure_ascii=False) for text in first]
        both = zip(first, rows[f"{column}_second"].to_list(), strict=True)
        return [json.dumps(pair, ensure_ascii=False) for pair in both]

    def checked(self, text: str, answer: Translation) -> Translation:
        """The answer to a text, or why it is none."""
        return answer

    def doubts(
        self, texts: Sequence[str], answers: Sequence[Translation], pair: Pair
    ) -> list[pl.Series]:
        """Columns that say what is wrong with answers; none where nothing is known of them."""
        return []

    def column(
        self, name: str, answers: Sequence[Translation], translator: Translator | None
    ) -> pl.Series:
        """The answers as a column; null where there is none."""
        return pl.Series(name, [answer.text for answer in answers], dtype=pl.String)

    def known(self, column: pl.Series) -> list[Translation | None]:
        """The answers of a column: the way back."""
        return [None if text is None else Translation(text) for text in column.to_list()]


class _Text(Kind):
    """Translations."""

    def parse(self, name: str) -> System:
        return SYSTEMS.parse(name)

    def open(self, name: str, pair: Pair) -> Translator:
        return self.parse(name).open(pair.source, pair.target)

    def texts(self, rows: pl.DataFrame, column: Literal["source", "varied"]) -> list[str]:
        return rows[column].to_list()

    def checked(self, text: str, answer: Translation) -> Translation:
        return translation_of(text, answer)

    def doubts(
        self, texts: Sequence[str], answers: Sequence[Translation], pair: Pair
    ) -> list[pl.Series]:
        outputs = [answer.text for answer in answers]
        found = untranslated_answers(texts, outputs, (pair.source, pair.target))
        return [pl.Series(UNTRANSLATED, found, dtype=pl.String)]


class _Label(Kind):
    """Labels of a classifier; the poles may answer with a column of the probe."""

    def parse(self, name: str) -> Spec:
        known = split(name).name
        if known in SYSTEMS.names() and known not in CLASSIFIERS.names():
            system = SYSTEMS.parse(name)
            if isinstance(system, Control):
                return system
        return CLASSIFIERS.parse(name)

    def open(self, name: str, pair: Pair) -> Translator:
        return _Labelling(CLASSIFIERS.parse(name).open())


class _Vector(Kind):
    """Vectors of an encoder."""

    def parse(self, name: str) -> Spec:
        return ENCODERS.parse(name)

    def open(self, name: str, pair: Pair) -> Translator:
        return _Encoding(ENCODERS.parse(name).open())

    def column(
        self, name: str, answers: Sequence[Translation], translator: Translator | None
    ) -> pl.Series:
        if not isinstance(translator, _Encoding):
            raise TypeError("vectors come from an encoder")
        there = np.array([answer.text is not None for answer in answers], dtype=np.bool_)
        table = np.zeros((len(answers), translator.size), dtype=np.float32)
        for row, answer in enumerate(answers):
            if answer.text is not None:
                table[row] = np.frombuffer(b64decode(answer.text), dtype="<f4")
        whole = pl.Series(name, table, dtype=pl.Array(pl.Float32, translator.size))
        return pl.select(pl.when(pl.lit(pl.Series(there))).then(pl.lit(whole)).alias(name))[name]

    def known(self, column: pl.Series) -> list[Translation | None]:
        return [
            None if row is None else _vector(np.asarray(row, dtype=np.float32))
            for row in column.to_list()
        ]


class _Labelling(Translator):
    """A classifier as a translator of inputs into labels."""

    def __init__(self, opened: OpenClassifier) -> None:
        self._opened = opened
        self.signature = f"{opened.signature}|label"
        self.batch_tokens = opened.batch_tokens

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        labels = self._opened.classify([*map(_input, texts)])
        return [Translation(x) if x.strip() else Translation(None, "no label") for x in labels]

    def cost(self, text: str) -> int:
        return self._opened.cost(_input(text))

    def close(self) -> None:
        self._opened.close()


class _Encoding(Translator):
    """An encoder as a translator of texts into vectors."""

    def __init__(self, opened: OpenEncoder) -> None:
        self._opened = opened
        self.size = opened.size
        self.signature = f"{opened.signature}|vector"
        self.batch_tokens = opened.batch_tokens

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        return [_vector(row) for row in self._opened.encode([_text(text) for text in texts])]

    def cost(self, text: str) -> int:
        return self._opened.cost(_text(text))

    def close(self) -> None:
        self._opened.close()


def _input(text: str) -> Input:
    found: str | list[str] = json.loads(text)
    return found if isinstance(found, str) else (found[0], found[1])


def _text(text: str) -> str:
    found = _input(text)
    if not isinstance(found, str):
        raise HyperbatonError("an encoder takes single texts: this study's inputs are pairs")
    return found


def _vector(row: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> Translation:
    if not np.isfinite(row).all():
        return Translation(None, "the vector has numbers that are not finite")
    return Translation(b64encode(row.astype("<f4").tobytes()).decode())


KINDS: dict[Literal["text", "label", "vector"], Kind] = {
    "text": _Text(),
    "label": _Label(),
    "vector": _Vector(),
}
