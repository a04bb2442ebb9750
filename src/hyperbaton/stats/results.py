"""What a statistic comes back as: a number together with what is known of its uncertainty."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import decimal


@dataclass(frozen=True)
class Interval:
    """A confidence interval; both ends are NaN where the data cannot give one.

    >>> interval = Interval(31.2, 33.8)
    >>> print(interval)
    [31.2, 33.8]
    >>> 32 in interval, interval.excludes(0)
    (True, True)
    """

    low: float
    high: float
    level: float = 0.95

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return f"[{decimal(self.low, '.4g')}, {decimal(self.high, '.4g')}]"

    @property
    def half_width(self) -> float:
        """Half the distance of the ends: the figure after ± in sacreBLEU's output."""
        return (self.high - self.low) / 2

    def excludes(self, value: float) -> bool:
        """Whether the value lies outside; an undefined interval excludes nothing."""
        return value < self.low or value > self.high


@dataclass(frozen=True)
class Estimate:
    """A score on the whole data with its bootstrap interval.

    `mean` and `error` are the mean and the standard deviation of the resampled scores;
    `undefined` counts the resamples in which the score had no value.
    """

    value: float
    interval: Interval
    mean: float
    error: float
    items: int
    undefined: int = 0

    def __str__(self) -> str:
        return f"{decimal(self.value, '.4g')} {self.interval}"


@dataclass(frozen=True)
class Comparison:
    """Two systems on the same items; `difference` is first minus second, `p` is two-sided."""

    first: Estimate
    second: Estimate
    difference: Estimate
    p: float


@lru_cache(maxsize=64)
def checked_level(level: float) -> float:
    """The confidence level, or an error when it is not strictly between 0 and 1."""
    if not (math.isfinite(level) and 0 < level < 1):
        raise HyperbatonError(f"a confidence level lies between 0 and 1, not {level}: try 0.95")
    return level
