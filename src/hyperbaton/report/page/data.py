"""Data inside a page, in letters that cannot end a script element, and the library that draws them.

Putting Vega, Vega-Lite and Vega-Embed into one script takes seconds, and nothing in it depends on
the report: it is made once for each release of its parts, then kept in the cache.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import cache_folder, write_text
from hyperbaton.report.charts.specs import vegalite_version

_QUICK = 6  # level 9 takes three times as long for a hundredth of the size
_SMALL = 9
_OFFER = "window.vegaEmbed = vegaEmbed;"


def pack(data: object) -> str:
    """JSON, compressed and in Base64; the same data give the same letters."""
    try:
        text = _json(data)
    except ValueError:  # rare, and a walk through all data is slow
        text = _json(_finite(data))
    return _packed(text, _QUICK)


def _packed(text: str, level: int) -> str:
    # Half a surrogate pair cannot be written; a system's broken answer must not lose the report.
    raw = text.encode("utf-8", "replace")
    return base64.b64encode(gzip.compress(raw, level, mtime=0)).decode("ascii")


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
    """Vega, Vega-Lite and Vega-Embed as one script."""
    found = kept()
    if found:
        return found
    import vl_convert

    code: str = vl_convert.javascript_bundle(_OFFER, vl_version=vegalite_version())
    with suppress(OSError, HyperbatonError):  # nothing is lost where nothing can be kept
        write_text(_path(), f"{_digest(code)}\n{code}")
    return code


def kept() -> str:
    """The library as the cache has it, or nothing."""
    with suppress(OSError, UnicodeDecodeError):
        digest, _, code = _path().read_text(encoding="utf-8").partition("\n")
        if digest == _digest(code):
            return code
    return ""


@cache
def packed_library() -> str:
    """The same as data: a third of its size, unpacked where a figure is drawn."""
    return _element("drawing-library", _packed(drawing_library(), _SMALL))


def _path() -> Path:
    name = f"vl-convert-{version('vl-convert-python')}-{vegalite_version()}.js"
    return cache_folder() / "drawing" / name


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
