"""Vega-Lite descriptions as plain dictionaries, written as Altair would write them.

Altair itself takes .2 s to load, and checks and copies every part of a chart against a schema:
most of the time that a page took.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

Spec = dict[str, object]
"""A Vega-Lite description as plain JSON."""
Channel = str | Spec
"""A column, or all that is said of it."""
Rows = Sequence[Mapping[str, str | float | int | None]]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.4.1.json"
"""The version of Vega-Lite that descriptions are written in."""
_TYPES = {"N": "nominal", "O": "ordinal", "Q": "quantitative"}
_TOP = {"orient": "top"}


def channel(shorthand: str, **settings: object) -> Spec:
    """A column with its type, as a channel of an encoding has it.

    >>> channel("share:Q", title="share")
    {'field': 'share', 'title': 'share', 'type': 'quantitative'}
    >>> channel("high")
    {'field': 'high'}
    """
    name, _, kind = shorthand.partition(":")
    typed = {"type": _TYPES[kind]} if kind else {}
    return _sorted({"field": name, **typed, **settings})


def coloured(shorthand: str, **settings: object) -> Spec:
    """A column with a legend above the chart, and no title unless there is one."""
    return channel(shorthand, **{"legend": _TOP, "title": None, **settings})


def mark(kind: str, **settings: object) -> Spec:
    """A mark with its settings."""
    return {"type": kind, **_sorted(settings)}


def encoding(tooltip: Sequence[Channel] = (), **channels: Channel) -> Spec:
    """Channels by name, each a column or all that is said of it, and what a tooltip shows."""
    made: Spec = {name: _read(one) for name, one in channels.items()}
    return _sorted(made | ({"tooltip": [_read(one) for one in tooltip]} if tooltip else {}))


def _read(one: Channel) -> Spec:
    return channel(one) if isinstance(one, str) else one


def _sorted(parts: Mapping[str, object]) -> Spec:
    return {name: parts[name] for name in sorted(parts)}


def finished(rows: Rows, parts: Spec) -> Spec:
    """A whole description; its rows stand apart, so that charts of the same rows share them."""
    values = [dict(row) for row in rows]
    written = json.dumps(values, sort_keys=True, default=str)
    name = f"data-{hashlib.sha256(written.encode()).hexdigest()[:32]}"
    return {"data": {"name": name}, **parts, "$schema": SCHEMA, "datasets": {name: values}}


def by_panel(shorthand: str, order: Sequence[str], **settings: object) -> Spec:
    """A column with a panel for each of its values, in an order."""
    return channel(shorthand, title=None, sort=list(order), **settings)
