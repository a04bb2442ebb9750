"""Addresses into the page, which state.js reads: the sentences with a filter or a sorting."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import urlencode

__all__ = ["sentences_link"]

_ALL: Mapping[str, str] = MappingProxyType({})


def sentences_link(chosen: Mapping[str, str] = _ALL, **further: str | int) -> str:
    """The rows whose columns hold these values; further are `sort`, `order`, `better`, `row`, …

    >>> sentences_link({"system": "a b"}, sort="beta1", order="down")
    '#sentences&sort=beta1&order=down&is.system=a+b'
    """
    return "#sentences&" + urlencode(further | {f"is.{name}": v for name, v in chosen.items()})
