"""How many sentences break by what, and how small the smallest change is, with intervals."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from hyperbaton.base.wording import counted
from hyperbaton.search.cases import Case
from hyperbaton.search.changes import MIXED, kind_text
from hyperbaton.search.folder import Searched
from hyperbaton.stats import interval

LEVEL = 0.95


class Share(NamedTuple):
    """So many of so many sentences, with the 95 % interval of the share (Wilson)."""

    hits: int
    of: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """The share."""
        return self.hits / self.of if self.of else math.nan

    def __str__(self) -> str:
        if not self.of:
            return "no sentence"
        ends = "" if math.isnan(self.low) else f" [{100 * self.low:.0f}, {100 * self.high:.0f}]"
        return f"{self.hits:,} of {self.of:,} ({100 * self.value:.0f} %{ends})"


class Median(NamedTuple):
    """The median of whole numbers with an interval made of the numbers themselves."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        if math.isnan(self.value):
            return "n/a"
        ends = "" if math.isnan(self.low) else f" [{self.low:g}, {self.high:g}]"
        return f"{self.value:g}{ends}"


class Summary(NamedTuple):
    """What a search with one system came to."""

    system: str
    trials: int
    untranslated: int
    """Sentences that could not be translated themselves."""
    failed: int
    """Changed sentences that could not be translated."""
    unsteady: int
    """Sentences that are translated in another way each time."""
    alike: int
    """The sentences, where all have the same translation: it is of none of them."""
    broken: Share
    size: Median
    """Of the smallest change of each sentence that breaks."""
    kinds: dict[str, Share]
    """Sentences that a change of a kind breaks."""
    shortest: dict[str, Case]
    """The shortest example of each kind."""

    def cautions(self) -> list[str]:
        """What a reader must know before any number."""
        found = []
        if self.untranslated:
            found.append(f"{counted(self.untranslated, 'sentence')} could not be translated")
        if self.failed:
            what = counted(self.failed, "changed sentence")
            found.append(f"{what} could not be translated, so more may break")
        if self.unsteady:
            what = counted(self.unsteady, "sentence")
            found.append(f"{what} left out: another translation each time, without any change")
        if self.alike:
            found.append(f"all {counted(self.alike, 'sentence')} have the same translation")
        return found


def share(hits: Sequence[bool], sentences: Sequence[str] | None = None) -> Share:
    """The share of what holds; what is of one of the `sentences` stands or falls together.

    >>> print(share([True, False, False, True]))
    2 of 4 (50 % [6, 94])
    """
    if not hits:
        return Share(0, 0, math.nan, math.nan)
    part, of = sum(hits) / len(hits), len(hits)
    apart: defaultdict[object, float] = defaultdict(float)
    for name, hit in zip(sentences or range(of), hits, strict=True):
        apart[name] += hit - part
    error = math.hypot(*apart.values()) / of
    found = interval(part, np.array([part - error, part + error]), len(apart), LEVEL, "wilson")
    return Share(sum(hits), of, found.low, found.high)


def median(values: Iterable[int]) -> Median:
    """The median, and the two values between which it lies in 95 of 100 samples (binomial).

    >>> print(median([1, 1, 1, 1, 1, 1, 2, 2, 3, 9]))
    1 [1, 3]
    """
    ordered = sorted(values)
    n = len(ordered)
    if not n:
        return Median(math.nan, math.nan, math.nan)
    middle = (ordered[(n - 1) // 2] + ordered[n // 2]) / 2
    tail, below = 0.0, 0
    while (tail := tail + math.comb(n, below) / 2**n) <= (1 - LEVEL) / 2:
        below += 1
    if not below:  # too few to say
        return Median(middle, math.nan, math.nan)
    return Median(middle, ordered[below - 1], ordered[n - below])


def summary(system: str, searched: Iterable[Searched], kinds: Iterable[str]) -> Summary:
    """What a search with one system came to, kind by kind."""
    rows = [one for one in searched if one.system == system]
    answered = [one for one in rows if one.output is not None]
    outputs = {one.output for one in answered}
    alike = len(answered) if len({one.sentence for one in answered}) > 1 == len(outputs) else 0
    told = [one for one in answered if one.steady and not alike]
    shortest: dict[str, Case] = {}
    for case in sorted((c for one in told for c in one.cases), key=brevity):
        shortest.setdefault(case.kind, case)
    names = [*map(kind_text, kinds), MIXED]
    return Summary(
        system,
        sum(one.trials for one in rows),
        len(rows) - len(answered),
        sum(one.failed for one in answered),
        sum(not one.steady for one in answered),
        alike,
        share([bool(one.cases) for one in told]),
        median(min(c.size for c in one.cases) for one in told if one.cases),
        {name: share([any(c.kind == name for c in one.cases) for one in told]) for name in names},
        {name: shortest[name] for name in names if name in shortest},
    )


def brevity(case: Case) -> tuple[int, int, str]:
    """How short an example is."""
    return case.size, len(case.source), case.source
