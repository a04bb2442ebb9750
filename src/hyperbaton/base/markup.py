"""Which markup a file is in, by its first bytes: its lines are then not texts."""

from __future__ import annotations

import codecs
import re

__all__ = ["MARKUP", "declared_encoding", "markup_of", "refusal"]

ENOUGH = 4096
"""Bytes of a file that tell; what stands before its first element is rarely longer."""

MARKUP = {
    "tmx": "TMX",
    "xliff": "XLIFF",
    "sgm": "SGM",
    "wmt": "WMT's XML",
    "html": "HTML",
    "xml": "XML",
}
"""Markup by the name that `--input` has for it; the last two are not read."""
_ROOTS = {
    "tmx": "tmx",
    "xliff": "xliff",
    "srcset": "sgm",
    "refset": "sgm",
    "tstset": "sgm",
    "mteval": "sgm",
    "dataset": "wmt",
    "html": "html",
}
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins as that of UTF-16 does
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"<\x00", "utf-16-le"),
    (b"\x00<", "utf-16-be"),
)
_ENCODING = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_ASCII = "ab/AZ+09 <>&;=\"'"
_BEFORE_ROOT = re.compile(r"\s+|<\?.*?\?>|<!--.*?-->", re.DOTALL)
_TYPE = re.compile(r"<!DOCTYPE\s+([\w:.-]+)", re.IGNORECASE)
_ROOT = re.compile(r"<([A-Za-z_][\w:.-]*)(?=[\s/>])")


def markup_of(start: bytes) -> str | None:
    """The markup that the first bytes of a file are in, None for any other text.

    >>> markup_of(b'<?xml version="1.0"?><!-- a memory --><tmx version="1.4">'), markup_of(b"< 5")
    ('tmx', None)
    """
    text = start[:ENOUGH].decode(declared_encoding(start), "replace")
    place = 0
    while space := _BEFORE_ROOT.match(text, place):
        place = space.end()
    if found := _TYPE.match(text, place) or _ROOT.match(text, place):
        root = found[1].lower().rpartition(":")[2]
        if root in _ROOTS:
            return _ROOTS[root]
    return "xml" if text.lstrip().startswith("<?xml") else None


def declared_encoding(start: bytes) -> str:
    """The encoding that a byte-order mark or an XML declaration tells; else UTF-8.

    A mark is believed before the declaration, which does not change when a file is converted.
    """
    for mark, name in _BOMS:
        if start.startswith(mark):
            return name
    declared = _ENCODING.search(start[:ENOUGH])
    if declared is None:
        return "utf-8"
    name = declared[1].decode()
    try:
        # UTF-16 cannot be what a declaration is in that was just read as ASCII.
        return name if _ASCII.encode().decode(name) == _ASCII else "utf-8"
    except (LookupError, ValueError):
        return "utf-8"


def refusal(form: str, file: str, stream: bool) -> str:
    """Why lines are not read from such a file, and what to do."""
    name = MARKUP[form]
    if form in ("html", "xml"):
        return f"{file} is {name}, which is not read: save it as plain text, one text per line"
    if stream:
        return (
            f"{file} is {name}, not one text per line: add --input {form}, "
            f"or save it as a file whose name ends in .{'xml' if form == 'wmt' else form}"
        )
    return (
        f"{file} is {name}, where one text per line is needed: write its texts out first, "
        "as with hyperbaton translate --system copy"
    )
