"""A package of somebody else: a classifier of pairs, an encoder, and a design for each.

It is copied into a folder of its own, and found through its entry points.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from hyperbaton.corpus.item import Item
from hyperbaton.encoders import (
    Classifier,
    Encoder,
    Input,
    OpenClassifier,
    OpenEncoder,
    Vectors,
)
from hyperbaton.metrics import Scores, Segments
from hyperbaton.metrics.exact import ExactMatch
from hyperbaton.pipeline import IDENTITY, Comparison, Design, Pair, Parse, Probe, Run

ENTRY_POINTS = """\
[hyperbaton.classifiers]
overlap = fakes:Overlap
[hyperbaton.encoders]
letters = fakes:Letters
[hyperbaton.metrics]
deadly = fakes:Deadly
"""
calls = 0


def _log(inputs: Sequence[Input]) -> None:
    """Write down what was asked; fail or die where the test wants it."""
    global calls
    calls += 1
    if str(calls) == os.environ.get("DIE"):
        os.kill(os.getpid(), signal.SIGKILL)
    with open(os.environ["LOG"], "a") as log:
        log.write("".join(json.dumps(given) + "\n" for given in inputs))
    failing = os.environ.get("FAIL")
    if failing and any(failing in json.dumps(given) for given in inputs):
        raise ValueError("no such word")


@dataclass(frozen=True)
class Overlap(Classifier):
    """Whether two texts have many words in common."""

    name: ClassVar[str] = "overlap"
    least: int = 3

    def open(self) -> OpenClassifier:
        return _Overlap(self.least)


class _Overlap(OpenClassifier):
    labels = ("same", "other")
    batch_tokens = 200

    def __init__(self, least: int) -> None:
        self.least = least
        self.signature = f"overlap|least:{least}"

    def classify(self, inputs: Sequence[Input]) -> list[str]:
        _log(inputs)
        return [self.labels[self._common(*given) < self.least] for given in inputs]

    def _common(self, first: str, second: str) -> int:
        return len(set(first.split()) & set(second.split()))


@dataclass(frozen=True)
class Letters(Encoder):
    """How often each letter comes, each weighed by an odd number."""

    name: ClassVar[str] = "letters"
    size: int = 5

    def open(self) -> OpenEncoder:
        return _Letters(self.size)


class _Letters(OpenEncoder):
    batch_tokens = 200

    def __init__(self, size: int) -> None:
        self.size = size
        self.signature = f"letters|size:{size}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        _log(texts)
        return np.array([vector(text, self.size) for text in texts], dtype=np.float32)


def vector(text: str, size: int) -> list[float]:
    """What the encoder makes of a text; 1/3 has no short decimal form."""
    return [sum((ord(c) + 1) / (3 + i) for c in text[i::size]) for i in range(size)]


@dataclass(frozen=True)
class Deadly(ExactMatch):
    """An exact match that kills its process where the test wants it."""

    name: ClassVar[str] = "deadly"

    def score_each(self, segments: Segments) -> Scores:
        if os.environ.get("DEADLY"):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().score_each(segments)


@dataclass(frozen=True)
class Inference(Design):
    """Is the label of a pair the same when its texts change places?"""

    name: ClassVar[str] = "inference"
    poles = ("oracle",)
    inputs = "pair"
    output = "label"
    columns: ClassVar = {"number": pl.Int16(), "share": pl.Float64(), "tags": pl.List(pl.String())}

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        return (
            Comparison("accuracy", hypothesis="output", reference="reference"),
            Comparison("kept", hypothesis="varied_output", reference="output", identity=False),
            Comparison("wording", "source", "source_second", side="source", metrics=("chrF",)),
        )

    @property
    def metrics(self) -> tuple[str, ...]:
        return ("ExactMatch",)

    def probes(self, items: Sequence[Item], pair: Pair, parse: Parse) -> Iterator[Probe]:
        for item in items:
            number = int(item.id[1:])
            own = {"number": number, "share": number / 3, "tags": ["a"] * (number % 3)}
            both = (item.source_text, item.reference_text or "")
            gold = "same" if number % 2 else "other"
            yield Probe(item.id, IDENTITY, both, both, gold, gold, columns=own)
            yield Probe(item.id, "swapped", both, both[::-1], gold, gold, columns=own)


@dataclass(frozen=True)
class Retrieval(Design):
    """Is a text found again by its beginning?"""

    name: ClassVar[str] = "retrieval"
    output = "vector"

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        return ()

    @property
    def metrics(self) -> tuple[str, ...]:
        return ()

    def probes(self, items: Sequence[Item], pair: Pair, parse: Parse) -> Iterator[Probe]:
        for item in items:
            text = item.source_text
            yield Probe(item.id, IDENTITY, text, text)
            yield Probe(item.id, "beginning", text, text[:-3])

    def whole(self, run: Run, pair: Pair, system: str) -> pl.DataFrame | None:
        rows = run.table(pair, system, columns=("item", "variant", "output", "varied_output"))
        known = rows.filter((pl.col("variant") == IDENTITY) & pl.col("output").is_not_null())
        answers, queries = known["output"].to_numpy(), rows["varied_output"]
        found: list[int | None] = []
        for item, query in zip(rows["item"], queries.to_list(), strict=True):
            if query is None:
                found.append(None)
                continue
            far = ((answers - np.array(query, dtype=np.float32)) ** 2).sum(axis=1)
            order = known["item"].gather(np.argsort(far, kind="stable")).to_list()
            found.append(order.index(item) + 1 if item in order else None)
        return pl.DataFrame({"rank": pl.Series(found, dtype=pl.Int64)})
