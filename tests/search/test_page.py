"""The page of a search: its shares are those of the cases, whatever the texts hold."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from hyperbaton.report import write_report
from hyperbaton.search.candidates import KINDS
from hyperbaton.search.folder import Searched
from hyperbaton.search.page import Crossed, contents
from hyperbaton.search.searching import Search
from hyperbaton.search.summary import Summary, median, share, summary
from tests.search.test_cases import CASE

SEARCH = Search(("en", "de"))
EVIL = replace(CASE, source="<script>alert(1)</script> a b", kind="order", size=2)


def searched(number: int, system: str = "bundled", told: bool = True) -> Searched:
    """Sentences of which every other one breaks by a letter, every fourth by an order too."""
    letter = (replace(CASE, system=system, item=str(number)),) if number % 2 == 0 else ()
    order = (replace(EVIL, system=system, item=str(number)),) if number % 4 == 0 else ()
    cases = (*letter, *order) if told else ()
    output = f"Satz {number}" if told else None
    return Searched(system, str(number), f"text {number}", 30, output, cases)


ROWS = [*(searched(n) for n in range(40)), searched(40, told=False)]


def told(system: str = "bundled") -> Summary:
    return summary(system, [replace(row, system=system) for row in ROWS], KINDS)


def test_shares_are_of_the_sentences_that_could_be_translated() -> None:
    found = told()
    assert (found.broken.hits, found.broken.of, found.untranslated) == (20, 40, 1)
    assert {kind: one.hits for kind, one in found.kinds.items() if one.hits} == {
        "letter": 20,
        "order": 10,
    }
    assert found.broken.low < 0.5 < found.broken.high
    assert found.size.value == 1
    assert found.shortest["order"].source == EVIL.source


@pytest.mark.parametrize("hits", [0, 7, 10])
def test_an_interval_is_wilsons(hits: int) -> None:
    found = share([True] * hits + [False] * (10 - hits))
    assert 0 <= found.low <= hits / 10 <= found.high <= 1
    assert found.high - found.low > 0.2


def test_a_median_of_few_has_no_interval() -> None:
    assert math.isnan(median([1, 2, 3]).low)
    assert math.isnan(median([]).value)
    assert str(median([])) == "n/a"
    assert median(range(1, 101)).low < 50.5 < median(range(1, 101)).high


def test_the_page_escapes_what_it_shows(tmp_path: Path) -> None:
    cases = [case for row in ROWS for case in row.cases]
    crossed = [Crossed(c, c.system, c.output, c.varied_output, c.why) for c in cases]
    crossed += [Crossed(c, "gloss", c.output, c.output, "") for c in cases]
    page = contents([told(), told("gloss")], crossed, SEARCH, "hyperbaton break …")
    write_report(page, tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text().replace("\u00a0", " ")
    assert "<script>alert(1)" not in text
    assert "50 % of 40 sentences" in text
    across = next(table for table in page.tables if table.id == "across").data
    assert across.filter(across["cases of"] == "bundled")["gloss"].item() == 0


def test_a_page_on_nothing_says_so(tmp_path: Path) -> None:
    none = summary("bundled", [searched(1, told=False)], KINDS)
    write_report(contents([none], [], SEARCH, ""), tmp_path / "page.html")
    said = "nothing can be said of any sentence: 1 sentence could not be translated."
    assert said in (tmp_path / "page.html").read_text()


def test_the_cases_of_one_sentence_say_less_than_those_of_many() -> None:
    hits = [True] * 8 + [False] * 8
    apart, together = share(hits), share(hits, [*"aabbccddeeffgghh"])
    assert together.value == apart.value == 0.5
    assert together.low < apart.low
    assert apart.high < together.high
    assert share(hits, list(map(str, range(16)))) == apart
    assert share(hits[::-1]) == apart == share([True, False] * 8)
