"""Answers left untranslated: the source copied, or a text in another language than asked.

py3langid (byte n-grams, 140 languages) says how likely a text is in each language. Which limits
accuse how many right translations is measured by `python -m benchmarks.untranslated`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from hyperbaton.language.languages import NAMES, base, name
from hyperbaton.systems.codes import match
from hyperbaton.systems.identifier import identified, identifier_version, likelihoods

_SHORTEST = 16
"""Letters that a text needs, where one of Chinese, Japanese or Korean counts as two."""
_MARGIN = 10.0
"""How much likelier another language must be: a difference of logarithms."""
_RATHER = 5.0
"""The same between two languages alone, of a text of any length."""
_DRAWN_OUT = re.compile(r"(.)\1{2,}")
"""A letter that is held, as in "Nooooo", says nothing of the language."""
_WIDE = "\u2e80"
"""From here on a character holds a syllable or a word."""

_ALIKE = (
    frozenset({"zh", "yue", "wuu"}),
    frozenset({"hr", "bs", "sr"}),
    frozenset({"id", "ms"}),
    frozenset({"no", "nb", "nn", "da"}),
    frozenset({"cs", "sk"}),
    frozenset({"ar", "arz", "ary"}),
)
"""Languages that are not told from one another."""
_UNSURE = frozenset({"be", "ku", "tt", "ug"})
"""Languages that are also written in a script in which the identifier does not know them."""

COPIED = "copied"
RULE = 1
"""Raised when the same answers would be judged otherwise."""

_LETTERS = re.compile(r"[^\W_]+")
_WORDS, _PLAIN, _CAPITALS = 3, 2, 5
"""Words without which a copy may well be right, since names stay as they are: in all, without a
capital, and in a text of capitals alone."""
_UNSPACED = 6
"""The same in letters, where words are not written apart."""
_CHARACTERS = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


def untranslated_answers(
    sources: Sequence[str], outputs: Sequence[str | None], languages: tuple[str, str]
) -> list[str | None]:
    """What is wrong with each answer, as `untranslated` says; None for what is not there."""
    given, wanted = languages
    pairs = list(dict.fromkeys((s, o) for s, o in zip(sources, outputs, strict=True) if o))
    texts = list(dict.fromkeys(output for _, output in pairs))
    verdicts = dict(zip(texts, foreign_languages(texts, given, wanted), strict=True))
    known = {pair: verdicts[pair[1]] for pair in pairs}
    # Case, marks and spaces do not tell a copy from another text.
    copies = [pair for pair in pairs if base(given) != base(wanted) and _same_letters(*pair)]
    known |= {pair: COPIED for pair in copies if known[pair]}
    # What was in the target language already is rightly copied, and so are names.
    changing = [pair for pair in copies if _would_change(pair[0])]
    right = are_rather([output for _, output in changing], wanted, given)
    known |= {pair: COPIED for pair, is_right in zip(changing, right, strict=True) if not is_right}
    return [known[s, o] if o else None for s, o in zip(sources, outputs, strict=True)]


def untranslated(source: str, output: str, languages: tuple[str, str]) -> str | None:
    """`copied`, the code of another language than the target, or None for a translation.

    >>> untranslated("It is raining again.", "it is raining again", ("en", "de"))
    'copied'
    >>> untranslated("New York Times", "New York Times", ("en", "de"))
    >>> untranslated("It is raining again.", "Es regnet schon wieder.", ("en", "de"))
    """
    return untranslated_answers([source], [output], languages)[0]


def untranslated_said(what: str) -> str:
    """What is wrong with an answer, in words.

    >>> untranslated_said("copied"), untranslated_said("fr")
    ('copied', 'in French')
    """
    return what if what == COPIED else f"in {name(what)}"


def untranslated_signature() -> str:
    """What decides: the rule, and who tells languages apart."""
    return f"untranslated: rule {RULE}, {identifier_version() or 'copies only'}"


def _same_letters(one: str, other: str) -> bool:
    return _letters(one) == _letters(other)


def _letters(text: str) -> list[str]:
    return _LETTERS.findall(unicodedata.normalize("NFKC", text).casefold())


def _would_change(text: str) -> bool:
    """Whether a translation of the text would surely be another text: not so of a few names."""
    if len(_CHARACTERS.findall(text)) >= _UNSPACED:
        return True
    words = [word for word in map(_stripped, text.split()) if word.replace("'", "").isalpha()]
    plain = sum(not word[0].isupper() for word in words)
    shouted = text.isupper() and len(words) >= _CAPITALS
    return len(words) >= _WORDS and (plain >= _PLAIN or shouted)


def _stripped(word: str) -> str:
    """A word without the marks around it, its own marks as plain ones."""
    if word.isalnum():
        return word
    inner = word.replace("’", "'").replace("-", "")
    return re.sub(r"^\W+|\W+$", "", inner)


def foreign_languages(texts: Sequence[str], source: str, target: str) -> list[str | None]:
    """The code of the language that each text is in, where that is clearly not the target.

    Only the source language and large ones are named: a system hardly strays into others.

    >>> foreign_languages(["Nous allons au cinéma ce soir.", "Taxi!"], "en", "fr")
    [None, None]
    """
    found: list[str | None] = [None] * len(texts)
    wanted = _known(target)
    if wanted is None or wanted in _UNSURE:
        return found
    plain = [_DRAWN_OUT.sub(r"\1\1", text) for text in texts]
    long = [at for at, text in enumerate(plain) if _size(text) >= _SHORTEST]
    own, others = _sides(wanted, _known(source) or wanted)
    scores = likelihoods([plain[at] for at in long], own + others)
    strays = scores[:, len(own) :]
    beyond = strays.max(axis=1) - scores[:, : len(own)].max(axis=1) > _MARGIN
    for row in np.flatnonzero(beyond).tolist():
        found[long[row]] = others[int(strays[row].argmax())]
    return found


@lru_cache(maxsize=256)
def _sides(wanted: str, source: str) -> tuple[list[str], list[str]]:
    """The languages that are taken for the target, and the others that may be named."""
    own = _alike(wanted)
    others = {*NAMES, source} - own
    return sorted(own.intersection(identified())), sorted(others.intersection(identified()))


def _size(text: str) -> int:
    """The letters of a text, those that hold a word counted twice."""
    wide = 0 if max(text, default="") < _WIDE else sum(c >= _WIDE and c.isalpha() for c in text)
    return sum(map(str.isalpha, text)) + wide


def are_rather(texts: Sequence[str], language: str, other: str) -> list[bool]:
    """Whether texts are likelier in one language than in another; not where one is unknown."""
    one, two = _known(language), _known(other)
    if one is None or two is None:
        return [False] * len(texts)
    scores = likelihoods(texts, [one, two])
    found: list[bool] = (scores[:, 0] - scores[:, 1] > _RATHER).tolist()
    return found


def _alike(code: str) -> frozenset[str]:
    return next((group for group in _ALIKE if code in group), frozenset({code}))


@lru_cache(maxsize=256)
def _known(language: str) -> str | None:
    """The identifier's own code for a language; None where it has none, or is not installed."""
    labels = identified()
    code = match(language, labels) or match(base(language), labels)
    return code or next((c for c in _alike(base(language)) if c in labels), None)
