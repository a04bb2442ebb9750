"""A system is asked how likely a translation is only where the answer may change what is found."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from hyperbaton.search import searching
from hyperbaton.search.breaks import BREAKS, Likelihood
from hyperbaton.search.hunt import Trial, Verdicts
from hyperbaton.search.searching import Search, judged, search_all
from tests.search.planted import BAD, GOOD, Planted, Spot, material

SEARCH = Search(("en", "de"))
LIKELY, NEARER = "Immerhin sage ich heute wie gestern.", "Das sagt Xylophon kaputt."


class Asked:
    """Finds one translation as likely as the first one, all others unlikely; counts."""

    def __init__(self) -> None:
        self.targets: list[str] = []

    def __call__(self, sources: Sequence[str], targets: Sequence[str]) -> list[float]:
        self.targets += targets
        return [-0.1 if target in (GOOD, LIKELY) else -9.0 for target in targets]


def verdicts(outputs: Sequence[str], rivals: Sequence[str], sizes: Sequence[int]) -> list[str]:
    """The translations that a system is asked about, apart from the first one."""
    asked = Asked()
    trials = [Trial("a", f"b{at}", size=size) for at, size in enumerate(sizes)]
    told = judged(trials, [(GOOD, one) for one in outputs], SEARCH, asked, rivals)
    every = judged(trials, [(GOOD, one) for one in outputs], SEARCH, Asked())
    for name in {*rivals}:
        order = sorted(
            (size, one.similarity, at)
            for at, (one, size) in enumerate(zip(every, sizes, strict=True))
            if one is not None and rivals[at] == name
        )
        first = [[at for *_, at in order if is_broken(told, at)] for told in (told, every)]
        assert first[0][:1] == first[1][:1]
    return [target for target in asked.targets if target != GOOD]


def is_broken(told: Verdicts, at: int) -> bool:
    one = told[at]
    return one is not None and bool(one.why)


@pytest.mark.parametrize(
    ("outputs", "rivals", "sizes", "asked"),
    [
        ([BAD, NEARER], "xx", [1, 1], [BAD]),  # the one that does most damage is first
        ([NEARER, BAD], "xx", [1, 2], [NEARER]),  # but a smaller change goes before it
        ([BAD, NEARER], "xy", [1, 1], [BAD, NEARER]),
        ([LIKELY, NEARER, BAD], "xxx", [1, 2, 3], [LIKELY, NEARER]),
        (["", BAD], "xx", [1, 2], []),  # what is empty is broken without a question
        (["", BAD], "xx", [2, 1], [BAD]),
        ([BAD, GOOD], "xx", [2, 1], [BAD]),
    ],
)
def test_of_rivals_only_the_first_that_breaks_is_asked_for(
    outputs: Sequence[str], rivals: str, sizes: Sequence[int], asked: Sequence[str]
) -> None:
    assert verdicts(outputs, list(rivals), sizes) == asked


def test_what_breaks_anyway_is_not_asked_about() -> None:
    asked = Asked()
    search = Search(("en", "de"), tuple(map(BREAKS.parse, ("similarity:chrF", "empty"))))
    told = judged([Trial("a", "b")], [(GOOD, "")], search, asked)
    assert told[0] is not None
    assert told[0].why == "the translation is empty"
    assert not asked.targets


@pytest.mark.parametrize("seed", range(4))
def test_a_search_finds_the_same_whether_rivals_are_asked_about_or_not(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Picky(Planted):
        """Says something else of texts drawn by their letters; half of it is likely."""

        def __init__(self, asked: Asked) -> None:
            super().__init__(Spot("some", lambda text: False))
            self.asked_about = asked

        def answer(self, text: str) -> str:
            drawn = (sum(map(ord, text)) + seed) % 13
            return {0: BAD, 1: LIKELY, 2: NEARER, 3: LIKELY, 4: ""}.get(drawn, GOOD)

    def likelihood_of(translator: Picky) -> Likelihood:
        return translator.asked_about

    def every(*given: object) -> Verdicts:
        return judged(*given[:4])  # type: ignore[arg-type]

    monkeypatch.setattr(searching, "likelihood_of", likelihood_of)
    some, all_ = Asked(), Asked()
    found = dict(search_all(map(material, range(6)), Picky(some), SEARCH))
    monkeypatch.setattr(searching, "judged", every)
    assert dict(search_all(map(material, range(6)), Picky(all_), SEARCH)) == found
    assert any(one.broken for one in found.values())
    assert len(some.targets) < len(all_.targets)
