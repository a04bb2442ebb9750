"""The outcome of a sample: repaired, carried over, lost or mixed (docs/outcomes.md).

Content and order are judged apart. Content: what is there of the clean translations, in whatever
order. Order: of the pairs of words that the variation turned round, how many stand turned round.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from hyperbaton.errors import HyperbatonError
from hyperbaton.languages import writes_spaces
from hyperbaton.metrics.metric import Scores
from hyperbaton.metrics.second_look import second_look

__all__ = ["OUTCOMES", "RULE", "Judgement", "Outcome", "Read", "Samples", "Turning", "judge"]

Outcome = Literal["repaired", "carried", "lost", "mixed", "untranslated", "unchanged"]
"""Clean order; varied order; content gone; between these; no translation at all, which is told
before this rule (`hyperbaton.systems.untranslated`); or the draw changed nothing."""
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

RULE = 6
"""Raised when the same texts would be judged otherwise."""

_FOREIGN = 0.25
"""Less overlap than this with the reference, and it is not its translation at all."""
_LOST, _WHOLE, _SURE = 0.35, 0.6, 0.85
"""Content below which a sample is lost, from which an orderly one may be repaired, and from which
one is repaired of whose order nothing is known."""
_IN_ORDER, _CROSSED, _LENGTH = 0.65, 0.05, 0.83
"""Where a sample is repaired: how much of a clean text must stand in its order, how many pairs of
words may cross, and how long it must be, for each word of the clean output."""
_CARRIED = 0.4
"""The share of turned pairs from which a sample is carried over."""

_CLEAR = 0.6
"""The share from which no second look is needed."""

_UNKNOWN = 0.5
"""What is said of the order where no pair of words says anything."""

Turning = tuple[int, int, float]
"""Of pairs of source words that were turned round: how many stand turned round in the varied
output, how many it has; then the share of the source that is translated."""

Read = Callable[[Sequence[int]], Sequence[tuple[float, float, float]]]
"""What can be read back from the samples at some places (`hyperbaton.alignment.reading`)."""


@dataclass(frozen=True)
class Samples:
    """The texts of a batch of samples, column by column, all in the target language.

    A projected text is one whose words moved as the words of the source did; None where there is
    no alignment. `varied` are the varied sources, by which an untranslated text is known. `turning`
    says what became of the source's words, by alignment too. `changed` says which draws changed
    anything.
    """

    references: Sequence[str]
    outputs: Sequence[str]
    varied_references: Sequence[str | None]
    varied_outputs: Sequence[str]
    projected_references: Sequence[str | None] | None = None
    projected_outputs: Sequence[str | None] | None = None
    varied: Sequence[str | None] | None = None
    turning: Sequence[Turning] | None = None
    changed: Sequence[bool] | None = None

    def __post_init__(self) -> None:
        size = len(self.varied_outputs)
        for name, column in vars(self).items():
            if column is not None and len(column) != size:
                raise HyperbatonError(
                    f"{size:,} varied outputs but {len(column):,} {name}: give one for each sample"
                )
        for name in ("references", "outputs", "varied_outputs"):
            if any(text is None for text in getattr(self, name)):
                raise HyperbatonError(f"a text of the {name} is missing: leave that sample out")

    def columns(self) -> list[Sequence[str | None]]:
        """The texts in the order in which the kernel reads them."""
        none: list[str | None] = [None] * len(self.varied_outputs)
        return [
            self.varied_outputs,
            self.references,
            self.outputs,
            self.varied_references,
            none if self.projected_references is None else self.projected_references,
            none if self.projected_outputs is None else self.projected_outputs,
            none if self.varied is None else self.varied,
        ]


@dataclass(frozen=True)
class Judgement:
    """What became of each sample, and the numbers that say so."""

    content: Scores
    """Overlap with reference and clean output together; 0 where it is no translation at all."""
    turned: Scores
    """How much of the variation's order is there, from 0 (clean order) to 1 (carried over)."""
    in_order: Scores
    """The words that stand in the same order as in a clean text: an F-score."""
    outcomes: npt.NDArray[np.str_]
    """One of `OUTCOMES` for each sample."""


