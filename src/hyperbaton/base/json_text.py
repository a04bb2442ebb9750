"""JSON that others wrote: whatever is wrong with it is one sentence."""

from __future__ import annotations

import json
import re
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError

__all__ = ["parse_json", "read_json"]

_HALF = re.compile("[\ud800-\udfff]")


def read_json(path: Path) -> object:
    """The value that a file holds, which is one JSON text in UTF-8."""
    try:
        text = path.read_text(encoding="utf-8")
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
