"""What a file holds: its JSON, the markup it is in, and a fingerprint of its bytes."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import Any

from hyperbaton.base.database import is_open_here
from hyperbaton.base.errors import HyperbatonError

_HALF = re.compile("[\ud800-\udfff]")

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


def read_json(path: Path) -> object:
    """The value that a file holds, which is one JSON text in UTF-8 (with or without a BOM)."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise HyperbatonError(f"there is no file {path}") from None
    except UnicodeDecodeError as error:
        raise HyperbatonError(f"{path}: byte {error.start + 1} is not UTF-8") from None
    except OSError as error:
        raise HyperbatonError(f"cannot read {path}: {error.strerror}") from None
    return parse_json(text, str(path))


def parse_json(text: str, where: str) -> object:
    """The value that a text spells; `where` begins the message when it spells none.

    >>> parse_json('{"a": [1, 2]}', "x.json")
    {'a': [1, 2]}
    """
    try:
        value: object = json.loads(text)
    except json.JSONDecodeError as error:
        raise HyperbatonError(
            f"{where}, line {error.lineno}, column {error.colno}: not JSON ({error.msg})"
            if "\n" in text
            else f"{where}, column {error.colno}: not JSON ({error.msg})"
        ) from None
    except RecursionError:
        raise HyperbatonError(f"{where}: the JSON is nested too deeply") from None
    except ValueError:  # Python reads no integer of more than 4,300 digits
        raise HyperbatonError(f"{where}: a number in the JSON has too many digits") from None
    if "\\u" in text and _HALF.search(json.dumps(value, ensure_ascii=False)):
        raise HyperbatonError(
            f"{where}: the JSON holds half a character (\\ud800 to \\udfff without its partner), "
            "which no UTF-8 text can; write the file again"
        )
    return value


def read_object(path: Path) -> dict[str, Any]:
    """The object that a file of JSON holds."""
    return _object(read_json(path), str(path))


def parse_object(text: str, where: str) -> dict[str, Any]:
    """The object that a text of JSON spells."""
    return _object(parse_json(text, where), where)


def _object(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise HyperbatonError(f"{where}: not a JSON object, which is written {{…}}")
    return value


def fingerprint(paths: Iterable[Path]) -> str:
    """Sixteen hexadecimal digits that change with the name or content of any of these files.

    A folder counts with all files in it; where it lies does not count, nor do the files that we
    have open ourselves, such as the store of translations.
    """
    digest = blake2b(digest_size=8)
    for path in paths:
        for name, file in _files(path):
            status = file.stat()
            digest.update(f"{name}\0".encode(errors="surrogateescape"))
            digest.update(_digest(file, status.st_size, status.st_mtime_ns))
    return digest.hexdigest()


def _files(path: Path) -> Iterator[tuple[str, Path]]:
    if not path.is_dir():
        if not is_open_here(path):
            yield path.name, path
        return
    for file in sorted(path.rglob("*")):
        if file.is_file() and not is_open_here(file):
            yield file.relative_to(path).as_posix(), file


@lru_cache(maxsize=4096)
def _digest(path: Path, size: int, modified: int) -> bytes:
    with path.open("rb") as file:
        return file_digest(file, blake2b).digest()


def markup_of(start: bytes) -> str | None:
    """The markup that the first bytes of a file are in, None for any other text.

    >>> markup_of(b'<?xml version="1.0"?><!-- a memory --><tmx version="1.4">'), markup_of(b"< 5")
    ('tmx', None)
    """
    text = start[:ENOUGH].decode(declared_encoding(start), "replace")
    place = 0
    while space := _BEFORE_ROOT.match(text, place):
        place = space.end()
    if tag := _TYPE.match(text, place) or _ROOT.match(text, place):
        root = tag[1].lower().rpartition(":")[2]
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