def judge(samples: Samples, language: str = "", read: Read | None = None) -> Judgement:
    """The outcome of each sample; with `read`, those that are not clear get a second look.

    >>> texts = Samples(
    ...     references=["Der Hund mag die Katze."] * 4,
    ...     outputs=["Der Hund mag die Katze."] * 4,
    ...     varied_references=["Katze die mag Hund Der."] * 4,
    ...     varied_outputs=[
    ...         "Der Hund liebt die Katze.", "Die Katze mag der Hund.", "Ein Zug.", "Der Hund."
    ...     ],
    ... )
    >>> judge(texts, "de").outcomes.tolist()
    ['repaired', 'carried', 'lost', 'mixed']
    """
    from hyperbaton.metrics.kernels.outcome_texts import take_apart
    from hyperbaton.metrics.kernels.outcomes import evidence

    columns = samples.columns()
    numbers: dict[str, int] = {}
    indices = np.array(
        [[-1 if t is None else numbers.setdefault(t, len(numbers)) for t in c] for c in columns],
        dtype=np.int64,
    ).reshape(len(columns), -1)
    units, offsets = _letters(list(numbers))
    shown = evidence(
        take_apart(units, offsets, writes_spaces(language)), np.ascontiguousarray(indices.T)
    )
    turning = np.zeros((indices.shape[1], 3))
    if samples.turning is not None:
        turning[:] = np.asarray(samples.turning, dtype=float).reshape(-1, 3)
    translated = turning[:, 2] >= _LOST
    foreign = (shown.reference < _FOREIGN) & ~translated | (shown.reference < shown.source)
    content = np.where(foreign, 0.0, shown.content)
    alike = _alike(units, offsets)[indices]
    turned = _turned(shown.votes, turning, alike)
    lost = foreign | (content < _LOST) & ~translated
    silent = (turned == _UNKNOWN) & (shown.votes.sum(axis=1) + turning[:, 1] == 0)
    orderly = (shown.in_order >= _IN_ORDER) & (shown.crossed <= _CROSSED)
    whole = (content >= _WHOLE) & (shown.length >= _LENGTH) & orderly | _clean(alike)
    labels = np.select(
        [lost, silent & (content >= _SURE), silent, turned >= _CARRIED, whole],
        ["lost", "repaired", "mixed", "carried", "repaired"],
        "mixed",
    )
    if samples.changed is not None:
        labels = np.where(np.asarray(samples.changed, dtype=bool), labels, "unchanged")
    found = Judgement(content, turned, shown.in_order, labels)
    clear = lost | _clean(alike) | (turned >= _CLEAR) | (labels == "unchanged")
    return found if read is None else _looked_at_again(found, np.flatnonzero(~clear), read)


def _looked_at_again(first: Judgement, doubtful: npt.NDArray[np.intp], read: Read) -> Judgement:
    """The judgement after a second look at some of its samples."""
    if not len(doubtful):
        return first
    content, in_order, turned = first.content, first.in_order, first.turned
    readings = np.asarray(read(doubtful.tolist()), dtype=float)
    labels = first.outcomes.copy()
    labels[doubtful] = second_look(
        content[doubtful], in_order[doubtful], turned[doubtful], readings
    )
    return replace(first, outcomes=labels)


def _turned(
    votes: npt.NDArray[np.int64], turning: npt.NDArray[np.float64], texts: npt.NDArray[np.int64]
) -> Scores:
    """The share of turned pairs, of target words and of source words, one counting as much as the
    other; a text with the very words of a clean or varied one needs no vote."""
    words = _share(votes[:, 1].astype(float), votes.sum(axis=1).astype(float))
    sources = _share(turning[:, 0], turning[:, 1])
    varied = ((texts[3:6] == texts[0]) & (texts[3:6] >= 0)).any(axis=0)
    share = np.where(turning[:, 1] > 0, (words + sources) / 2, words)
    return np.asarray(np.where(_clean(texts), 0.0, np.where(varied, 1.0, share)))


def _clean(texts: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Where the varied output has the very words of the reference or of the clean output."""
    return np.asarray((texts[1:3] == texts[0]).any(axis=0))


def _share(turned: Scores, pairs: Scores) -> Scores:
    """Drawn to one half where there are few."""
    return np.asarray((turned + 0.5) / (pairs + 1))


def _letters(texts: Sequence[str]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Small letters and digits of texts as code points; all else is a gap."""
    from hyperbaton.metrics.kernels.outcome_texts import GAP
    from hyperbaton.metrics.kernels.texts import encode

    coded = encode([unicodedata.normalize("NFKC", text).lower() for text in texts])
    codes, at = np.unique(coded.units, return_inverse=True)
    plain = [code if _is_letter(chr(code)) else GAP for code in codes.tolist()]
    return np.array(plain, dtype=np.int32)[at.reshape(-1)], coded.offsets


def _alike(units: npt.NDArray[np.int32], offsets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """A number for each text, the same where words are; -1 at the end, for a text that is none."""
    from hyperbaton.metrics.kernels.texts import Sequences, decode

    numbers: dict[tuple[str, ...], int] = {}
    found = [
        numbers.setdefault(tuple(text.split()), len(numbers))
        for text in decode(Sequences(units, offsets))
    ]
    return np.array([*found, -1], dtype=np.int64)


def _is_letter(character: str) -> bool:
    return unicodedata.category(character)[0] in "LMN"
