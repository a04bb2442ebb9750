"""What a chat model is asked to do: a prompt for each behaviour."""

from __future__ import annotations

from typing import Literal

from hyperbaton.languages import name

__all__ = ["PROMPTS", "Behaviour", "prompt"]

Behaviour = Literal["plain", "robust", "faithful"]

PROMPTS: dict[Behaviour, str] = {
    "plain": (
        "Translate the following text from {source} into {target}. "
        "Reply with the translation only, in one line."
    ),
    "robust": (
        "Translate the following text from {source} into {target}. "
        "Its words may be out of order or misspelled: work out what was meant, "
        "and translate that into correct and fluent {target}. "
        "Reply with the translation only, in one line."
    ),
    "faithful": (
        "Translate the following text from {source} into {target}. "
        "Its words may be out of order or misspelled: repair nothing, "
        "and let the words of the translation stand in the order in which the text has them. "
        "Reply with the translation only, in one line."
    ),
}


def prompt(behaviour: Behaviour, source: str, target: str) -> str:
    """The instruction that goes before every text.

    >>> prompt("plain", "en", "de").partition(".")[0]
    'Translate the following text from English into German'
    """
    return PROMPTS[behaviour].format(source=name(source), target=name(target))
