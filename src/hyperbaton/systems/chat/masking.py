"""Keys in messages and answers: hidden where they are shown, found where they are repeated."""

from __future__ import annotations

from dataclasses import dataclass

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
