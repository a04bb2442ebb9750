"""Pieces that a tokenizer does not know, put together by rule; and texts that were left in them."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["is_in_pieces", "join_pieces"]

_LEFT = re.compile(r"▁|@@(?= |$)|<unk>")


def join_pieces(pieces: Sequence[str]) -> str:
    """The text of pieces by their marks: `▁` begins a word, `@@` at the end goes on with the next.

    >>> join_pieces(["▁I", "▁should", "▁go", "▁to", "▁bed", "."])
    'I should go to bed.'
    >>> join_pieces(["un@@", "happ@@", "y", "."])
    'unhappy .'
    """
    if any("▁" in piece for piece in pieces):
        text = "".join(pieces).replace("▁", " ")
    else:
        text = re.sub(r"@@( |$)", "", " ".join(pieces))
    return text.strip()


def is_in_pieces(translation: str, source: str) -> bool:
    """Whether a translation holds marks of pieces that its source does not.

    >>> is_in_pieces("I▁should go to▁bed.", "Ich sollte ins Bett gehen."), is_in_pieces("▁", "▁")
    (True, False)
    """
    return {*_LEFT.findall(translation)} > {*_LEFT.findall(source)}
