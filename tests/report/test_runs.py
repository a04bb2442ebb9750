"""Several runs in one report."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.report import Contents, side_by_side
from hyperbaton.report.page.columns import encode
from hyperbaton.report.page.page import page
from tests.report.sample import contents


def test_one_run_is_itself() -> None:
    made = contents(20)
    assert side_by_side({"a": made}) is made
    with pytest.raises(HyperbatonError, match="at least one run"):
        side_by_side({})


def test_two_runs_side_by_side() -> None:
    first, second = contents(40), contents(60, seed=1)
    second = replace(second, findings=second.findings[:2], tables=second.tables[:1])
    both = side_by_side({"small": first, "large": second})
    assert [finding.run for finding in both.findings] == ["small"] * 3 + ["large"] * 2
    assert [table.id for table in both.tables] == ["T1", "T4"]
    counts = both.tables[0].data
    assert counts["run"].to_list() == ["small"] * 5 + ["large"] * 5
    assert counts.drop("run").head(5).equals(first.tables[0].data)
    assert both.explorer is not None
    assert both.explorer.rows["run"].value_counts(sort=True).rows() == [
        ("large", 60),
        ("small", 40),
    ]
    assert next(iter(both.explorer.filters)) == "run"
    assert both.notes == list(first.notes)
    assert both.signatures[0] == f"small: {first.signatures[0]}"


def test_tables_of_different_studies_stay_apart() -> None:
    first, second = contents(20), contents(20, seed=1)
    second = replace(second, tables=[replace(second.tables[0], title="Another study's first")])
    both = side_by_side({"one": first, "other": second})
    assert [table.title for table in both.tables] == [
        *(table.title for table in first.tables),
        "Another study's first",
    ]
    assert both.tables[0].data.height == first.tables[0].data.height


def test_a_claim_of_two_runs_is_said_once() -> None:
    html = page(side_by_side({"small": contents(20), "large": contents(20, seed=1)}))
    assert html.count('<li class="finding">') == 3
    assert html.count('<div class="result ') == 6
    assert html.count('<div class="beside">') == 3
    assert html.count("<figure ") == 6


def test_every_run_has_its_verdict_on_the_first_screen(compared: Contents) -> None:
    """Also one that has no answer for each system: it says what it has to say in short."""
    plain = replace(contents(20), summary="Neighbours count more than places.")
    html = page(side_by_side({"wordorder": compared, "structure": plain, "surface": compared}))
    first = html.partition("</header>")[0]
    for name in ("wordorder", "surface"):
        for headline in compared.headlines:
            assert f"<p>{name}: {headline.sentence}</p>" in first.replace("\N{NO-BREAK SPACE}", " ")
    assert "<p>structure: Neighbours count more than places.</p>" in first
    best = first.replace("\N{NO-BREAK SPACE}", " ").split('<p class="best">')[1:]
    assert [part.split(" ")[0] for part in best] == ["wordorder:", "surface:"]


def test_sentences_of_several_runs_stay_apart(compared: Contents) -> None:
    both = side_by_side({"small": compared, "large": compared})
    assert both.explorer is not None
    assert (both.explorer.item, both.explorer.rivals) == ("item", "system")
    assert both.explorer.within[0] == "run"
    data = encode(both.explorer)
    size = both.explorer.rows.height // 2
    steps = data["sentence"]
    assert isinstance(steps, list)
    codes = list(accumulate(steps))
    assert not {*codes[:size]} & {*codes[size:]}
    assert len(both.contests) == 2 * len(compared.contests)
