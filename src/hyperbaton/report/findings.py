"""Findings as HTML: the claim, its verdict in a word and a sign, the interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from hyperbaton.report.contents import Finding, Verdict
from hyperbaton.report.intervals import interval_svg, reaches
from hyperbaton.report.markup import prose
from hyperbaton.report.numbers import p_text, precision, show

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
    """How many claims hold, do not, or stay open."""
    counts = Counter(finding.verdict for finding in findings)
    parts = [
        f'<li class="{_SIGNS[verdict][1]}">{_sign(verdict)} {counts[verdict]} '
        f"{_TALLY[verdict][counts[verdict] != 1]}</li>"
        for verdict in _SIGNS
        if counts[verdict]
    ]
    return f'<ul class="tally" aria-label="Verdicts">{"".join(parts)}</ul>' if parts else ""


def findings_html(findings: Sequence[Finding]) -> str:
    """The claims in order; one that several runs tested is said once."""
    scales = reaches(findings)
    claims = list(dict.fromkeys(finding.claim for finding in findings))
    ordered = sorted(findings, key=lambda finding: claims.index(finding.claim))
    items = [
        f'<li class="finding"><h3 class="claim">{prose(claim)}</h3>'
        f"{''.join(_result(finding, scales[finding.statistic]) for finding in group)}</li>"
        for claim, group in groupby(ordered, key=lambda finding: finding.claim)
    ]
    return f'<ol class="findings">{"".join(items)}</ol>'


def _result(finding: Finding, reach: float) -> str:
    kind = _SIGNS[finding.verdict][1]
    run = f'<span class="run">{prose(finding.run)}</span>' if finding.run else ""
    digits = precision(finding.value, finding.low, finding.high)
    value, low, high = (show(x, digits) for x in (finding.value, finding.low, finding.high))
    tested = f' <span class="bounds">{p_text(finding.adjusted)}</span>' if finding.n else ""
    detail = f'<p class="detail">{prose(finding.detail)}</p>' if finding.detail else ""
    return (
        f'<div class="result {kind}">'
        f'<p class="verdict">{_sign(finding.verdict)} {finding.verdict}{run} '
        f'<span class="statistic">{prose(finding.statistic)}</span></p>'
        f'<div class="measure">{interval_svg(finding, reach)}'
        f'<p class="numbers"><b>{value}</b> '
        f'<span class="bounds">[{low}, {high}]</span>{tested}</p></div>'
        f"{detail}</div>"
    )


def _sign(verdict: Verdict) -> str:
    return f'<span class="sign" aria-hidden="true">{_SIGNS[verdict][0]}</span>'
