"""Learners' sentences and translations made by rule, for every claim of the grammar paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from hyperbaton.metrics import METRICS
from hyperbaton.pipeline import Pair, Run
from hyperbaton.studies.grammar.claims import LEXICAL, RECOVERABLE, SEMANTIC
from hyperbaton.studies.grammar.places import LEFT, RIGHT, Asked
from hyperbaton.studies.grammar.samples import SIDES, LearnerSamples
from hyperbaton.studies.layer.sources import Source

PAIRS = 600
METRIC = "BLEU"
KINDS = (*RECOVERABLE, *LEXICAL, "DET", "PREP", "SPELL")
PLACED = (*LEFT, *RIGHT)


class Row(NamedTuple):
    """What a rule may go by."""

    errors: int
    length: int
    kind: str
    place: float
    """Where the error is in its sentence, from 0 to 1."""


Share = Callable[[Row], float]
Count = Callable[[Row], int]
Places = Callable[[Row], Sequence[int]]


def corpus(
    same: Share = lambda row: 0.3,
    damaged: Count = lambda row: 2,
    figure: Places = lambda row: (0, 1),
    errors: Sequence[int] = (1, 1, 1, 2, 3, 4, 6),
    kinds: Sequence[str] = KINDS,
    name: str = "made",
) -> LearnerSamples:
    """A corpus with translations: the share that nothing happens to, and what happens to others.

    `damaged` is how many words of a translation are others, `figure` how far from the error.
    """
    rng = np.random.default_rng([6, *map(ord, name)])
    made = [_pair(rng, n, same, damaged, figure, errors, kinds) for n in range(PAIRS)]
    frame = pl.DataFrame(made, infer_schema_length=None)
    keys = [(METRIC, side) for side in SIDES]
    scorers = {key: METRICS.parse(METRIC).for_language("en") for key in keys}
    texts = {
        "translations": (frame["varied_output"].to_list(), frame["output"].to_list()),
        "sources": (frame["varied"].to_list(), frame["source"].to_list()),
    }
    return LearnerSamples(
        frame["item"].to_list(),
        clusters=frame["sentence"],
        frame=frame,
        statistics={key: np.asarray(scorers[key].statistics(*texts[key[1]])) for key in keys},
        scorers=scorers,
        names=("bundled", "bundled"),
        corpus=f"en-de: {name}",
        source=Source("bundled", Pair("en", "de"), Run(Path("none")), "bundled", short="bundled"),
    )


def _pair(
    rng: np.random.Generator,
    number: int,
    same: Share,
    damaged: Count,
    figure: Places,
    errors: Sequence[int],
    kinds: Sequence[str],
) -> dict[str, object]:
    length = int(rng.integers(12, 28))
    place = int(rng.integers(0, length))
    kind = kinds[number % len(kinds)]
    row = Row(errors[int(rng.integers(len(errors)))], length, kind, place / length)
    words = [f"w{number % 7}x{n}" for n in range(length)]
    kept = rng.random() < same(row)
    return {
        "item": str(number),
        "sentence": number,
        "variant": kind if ":" in kind and kind[1] == ":" else f"R:{kind}",
        "errors": row.errors,
        "length": length,
        "place": place,
        "pivot": place,
        "clean_words": words,
        "source": " ".join(words),
        "varied": _with_others(words, row.errors, rng),
        "output": " ".join(words),
        "varied_output": " ".join(words) if kept else _with_others(words, damaged(row), rng),
        "same": kept,
        "figure": [] if kept else [n for n in figure(row) if 0 <= place + n < length],
    }


def _with_others(words: Sequence[str], count: int, rng: np.random.Generator) -> str:
    """The words with so many of them replaced."""
    places = set(rng.permutation(len(words))[:count].tolist())
    return " ".join(f"other{n}" if n in places else word for n, word in enumerate(words))


def asked(*corpora: LearnerSamples) -> Asked:
    """Whom claims are put to."""
    return Asked(corpora, METRIC)


def three(*levels: tuple[str, float, int, int]) -> Asked:
    """Corpora by name, share of unharmed pairs, number of errors, and of words that are others."""
    return asked(*(_level(*level) for level in levels))


def _level(name: str, share: float, errors: int, words: int) -> LearnerSamples:
    return corpus(lambda row: share, lambda row: words, errors=(errors, errors + 1), name=name)


def by_kind(high: Sequence[str], low: Sequence[str], sign: int = 1) -> Share:
    """A higher share for errors of some types, or with −1 a lower one."""
    return lambda row: 0.4 + sign * 0.3 * ((row.kind in high) - (row.kind in low))


def far(row: Row) -> Sequence[int]:
    """The ends of the sentence."""
    place = round(row.place * row.length)
    return (-place, 1 - place, row.length - 1 - place, row.length - 2 - place)


def outwards(row: Row) -> Sequence[int]:
    """Mostly to the right of an early error, and to the left of a late one."""
    sign = 1 if (row.place < 0.5) != (row.length % 9 == 0) else -1
    return (sign, 2 * sign)


def inwards(row: Row) -> Sequence[int]:
    """The other way round."""
    return [-place for place in outwards(row)]


def spread(edges: int, middle: int) -> Places:
    """Two words, about so far apart at the edges of a sentence, and in its middle."""

    def places(row: Row) -> Sequence[int]:
        far = middle if 0.25 <= row.place < 0.75 else edges
        return (0, (far + row.length % 3) * (1 if row.place < 0.5 else -1))

    return places


Made = Callable[[], Asked]
LONG = 18
MADE: Mapping[str, tuple[Made, Made]] = {
    "G1": (
        lambda: three(("a", 0.6, 1, 1), ("b", 0.4, 3, 4), ("c", 0.2, 6, 8)),
        lambda: three(("a", 0.2, 1, 8), ("b", 0.4, 3, 4), ("c", 0.6, 6, 1)),
    ),
    "G2": (
        lambda: three(("A.m2", 0.2, 2, 2), ("B.m2", 0.4, 2, 2), ("C.m2", 0.6, 2, 2)),
        lambda: three(("A.m2", 0.6, 2, 2), ("B.m2", 0.4, 2, 2), ("C.m2", 0.2, 2, 2)),
    ),
    "G3": (
        lambda: asked(corpus(same=lambda row: 0.0, damaged=lambda row: row.errors + 3)),
        lambda: asked(corpus(same=lambda row: 0.5, damaged=lambda row: 1)),
    ),
    "G4": (
        lambda: asked(corpus(same=lambda row: 0.0, damaged=lambda row: 4)),
        lambda: asked(corpus(same=lambda row: 0.0, damaged=lambda row: row.errors**2 // 3)),
    ),
    "G5": (
        lambda: asked(corpus(same=lambda row: 0.7 * 0.25 ** (row.errors - 1))),
        lambda: asked(corpus(same=lambda row: 0.5)),
    ),
    "G6": (
        lambda: asked(corpus(damaged=lambda row: row.errors)),
        lambda: asked(corpus(damaged=lambda row: 8 - row.errors)),
    ),
    "G7": (
        lambda: asked(corpus(same=lambda row: 0.6 if row.length > LONG else 0.2)),
        lambda: asked(corpus(same=lambda row: 0.2 if row.length > LONG else 0.6)),
    ),
    "G8": (
        lambda: asked(corpus(same=lambda row: 0.2 if row.length > LONG else 0.6)),
        lambda: asked(corpus(same=lambda row: 0.6 if row.length > LONG else 0.2)),
    ),
    "G9": (
        lambda: asked(corpus(same=by_kind(RECOVERABLE, LEXICAL), errors=(1,))),
        lambda: asked(corpus(same=by_kind(RECOVERABLE, LEXICAL, -1), errors=(1,))),
    ),
    "G10": (
        lambda: asked(corpus(same=by_kind((), SEMANTIC), errors=(1,))),
        lambda: asked(corpus(same=by_kind((), SEMANTIC, -1), errors=(1,))),
    ),
    "G11": (
        lambda: asked(corpus(figure=lambda row: (-1, 0, 1))),
        lambda: asked(corpus(figure=far)),
    ),
    "G12": (
        lambda: asked(
            corpus(figure=lambda row: (1, 3) if row.kind in RIGHT else (-3, -1), kinds=PLACED)
        ),
        lambda: asked(
            corpus(figure=lambda row: (1, 3) if row.kind in LEFT else (-3, -1), kinds=PLACED)
        ),
    ),
    "G13": (lambda: asked(corpus(figure=outwards)), lambda: asked(corpus(figure=inwards))),
    "G14": (
        lambda: asked(corpus(figure=spread(6, 1))),
        lambda: asked(corpus(figure=spread(1, 6))),
    ),
}
"""For each claim, translations on which it holds, and translations on which it does not."""
