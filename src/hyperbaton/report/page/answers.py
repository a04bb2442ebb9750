"""The first screen: what each system does, an example of it, and the words that are used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from hyperbaton.report.charts.pictures import picture_svg
from hyperbaton.report.contents import Contents, Example, Explorer, Headline, Span
from hyperbaton.report.numbers import bounds, precision, show
from hyperbaton.report.page.links import sentences_link
from hyperbaton.report.page.markup import attribute, prose

__all__ = ["answers_html", "examples_html", "told_of"]

_RAMP = ((94, 60, 153), (54, 118, 186), (24, 156, 148), (110, 181, 75), (230, 172, 22))
"""The colours of words.js."""
_FIRST_TERMS = 3
_NARROW = 0.06
"""A part of the bar under which its figure has no room."""


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
    first = {contest.run: contest for contest in reversed(contents.contests)}
    told = [contest for contest in contents.contests if contest is first[contest.run]]
    lines = [_unbroken(told_of(one.run, one.sentence, contents.glossary)) for one in told]
    return "".join(
        f'<p class="best">{line} <a href="#systems">All comparisons</a></p>' for line in lines
    )


def told_of(run: str, sentence: str, terms: Mapping[str, str]) -> str:
    """A sentence with the run that it is about."""
    return prose(f"{run}: {sentence}" if run else sentence, terms)


def _answer(headline: Headline, contents: Contents) -> str:
    terms = contents.glossary
    numbers = "".join(_number(label, span, terms) for label, span in headline.numbers.items())
    figures = f'<dl class="figures">{numbers}</dl>' if numbers else ""
    said = _unbroken(told_of(headline.run, headline.sentence, terms))
    return (
        f'<article class="answer"><div><p>{said}</p>'
        f"{_bar(headline.shares, terms)}{figures}</div>"
        f"{picture_svg(headline, contents.explorer)}</article>"
    )


def _number(label: str, span: Span, terms: Mapping[str, str]) -> str:
    digits = precision(*span)
    value, low, high = span
    return (
        f"<div><dt>{prose(label, terms)}</dt><dd><b>{show(value, digits)}</b> "
        f'<span class="bounds">{bounds(low, high, digits)}</span></dd></div>'
    )


def _unbroken(html: str) -> str:
    """A number and its sign on one line."""
    gap = "\N{NO-BREAK SPACE}"
    return html.replace(" %", f"{gap}%").replace("p &lt; .", f"p{gap}&lt;{gap}.")


def _bar(shares: Mapping[str, Span], terms: Mapping[str, str]) -> str:
    """Parts of a whole as one bar, with what each is beneath it."""
    if not shares:
        return ""
    parts = "".join(
        f'<i class="share-{number}" style="flex-grow:{max(value, 0.0001):.4f}">'
        f"{_percent(value) if value >= _NARROW else ''}</i>"
        for number, (value, _, _) in enumerate(shares.values(), 1)
    )
    legend = "".join(
        f'<li class="share-{number}">{prose(name, terms)} <b>{_percent(value)}</b> '
        f'<span class="range">{_percent(low)} to {_percent(high)}</span></li>'
        for number, (name, (value, low, high)) in enumerate(shares.items(), 1)
    )
    return f'<div class="stack" aria-hidden="true">{parts}</div><ul class="legend">{legend}</ul>'


def _percent(share: float) -> str:
    return "–" if share != share else f"{100 * share:.0f} %"


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
