"""A clean sentence with slips in it: the noisy words, their text, and the corrections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from hyperbaton.language.languages import writes_spaces
from hyperbaton.language.sentence import Sentence

__all__ = ["Correction", "Noisy", "Slip", "with_gaps", "write"]


class Slip(NamedTuple):
    """What a learner writes in place of the words [start, end) of a sentence."""

    start: int
    end: int
    words: tuple[str, ...]
    type: str
    """The ERRANT type of its correction: `M:DET` where the learner left an article out."""


class Correction(NamedTuple):
    """The words [start, end) of the noisy sentence should be `words`, as an edit of M2."""

    start: int
    end: int
    words: tuple[str, ...]
    type: str


class Noisy(NamedTuple):
    """A sentence with errors."""

    sentence: Sentence
    corrections: tuple[Correction, ...]


def write(sentence: Sentence, slips: Iterable[Slip]) -> Noisy:
    """Put slips that do not overlap into a sentence.

    >>> clean = Sentence.from_words("She bought a car .".split(), "en")
    >>> noisy = write(clean, [Slip(2, 3, (), "M:DET"), Slip(1, 2, ("buyed",), "R:VERB:INFL")])
    >>> noisy.sentence.text
    'She buyed car .'
    >>> noisy.corrections[1]
    Correction(start=2, end=2, words=('a',), type='M:DET')
    """
    words: list[str] = []
    spaces: list[bool] = []
    corrections = []
    at = 0
    for slip in sorted(slips):
        words += sentence.words[at : slip.start]
        spaces += sentence.spaces[at : slip.start]
        corrections.append(
            Correction(
                len(words),
                len(words) + len(slip.words),
                sentence.words[slip.start : slip.end],
                slip.type,
            )
        )
        _insert(sentence, slip, words, spaces)
        at = slip.end
    words += sentence.words[at:]
    spaces += sentence.spaces[at:]
    noisy = Sentence(tuple(words), tuple(spaces), sentence.language, id=sentence.id)
    return Noisy(noisy, tuple(corrections))


def with_gaps(noisy: Noisy, clean: Sentence, written: str) -> str:
    """The noisy text with the white space of the text that the clean sentence was parsed from.

    >>> clean = Sentence.from_words("She bought a  car .".split(), "en")
    >>> noisy = write(clean, [Slip(2, 3, (), "M:DET")])
    >>> with_gaps(noisy, clean, "She  bought a car .")
    'She  bought car .'
    """
    if written == clean.text:
        return noisy.sentence.text
    gaps, at = [], 0
    for word in clean.words:
        place = written.find(word, at)
        gaps.append(written[at:place])
        at = place + len(word)
    parts = [gaps[0] if gaps else ""]
    old = _places(noisy)
    words = zip(noisy.sentence.words, noisy.sentence.spaces, strict=True)
    for i, (word, space) in enumerate(words):
        here, after = old[i], old[i + 1]
        kept = here is not None and after == here + 1 and after < len(gaps)
        parts.append(word + (gaps[after] if kept and after is not None else " " * space))
    return "".join(parts) + written[at:]


def _places(noisy: Noisy) -> list[int | None]:
    """The clean place of each noisy word that was left alone, and that of the end."""
    found: list[int | None] = []
    clean = 0
    for correction in noisy.corrections:
        size = correction.start - len(found)
        found += range(clean, clean + size)
        found += [None] * (correction.end - correction.start)
        clean += size + len(correction.words)
    left = len(noisy.sentence.words) - len(found) + 1
    return [*found, *range(clean, clean + left)]


def _insert(sentence: Sentence, slip: Slip, words: list[str], spaces: list[bool]) -> None:
    """The words of a slip, spaced so that its neighbours stand as they stood."""
    gap = writes_spaces(sentence.language)
    last = slip.end < len(sentence.words) and gap
    if slip.end > slip.start:
        last = sentence.spaces[slip.end - 1]
    if slip.words:
        words += slip.words
        spaces += [gap] * (len(slip.words) - 1) + [last]
        if slip.end == slip.start and spaces[: -len(slip.words)]:
            # An inserted mark clings to the word before it, another word keeps its distance.
            before = len(spaces) - len(slip.words) - 1
            mark = not any(c.isalnum() for c in slip.words[0])
            spaces[before], spaces[-1] = (gap and not mark), spaces[before]
    elif spaces:
        # What was left out takes the space after it along: "car ." becomes "car.", not "car .".
        spaces[-1] = last
