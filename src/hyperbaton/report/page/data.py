"""Data inside a page, in letters that cannot end a script element, and what draws figures."""

from __future__ import annotations

import base64
import gzip
import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

_QUICK = 6  # level 9 takes three times as long for a hundredth of the size


def pack(data: object) -> str:
    """JSON, compressed and in Base64; the same data give the same letters."""
    try:
        text = _json(data)
    except ValueError:  # rare, and a walk through all data is slow
        text = _json(_finite(data))
    # Half a surrogate pair cannot be written; a system's broken answer must not lose the report.
    raw = text.encode("utf-8", "replace")
    return base64.b64encode(gzip.compress(raw, _QUICK, mtime=0)).decode("ascii")


def unpack(packed: str) -> object:
    """What `pack` packed."""
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def block(name: str, data: object) -> str:
    """An element that holds data and is never run."""
    return _element(name, pack(data))


def _element(name: str, packed: str) -> str:
    return f'<script type="application/octet-stream" id="{name}">{packed}</script>'


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _finite(value: object) -> object:
    """The same data with null where JSON has no number."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_finite(item) for item in value]
    return value


@cache
def drawing_library() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, put together by `scripts/build_drawing.py`."""
    return gzip.decompress(_library()).decode()


@cache
def packed_library() -> str:
    """The same as data: a third of its size, unpacked where a figure is drawn."""
    return _element("drawing-library", base64.b64encode(_library()).decode("ascii"))


@cache
def _library() -> bytes:
    return files("hyperbaton.report").joinpath("assets", "drawing.js.gz").read_bytes()
