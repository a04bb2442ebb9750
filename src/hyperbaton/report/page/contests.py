"""Systems against each other: a ranking with ties, differences with their certainty."""

from __future__ import annotations

from collections.abc import Mapping

from hyperbaton.report.contents import Contents, Contest, Duel, Explorer, Span
from hyperbaton.report.numbers import bounds, p_text, precision, show
from hyperbaton.report.page.answers import told_of
from hyperbaton.report.page.links import sentences_link
from hyperbaton.report.page.markup import attribute, prose

__all__ = ["contests_html"]

_FEW = 3
"""So many differences are shown at once; more are folded."""


def contests_html(contents: Contents) -> str:
    """Every contest: who stands where, and by how much."""
    return "".join(
        f'<section class="contest"><h3>{_said(contest, contents)}</h3>'
        f'<div class="beside">{_ranking(contest, contents.glossary)}'
        f"{_duels(contest, contents.explorer)}</div></section>"
        for contest in contents.contests
    )


def _said(contest: Contest, contents: Contents) -> str:
    return told_of(contest.run, contest.sentence, contents.glossary)


def _ranking(contest: Contest, terms: Mapping[str, str]) -> str:
    ends = [end for _, span in contest.ranks.values() for end in span if end == end]
    reach = max(map(abs, ends), default=0.0) or 1.0
    lines = "".join(
        f'<li><span class="rank">{rank}</span><span>{prose(name)}</span>'
        f"{_track(span, reach)}<span>{_span(span)}</span></li>"
        for name, (rank, span) in contest.ranks.items()
    )
    first = " (the lowest first)" if contest.lower else ""
    title = f"<h4>Ranking by {prose(contest.score, terms)}{first}</h4>"
    return f'<div>{title}<ol class="ranking">{lines}</ol></div>'


def _track(span: Span, reach: float) -> str:
    """The interval on a scale from 0 to the largest of the ranking."""
    value, low, high = (
        max(0.0, min(100.0, 100 * end / reach)) if end == end else 0 for end in span
    )
    return (
        '<span class="track" aria-hidden="true">'
        f'<i style="left:{low:.1f}%;width:{high - low:.1f}%"></i>'
        f'<b style="left:{value:.1f}%"></b></span>'
    )


def _span(span: Span) -> str:
    digits = precision(*span)
    value, low, high = span
    return f'<b>{show(value, digits)}</b> <span class="range">{bounds(low, high, digits)}</span>'


def _duels(contest: Contest, explorer: Explorer | None) -> str:
    lines = [_duel(duel, contest, explorer) for duel in contest.duels]
    first, more = "".join(lines[:_FEW]), "".join(lines[_FEW:])
    rest = f"<details><summary>{len(lines) - _FEW} more</summary>{more}</details>" if more else ""
    return f'<div class="duels"><h4>Differences</h4>{first}{rest}</div>'


def _duel(duel: Duel, contest: Contest, explorer: Explorer | None) -> str:
    sure = "" if duel.certain else " <em>not certain</em>"
    links = ""
    if explorer is not None and explorer.rivals and contest.column in explorer.scores:
        links = " · ".join(
            _link(one, other, contest, explorer.rivals)
            for one, other in ((duel.first, duel.second), (duel.second, duel.first))
        )
    return (
        f'<div class="duel"><p>{prose(duel.first)} − {prose(duel.second)}: {_span(duel.value)} '
        f'<span class="range">{p_text(duel.p)}</span>{sure}</p><p class="small">{links}</p></div>'
    )


def _link(one: str, other: str, contest: Contest, rivals: str) -> str:
    # The rows of the system that has more, with the other's beside them.
    more, less = (other, one) if contest.lower else (one, other)
    to = sentences_link({rivals: more}, better=less, sort=contest.column, order="down", view=rivals)
    how = "lower" if contest.lower else "higher"
    said = f"Sentences where {prose(one)} is {how} than {prose(other)}"
    return f'<a href="{attribute(to)}">{said}</a>'
