"""Cases: a sentence, a small change, two translations that no longer say the same; run again."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import write_text
from hyperbaton.language.languages import parse_pair
from hyperbaton.search.breaks import (
    BREAKS,
    Break,
    Likelihood,
    Pairs,
    answer_text,
    default_breaks,
    reasons,
)
from hyperbaton.systems.faults import is_blank, is_unicode
from hyperbaton.systems.system import Translation

CASES = "cases.jsonl"
"""The file of cases in the folder of a search."""
Translate = Callable[[Sequence[str]], Sequence[Translation]]


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


class Again(NamedTuple):
    """A case with the translations of today."""

    case: Case
    output: str | None
    varied_output: str | None
    """None where the system failed."""
    why: str
    """Why it still breaks; empty where it holds."""
    fault: str = ""
    """Why nothing can be said: the sentence or its variant has no translation."""


def run_again(
    cases: Sequence[Case],
    translate: Translate,
    breaks: Sequence[Break] = (),
    likelihood: Likelihood | None = None,
) -> list[Again]:
    """Translate both texts of each case and judge them; all cases are of one language pair.

    >>> case = Case("1", "en-de", "x", "case", 1, "", "", "Go!", "GO!", "Geh!", "GO!")
    >>> upper = lambda texts: [Translation(text.upper()) for text in texts]
    >>> run_again([case], upper)[0].why
    ''
    """
    if not cases:
        return []
    pair = cases[0].pair
    languages = parse_pair(pair)
    wanted = list(dict.fromkeys(text for case in cases for text in (case.source, case.varied)))
    answers = dict(zip(wanted, translate(wanted), strict=True))
    told = [(answers[case.source], answers[case.varied]) for case in cases]
    texts = [(answer_text(one), answer_text(other)) for one, other in told]
    judged = [
        (case, one, other)
        for case, (one, other) in zip(cases, texts, strict=True)
        if one is not None and other is not None and not is_blank(one)
    ]
    columns = ([c.source for c, *_ in judged], [c.varied for c, *_ in judged])
    outputs = ([one for _, one, _ in judged], [other for *_, other in judged])
    pairs = Pairs(*columns, *outputs, languages, likelihood)
    said = iter(reasons(breaks or default_breaks(languages), pairs))
    found = []
    for case, (one, other), both in zip(cases, texts, told, strict=True):
        known = one is not None and other is not None and not is_blank(one)
        fault = "" if known else next((a.fault for a in both if a.fault), None) or "no translation"
        found.append(Again(case, one, other, next(said) if known else "", fault))
    return found


def by_pair(cases: Sequence[Case]) -> Iterator[tuple[str, list[Case]]]:
    """The cases of each language pair; the same change of the same sentence counts once."""
    distinct = {(case.pair, case.source, case.varied): case for case in reversed(cases)}
    kept = list(reversed(distinct.values()))
    for pair in dict.fromkeys(case.pair for case in kept):
        yield pair, [case for case in kept if case.pair == pair]


def breaks_beside(path: Path) -> list[Break]:
    """What counted as broken in the search that wrote a file of cases; nothing where unknown."""
    file = (path if path.is_dir() else path.parent) / "search.json"
    try:
        found = json.loads(file.read_bytes()).get("breaks", [])
        return [BREAKS.parse(text) for text in found]
    except FileNotFoundError:
        return []
    except (ValueError, AttributeError, TypeError, HyperbatonError):
        raise HyperbatonError(f"{file} is damaged: name what breaks with --breaks") from None
