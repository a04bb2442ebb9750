"""Cases: a sentence, a small change of it, and the two translations that no longer say the same."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import write_text
from hyperbaton.systems.faults import is_unicode

CASES = "cases.jsonl"
"""The file of cases in the folder of a search."""


@dataclass(frozen=True)
class Case:
    """A change that breaks a translation: `varied` is `source` after the change."""

    item: str
    pair: str
    system: str
    kind: str
    size: int
    """Steps of the change: a letter, a mark, a space, the case of a word, a swap of neighbours."""
    change: str
    """The change as `hyperbaton.search.changes` reads it: `letter(at=6, old=ab, new=ba)`."""
    why: str
    source: str
    varied: str
    output: str
    varied_output: str
    sentence: str = ""
    """The whole sentence, where `source` is a part of it."""

    def line(self) -> str:
        """The case as a line of JSON."""
        row = {key: value for key, value in vars(self).items() if key != "sentence" or value}
        return json.dumps(row, ensure_ascii=False)


_FIELDS = {field.name: int if field.name == "size" else str for field in dataclasses.fields(Case)}


def case_of(line: str, where: str) -> Case:
    """The case in a line; keys that a case does not have are passed over."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise HyperbatonError(f"{where} is not JSON: write one case a line") from None
    if not isinstance(row, dict):
        raise HyperbatonError(f"{where} is not an object in braces: write one case a line")
    row.setdefault("sentence", "")
    for name, kind in _FIELDS.items():
        if name not in row:
            known = ", ".join(_FIELDS)
            raise HyperbatonError(f'{where} has no "{name}": a case has all of {known}')
        value = row[name]
        if type(value) is not kind or (isinstance(value, str) and not is_unicode(value)):
            wanted = "a whole number" if kind is int else "text"
            raise HyperbatonError(f'{where}: "{name}" must be {wanted}')
    return Case(**{name: row[name] for name in _FIELDS})


def read_cases(path: Path) -> list[Case]:
    """The cases of a file, or of the folder of a search; empty lines are passed over."""
    file = path / CASES if path.is_dir() else path
    try:
        lines = file.read_bytes().decode("utf-8-sig").split("\n")
    except FileNotFoundError:
        raise HyperbatonError(
            f"there is no {file}: find cases with hyperbaton break -o FOLDER"
        ) from None
    except UnicodeDecodeError:
        raise HyperbatonError(f"{file} is not UTF-8: write it again") from None
    return [
        case_of(line, f"{file}, line {number},")
        for number, line in enumerate(lines, 1)
        if line.strip()
    ]


def write_cases(path: Path, cases: Iterable[Case]) -> None:
    """Write a file of cases, whole or not at all."""
    write_text(path, "".join(f"{case.line()}\n" for case in cases))
