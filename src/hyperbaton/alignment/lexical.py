"""Which words of two vocabularies stand for each other, as far as can be known without learning.

Four sources: the dictionaries that `gloss` translates with (English with de fr es it ru ja zh),
forms of a dictionary's word, tables of what else may stand for a word, and words that are spelt
alike (names, numbers, marks).
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from hyperbaton.language.dictionary import FOLDER, Lexicon, read_lexicon, read_rows
from hyperbaton.language.languages import base

__all__ = ["Strengths", "dictionaries", "key", "lexical"]

Strengths = Mapping[tuple[str, str], float]
"""How sure it is that two words stand for each other."""

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


def _linked(
    sources: Iterable[str], targets: Iterable[str], pair: tuple[str, str]
) -> Iterator[tuple[tuple[str, str], float]]:
    """What the table of a pair of languages has, whichever of them is English."""
    codes = base(pair[0]), base(pair[1])
    turned = codes[1] == "en"
    path = FOLDER / f"{'-'.join(codes[::-1] if turned else codes)}.links.xz"
    if not path.is_file():
        return
    table = _table(path)
    english, others = (targets, set(sources)) if turned else (sources, set(targets))
    for word in sorted(set(english)):
        row = table.get(word, "").split("\t")
        for other, percent in zip(row[::2], row[1::2], strict=False):
            if other in others:
                entry = (other, word) if turned else (word, other)
                yield entry, _LINKED * math.sqrt(int(percent) / 100)


@lru_cache(maxsize=4)
def _table(path: Path) -> Mapping[str, str]:
    """The rows of a table, unread: most are never asked for."""
    return read_rows(path)


def _translations(
    words: Iterable[str], others: Collection[str], pair: tuple[str, str]
) -> Iterator[tuple[tuple[str, str], float]]:
    path = FOLDER / f"{base(pair[0])}-{base(pair[1])}.tsv.xz"
    if not path.is_file():
        return
    lexicon = _lexicon(path)
    forms = _stems(others)
    for word in sorted(set(words)):
        for piece in (lexicon.find(word) or "").split():
            translation = key(piece)
            if translation in others:
                yield (word, translation), _FOUND
            for form in forms.get(_stem(translation), ()):
                if form != translation and _alike(form, translation):
                    yield (word, form), _FORM


@lru_cache(maxsize=4)
def _lexicon(path: Path) -> Lexicon:
    return read_lexicon(path)


def _stems(words: Iterable[str]) -> dict[str, list[str]]:
    stems: dict[str, list[str]] = defaultdict(list)
    for word in sorted(set(words)):
        if stem := _stem(word):
            stems[stem].append(word)
    return stems


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
