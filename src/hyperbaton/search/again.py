"""Cases run again: which of them still break a translation, and which hold by now."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from hyperbaton.base.errors import HyperbatonError
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
from hyperbaton.search.cases import Case
from hyperbaton.systems.faults import is_blank
from hyperbaton.systems.system import Translation

Translate = Callable[[Sequence[str]], Sequence[Translation]]


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
