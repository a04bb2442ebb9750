"""Errors of learners as a perturbation: so many of a hundred words are wrong, each in its way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.base.randomness import Rng
from hyperbaton.language.languages import writes_spaces
from hyperbaton.language.sentence import Need, Sentence
from hyperbaton.perturb.errors.slips import KINDS, Slip, slips
from hyperbaton.perturb.perturbation import Rewriting, Variant

SHARES = {
    "punctuation": 20,
    "article": 18,
    "verbForm": 13,
    "preposition": 11,
    "keyboard": 11,
    "sound": 10,
    "number": 8,
    "agreement": 6,
    "wordOrder": 2,
}
"""How often each kind is drawn. Every word can be misspelt and few have a verb form to get wrong,
so these are not the shares that come out: with them, the errors made at rate 0.1 in the corrected
sentences of JFLEG (Napoles et al. 2017), development set, first correction, have the proportions
of the real ones there. Of 2,706 edits typed by ERRANT 3.0.2, 12.3 % are spelling, 11.9 %
punctuation, 9.5 % articles, 5.7 % prepositions, 5.2 % verb form and tense, 4.7 % noun number, 2.4 %
agreement, 1.4 % order; the rest are kinds that are not made."""

_ANYWHERE = frozenset({"keyboard", "sound", "wordOrder"})
"""The kinds that every word has room for, whatever it is."""


@dataclass(frozen=True)
class Errors(Rewriting):
    """Errors that learners make, each word with probability `rate`, one at least.

    >>> clean = Sentence.from_words("We waited for the bus in the rain .".split(), "en")
    >>> Errors(rate=0.2, kinds="article").rewrite(clean, Rng(0, "1", "errors"))
    'We waited for a bus in a rain .'
    """

    name = "errors"
    typed = True
    random = True
    rate: float = 0.1
    kinds: str = "all"
    """Kinds with semicolons between them: article; preposition; keyboard …"""

    def __post_init__(self) -> None:
        if not 0 < self.rate <= 1:
            raise HyperbatonError(f"errors: rate lies above 0 and is at most 1, not {self.rate}")
        _ = self.chosen

    @cached_property
    def chosen(self) -> tuple[str, ...]:
        """The kinds that are drawn from."""
        if self.kinds == "all":
            return tuple(SHARES)
        kinds = tuple(part.strip() for part in self.kinds.split(";") if part.strip())
        for kind in kinds:
            if kind not in KINDS:
                known = ", ".join(KINDS)
                raise HyperbatonError(
                    f"errors: no kind '{kind}' (there are: {known}).{did_you_mean(kind, KINDS)}"
                )
        if not kinds:
            raise HyperbatonError("errors: name at least one kind, or all")
        return kinds

    @property
    def needs(self) -> Need:
        """Parts of speech and a tree, but for slips that any word may have."""
        return "words" if _ANYWHERE.issuperset(self.chosen) else "parse"

    def rewrite(self, sentence: Sentence, rng: Rng) -> str | None:
        noisy = self.noisy(sentence, rng)
        return None if noisy is None else noisy.sentence.text

    def vary(self, sentence: Sentence, rng: Rng) -> Variant | None:
        """The sentence with errors, and the types of their corrections."""
        noisy = self.noisy(sentence, rng)
        if noisy is None:
            return None
        text, types = noisy.sentence.text, tuple(c.type for c in noisy.corrections)
        return Variant(text, None, None, text != sentence.text, types)

    def noisy(self, sentence: Sentence, rng: Rng) -> Noisy | None:
        """The sentence with errors and their corrections; None where no error fits."""
        wanted = max(1, sum(rng.coins(self.rate, len(sentence.words))))
        room = {kind: found for kind in self.chosen if (found := slips(sentence, kind))}
        made: list[Slip] = []
        while room and len(made) < wanted:
            kind = _drawn(list(room), rng)
            slip = room[kind].pop(rng.below(len(room[kind])))
            if all(_apart(slip, other) for other in made):
                made.append(slip)
            if not room[kind]:
                del room[kind]
        return write(sentence, made) if made else None


def _drawn(kinds: list[str], rng: Rng) -> str:
    """A kind, by the shares of all that have room."""
    at = rng.below(sum(SHARES[kind] for kind in kinds))
    for kind in kinds:
        at -= SHARES[kind]
        if at < 0:
            return kind
    return kinds[-1]


def _apart(one: Slip, other: Slip) -> bool:
    """Whether a word stands between two slips, so that each can be corrected by itself."""
    return one.end < other.start or other.end < one.start


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
    places: list[int | None] = []
    clean = 0
    for correction in noisy.corrections:
        size = correction.start - len(places)
        places += range(clean, clean + size)
        places += [None] * (correction.end - correction.start)
        clean += size + len(correction.words)
    left = len(noisy.sentence.words) - len(places) + 1
    return [*places, *range(clean, clean + left)]


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
