"""Keys of servers: from the environment only, and to nobody but the server they are for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.chat.http import is_loopback
from hyperbaton.systems.chat.masking import Mask


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
