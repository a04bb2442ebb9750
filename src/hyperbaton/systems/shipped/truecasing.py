"""Truecasing: shouted texts and headlines are translated in ordinary case.

A dictionary says how a word is written: small, with a capital, or in capitals (`go`, `Tom`, `TV`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from hyperbaton.language.dictionary import capitalised

RULES = 1
"""Raised when other text is made of the same one."""

_STRETCH = re.compile(r"(?<=[.!?…:;])[\"'”’“»)\]]*\s+")
"""Between two sentences, or what stands on both sides of a colon."""
_WORD = re.compile(r"(?<![\w])[^\W\d_]+(?:['’\-][^\W\d_]+)*(?![\w])")
_PART = re.compile(r"[^\W\d_]+|['’\-]")
_NUMERAL = re.compile(r"[IVXLCDM]{2,}")
_ACRONYMS = frozenset({"WHO", "NATO", "AIDS", "LAN", "USA", "OTAN", "ONU", "OMS"})
"""Capitals that look like a word of one of the languages: *who*, Italian *nato* (born)."""
_FREQUENT = 200
"""Rank up to which a short word alone in capitals is an emphasis rather than an acronym."""
_LONG = 5
"""Letters from which a word alone in capitals is one, whatever its rank."""
_MANY = 4
"""Words in capitals that are shouting even where none of them is known."""
_TITLED = 2
"""Words after the first with a capital of no need that make a headline; one more where some are
small."""
_SHORT = 3
"""Letters up to which a word of a headline may be small."""
_FAR_MORE = 10


@dataclass(frozen=True)
class Calmed:
    """A text in ordinary case, and which of its stretches were shouted."""

    text: str
    loud: tuple[bool, ...] = ()

    def shout(self, translation: str) -> str:
        """The translation in capitals where the text was: stretch by stretch, if they match.

        >>> Calmed("He said: stop it!", (False, True)).shout("Er sagte: Hör auf!")
        'Er sagte: HÖR AUF!'
        """
        if not any(self.loud):
            return translation
        if all(self.loud):
            return translation.upper()
        stretches = list(_stretches(translation))
        if len(stretches) != len(self.loud):
            return translation
        pairs = zip(stretches, self.loud, strict=True)
        return "".join(text.upper() if loud else text for text, loud in pairs)


@dataclass(frozen=True)
class Truecaser:
    """Recognises capitals that are only a way of writing, and takes them back."""

    words: Mapping[str, str]
    """A dictionary in ordinary case, the most frequent word first."""
    capital_nouns: bool = False
    """Whether a word that is not in it most likely has a capital, as in German."""

    @cached_property
    def _ranks(self) -> Mapping[str, int]:
        return {word: rank for rank, word in enumerate(self.words, 1)}

    def calm(self, text: str) -> Calmed:
        """The text in ordinary case; one that is in it already comes back as it is.

        >>> case = Truecaser(dict.fromkeys(["I", "the", "in", "am", "Tom", "new", "house", "help"]))
        >>> case.calm("TOM, HELP! I AM IN THE NEW HOUSE.")
        Calmed(text='Tom, help! I am in the new house.', loud=(True, True))
        >>> case.calm("I Am In the New House").text, case.calm("I am in NATO").text
        ('I am in the new house', 'I am in NATO')
        """
        # A quick look: two capitals in one word, or many words with one.
        words: list[str] = _WORD.findall(text)
        if sum(word[0].isupper() for word in words) <= _TITLED and not any(
            len(word) > 1 and word.isupper() for word in words
        ):
            return Calmed(text)
        stretches = list(_stretches(text))
        loud = tuple(map(self._is_loud, stretches))
        if any(loud) and not any(map(str.islower, text)):
            loud = (True,) * len(loud)  # what tells nothing by itself goes with the rest
        # A shouted stretch in ordinary case has a capital where it starts.
        calm = "".join(
            _begun(_WORD.sub(lambda word: self._small(word[0]), stretch))
            if is_loud
            else self._softened(stretch)
            for stretch, is_loud in zip(stretches, loud, strict=True)
        )
        return Calmed(calm, loud if any(loud) else ())

    def _is_loud(self, stretch: str) -> bool:
        if any(map(str.islower, stretch)):
            return False
        words = [word for word in _WORD.findall(stretch) if len(word) > 1]
        if len(words) == 1:
            return len(words[0]) > 2 and self._is_ordinary(words[0])
        return len(words) >= _MANY or any(map(self._is_ordinary, words))

    def _softened(self, stretch: str) -> str:
        """A stretch that is not shouted as a whole: a headline, or words with emphasis."""
        if self._is_headline(stretch):
            return _begun(_WORD.sub(lambda word: self._untitled(word[0]), stretch))
        emphatic = set(self._emphatic(stretch))
        if not emphatic:
            return stretch
        first = min(word.start() for word in _WORD.finditer(stretch))

        def calmed(word: re.Match[str]) -> str:
            if word.start() not in emphatic:
                return word[0]
            small = self._small(word[0])
            return capitalised(small) if word.start() == first else small

        return _WORD.sub(calmed, stretch)

    def _emphatic(self, stretch: str) -> Iterator[int]:
        """Where the words stand that are in capitals for emphasis."""
        run: list[tuple[int, str]] = []
        for match in [*_WORD.finditer(stretch), None]:
            if match is not None and match[0].isupper():
                run.append((match.start(), match[0]))
                continue
            if run and self._is_emphasis([word for _, word in run if len(word) > 1]):
                yield from (start for start, _ in run)
            run = []

    def _is_emphasis(self, run: Sequence[str]) -> bool:
        ordinary = [word for word in run if self._is_ordinary(word)]
        if len(run) > 1:
            return len(ordinary) > 1
        return any(
            len(word) >= _LONG or (len(word) > 2 and self._ranks[self._small(word)] <= _FREQUENT)
            for word in ordinary
            if self._small(word) in self._ranks
        )

    def _is_headline(self, stretch: str) -> bool:
        words: list[str] = _WORD.findall(stretch)
        long = [word for word in words if len(word) > _SHORT]
        if not all(word[0].isupper() and word[1:].islower() for word in long):
            return False
        needless = sum(self._untitled(word) != word for word in words[1:])
        return needless >= (_TITLED if all(word[0].isupper() for word in words) else _TITLED + 1)

    def _untitled(self, word: str) -> str:
        """A word with a capital that it does not need, small; any other one as it is."""
        small = word.lower()
        rank, own = self._ranks.get(small), self._ranks.get(word)
        needless = rank is not None and (own is None or own > _FAR_MORE * rank)
        return small if needless and len(word) > 1 else word

    def _is_ordinary(self, word: str) -> bool:
        """Whether a word in capitals is known, and not as one that is written in capitals."""
        return word not in _ACRONYMS and word not in self.words and self._found(word) is not None

    def _small(self, word: str) -> str:
        """A word in capitals as it is written otherwise; each part of it where it is not known."""
        known = self._found(word)
        if known is not None:
            return known
        if _NUMERAL.fullmatch(word):
            return word
        parts = _PART.findall(word)
        if parts[-1] == "T":  # DON'T has nothing to do with Don
            return word.lower()
        new = capitalised if self.capital_nouns else str
        return "".join(self._found(part) or new(part.lower()) for part in parts)

    def _found(self, word: str) -> str | None:
        """The most frequent way to write a word, if it is known: `SS` may stand for `ß`."""
        low = word.lower().replace("’", "'")
        forms = {low, low.replace("ss", "ß"), word}
        known = {form for one in forms for form in (one, capitalised(one)) if form in self._ranks}
        return min(known, key=self._ranks.__getitem__, default=None)


def _stretches(text: str) -> Iterator[str]:
    """The sentences of a text with the spaces behind them."""
    start = 0
    for gap in _STRETCH.finditer(text):
        yield text[start : gap.end()]
        start = gap.end()
    if start < len(text):
        yield text[start:]


def _begun(stretch: str) -> str:
    """The stretch with a capital at its first word."""
    word = _WORD.search(stretch)
    at = word.start() if word else 0
    return stretch[:at] + capitalised(stretch[at:])
