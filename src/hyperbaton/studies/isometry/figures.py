"""The figures of the study: probabilities and similarities before and after translation.

Panels stand in the order in which the systems were named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.ndimage import gaussian_filter

from hyperbaton.base.randomness import Rng
from hyperbaton.report.charts.vegalite import (
    Channel,
    Spec,
    by_panel,
    channel,
    encoding,
    finished,
    mark,
)
from hyperbaton.report.contents import Figure
from hyperbaton.studies.isometry.samples import OUTCOMES, SIDES, PairSamples
from hyperbaton.studies.isometry.tables import agreement
from hyperbaton.studies.layer.aggregate import Floats
from hyperbaton.studies.layer.sources import short_names

MASSES = (0.25, 0.5, 0.75, 0.9)
"""The shares of all points that the contour lines enclose."""
POINTS = 1500  # of one panel; more only make a cloud darker
_UNIT = {"domain": [0, 1]}
_Row = dict[str, str | float]
_Panels = Mapping[str, PairSamples]


def figures(systems: Sequence[PairSamples]) -> list[Figure]:
    """F4 to F7; the data set is named only where there are several."""
    alone = len({s.dataset for s in systems}) == 1
    panels = {s.label if alone else s.name: s for s in systems}
    return [make(panels) for make in (_probabilities, _agreement, _similarities, _by_label)]


def _faceted(rows: Sequence[_Row], chart: Spec, panels: _Panels, columns: int) -> Spec:
    by = by_panel("panel:N", list(panels))
    return finished(rows, {"facet": by, "spec": chart, "columns": columns})


def _probabilities(panels: _Panels) -> Figure:
    """Where the probabilities of each system and detector lie, as highest-density lines."""
    rows: list[_Row] = []
    detectors: dict[str, None] = {}
    for panel, samples in panels.items():
        for number, detector in enumerate(short_names(samples.detectors)):
            detectors[detector] = None
            values = density(*samples.probabilities[:, number].T)
            for mass, level in zip(MASSES, levels(values), strict=True):
                for x1, y1, x2, y2 in contours(values, level):
                    row: _Row = {"x": x1, "y": y1, "x2": x2, "y2": y2, "mass": f"{mass:.0%}"}
                    rows.append({**row, "detector": detector, "panel": panel})
    masses = [f"{mass:.0%}" for mass in reversed(MASSES)]
    shown = encoding(
        x=channel("x:Q", title="P before translation", scale=_UNIT),
        y=channel("y:Q", title="P after translation", scale=_UNIT),
        x2="x2",
        y2="y2",
        color=channel("mass:O", title="encloses", sort=masses),
    )
    rule = mark("rule", strokeWidth=1.5, strokeCap="round")
    grid = {
        "column": by_panel("detector:N", list(detectors)),
        "row": by_panel("panel:N", list(panels)),
    }
    square = {"mark": rule, "encoding": shown, "height": 170, "width": 170}
    chart = finished(rows, {"facet": grid, "spec": square})
    note = (
        "Each line is the edge of the smallest region that holds that share of the pairs "
        "(Gaussian kernel of .03, reflected at the edges). Above right: isometric; below right: "
        "broken apart; above left: made equal."
    )
    return Figure("F4", "Probability of paraphrase after translation against before", chart, note)


def density(x: Floats, y: Floats, grid: int = 48, bandwidth: float = 0.03) -> Floats:
    """A smoothed histogram, rows over y; mass that would leave the square is reflected back."""
    counts, _, _ = np.histogram2d(y, x, bins=grid, range=[[0, 1], [0, 1]])
    smooth = gaussian_filter(counts, bandwidth * grid, mode="reflect")
    return np.asarray(smooth / smooth.sum())


def levels(values: Floats, masses: Sequence[float] = MASSES) -> list[float]:
    """The density on the edge of the smallest region that holds each share of the mass."""
    ordered = np.sort(values.ravel())[::-1]
    reached = np.searchsorted(np.cumsum(ordered), masses)
    return [float(ordered[min(int(place), len(ordered) - 1)]) for place in reached]


def contours(values: Floats, level: float) -> list[tuple[float, float, float, float]]:
    """Line segments (x1, y1, x2, y2) along which the density has this level: marching squares.

    >>> hill = np.array([[0.0, 0, 0], [0, 1, 0], [0, 0, 0]])
    >>> len(contours(hill, 0.5))
    4
    """
    # Cell centres are the grid; a rim of nothing closes lines that would end at the edge.
    size = len(values)
    padded = np.pad(values, 1, constant_values=-1.0)
    places = np.concatenate([[0.0], (np.arange(size) + 0.5) / size, [1.0]])
    inside = padded >= level
    corners = sum(inside[r : r + size + 1, c : c + size + 1].astype(int) for r, c in _CORNERS)
    segments = []
    for row, column in np.argwhere((corners > 0) & (corners < 4)):
        around = [(row + r, column + c) for r, c in _CORNERS]
        crossings = [
            _crossing(padded, places, level, here, there)
            for here, there in zip(around, around[1:] + around[:1], strict=True)
            if inside[here] != inside[there]
        ]
        # In a saddle the lines cut off the corners that are inside.
        if len(crossings) == 4 and inside[around[0]]:
            crossings = [crossings[3], *crossings[:3]]
        pairs = zip(crossings[::2], crossings[1::2], strict=True)
        segments += [(*one, *two) for one, two in pairs]
    return segments


_CORNERS = ((0, 0), (0, 1), (1, 1), (1, 0))
"""Of a cell, one after the other around it, as rows and columns."""


def _crossing(
    padded: Floats, places: Floats, level: float, here: tuple[int, int], there: tuple[int, int]
) -> tuple[float, float]:
    """Where a line crosses the edge between two corners; against the rim it runs along the edge."""
    low, high = padded[here], padded[there]
    share = 0.0 if low < 0 else 1.0 if high < 0 else (level - low) / (high - low)
    (y1, x1), (y2, x2) = places[list(here)].tolist(), places[list(there)].tolist()
    return round(float(x1 + share * (x2 - x1)), 4), round(float(y1 + share * (y2 - y1)), 4)


def _agreement(panels: _Panels) -> Figure:
    rows: list[_Row] = []
    kinds: dict[str, int] = {}
    for panel, samples in panels.items():
        for kind, counts in agreement(samples).items():
            rank = kinds.setdefault(kind, len(kinds))
            rows += [
                {
                    "panel": panel,
                    "agreement": kind,
                    "M": outcome,
                    "pairs": count,
                    "share": count / len(samples),
                    "rank": rank,
                }
                for outcome, count in counts.items()
                if count
            ]
    shown = encoding(
        ["panel:N", "M:N", "agreement:N", "pairs:Q", channel("share:Q", format=".3f")],
        x=by_panel("M:N", OUTCOMES, axis={"labelAngle": 0}),
        y=channel("share:Q", title="share of pairs", stack="zero"),
        color=channel(
            "agreement:N", sort=list(kinds), title="agreement", legend={"labelLimit": 400}
        ),
        order="rank:Q",
    )
    chart = {"mark": mark("bar"), "encoding": shown, "height": 200, "width": 190}
    title = "How often each M comes, and which detectors agreed on it"
    return Figure("F5", title, _faceted(rows, chart, panels, 3))


def _similarities(panels: _Panels) -> Figure:
    """Points on the unit square with its diagonal."""
    rows: list[_Row] = []
    for panel, samples in panels.items():
        some = sorted(Rng(1, samples.name, "figure").permutation(len(samples))[:POINTS])
        outcomes = [OUTCOMES[samples.votes.outcomes[place]] for place in some]
        rows += [
            {"panel": panel, "before": round(x, 4), "after": round(y, 4), "M": outcome}
            for (x, y), outcome in zip(samples.chrf[some].tolist(), outcomes, strict=True)
        ]
    shown = encoding(
        x=channel("before:Q", title="symmetric chrF2 of the sources", scale=_UNIT),
        y=channel("after:Q", title="symmetric chrF2 of the translations", scale=_UNIT),
        color=channel("M:N", sort=list(OUTCOMES)),
    )
    points = {"mark": mark("circle", size=14, opacity=1, fillOpacity=0.45), "encoding": shown}
    # The diagonal carries datums, not rows, so that every panel of the facet has it.
    ends = {name: {"datum": int(name.endswith("2"))} for name in ("x", "x2", "y", "y2")}
    diagonal = {"mark": mark("rule", strokeDash=[4, 3], aria=False), "encoding": ends}
    chart: Spec = {"layer": [diagonal, points], "height": 230, "width": 230}
    note = "Above the diagonal, translation made the surface more alike."
    if max(map(len, panels.values())) > POINTS:
        note += f" {POINTS:,} pairs of each run are drawn, chosen at random."
    title = "Surface similarity after translation against before"
    return Figure("F6", title, _faceted(rows, chart, panels, 3), note)


def _by_label(panels: _Panels) -> Figure:
    """The middle half as a box with its median, a line from 5 to 95 %."""
    rows: list[_Row] = []
    for panel, samples in panels.items():
        labels, values = samples.votes.labels(), samples.chrf[samples.votes.decided]
        for number, side in enumerate(SIDES):
            for label in (0, 1):
                known = values[labels[:, number] == label, number]
                known = known[np.isfinite(known)]
                if len(known):
                    ends = np.quantile(known, [0.05, 0.25, 0.5, 0.75, 0.95]).tolist()
                    row: _Row = {"panel": panel, "side": side, "S": str(label), "n": len(known)}
                    names = ("low", "q1", "median", "q3", "high")
                    rows.append(row | dict(zip(names, ends, strict=True)))
    base: dict[str, Channel] = {
        "x": by_panel("side:N", SIDES, axis={"labelAngle": 0}),
        "xOffset": "S:N",
    }
    tooltip: list[Channel] = ["panel:N", "side:N", "S:N", "n:Q", channel("median:Q", format=".3f")]
    low = channel("low:Q", title="symmetric chrF2", scale=_UNIT)
    quarter, of_label = channel("q1:Q", scale=_UNIT), channel("S:N", title="S")
    line = encoding(tooltip, **base, y=low, y2="high")
    box = encoding(tooltip, **base, y=quarter, y2="q3", color=of_label)
    middle = encoding(tooltip, **base, y=channel("median:Q", scale=_UNIT))
    layers = [
        {"mark": mark("rule"), "encoding": line},
        {"mark": mark("bar", size=18), "encoding": box},
        {"mark": mark("tick", thickness=2, size=18, color="white"), "encoding": middle},
    ]
    chart: Spec = {"layer": layers, "height": 200, "width": 170}
    note = "Box: the middle half; line: 5 to 95 %. S is the majority's label, ∅ left out."
    title = "Surface similarity of pairs that count as paraphrases or not"
    return Figure("F7", title, _faceted(rows, chart, panels, 4), note)
