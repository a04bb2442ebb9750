"""The outcome of a sample: repaired, carried over, lost or mixed (docs/outcomes.md).

Content and order are judged apart. Content: what is there of the clean translations, in whatever
order. Order: of the pairs of words that the variation turned round, how many stand turned round.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.languages import writes_spaces
from hyperbaton.metrics.metric import Scores
from hyperbaton.metrics.outcome_rules import (
    FIRST,
    SECOND,
    SURE,
    THIRD,
    by_limits,
    by_reading,
    weigh,
)

Outcome = Literal["repaired", "carried", "lost", "mixed", "untranslated", "unchanged"]
"""Clean order; varied order; content gone; between these; no translation at all, which is told
before this rule (`hyperbaton.systems.untranslated`); or the draw changed nothing."""
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

ERRORS = {"repaired": 0.066, "carried": 0.084, "mixed": 0.088, "lost": 0.066}
"""How far a share p by the rule is from the readers' for one translator, in units of √(p(1 − p)):
the root mean square over four translators and three sets of labels (docs/outcomes.md)."""
RULE = 9
"""Raised when the same texts would be judged otherwise."""

_WHOLE, _CLEAR = 0.8, 0.6
"""Content, and the share of turned pairs, from which a sample is carried over beyond doubt."""
_COPIED = 0.7
"""Overlap with the varied source from which a text is its copy: names and cognates have less."""
_LONG = 3.0
"""Longer than so many times the clean output is all the same."""
_TRANSLATED = 1.2
"""Where no dictionary was asked how much of the source is translated, so many times the overlap
with the reference stands for it (r = .57 in sets 16, 18 and 19)."""

Look = Callable[[Sequence[int]], Sequence[Sequence[float]]]


class Looks(NamedTuple):
    """What translators find likely of the samples at some places (`hyperbaton.alignment.reading`),
    a row for each."""

    there: Look
    """The translation, given the source and given the varied source."""
    back: Look
    """Source and varied source, given the translation."""


@dataclass(frozen=True)
class SampleTexts:
    """The texts of a batch of samples, column by column, all in the target language.

    A projected text is one whose words moved as the words of the source did; None where there is
    no alignment. `varied` are the varied sources, by which an untranslated text is known. `turning`
    says what became of the source's words, by alignment too: of pairs that were turned round, how
    many stand turned round in the varied output, how many it has; then the share of the source that
    is translated. `changed` says which draws changed anything.
    """

    references: Sequence[str]
    outputs: Sequence[str]
    varied_references: Sequence[str | None]
    varied_outputs: Sequence[str]
    projected_references: Sequence[str | None] | None = None
    projected_outputs: Sequence[str | None] | None = None
    varied: Sequence[str | None] | None = None
    turning: npt.NDArray[np.float64] | Sequence[tuple[float, float, float]] | None = None
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
    words: npt.NDArray[np.float64]
    """What the first look weighs: a row for each sample, a column for each of `WORDS`."""
    clear: npt.NDArray[np.bool_]
    """Where nothing needs to be weighed: the very words of a clean text, say."""
    outcomes: npt.NDArray[np.str_]
    """One of `OUTCOMES` for each sample."""


def judge(samples: SampleTexts, language: str = "", read: Looks | None = None) -> Judgement:
    """The outcome of each sample; with `read`, what is not clear gets a second look, and a third.

    >>> texts = SampleTexts(
    ...     references=["Der Hund mag die Katze."] * 4,
    ...     outputs=["Der Hund mag die Katze."] * 4,
    ...     varied_references=["Katze die mag Hund Der."] * 4,
    ...     varied_outputs=[
    ...         "Der Hund mag die Katze.", "Die Katze mag der Hund.", "Ein Zug.", "Der Hund."
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
    translated = np.minimum(_TRANSLATED * shown.reference, 1.0)
    if samples.turning is not None:
        turning[:] = samples.turning
        translated = turning[:, 2]
    copied = (shown.reference < shown.source) & (shown.source >= _COPIED)
    content = np.where(copied, 0.0, shown.content)
    alike = _alike(units, offsets)[indices]
    clean = (alike[1:3] == alike[0]).any(axis=0)  # the very words of reference or clean output
    turned = _turned(shown.votes, turning, alike, clean)
    moved = shown.as_twin >= 0
    words = np.column_stack(
        [
            content,
            shown.in_order,
            turned,
            shown.as_output,
            shown.as_twin,
            shown.lacking,
            shown.added,
            np.minimum(shown.length, _LONG),
            shown.reference,
            translated,
        ]
    )
    weighed, sure = weigh(words, FIRST)
    told = np.where(moved, weighed, by_limits(shown, turned, turning))
    beyond = [
        copied | (shown.content == 0),
        clean,
        moved & (content >= _WHOLE) & (turned >= _CLEAR),
    ]
    labels = np.select(beyond, ["lost", "repaired", "carried"], told)
    changed = np.ones(len(labels), dtype=bool)
    if samples.changed is not None:
        changed[:] = samples.changed
    clear = np.logical_or.reduce(beyond) | ~changed
    found = Judgement(
        content,
        turned,
        shown.in_order,
        words,
        clear,
        np.where(changed, labels, "unchanged"),
    )
    if read is None:
        return found
    settled = np.where(moved, sure >= SURE[0], (told == "lost") | (turned >= _CLEAR))
    doubtful = ~clear & ~settled
    return _looked_at_again(
        found, np.flatnonzero(doubtful & moved), np.flatnonzero(doubtful & ~moved), read
    )


def _looked_at_again(
    first: Judgement, moved: npt.NDArray[np.intp], others: npt.NDArray[np.intp], read: Looks
) -> Judgement:
    """The judgement after further looks at samples in doubt: where words moved, and at others."""
    labels = first.outcomes.copy()
    if len(moved):
        there = np.asarray(read.there(moved.tolist()), dtype=float)
        numbers = np.column_stack([first.words[moved], there])
        labels[moved], sure = weigh(numbers, SECOND)
        moved, numbers = moved[sure < SURE[1]], numbers[sure < SURE[1]]
    if len(moved) + len(others):
        back = np.asarray(read.back([*moved.tolist(), *others.tolist()]), dtype=float)
        if len(moved):
            labels[moved], _ = weigh(np.column_stack([numbers, back[: len(moved)]]), THIRD)
        known = (first.content[others], first.in_order[others], first.turned[others])
        labels[others] = by_reading(*known, back[len(moved) :])
    return replace(first, outcomes=labels)


def _turned(
    votes: npt.NDArray[np.int64],
    turning: npt.NDArray[np.float64],
    texts: npt.NDArray[np.int64],
    clean: npt.NDArray[np.bool_],
) -> Scores:
    """The share of turned pairs, of target words and of source words, one counting as much as the
    other; a text with the very words of a clean or varied one needs no vote."""
    words = _share(votes[:, 1].astype(float), votes.sum(axis=1).astype(float))
    sources = _share(turning[:, 0], turning[:, 1])
    varied = ((texts[3:6] == texts[0]) & (texts[3:6] >= 0)).any(axis=0)
    share = np.where(turning[:, 1] > 0, (words + sources) / 2, words)
    return np.asarray(np.where(clean, 0.0, np.where(varied, 1.0, share)))


def _share(turned: Scores, pairs: Scores) -> Scores:
    """Drawn to one half where there are few."""
    return np.asarray((turned + 0.5) / (pairs + 1))


def _letters(texts: Sequence[str]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Small letters and digits of texts as code points; all else is a gap."""
    from hyperbaton.metrics.kernels.outcome_texts import GAP
    from hyperbaton.metrics.kernels.texts import encode

    coded = encode([unicodedata.normalize("NFKC", text).lower() for text in texts])
    codes = np.flatnonzero(np.bincount(coded.units, minlength=1))
    plain = np.full(int(codes[-1:].sum()) + 1, GAP, dtype=np.int32)
    known = [code for code in codes.tolist() if unicodedata.category(chr(code))[0] in "LMN"]
    plain[known] = known
    return plain[coded.units], coded.offsets


def _alike(units: npt.NDArray[np.int32], offsets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """A number for each text, the same where words are; -1 at the end, for a text that is none."""
    from hyperbaton.metrics.kernels.texts import Sequences, decode

    numbers: dict[str, int] = {}
    found = [
        numbers.setdefault(" ".join(text.split()), len(numbers))
        for text in decode(Sequences(units, offsets))
    ]
    return np.array([*found, -1], dtype=np.int64)
