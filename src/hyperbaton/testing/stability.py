"""Assertions on a translator: it survives small changes, and cases of earlier breaks hold by now.

The search is that of `hyperbaton break`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.base.wording import counted
from hyperbaton.language.languages import parse_pair
from hyperbaton.search.breaks import BREAKS, Break, Similarity, default_breaks, likelihood_of
from hyperbaton.search.candidates import Material
from hyperbaton.search.cases import Case, read_cases, run_again
from hyperbaton.search.hunt import Hunted
from hyperbaton.search.searching import Search, case_from, search_all
from hyperbaton.systems.programs.function import Given
from hyperbaton.testing.systems import OpenSystem, open_system
from hyperbaton.testing.variants import changes_of, kinds_named, material_of

Translate = Given | OpenSystem | Callable[..., Any]
BUDGET = 100
"""Translations of a sentence: tests are run often."""


def assert_stable(
    translate: Translate,
    texts: str | Sequence[str],
    languages: str | None = None,
    *,
    under: Sequence[str] = (),
    within: float | None = None,
    breaks: Sequence[str] = (),
    budget: int = BUDGET,
    seed: int = 0,
) -> None:
    """Fail with the smallest change of a text after which its translation says something else.

    `translate` is what `system_fixture` opens, a function, or the name of a system. `under` names
    kinds of changes, such as `final mark` and `case`; all, where none is named. The translations
    may differ by `within`: 1 minus their chrF; where nothing is said, by 0.6, or in words that the
    system finds as likely. `breaks` names what else counts, as `hyperbaton ls breaks` lists it.

    >>> assert_stable(lambda text: text.lower(), "We go home.", "en-de", under=["case"])
    """
    __tracebackhide__ = True
    with opened(translate, languages) as system:
        search = Search(
            system.languages,
            _breaks(within, breaks, system.languages),
            kinds_named(under),
            budget,
            seed,
        )
        materials = _materials([texts] if isinstance(texts, str) else texts, search)
        found: list[Case] = []
        said: dict[str, Hunted] = {}
        for material, hunted in search_all(materials, system.translator, search, system.store):
            said[material.words.text] = hunted
            found += [case_from(material, one, search, system.name) for one in hunted.broken[:1]]
        _refuse_unknown(system, said)
    if found:
        least = min(found, key=lambda case: case.size)
        more = len(found) - 1
        raise AssertionError(
            told(least)
            + (f"\n({counted(more, 'other text')} of {len(materials)} broke too)" if more else "")
        )


@contextmanager
def opened(translate: Translate, languages: str | None) -> Iterator[OpenSystem]:
    """What translates, open; that which is held open already stays so."""
    if isinstance(translate, OpenSystem):
        if languages is not None and parse_pair(languages) != translate.languages:
            of = "-".join(translate.languages)
            raise HyperbatonError(f"{translate.name} is open for {of}, not for {languages}")
        yield translate
        return
    if languages is None:
        raise HyperbatonError('name the languages, e.g. assert_stable(translate, "…", "en-de")')
    with open_system(translate, languages) as system:
        yield system


def _refuse_unknown(system: OpenSystem, said: Mapping[str, Hunted]) -> None:
    """Fail where a translation is missing, or where translations tell nothing of their texts."""
    for text, hunted in said.items():
        for silent in (text,) if hunted.output is None else hunted.failed[:1]:
            why = system.answers([silent])[0].fault or "its answer is empty"
            raise AssertionError(f"{system.name} has no translation of '{silent}': {why}")
        if not hunted.steady:
            raise AssertionError(f"{system.name} translates '{text}' in another way each time")
    if len(said) > 1 == len({hunted.output for hunted in said.values()}):
        raise AssertionError(f"{system.name} gives all {len(said)} texts the same translation")


def told(case: Case) -> str:
    """A case as a failing test shows it."""
    whole = {"sentence": case.sentence} if case.sentence else {}
    texts = whole | {
        "source": case.source,
        "changed": case.varied,
        "translation": case.output,
        "of the changed": case.varied_output,
        "change": case.change,
    }
    width = max(map(len, texts)) + 1
    lines = [f"  {name + ':':<{width}} {text}" for name, text in texts.items()]
    head = f"{case.system} breaks under a small change ({case.kind}): {case.why}"
    return "\n".join([head, *lines])


def _breaks(
    within: float | None, named: Sequence[str], languages: tuple[str, str]
) -> tuple[Break, ...]:
    """What counts as broken: that which is named, the distance, or what `break` looks for."""
    if within is not None and not 0 <= within < 1:
        raise HyperbatonError(f"within is how far translations may differ, 0 to 1, not {within}")
    found = [BREAKS.parse(text) for text in named]
    for one in found:
        one.refuse(languages)
    if not found:
        found = [one for one in default_breaks(languages) if not isinstance(one, Similarity)]
        found.append(Similarity())
    if within is None:
        return tuple(found)
    kept = [one for one in found if not isinstance(one, Similarity)]
    return (*kept, Similarity(below=round(1 - within, 6), likely=None))


def _materials(texts: Sequence[str], search: Search) -> list[Material]:
    """The sentences; one that none of the changes would change tests nothing."""
    language = search.languages[0]
    found = [material_of(text, language, n, search.seed) for n, text in enumerate(texts, 1)]
    if not found:
        raise HyperbatonError("there is no text: the test is empty")
    for material in found:
        changes_of(material, search.kinds)
    return found


def each_case(path: str | Path, name: str = "case") -> Callable[..., Any]:
    """Run a test for each case of a file that `hyperbaton break` or `check --mended` wrote.

    The file lies beside the test, or where the path says.
    """
    pytest = need("pytest", extra="test")
    beside = Path(sys._getframe(1).f_globals.get("__file__", "")).parent / path
    found = read_cases(beside if beside.exists() else Path(path))
    if not found:
        raise HyperbatonError(f"{path} has no cases: there is nothing to test")
    return pytest.mark.parametrize(name, found, ids=[f"{c.kind}-{c.item}" for c in found])  # type: ignore[no-any-return]


def assert_holds(translate: Translate, case: Case, breaks: Sequence[str] = ()) -> None:
    """Fail where a case still breaks, with its translations of today.

    >>> case = Case("1", "en-de", "x", "case", 1, "", "", "Go!", "GO!", "Geh!", "GO!")
    >>> assert_holds(str.upper, case)
    """
    __tracebackhide__ = True
    with opened(translate, None if hasattr(translate, "languages") else case.pair) as system:
        if "-".join(system.languages) != case.pair:
            of = "-".join(system.languages)
            raise HyperbatonError(f"{system.name} is open for {of}, the case is of {case.pair}")
        asked = [BREAKS.parse(text) for text in breaks]
        likelihood = likelihood_of(system.translator)
        (again,) = run_again([case], system.answers, asked, likelihood)
    if again.fault:
        raise AssertionError(f"{system.name} has no translation of '{case.varied}': {again.fault}")
    if again.why:
        now = replace(case, system=system.name, why=again.why, output=again.output or "")
        raise AssertionError(told(replace(now, varied_output=again.varied_output or "")))
