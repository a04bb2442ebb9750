"""Text as HTML: nothing that a corpus, a file name or a system wrote can become markup."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from html import escape, unescape
from itertools import count
from types import MappingProxyType
from urllib.parse import urlencode

_CODE = re.compile(r"`([^`\n]+)`")


def attribute(text: str) -> str:
    """Text between the double quotes of an attribute."""
    return escape(text, quote=True)


def prose(text: str, terms: Mapping[str, str] = MappingProxyType({})) -> str:
    """A line of text; what stands between backticks is code, and terms say what they mean.

    >>> prose("`a<b` & c")
    '<code>a&lt;b</code> &amp; c'
    >>> prose("β1 > β", {"β": "quality"})
    'β1 &gt; <abbr title="quality">β</abbr>'
    """
    plain = _CODE.sub(r"<code>\1</code>", escape(text, quote=True))
    return _terms(tuple(terms.items())).sub(lambda m: _abbr(m[0], terms), plain) if terms else plain


def _abbr(term: str, terms: Mapping[str, str]) -> str:
    return f'<abbr title="{attribute(terms[unescape(term)])}">{term}</abbr>'


@lru_cache(maxsize=8)
def _terms(terms: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    """Any of the terms as a word of its own, the longest first."""
    names = sorted((escape(name, quote=True) for name, _ in terms), key=len, reverse=True)
    return re.compile(rf"(?<![\w&])(?:{'|'.join(map(re.escape, names))})(?!\w)")


def paragraphs(text: str, terms: Mapping[str, str] = MappingProxyType({})) -> str:
    """Text whose blank lines part paragraphs."""
    return "".join(
        f"<p>{prose(part.strip(), terms)}</p>"
        for part in re.split(r"\n\s*\n", text)
        if part.strip()
    )


def slug(text: str) -> str:
    """A name for an address or a file.

    >>> slug("T1: N per language")
    't1-n-per-language'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "x"


def unique_slugs(names: list[str]) -> list[str]:
    """A slug for each name, no two alike.

    >>> unique_slugs(["F 1", "f-1", "T1"])
    ['f-1', 'f-1-2', 't1']
    """
    slugs: list[str] = []
    for name in names:
        base = slug(name)
        tries = (base if i == 1 else f"{base}-{i}" for i in count(1))
        slugs.append(next(new for new in tries if new not in slugs))
    return slugs


_ALL: Mapping[str, str] = MappingProxyType({})


def sentences_link(chosen: Mapping[str, str] = _ALL, **further: str | int) -> str:
    """The rows whose columns hold these values; further are `sort`, `order`, `better`, `row`, …

    >>> sentences_link({"system": "a b"}, sort="beta1", order="down")
    '#sentences&sort=beta1&order=down&is.system=a+b'
    """
    return "#sentences&" + urlencode(further | {f"is.{name}": v for name, v in chosen.items()})
