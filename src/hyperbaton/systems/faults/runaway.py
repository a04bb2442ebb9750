"""An answer far longer than any translation of its text: the system ran away, and said nothing."""

from __future__ import annotations

from hyperbaton.systems.faults.blank import EMPTY, without_blank
from hyperbaton.systems.system import Translation

__all__ = ["NO_TRANSLATION", "RUNAWAY", "is_runaway", "translation_of"]

LONGEST, TIMES = 20_000, 20
"""Characters that any text may become, and how many times as long as itself a longer one may."""
RUNAWAY = (
    f"the translation has over {LONGEST:,} characters, {TIMES} times as many as its source or more"
)
"""The fault of such an answer; the store keeps the answer itself, so nobody is asked again."""
NO_TRANSLATION = frozenset({EMPTY, RUNAWAY})
"""Faults of answers that came: the system would give the same another time."""


def is_runaway(source: str, text: str) -> bool:
    """Whether a text cannot be a translation for its length: scores of it would take for ever.

    >>> is_runaway("Yes.", "Ja. " * 4000), is_runaway("Yes.", "Ja. " * 6000)
    (False, True)
    >>> is_runaway("Yes. " * 6000, "Ja. " * 6000)
    False
    """
    return len(text) > max(LONGEST, TIMES * len(source))


def translation_of(source: str, answer: Translation) -> Translation:
    """The answer, or the fault why it is no translation: it is empty, or far too long."""
    if answer.text is not None and is_runaway(source, answer.text):
        return Translation(None, RUNAWAY)
    return without_blank(source, answer)
