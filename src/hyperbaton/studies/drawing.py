"""Means and profiles as the rows of charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from hyperbaton.pipeline import Pair
from hyperbaton.studies.layer.summary import Summary
from hyperbaton.studies.profiles import BINS, LENGTH, Profile, Profiled

__all__ = [
    "Row",
    "histogram_rows",
    "languages",
    "length_rows",
    "mean_rows",
    "outline_rows",
    "rank_rows",
    "sample_rows",
]

Row = dict[str, str | float | int | None]
_LENGTH_BINS = 10
_FEWEST = 5
"""Items that a mean by length is taken over; fewer say nothing."""


def languages(summary: Summary) -> list[str]:
    """The target languages."""
    return list(dict.fromkeys(Pair.parse(pair).target for pair in summary.pairs))


def mean_rows(summary: Summary, metric: str, scores: Mapping[str, str]) -> list[Row]:
    """The mean of scores over the systems, per perturbation and language; `scores` are labels."""
    means = summary.means[metric]
    rows: list[Row] = []
    for pair in summary.pairs:
        for name in summary.variants:
            for score, label in scores.items():
                found = means.mean(score, system=summary.systems, pair=pair, variant=name)
                if np.isfinite(found.value):
                    row: Row = {"language": Pair.parse(pair).target, "perturbation": name}
                    row |= {"score": label, "value": round(found.value, 5)}
                    rows.append(row | {"low": round(found.low, 5), "high": round(found.high, 5)})
    return rows


def _profiles(found: Profiled) -> Iterator[tuple[Row, Profile]]:
    for (system, pair), profile in found.profiles.items():
        yield {"system": system, "language": Pair.parse(pair).target}, profile


def _shares(counts: NDArray[np.int64]) -> list[float]:
    return [round(float(share), 5) for share in counts / max(1, counts.sum())]


def histogram_rows(found: Profiled, sides: tuple[str, str]) -> list[Row]:
    """The distribution of the difference per system and language; `sides`: below 0 and above."""
    rows: list[Row] = []
    for key, profile in _profiles(found):
        total = np.sum(list(profile.histograms.values()), axis=0)
        for start, end, share in zip(BINS[:-1], BINS[1:], _shares(total), strict=True):
            leans = sides[0] if end < 0 else sides[1] if start > 0 else "neither"
            row: Row = {"share": share, "from": round(start, 3), "to": round(end, 3)}
            rows.append(key | row | {"leans": leans})
    return rows


def outline_rows(found: Profiled) -> list[Row]:
    """The distribution of the difference per system and variant."""
    rows: list[Row] = []
    middles = (BINS[:-1] + BINS[1:]) / 2
    for system in found.summary.named:
        mine = [profile for key, profile in _profiles(found) if key["system"] == system]
        for name in found.summary.variants:
            total = np.sum([profile.histograms[name] for profile in mine], axis=0)
            for middle, share in zip(middles, _shares(total), strict=True) if total.any() else ():
                row: Row = {"system": system, "perturbation": name, "share": share}
                rows.append(row | {"middle": round(float(middle), 3)})
    return rows


def length_rows(found: Profiled, scores: Mapping[str, str]) -> list[Row]:
    """Means over items of similar length, relative to the longest + 1."""
    rows: list[Row] = []
    for key, profile in _profiles(found):
        length = profile.scores[LENGTH]
        place = np.floor(length / (length.max(initial=0) + 1) * _LENGTH_BINS).astype(int)
        for score, label in scores.items():
            values = profile.scores[score]
            for number in range(_LENGTH_BINS):
                some = values[(place == number) & np.isfinite(values)]
                if len(some) >= _FEWEST:
                    row: Row = {"score": label, "length": (number + 0.5) / _LENGTH_BINS}
                    rows.append(key | row | {"value": round(float(some.mean()), 4)})
    return rows


def rank_rows(found: Profiled, scores: Sequence[str], labels: Mapping[str, str]) -> list[Row]:
    """ρ of scores with the score of the clean source, per system and language."""
    rows: list[Row] = []
    clean = found.plan.clean
    for system, pair in found.profiles:
        for score in scores:
            rho = found.rank((system, pair), score, clean)
            row: Row = {"system": system, "language": Pair.parse(pair).target}
            row |= {"score": f"ρ({labels[score]}, {labels[clean]})", "value": rho.value}
            rows += [row | {"low": rho.low, "high": rho.high}] if np.isfinite(rho.value) else []
    return rows


def sample_rows(found: Profiled, most: int = 600) -> list[Row]:
    """Single samples, equally many of each system and language."""
    each = max(20, most // max(1, len(found.profiles)))
    return [
        {**key, **sample}
        for key, profile in _profiles(found)
        for sample in profile.samples.head(each).iter_rows(named=True)
    ]
