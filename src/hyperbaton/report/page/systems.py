"""Systems as HTML: what each does, an example of it, the words that are used; who is better."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from hyperbaton.base.wording import amount, p_text, percent, percent_digits
from hyperbaton.report.contents import Contents, Contest, Duel, Example, Explorer, Headline, Span
from hyperbaton.report.page.markup import attribute, prose, sentences_link
from hyperbaton.report.page.pictures import picture_svg

_RAMP = ((94, 60, 153), (54, 118, 186), (24, 156, 148), (110, 181, 75), (230, 172, 22))
"""The colours of words.js."""
_FIRST_TERMS = 3
_INTERVAL = re.compile(r"\[([−.\d]+), ([−.\d]+)\]")
_NARROW = 0.06
"""A part of the bar under which its figure has no room."""
_FEW = 3
"""So many differences are shown at once; more are folded."""


def answers_html(contents: Contents) -> str:
    """The answer for each system, the example and the glossary; nothing where there is none."""
    if not contents.headlines:
        return ""
    answers = "".join(_answer(headline, contents) for headline in contents.headlines)
    first = "".join(_example(contents, example) for example in contents.examples[:1])
    beside = f"{first}{_glossary(contents.glossary)}"
    beside = f'<div class="beside">{beside}</div>' if beside else ""
    return f'{_best(contents)}<div class="answers">{answers}</div>{beside}'


def examples_html(contents: Contents) -> str:
    """The further examples, for paper."""
    return "".join(_example(contents, example) for example in contents.examples[1:])


def _best(contents: Contents) -> str:
    """Who comes first in each run, in a sentence, with the way to all of it."""
    further = "" if contents.opening else ' <a href="#systems">All comparisons</a>'
    lines = [_unbroken(prose(one, contents.glossary)) for one in contents.openings]
    return "".join(f'<p class="best">{line}{further}</p>' for line in lines)


def _told_of(run: str, sentence: str, terms: Mapping[str, str]) -> str:
    """A sentence with the run that it is about."""
    return prose(f"{run}: {sentence}" if run else sentence, terms)


def _answer(headline: Headline, contents: Contents) -> str:
    terms = contents.glossary
    numbers = "".join(
        _number(label, span, "%" if label in headline.percent else "", terms)
        for label, span in headline.numbers.items()
    )
    figures = f'<dl class="figures">{numbers}</dl>' if numbers else ""
    said = _unbroken(_told_of(headline.run, headline.sentence, terms))
    return (
        f'<article class="answer"><div><p>{said}</p>'
        f"{_bar(headline.shares, terms)}{figures}</div>"
        f"{picture_svg(headline, contents.explorer)}</article>"
    )


def _number(label: str, span: Span, unit: str, terms: Mapping[str, str]) -> str:
    value, ends = amount(*span, unit)
    return (
        f"<div><dt>{prose(label, terms)}</dt><dd><b>{_unbroken(value)}</b> "
        f'<span class="bounds">{ends}</span></dd></div>'
    )


def _unbroken(html: str) -> str:
    """A number and its sign on one line, and an interval."""
    gap = "\N{NO-BREAK SPACE}"
    html = _INTERVAL.sub(rf"[\1,{gap}\2]", html)
    return html.replace(" %", f"{gap}%").replace("p &lt; .", f"p{gap}&lt;{gap}.")


def _bar(shares: Mapping[str, Span], terms: Mapping[str, str]) -> str:
    """Parts of a whole as one bar, with what each is beneath it."""
    if not shares:
        return ""
    parts = "".join(
        f'<i class="share-{number}" style="flex-grow:{max(value, 0.0001):.4f}">'
        f"{percent(value) if value >= _NARROW else ''}</i>"
        for number, (value, _, _) in enumerate(shares.values(), 1)
    )
    legend = "".join(
        f'<li class="share-{number}">{prose(name, terms)} {_share(*span)}</li>'
        for number, (name, span) in enumerate(shares.items(), 1)
    )
    return f'<div class="stack" aria-hidden="true">{parts}</div><ul class="legend">{legend}</ul>'


def _share(value: float, low: float, high: float) -> str:
    """A share and its interval; of none, the most that there could be."""
    if value == 0:
        return f'<b>none</b> <span class="range">at most {percent(high)}</span>'
    digits = percent_digits(value)
    ends = f"{percent(low, digits)} to {percent(high, digits)}"
    return f'<b>{percent(value)}</b> <span class="range">{ends}</span>'


def _example(contents: Contents, example: Example) -> str:
    explorer = contents.explorer
    if explorer is None:
        return ""
    row = explorer.rows.row(example.row, named=True)
    lines = "".join(
        f'<div class="block"><h3>{prose(label)}</h3>'
        f'<p class="text" dir="auto">{_text(row, name, explorer)}</p></div>'
        for name, label in explorer.texts.items()
        if row[name] is not None
    )
    note = prose(example.note, contents.glossary)
    to = attribute(sentences_link(row=example.row))
    return (
        f'<section class="example"><h2>An example</h2><p>{note} '
        f'<a href="{to}">More of this sentence</a></p>{lines}</section>'
    )


def _text(row: Mapping[str, object], name: str, explorer: Explorer) -> str:
    """A text with its words in the colour of the place they came from."""
    text = str(row[name])
    words = row[explorer.words[name]] if name in explorer.words else None
    order = row[explorer.orders[name]] if name in explorer.orders else None
    if not isinstance(words, list):
        return attribute(text)
    places = order if isinstance(order, list) else list(range(len(words)))
    return "".join(_coloured(text, words, places))


def _coloured(text: str, words: Sequence[str], places: Sequence[int]) -> Iterator[str]:
    at = 0
    for place in places:
        start = text.find(words[place], at)
        if start < 0:
            continue
        yield attribute(text[at:start])
        at = start + len(words[place])
        colour = _colour(place, len(words))
        yield f'<span class="word" style="--c:{colour}">{attribute(text[start:at])}</span>'
    yield attribute(text[at:])


def _colour(place: int, size: int) -> str:
    at = place / (size - 1) * (len(_RAMP) - 1) if size > 1 else 0.0
    left = min(int(at), len(_RAMP) - 2)
    pairs = zip(_RAMP[left], _RAMP[left + 1], strict=True)
    return f"rgb({' '.join(str(round(a + (b - a) * (at - left))) for a, b in pairs)})"


def _glossary(terms: Mapping[str, str]) -> str:
    if not terms:
        return ""
    lines = iter([f"<dt>{prose(t)}</dt><dd>{prose(said)}</dd>" for t, said in terms.items()])
    first, more = "".join(islice(lines, _FIRST_TERMS)), "".join(lines)
    rest = f"<details><summary>More words</summary><dl>{more}</dl></details>" if more else ""
    return f'<section class="glossary"><h2>Words</h2><dl>{first}</dl>{rest}</section>'


def contests_html(contents: Contents) -> str:
    """Every contest: who stands where, and by how much."""
    return "".join(
        '<section class="contest">'
        f"<h3>{_told_of(contest.run, contest.sentence, contents.glossary)}</h3>"
        f'<div class="beside">{_ranking(contest, contents.glossary)}'
        f"{_duels(contest, contents.explorer)}</div></section>"
        for contest in contents.contests
    )


def _ranking(contest: Contest, terms: Mapping[str, str]) -> str:
    ends = [end for _, span in contest.ranks.values() for end in span if end == end]
    reach = max(map(abs, ends), default=0.0) or 1.0
    lines = "".join(
        f'<li><span class="rank">{rank}</span><span>{prose(name)}</span>'
        f"{_track(span, reach)}<span>{_span(span, '%' if contest.share else '')}</span></li>"
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


def _span(span: Span, unit: str) -> str:
    value, ends = amount(*span, unit)
    return f'<b>{_unbroken(value)}</b> <span class="range">{ends}</span>'


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
    apart = _span(duel.value, "points" if contest.share else "")
    return (
        f'<div class="duel"><p>{prose(duel.first)} − {prose(duel.second)}: {apart} '
        f'<span class="range">{p_text(duel.p)}</span>{sure}</p><p class="small">{links}</p></div>'
    )


def _link(one: str, other: str, contest: Contest, rivals: str) -> str:
    # The rows of the system that has more, with the other's beside them.
    more, less = (other, one) if contest.lower else (one, other)
    to = sentences_link({rivals: more}, better=less, sort=contest.column, order="down", view=rivals)
    how = "lower" if contest.lower else "higher"
    said = f"Sentences where {prose(one)} is {how} than {prose(other)}"
    return f'<a href="{attribute(to)}">{said}</a>'
