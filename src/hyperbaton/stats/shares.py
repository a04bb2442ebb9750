"""Intervals and tests of shares, and of differences of shares, whose items may hang together.

Both are made of the spread of the resamples, so that an item with several samples is drawn as
one.
"""

from __future__ import annotations

import numpy as np

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.stats.corrected import student_reach

__all__ = ["difference_ends", "difference_t", "share_ends", "share_t"]


def _independent(share: float, spread: float, items: int) -> float:
    """As many independent items as the spread amounts to (Kish's effective size).

    A share of 0 or 1 has no spread; there every item counts once, however many samples it has.
    """
    if not -1e-6 <= share <= 1 + 1e-6:
        raise HyperbatonError(f"a Wilson interval is for shares from 0 to 1, not for {share:g}")
    both, variance = share * (1 - share), spread**2 * items / (items - 1)
    return both / variance if variance > 1e-12 and both > 1e-9 else float(items)


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
