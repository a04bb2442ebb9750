"""A value with its interval as a small picture inside the text."""

from __future__ import annotations

import math
from collections.abc import Iterable

from hyperbaton.report.contents import Finding
from hyperbaton.report.numbers import nice, precision, show
from hyperbaton.report.page.markup import attribute

__all__ = ["interval_svg", "reaches"]

_WIDTH, _HEIGHT, _MARGIN = 240, 40, 8


def reaches(findings: Iterable[Finding]) -> dict[str, float]:
    """How far from the threshold the scale of each statistic goes, alike for all its findings."""
    far: dict[str, float] = {}
    for finding in findings:
        ends = (finding.value, finding.low, finding.high)
        away = [abs(end - finding.threshold) for end in ends if math.isfinite(end)]
        far[finding.statistic] = max(far.get(finding.statistic, 0.0), *away, 0.0)
    return {statistic: nice(distance) for statistic, distance in far.items()}


def interval_svg(finding: Finding, reach: float) -> str:
    """The interval as a bar, the value as a dot, the deciding value as a line."""
    middle = finding.threshold

    def x(value: float) -> float:
        share = (value - (middle - reach)) / (2 * reach)
        return round(_MARGIN + (_WIDTH - 2 * _MARGIN) * min(max(share, 0.0), 1.0), 1)

    label = attribute(_spoken(finding))
    head = (
        f'<svg class="interval" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">'
    )
    parts = [
        f'<line class="axis" x1="{_MARGIN}" x2="{_WIDTH - _MARGIN}" y1="14" y2="14"/>',
        f'<line class="threshold" x1="{x(middle)}" x2="{x(middle)}" y1="3" y2="25"/>',
        *(_end(x(at), at, side) for at, side in _ends(middle, reach)),
    ]
    if math.isfinite(finding.low) and math.isfinite(finding.high):
        left, right = x(finding.low), x(finding.high)
        width = max(round(right - left, 1), 2.0)
        parts.append(f'<rect class="range" x="{left}" y="10" width="{width}" height="8" rx="4"/>')
    if math.isfinite(finding.value):
        parts.append(f'<circle class="value" cx="{x(finding.value)}" cy="14" r="5"/>')
    return head + "".join(parts) + "</svg>"


def _ends(middle: float, reach: float) -> tuple[tuple[float, str], ...]:
    return (middle - reach, "start"), (middle, "middle"), (middle + reach, "end")


def _end(x: float, value: float, side: str) -> str:
    digits = max(0, min(8, 1 - math.floor(math.log10(abs(value))))) if value else 0
    text = show(value, digits)
    text = text.rstrip("0").rstrip(".") if "." in text else text
    at = {"start": x - _MARGIN, "middle": x, "end": x + _MARGIN}[side]
    return f'<text x="{at}" y="37" text-anchor="{side}">{text}</text>'


def _spoken(finding: Finding) -> str:
    digits = precision(finding.value, finding.low, finding.high)
    value, low, high = (show(x, digits) for x in (finding.value, finding.low, finding.high))
    spoken = "no interval" if math.isnan(finding.low) else f"interval {low} to {high}"
    return f"{finding.statistic}: {value}, {spoken}, against {show(finding.threshold)}"
