"""Findings as HTML: the claim, its verdict in a word and a sign, the interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from hyperbaton.report.contents import Finding, Verdict
from hyperbaton.report.numbers import bounds, p_text, precision, show
from hyperbaton.report.page.intervals import interval_svg, reaches
from hyperbaton.report.page.markup import prose

__all__ = ["findings_html", "tally_html"]

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
        f'<li class="finding"><h3 class="claim">{prose(claim, terms)}</h3>'
        f"{''.join(_result(finding, scales[finding.statistic], terms) for finding in group)}"
        f"{_parts(parts.get(claim, []), terms)}</li>"
        for claim, group in claims.items()
    ]
    return f'<ol class="findings">{"".join(items)}</ol>'


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
