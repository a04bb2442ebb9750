"""A sentence with what a parser knows of it, and the text it makes in any order of its words."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Literal, NamedTuple

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.language.languages import writes_spaces

_LONG = 64

Order = tuple[int, ...]
"""Which unit stands where: `order[position]` is the old index of the unit now at `position`."""
Need = Literal["text", "words", "parse"]
"""What of a sentence must be known: its text alone, its words, or parts of speech and tree."""


def is_permutation(order: Sequence[int], length: int) -> bool:
    """Whether every unit of `length` units occurs exactly once.

    >>> is_permutation((2, 0, 1), 3), is_permutation((0, 0, 1), 3)
    (True, False)
    """
    return len(order) == length and sorted(order) == list(range(length))


def inverse(order: Sequence[int]) -> Order:
    """Where each unit went: `inverse(order)[old]` is its new position.

    >>> inverse((2, 0, 1))
    (1, 2, 0)
    """
    places = [0] * len(order)
    for position, old in enumerate(order):
        places[old] = position
    return tuple(places)


def expand(order: Sequence[int], lengths: Sequence[int]) -> Order:
    """The order of the characters when units of these lengths are reordered.

    >>> expand((1, 0), (2, 3))
    (2, 3, 4, 0, 1)
    """
    starts = [0, *accumulate(lengths)]
    characters: list[int] = []
    for unit in order:
        characters += range(starts[unit], starts[unit + 1])
    return tuple(characters)


class _Layout(NamedTuple):
    """How the words of a sentence are spaced wherever they stand."""

    pieces: Sequence[str]
    """Each word with what mostly follows it."""
    before: Set[int]
    """Marks and clitics that are written onto whatever stands before them."""
    after: Set[int]
    """Marks and elided words that whatever follows is written onto."""
    exacting: Set[int]
    """The other words before which it depends on the neighbour what is written."""


@dataclass(frozen=True)
class Sentence:
    """An item of a corpus: one text, of one sentence or several, cut into words.

    `heads` are 0-based and a root points to itself; `noun_chunks` are half-open spans; `starts` are
    the first words of the sentences. What a parser did not give is None.

    >>> s = Sentence(("I", "could", "n't", "go", "."), (True, False, True, False, False), "en")
    >>> s.text
    "I couldn't go."
    >>> s.arrange((3, 1, 2, 0, 4))
    "go couldn't I."
    >>> s.arrange((2, 1, 0, 3, 4))
    "n't could I go."
    """

    words: tuple[str, ...]
    spaces: tuple[bool, ...]
    language: str = "und"
    upos: tuple[str, ...] | None = None
    heads: tuple[int, ...] | None = None
    deps: tuple[str, ...] | None = None
    noun_chunks: tuple[tuple[int, int], ...] | None = None
    starts: tuple[int, ...] = (0,)
    scheme: str = ""
    """The label scheme of the tree: `ud`, `clear` (as English spaCy), another name, or none."""
    id: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        size = len(self.words)
        for name in ("spaces", "upos", "heads", "deps"):
            column = getattr(self, name)
            if column is not None and len(column) != size:
                raise HyperbatonError(
                    f"sentence '{self.id}': {counted(size, 'word')} but {len(column)} in {name}"
                )
        if self.heads and not 0 <= min(self.heads) <= max(self.heads) < size:
            raise HyperbatonError(f"sentence '{self.id}': a head points outside the sentence")
        ends = (*self.starts[1:], max(size, 1))
        if self.starts[:1] != (0,) or any(a >= b for a, b in zip(self.starts, ends, strict=True)):
            raise HyperbatonError(f"sentence '{self.id}': its sentence starts are out of order")

    @classmethod
    def from_words(
        cls,
        words: Sequence[str],
        language: str = "und",
        upos: Sequence[str] | None = None,
        heads: Sequence[int] | None = None,
        noun_chunks: tuple[tuple[int, int], ...] | None = None,
    ) -> Sentence:
        """Words with a space between all of them (none in languages that write none).

        >>> Sentence.from_words(["我", "爱", "你", "。"], "zh").text
        '我爱你。'
        """
        gap = writes_spaces(language)
        spaces = (gap,) * max(len(words) - 1, 0) + (False,) * bool(words)
        return cls(
            tuple(words),
            spaces,
            language,
            None if upos is None else tuple(upos),
            None if heads is None else tuple(heads),
            noun_chunks=noun_chunks,
        )

    @classmethod
    def unparsed(cls, text: str, language: str = "und", name: str = "") -> Sentence:
        """A text as it is, in one piece, which is all that characters and marks need.

        >>> Sentence.unparsed("Two  spaces .").text
        'Two  spaces .'
        """
        words = (text,) if text.strip() else ()
        return cls(words, (False,) * len(words), language, id=name)

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def text(self) -> str:
        """The text as it was written."""
        pairs = zip(self.words, self.spaces, strict=True)
        text = "".join([word + " " if space else word for word, space in pairs])
        return text[:-1] if self.spaces and self.spaces[-1] else text

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The half-open word spans of the sentences of this item."""
        if len(self.starts) == 1:
            return ((0, len(self.words)),)
        ends = (*self.starts[1:], len(self.words))
        return tuple(zip(self.starts, ends, strict=True))

    @cached_property
    def movable(self) -> dict[str, list[int]]:
        """The words of each part of speech, from left to right, without the last token."""
        places: dict[str, list[int]] = {}
        for i, tag in enumerate(self.upos[:-1] if self.upos else ()):
            places.setdefault(tag, []).append(i)
        return places

    @cached_property
    def noun_units(self) -> tuple[tuple[int, int], ...]:
        """The spans that move as one when nouns move; the rule: `language.dependency_trees`."""
        from hyperbaton.language.noun_units import noun_units

        return noun_units(self)

    @cached_property
    def noun_words(self) -> frozenset[int]:
        """The words that lie in noun units."""
        return frozenset([i for unit in self.noun_units for i in range(*unit)])

    @cached_property
    def _layout(self) -> _Layout:
        words = self.words
        tight = {i for i, space in enumerate(self.spaces[:-1]) if not space}
        before: set[int] = set()
        after: set[int] = set()
        for i in tight | {i + 1 for i in tight}:
            if _habit(words[i]):
                left, right = self._clings(i, i - 1 in tight, i in tight)
                if left:
                    before.add(i)
                if right:
                    after.add(i)
        if not writes_spaces(self.language):
            wide = {i for i, space in enumerate(self.spaces[:-1], 1) if space}
            foreign = {i for i, word in enumerate(words) if is_spaced_script(word[:1])}
            return _Layout(words, before, after, wide | foreign)
        pieces = [word + " " for word in words]
        for i in after:
            pieces[i] = words[i]
        joints = {i + 1 for i in tight if i not in after and i + 1 not in before}
        if any(_habit(words[i]) == "elided" for i in after):
            spaced = (i for i, space in enumerate(self.spaces[:-1], 1) if space)
            joints.update(i for i in spaced if _habit(words[i]) in _MARKS)
        return _Layout(pieces, before, after, joints)

    def _clings(self, word: int, left: bool, right: bool) -> tuple[bool, bool]:
        """On which of the sides where a word is written onto its neighbour it always is."""
        habit = _habit(self.words[word])
        onto = left and _is_wordlike(self.words[word - 1][-1:])
        under = right and _begins(self.words[word + 1])
        match habit:
            case "opening" if left and not under:  # “ closes in German
                return True, False
            case "opening":
                return False, right
            case "joining" if onto and under:
                return True, True
            case "closing" | "joining":
                return left, right and not left
        return onto and habit != "elided", under and habit != "enclitic"

    def _before(self, left: int, right: int) -> str:
        """The word `left` with what follows it when the word `right` comes next."""
        layout = self._layout
        if right == left + 1:
            space = self.spaces[left]
        elif right in layout.before:
            space = False
        elif left in layout.after:  # "l'un", but "l' ?" where French has a space before the mark
            space = _habit(self.words[left]) == "elided" and _habit(self.words[right]) in _MARKS
        elif writes_spaces(self.language):
            space = True
        else:
            space = _runs_together(self.words[left], self.words[right])
        return self.words[left] + " " if space else self.words[left]

    def arrange(self, order: Sequence[int]) -> str:
        """The text with its words in another order, spaced as this language is written.

        Neighbours that still stand together keep what stood between them; punctuation clings to
        the side it clung to.
        """
        if not order:
            return ""
        words = self.words
        pieces, before, _, exacting = self._layout
        parts = [pieces[i] for i in order]
        # A search is faster than an inverse while the sentence is short.
        place = order.index if len(order) < _LONG else inverse(order).__getitem__
        for word in before:
            at = place(word)
            if at:
                parts[at - 1] = words[order[at - 1]]
        for word in exacting:
            at = place(word)
            if at:
                parts[at - 1] = self._before(order[at - 1], word)
        parts[-1] = words[order[-1]]
        return "".join(parts)


