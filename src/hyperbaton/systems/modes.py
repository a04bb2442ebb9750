"""The ways in which a translator can be asked to treat a source that is out of order."""

from __future__ import annotations

from typing import Literal, get_args

__all__ = ["MODES", "Mode", "mode_piece"]

Mode = Literal["plain", "robust", "faithful"]
"""Translate; translate what was meant; carry the order and the mistakes over."""
MODES: tuple[Mode, ...] = get_args(Mode)


def mode_piece(mode: Mode) -> str:
    """The piece that tells a model trained for steering what to do; `plain` has none.

    >>> mode_piece("robust"), mode_piece("plain")
    ('>>robust<<', '')
    """
    return "" if mode == "plain" else f">>{mode}<<"
