"""The first screen: where a reader finds what each system does."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from hyperbaton.report import Contents, write_report
from hyperbaton.report.contents import Example, Headline
from hyperbaton.report.page.page import page
from hyperbaton.studies.wordorder.outcomes import SHARES
from tests.report.conftest import Open

SENTENCE = "ct2:tiny keeps 57 % of its quality; it repairs 31 %, carries over 9 %, loses 60 %."
TERMS = {
    "repaired": "In the clean order.",
    "carried": "In the varied order.",
    "lost": "Gone.",
    "β1": "Robustness.",
    "β": "Quality.",
}


@pytest.fixture(scope="module")
def answered(sample: Contents) -> Contents:
    shares = {
        "repaired": (0.31, 0.28, 0.34),
        "carried": (0.09, 0.07, 0.11),
        "lost": (0.6, 0.5, 0.7),
    }
    numbers = {"β": (0.4, 0.38, 0.42), "β1": (0.23, 0.2, 0.26)}
    first, *others = sample.findings
    folded = [replace(other, part_of=first.claim) for other in others]
    return replace(
        sample,
        findings=[first, *folded],
        headlines=[Headline("ct2:tiny", SENTENCE, shares, numbers)],
        examples=[Example(3, "The outcome: carried.")],
        glossary=TERMS,
    )


@pytest.fixture(scope="module")
def answered_file(answered: Contents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("answers") / "report.html"
    write_report(answered, path)
    return path


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_the_answer_stands_on_the_first_screen(
    answered_file: Path, open_page: Open, width: int, height: int
) -> None:
    opened = open_page(answered_file, width=width, height=height)
    for part in (".answer p", ".answer .stack", ".answer .legend", ".answer .figures"):
        box = opened.page.locator(part).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < height, part
    assert opened.page.locator(".answer p").inner_text().replace("\xa0", " ") == SENTENCE
    assert opened.page.locator(".legend li").all_inner_texts() == [
        "repaired 31 % 28 % to 34 %",
        "carried 9 % 7 % to 11 %",
        "lost 60 % 50 % to 70 %",
    ]
    assert opened.page.evaluate("document.documentElement.scrollWidth") == width
    assert opened.complaints == []


def test_example_glossary_and_claims_follow(
    answered: Contents, answered_file: Path, open_page: Open
) -> None:
    opened = open_page(answered_file, width=1440)
    assert opened.page.locator(".example .word").count() >= 20
    colours = opened.page.locator(".example .word").evaluate_all(
        "all => new Set(all.map(each => each.style.getPropertyValue('--c'))).size"
    )
    assert colours >= 8
    shown = opened.page.locator(".glossary > dl dt").all_inner_texts()
    assert shown == ["repaired", "carried", "lost"]
    for part in (".example", ".glossary"):
        box = opened.page.locator(part).bounding_box()
        claims = opened.page.locator("#findings").bounding_box()
        assert box is not None
        assert claims is not None
        assert box["y"] < 900
        assert box["y"] < claims["y"]
    folded = opened.page.locator("details.parts")
    second = folded.locator(".claim").first
    assert not second.is_visible()
    folded.locator("summary").click()
    assert second.is_visible()
    assert second.inner_text() == answered.findings[1].claim


def test_a_share_that_was_seen_is_not_printed_as_nothing(answered: Contents) -> None:
    shares = {"lost": (0.0021, 0.0004, 0.0062), "untranslated": (0.0, 0.0, 0.2294)}
    text = page(replace(answered, headlines=[replace(answered.headlines[0], shares=shares)]))
    legend = re.sub(r"<[^>]*>", "", text.split('class="legend">')[1].split("</ul>")[0])
    assert legend == "lost 0.2 % 0.0 % to 0.6 %untranslated none at most 23 %"


def test_terms_carry_what_they_mean(answered: Contents) -> None:
    text = page(answered)
    assert '<abbr title="Robustness.">β1</abbr>' in text.split('id="findings"')[1]
    flips = text.split('id="table-t4"')[1].split("<thead>")[1].split("</thead>")[0]
    assert '<button type="button">beta1</button>' in flips
    named = replace(answered.tables[1], data=answered.tables[1].data.rename({"beta1": "β1"}))
    text = page(replace(answered, tables=[named]))
    flips = text.split('id="table-t4"')[1].split("<thead>")[1].split("</thead>")[0]
    assert '<button type="button"><abbr title="Robustness.">β1</abbr></button>' in flips


def test_percents_have_one_decimal_and_nothing_is_left_empty(answered: Contents) -> None:
    percents = Headline("a", "A.", numbers={"RB": (53.75, 43.353, 65.0), "NR": (0.543, 0.4, 0.7)})
    text = page(replace(answered, headlines=[percents]))
    assert '<b>53.8</b> <span class="bounds">[43.4, 65.0]</span>' in text
    assert '<b>0.543</b> <span class="bounds">[0.400, 0.700]</span>' in text
    assert 'class="figures"' not in page(replace(answered, headlines=[Headline("a", "A.")]))


def test_hostile_words_stay_text(answered: Contents) -> None:
    bad = "<img src=x onerror=alert(1)>"
    headline = Headline(bad, bad, {bad: (0.5, 0.4, 0.6)}, {bad: (0.5, 0.4, 0.6)})
    assert answered.explorer is not None
    rows = answered.explorer.rows
    hostile = rows.with_columns(source=rows["source"].str.replace(".*", bad))
    text = page(
        replace(
            answered,
            headlines=[headline],
            examples=[Example(0, bad)],
            explorer=replace(answered.explorer, rows=hostile),
            glossary={bad: bad, "β": '"' + bad},
        )
    )
    assert bad not in text


def test_without_an_answer_the_page_begins_with_its_summary(sample: Contents) -> None:
    header = page(sample).split("</header>")[0]
    assert "answer" not in header.split("<body>")[1]
    assert sample.summary[:40] in header


def test_every_outcome_has_a_colour_of_its_own() -> None:
    css = (files("hyperbaton.report") / "assets" / "page.css").read_text("utf-8")
    tones = dict(re.findall(r"\.share-(\d) \{ --tone: (#\w+)", css))
    assert len(SHARES) <= len(tones) == len(set(tones.values()))