_APOSTROPHES = "'’ʼ`´＇"
_HYPHENS = "-‐‑"
_ATTACHED = frozenset(_APOSTROPHES + _HYPHENS)
_JOINING = frozenset("'’ʼ＇-‐‑–—/&")

_MARKS = ("closing", "joining")

Habit = Literal["", "closing", "opening", "joining", "enclitic", "elided", "linking"]


@lru_cache(maxsize=65536)
def _habit(word: str) -> Habit:
    """How a word is written beside others; nothing for most, which have spaces on both sides.

    Marks close, open ("«") or join ("-" in "E-Mail"). A word that begins with an apostrophe or a
    hyphen is an enclitic ("'s", "-vous"), one that ends so is elided ("l'", "dell'"), and one that
    does both links ("-t-"). Not so "n't": "see" and "n't" would make "seen't", another word.

    >>> [_habit(word) for word in ("dog", ",", "(", "-", "'s", "l'", "-t-", "n't")]
    ['', 'closing', 'opening', 'joining', 'enclitic', 'elided', 'linking', '']
    """
    if not word or word.isalnum():
        return ""
    if is_punctuation(word):
        if unicodedata.category(word[-1]) in ("Ps", "Pi"):
            return "opening"
        return "joining" if _JOINING.issuperset(word) else "closing"
    begins = word[0] in _ATTACHED
    if word[-1] in _ATTACHED:
        return "linking" if begins else "elided"
    return "enclitic" if begins else ""


def is_punctuation(word: str) -> bool:
    """Whether a word is made of punctuation alone.

    >>> is_punctuation("?!"), is_punctuation("it's"), is_punctuation("")
    (True, False, False)
    """
    return bool(word) and all(unicodedata.category(character)[0] == "P" for character in word)


def _begins(word: str) -> bool:
    """Whether a word, or a bracket or quotation mark that opens one, begins here."""
    return _is_wordlike(word[:1]) or _habit(word) == "opening" or word == '"'


def _is_wordlike(character: str) -> bool:
    """Whether it is a letter, a number or a sign such as £: no punctuation and no space."""
    return character.isalnum() or unicodedata.category(character or " ")[0] in "MS"


def _runs_together(left: str, right: str) -> bool:
    """Whether two words of a script with spaces meet in a language that writes none."""
    return is_spaced_script(left[-1:]) and is_spaced_script(right[:1])


def is_spaced_script(character: str) -> bool:
    """Whether it is a letter or digit of a script that parts words by spaces."""
    return character.isalnum() and character < "\u2e80"
