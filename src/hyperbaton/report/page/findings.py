"""Findings as HTML: the claim, its verdict in a word and a sign, the interval as a picture."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from hyperbaton.base.wording import bounds, nice, p_text, precision, show
from hyperbaton.report.contents import Finding, Verdict
from hyperbaton.report.page.markup import attribute, prose

_SIGNS: dict[Verdict, tuple[str, str]] = {
    "holds": ("✓", "holds"),
    "does not hold": ("✗", "fails"),
    "undecided": ("?", "open"),
}
_TALLY: dict[Verdict, tuple[str, str]] = {
    "holds": ("holds", "hold"),
    "does not hold": ("does not hold", "do not hold"),
    "undecided": ("undecided", "undecided"),
}
_WIDTH, _HEIGHT, _MARGIN = 240, 40, 8


def tally_html(findings: Sequence[Finding]) -> str:
    """How many claims hold, do not, or stay open; their parts are not counted."""
    known = {finding.claim for finding in findings}
    counts = Counter(finding.verdict for finding in findings if finding.part_of not in known)
    parts = [
        f'<li class="{_SIGNS[verdict][1]}">{_sign(verdict)} {counts[verdict]} '
        f"{_TALLY[verdict][counts[verdict] != 1]}</li>"
        for verdict in _SIGNS
        if counts[verdict]
    ]
    return f'<ul class="tally" aria-label="Verdicts">{"".join(parts)}</ul>' if parts else ""


def findings_html(
    findings: Sequence[Finding], terms: Mapping[str, str] = MappingProxyType({})
) -> str:
    """The claims in order; one that several runs tested is said once.

    What repeats a claim for a part of the data is folded into it.
    """
    unasked = [one for one in findings if one.verdict == "not asked"]
    findings = [one for one in findings if one.verdict != "not asked"]
    scales = reaches(findings)
    claims: dict[str, list[Finding]] = {}
    parts: dict[str, list[Finding]] = {}
    known = {finding.claim for finding in findings}
    for finding in findings:
        folded = finding.part_of in known
        (parts if folded else claims).setdefault(
            finding.part_of if folded else finding.claim, []
        ).append(finding)
    items = [
        f'<li class="finding"><h3 class="claim">{_name(group[0], terms)}</h3>'
        f"{''.join(_result(finding, scales[finding.statistic], terms) for finding in group)}"
        f"{_parts(parts.get(claim, []), terms)}</li>"
        for claim, group in claims.items()
    ]
    return f'<ol class="findings">{"".join(items)}</ol>{_unasked(unasked, terms)}'


def _name(finding: Finding, terms: Mapping[str, str]) -> str:
    """The claim with its number in the register, where it has one."""
    number = f'<span class="run">{prose(finding.id)}</span> ' if finding.id else ""
    return f"{number}{prose(finding.claim, terms)}"


def _unasked(findings: Sequence[Finding], terms: Mapping[str, str]) -> str:
    """The claims of the paper that the run cannot decide, and why."""
    if not findings:
        return ""
    rows = "".join(
        f"<li>{_name(one, terms)} <em>({prose(one.detail, terms)})</em></li>" for one in findings
    )
    said = f"Claims of the paper that were not asked of this run: {len(findings)}"
    return f'<details class="parts"><summary>{said}</summary><ul>{rows}</ul></details>'


def _parts(findings: Sequence[Finding], terms: Mapping[str, str]) -> str:
    if not findings:
        return ""
    scales = reaches(findings)
    counts = Counter(finding.verdict for finding in findings)
    said = ", ".join(f"{counts[v]} {_TALLY[v][counts[v] != 1]}" for v in _SIGNS if counts[v])
    body = "".join(
        f'<h4 class="claim">{prose(finding.claim, terms)}</h4>'
        f"{_result(finding, scales[finding.statistic], terms)}"
        for finding in findings
    )
    return f'<details class="parts"><summary>Part by part: {said}</summary>{body}</details>'


def _result(finding: Finding, reach: float, terms: Mapping[str, str]) -> str:
    kind = _SIGNS[finding.verdict][1]
    run = f'<span class="run">{prose(finding.run)}</span>' if finding.run else ""
    digits = precision(finding.value, finding.low, finding.high)
    value, ends = show(finding.value, digits), bounds(finding.low, finding.high, digits)
    tested = f' <span class="bounds">{p_text(finding.adjusted)}</span>' if finding.n else ""
    detail = f'<p class="detail">{prose(finding.detail, terms)}</p>' if finding.detail else ""
    return (
        f'<div class="result {kind}">'
        f'<p class="verdict">{_sign(finding.verdict)} {finding.verdict}{run} '
        f'<span class="statistic">{prose(finding.statistic, terms)}</span></p>'
        f'<div class="measure">{interval_svg(finding, reach)}'
        f'<p class="numbers"><b>{value}</b> '
        f'<span class="bounds">{ends}</span>{tested}</p></div>'
        f"{detail}</div>"
    )


def _sign(verdict: Verdict) -> str:
    return f'<span class="sign" aria-hidden="true">{_SIGNS[verdict][0]}</span>'


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
        _end(x(middle - reach), middle - reach, "start"),
        _end(x(middle), middle, "middle"),
        _end(x(middle + reach), middle + reach, "end"),
    ]
    if math.isfinite(finding.low) and math.isfinite(finding.high):
        left, right = x(finding.low), x(finding.high)
        width = max(round(right - left, 1), 2.0)
        parts.append(f'<rect class="range" x="{left}" y="10" width="{width}" height="8" rx="4"/>')
    if math.isfinite(finding.value):
        parts.append(f'<circle class="value" cx="{x(finding.value)}" cy="14" r="5"/>')
    return head + "".join(parts) + "</svg>"


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
