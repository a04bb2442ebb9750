"""`gloss`: links by dictionary, for texts too few to learn from, or where nothing is installed.

Which words stand for each other is known from four sources: the dictionaries that the translator
`gloss` has (English with de fr es it ru ja zh), forms of a dictionary's word, tables of what else
may stand for a word, and words that are spelt alike (names, numbers, marks).
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from hyperbaton.alignment.aligner import Aligner, Links, Pair, Words
from hyperbaton.base.content import fingerprint
from hyperbaton.language.dictionary import FOLDER, read_lexicon, read_rows
from hyperbaton.language.languages import base

_FAR = 1.0
"""What a link costs when its words stand at opposite ends of their texts."""
_RULES = 3
"""Raised when the code makes other links of the same pairs."""
Ints = npt.NDArray[np.int64]
Strengths = Mapping[tuple[str, str], float]
"""How sure it is that two words stand for each other."""

_Entries = list[tuple[tuple[str, str], float]]
_FOUND, _FORM, _SAME = 1.0, 0.5, 1.0
_LINKED = 2.0
"""What a table adds for words that are always linked; by the root of the share for others."""
_STEM = 4
_SHARE = 0.6
"""Forms of one word share their first letters: so many, and this share of the longer form."""
_INFLECTED = re.compile(r"([\u3400-\u9fff々]+)[\u3041-\u3096]*")
"""A Japanese word: what is in kanji stays, the ending in hiragana changes."""
_MARKS = str.maketrans(
    {"。": ".", "．": ".", "，": ",", "、": ",", "？": "?", "！": "!", "；": ";", "：": ":"}
    | dict.fromkeys("“”„«»‹›「」『』《》＂", '"')
    | dict.fromkeys("’ʼ‘`´", "'")
)


_read_rows = lru_cache(maxsize=4)(read_rows)


@dataclass(frozen=True)
class Gloss(Aligner):
    """Links words by dictionary and spelling, each word once, the surest first; learns nothing.

    >>> Gloss().align([(["A", "house", "."], ["Ein", "Haus", "."])], "en", "de")
    [((0, 0), (1, 1), (2, 2))]
    """

    name: ClassVar[str] = "gloss"
    alone = True

    def align(self, pairs: Sequence[Pair], source: str = "", target: str = "") -> list[Links]:
        """The links of each pair, which do not depend on the other pairs."""
        found = linked(pairs, (source, target))
        places = found.places.tolist()
        return [
            tuple((i, j) for i, j in enumerate(places[start:stop]) if j >= 0)
            for start, stop in pairwise(found.starts.tolist())
        ]

    def signature(self, source: str = "", target: str = "") -> str:
        """The name and the hash of the dictionaries."""
        return f"{self}|dictionary:{fingerprint(dictionaries(source, target))}|rules:{_RULES}"


class Linked(NamedTuple):
    """The source words of many pairs, laid end to end, with what they are linked with."""

    places: Ints
    """The place of the target word, or -1."""
    same: npt.NDArray[np.bool_]
    """Whether the two words are the same, but for capitals and marks."""
    starts: Ints
    """Where the words of each pair begin, and where the last ones end."""


def linked(pairs: Sequence[Pair], languages: tuple[str, str]) -> Linked:
    """The links of each pair, each word once, the surest first."""
    from hyperbaton.alignment.kernels import link

    numbers = _Numbers()
    sources, starts = _flat([one for one, _ in pairs], numbers)
    targets, ends = _flat([two for _, two in pairs], numbers)
    keys = list(numbers.of_keys)
    strengths = lexical(
        {keys[number] for number in np.unique(sources).tolist()},
        {keys[number] for number in np.unique(targets).tolist()},
        languages,
    )
    entries = np.array([(numbers.of_keys[a], numbers.of_keys[b]) for a, b in strengths], np.int64)
    entries = entries.reshape(-1, 2)
    order = np.argsort(entries[:, 0], kind="stable")
    rows = np.searchsorted(entries[order, 0], np.arange(len(keys) + 1))
    worth = np.fromiter(strengths.values(), np.float64, len(strengths))[order]
    places = link(sources, starts, targets, ends, rows, entries[order, 1], worth, _FAR)
    others = (places + np.repeat(ends[:-1], np.diff(starts)))[places >= 0]
    same = np.zeros(len(places), np.bool_)
    same[places >= 0] = sources[places >= 0] == targets[others]
    return Linked(places, same, starts)


class _Numbers(dict[str, int]):
    """The number of each word; words with the same key have the same."""

    def __init__(self) -> None:
        self.of_keys: dict[str, int] = {}

    def __missing__(self, word: str) -> int:
        number = self[word] = self.of_keys.setdefault(key(word), len(self.of_keys))
        return number


def _flat(texts: Sequence[Words], numbers: _Numbers) -> tuple[Ints, Ints]:
    """The numbers of all words, and where those of each text begin."""
    starts = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(list(map(len, texts)), out=starts[1:])
    words = map(numbers.__getitem__, chain.from_iterable(texts))
    return np.fromiter(words, np.int64, int(starts[-1])), starts


@lru_cache(maxsize=1 << 16)
def key(word: str) -> str:
    """A word as aligners compare it: in small letters, plain marks, without odd spaces.

    >>> key("Haus"), key("。"), key("３"), key("1 000")
    ('haus', '.', '3', '1_000')
    """
    plain = unicodedata.normalize("NFKC", word).translate(_MARKS).lower()
    return "_".join(plain.split()) or "_"


def lexical(sources: Collection[str], targets: Collection[str], pair: tuple[str, str]) -> Strengths:
    """The strength of each two keys that stand for each other; pairs of languages may be unknown.

    A word that both dictionaries have counts twice, a form of it half; a table adds to either.

    >>> found = lexical(["terrible", "xyz"], ["schreckliche", "xyz", "hund"], ("en", "de"))
    >>> [(pair, round(strength)) for pair, strength in sorted(found.items())]
    [(('terrible', 'schreckliche'), 3), (('xyz', 'xyz'), 1)]
    """
    found: dict[tuple[str, str], float] = defaultdict(float)
    for word in sorted(set(sources) & set(targets)):
        found[word, word] += _SAME
    for entry, strength in _translations(sources, targets, pair):
        found[entry] += strength
    for (target, source), strength in _translations(targets, sources, pair[::-1]):
        found[source, target] += strength
    for entry, strength in _linked(sources, targets, pair):
        found[entry] += strength
    return dict(found)


def dictionaries(source: str, target: str) -> list[Path]:
    """The dictionaries and tables there are of a pair of languages, both directions."""
    codes = base(source), base(target)
    kinds = ("tsv.xz", "links.xz")
    names = [f"{a}-{b}.{kind}" for a, b in (codes, codes[::-1]) for kind in kinds]
    return [FOLDER / name for name in names if (FOLDER / name).is_file()]


def _linked(sources: Collection[str], targets: Collection[str], pair: tuple[str, str]) -> _Entries:
    """What the table of a pair of languages has, whichever of them is English."""
    codes = base(pair[0]), base(pair[1])
    turned = codes[1] == "en"
    path = FOLDER / f"{'-'.join(codes[::-1] if turned else codes)}.links.xz"
    if not path.is_file():
        return []
    english, others = (targets, set(sources)) if turned else (sources, set(targets))
    return [
        ((other, word) if turned else (word, other), strength)
        for word in sorted(set(english))
        for other, strength in _table_row(path.name, word)
        if other in others
    ]


@lru_cache(maxsize=1 << 16)
def _table_row(name: str, word: str) -> tuple[tuple[str, float], ...]:
    """What the words of another language are worth that a table has for an English one."""
    row = _read_rows(FOLDER / name).get(word, "").split("\t")
    pairs = zip(row[::2], row[1::2], strict=False)
    return tuple((other, _LINKED * math.sqrt(int(percent) / 100)) for other, percent in pairs)


def _translations(
    words: Collection[str], others: Collection[str], pair: tuple[str, str]
) -> _Entries:
    """What the dictionary of one direction has, and forms of that."""
    path = FOLDER / f"{base(pair[0])}-{base(pair[1])}.tsv.xz"
    if not path.is_file():
        return []
    forms: dict[str, list[str]] = defaultdict(list)
    for other in sorted(set(others)):
        forms[_stem(other)].append(other)
    entries: _Entries = []
    for word in sorted(set(words)):
        for translation, stem in _dictionary_row(path.name, word):
            if translation in others:
                entries.append(((word, translation), _FOUND))
            entries += [
                ((word, form), _FORM)
                for form in (forms.get(stem, ()) if stem else ())
                if form != translation and _alike(form, translation)
            ]
    return entries


@lru_cache(maxsize=1 << 16)
def _dictionary_row(name: str, word: str) -> tuple[tuple[str, str], ...]:
    """The words of a translation, each with what its forms have in common."""
    pieces = map(key, (read_lexicon(FOLDER / name).find(word) or "").split())
    return tuple((piece, _stem(piece)) for piece in pieces)


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    """What the forms of a word have in common at least; empty for a word that is too short.

    >>> _stem("schreckliche"), _stem("のり"), _stem("買った"), _stem("買っ"), _stem("買い物")
    ('schr', '', '買', '買', '')
    """
    inflected = _INFLECTED.fullmatch(word)
    if inflected is not None:
        return inflected[1]
    return word[:_STEM] if len(word) >= _STEM else ""


def _alike(one: str, other: str) -> bool:
    """Whether two words that begin alike may be forms of one."""
    if _INFLECTED.fullmatch(one):
        return _INFLECTED.fullmatch(other) is not None
    common = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        common += 1
    return common >= max(_STEM, _SHARE * max(len(one), len(other)))
