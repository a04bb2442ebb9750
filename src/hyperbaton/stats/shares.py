"""Intervals and tests of shares, and of differences of shares, whose items may hang together.

Both are made of the spread of the resamples, so that an item with several samples is drawn as
one. Half an item more that is all true, and half an item that is all false, keep a share of 0 or
1 from looking certain, however many samples each item has.
"""

from __future__ import annotations

import numpy as np

from hyperbaton.errors import HyperbatonError
from hyperbaton.stats.corrected import student_reach

__all__ = ["difference_ends", "difference_t", "share_ends", "share_t"]


def _independent(share: float, spread: float, items: int) -> float:
    """As many independent items as the spread amounts to (Kish's effective size)."""
    if not -1e-6 <= share <= 1 + 1e-6:
        raise HyperbatonError(f"a Wilson interval is for shares from 0 to 1, not for {share:g}")
    middle = (items * share + 0.5) / (items + 1)
    squares = items * (items * spread**2 + share**2)
    variance = (squares + 0.5) / (items + 1) - middle**2
    return items * middle * (1 - middle) / variance


def share_ends(share: float, spread: float, items: int, level: float) -> tuple[float, float]:
    """Wilson's interval (1927)."""
    n, t = _independent(share, spread, items), student_reach(items, level)
    both = max(share * (1 - share), 0.0)
    centre = (share + t**2 / (2 * n)) / (1 + t**2 / n)
    reach = t / (1 + t**2 / n) * np.sqrt(both / n + t**2 / (4 * n**2))
    return float(max(min(centre - reach, share), 0)), float(min(max(centre + reach, share), 1))


def share_t(share: float, spread: float, items: int, threshold: float) -> float:
    """How many standard errors lie between a share and a threshold, as Wilson counts them."""
    n = _independent(share, spread, items)
    apart = share - threshold
    error = np.sqrt(max(threshold * (1 - threshold), 0.0) / n)
    return float(apart / error) if error else float(np.copysign(np.inf, apart)) if apart else 0.0


def _adjusted(value: float, spread: float, items: int) -> tuple[float, float]:
    """The difference and its standard error, as if half an item more spoke for either share."""
    if not -1 - 1e-6 <= value <= 1 + 1e-6:
        raise HyperbatonError(f"a difference of two shares lies between -1 and 1, not at {value:g}")
    n = items + 2
    centre = items * value / n
    squares = items * (items * spread**2 + value**2)
    return centre, float(np.sqrt(((squares + 1) / n - centre**2) / n))


def difference_ends(value: float, spread: float, items: int, level: float) -> tuple[float, float]:
    """Agresti & Min's interval (2005).

    Without the half items, shares that differ in no item would have an interval of no width.
    """
    centre, error = _adjusted(value, spread, items)
    reach = student_reach(items, level) * error
    return max(centre - reach, -1.0), min(centre + reach, 1.0)


def difference_t(value: float, spread: float, items: int, threshold: float) -> float:
    """How many standard errors lie between a difference of shares and a threshold."""
    centre, error = _adjusted(value, spread, items)
    return (centre - threshold) / error
