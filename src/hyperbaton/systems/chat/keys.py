"""Keys of servers: from the environment, for their server alone, and hidden in what it says."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.chat.http import is_loopback

_SHORTEST_KEY = 4
"""A key of fewer characters is a placeholder such as `x`, found in every sentence."""
_PART, _LONG_PART = 6, 12


@dataclass(frozen=True)
class Mask:
    """Hides a key and its parts.

    >>> mask = Mask("sk-4f9b27aa01c3")
    >>> mask.hide("wrong key: Bearer SK-4F9B27AA01C3, see sk-4f9b***")
    'wrong key: Bearer …, see …***'
    """

    key: str

    def hide(self, text: str) -> str:
        """The text with `…` for each run of characters that stands in the key."""
        shown: list[str] = []
        hidden = self._found(text, min(_PART, len(self.key)))
        for at, character in enumerate(text):
            if at not in hidden:
                shown.append(character)
            elif at - 1 not in hidden:
                shown.append("…")
        return "".join(shown)

    def is_in(self, text: str) -> bool:
        """Whether a text repeats the key, or so much of it that this is no chance."""
        low = text.lower()
        starts = range(len(self.key) - _LONG_PART + 1)
        return any(self.key[at : at + _LONG_PART].lower() in low for at in starts)

    def _found(self, text: str, size: int) -> set[int]:
        """The places in a text that belong to a part of the key of at least this size."""
        # Lower case by character, so that places stay what they were.
        key, low = ("".join(c.lower()[:1] or c for c in some) for some in (self.key, text))
        if len(key) < _SHORTEST_KEY:
            return set()
        parts = {key[at : at + size] for at in range(len(key) - size + 1)}
        starts = (at for at in range(len(low) - size + 1) if low[at : at + size] in parts)
        return {place for at in starts for place in range(at, at + size)}


@dataclass(frozen=True)
class Keys:
    """The variables that hold keys, and what they hold."""

    names: tuple[str, ...] = ()
    values: tuple[str, ...] = ()

    def hide(self, text: str) -> str:
        """A text without them."""
        for value in self.values:
            text = Mask(value).hide(text)
        return text

    def repeated_in(self, text: str) -> bool:
        """Whether a text repeats one of them."""
        return any(Mask(value).is_in(text) for value in self.values)


def read_keys(names: Sequence[str], url: str) -> Keys:
    """The keys that a server is to see, one in each variable."""
    return Keys(tuple(names), tuple(_key(name, url) for name in names))


def _key(variable: str, url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
        raise HyperbatonError(
            f"{url}: the key in {variable} is not sent over plain http: write https://, or ask "
            "without a key where the server needs none"
        )
    key = os.environ.get(variable, "").strip()
    if not key:
        raise HyperbatonError(f"the key for {url} is missing: put it into the variable {variable}")
    if not key.isascii() or not key.isprintable():
        raise HyperbatonError(f"the key in {variable} contains characters that no key has")
    if len(key) >= 8 and key in url:
        raise HyperbatonError(f"the address contains the key in {variable}: remove it")
    return key
