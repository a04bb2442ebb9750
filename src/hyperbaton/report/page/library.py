"""The drawing library of a page: made once for each release of its parts, then kept in the cache.

Putting Vega, Vega-Lite and Vega-Embed into one script takes seconds, and nothing in it depends on
the report.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import cache_folder, write_text
from hyperbaton.report.charts.specs import vegalite_version
from hyperbaton.report.page.payload import text_block

__all__ = ["drawing_library", "kept", "packed_library"]

_OFFER = "window.vegaEmbed = vegaEmbed;"


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
    return text_block("drawing-library", drawing_library())


def _path() -> Path:
    name = f"vl-convert-{version('vl-convert-python')}-{vegalite_version()}.js"
    return cache_folder() / "drawing" / name


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
