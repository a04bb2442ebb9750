"""Words of a tokenised corpus back to text: which of them had a space after them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from hyperbaton.language.languages import base, writes_spaces

_CLOSING = frozenset(".,!?;:)]}%…") | {"...", "''", "”", "’", "»", "!!", "??", "?!", "!?"}
_OPENING = frozenset("([{$£€#@¿¡“‘«") | {"``"}
_CLITIC = re.compile(r"(n['’]t|['’](s|re|ve|ll|d|m|t|S|RE|VE|LL|D|M|T))", re.IGNORECASE)
_ELISION = re.compile(
    r"(\w*['’]|(l|d|j|m|t|s|c|n|qu|jusqu|lorsqu|puisqu|quoiqu)['’])", re.IGNORECASE
)
_ELIDING = frozenset({"fr", "it", "ca"})
_SPLIT = frozenset({("can", "not"), ("gon", "na"), ("wan", "na"), ("got", "ta")})
_QUOTES = frozenset({'"', "'"})
_FRENCH_SPACED = frozenset("!?;:»")


def detokenised(words: Sequence[str], language: str = "en") -> str:
    """The text of tokenised words, every word as it stands.

    >>> detokenised("She did n't say : never".split())
    "She didn't say: never"
    >>> detokenised("Tom 's ( old ) car is n't \\" here \\" , is it ?".split())
    'Tom\\'s (old) car isn\\'t "here", is it?'
    """
    after = spaces_after(words, language)
    pairs = zip(words, after, strict=True)
    return "".join(word + " " if space else word for word, space in pairs).rstrip(" ")


def spaces_after(words: Sequence[str], language: str = "en") -> tuple[bool, ...]:
    """For each word whether a space follows it; none follows the last."""
    if not writes_spaces(language):
        return (False,) * len(words)
    spaces = [_apart(left, right, language) for left, right in itertools.pairwise(words)]
    _close_quotes(words, spaces)
    return (*spaces, False) if words else ()


def _apart(left: str, right: str, language: str) -> bool:
    if base(language) == "fr" and right in _FRENCH_SPACED and left != right:
        return True
    if right in _CLOSING or left in _OPENING or _CLITIC.fullmatch(right):
        return False
    if base(language) in _ELIDING and _ELISION.fullmatch(left):
        return False
    return (left.lower(), right.lower()) not in _SPLIT


def _close_quotes(words: Sequence[str], spaces: list[bool]) -> None:
    """Straight quotes open and close in turn; one without a partner may be a genitive."""
    for quote in _QUOTES:
        places = [i for i, word in enumerate(words) if word == quote]
        for first, second in zip(places[::2], places[1::2], strict=False):
            spaces[first] = False
            spaces[second - 1] = False
        if len(places) % 2 and places[-1] > 0 and words[places[-1] - 1].endswith("s"):
            spaces[places[-1] - 1] = False  # twenty years' time
