"""Systems against each other on the page, and what a person asks of it."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs

import polars

from hyperbaton.report import Contents
from hyperbaton.report.contents import Contest, Duel, Headline, Picture
from hyperbaton.report.page.page import page
from hyperbaton.report.page.systems import contests_html
from tests.report.compared import BETTER
from tests.report.conftest import Open
from tests.report.sample import PERTURBATIONS, SYSTEMS

_ONE, _OTHER = SYSTEMS


def test_a_persons_questions(compared_file: Path, open_page: Open, compared: Contents) -> None:
    """Which system is better, by how much, is that certain, what happened to this sentence?"""
    opened = open_page(compared_file, width=1440, height=900)
    screen = opened.page
    answer = screen.locator(".best")
    box = answer.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 900  # without a click
    said = answer.inner_text().replace("\N{NO-BREAK SPACE}", " ")
    assert said.startswith(BETTER)  # which, by how much, how certain
    answer.locator("a").click()  # one click: all that is known of it
    opened.until(
        "Math.abs(document.getElementById('systems').getBoundingClientRect().top - 64) < 40"
    )
    second = screen.locator(".contest").nth(1)
    assert second.locator(".rank").all_inner_texts() == ["1", "1"]
    assert "not certain" in second.locator(".duel").inner_text()
    screen.go_back()
    screen.locator(".title .example a").click()  # one click: this sentence, every system beside it
    screen.wait_for_selector("#x-list .row")
    assert compared.explorer is not None
    row = compared.explorer.rows.row(3, named=True)
    assert screen.locator("#x-sentence .text").all_inner_texts()[0] == row["source"]
    screen.locator('.views [data-view="system"]').click()
    assert screen.locator(".member h4 b").all_inner_texts() == list(SYSTEMS)
    assert opened.complaints == []


def test_one_click_to_the_sentences_that_a_system_wins(
    compared_file: Path, open_page: Open, compared: Contents
) -> None:
    opened = open_page(compared_file)
    opened.page.locator(".duel a").first.click()
    opened.page.wait_for_selector("#x-list .row")
    opened.until("document.getElementById('x-better').value !== ''")
    assert compared.explorer is not None
    rows, keys = compared.explorer.rows, ["item", "perturbation"]
    both = rows.filter(system=_ONE).join(rows.filter(system=_OTHER), on=keys, suffix="_other")
    won = both.filter(polars.col("beta1") > polars.col("beta1_other")).height
    assert opened.page.locator("#x-count").inner_text().startswith(f"{won} of")
    leads = [float(t) for t in opened.page.locator("#x-list .about b").all_inner_texts()]
    assert leads == sorted(leads, reverse=True)
    assert opened.page.locator(".member h4 b").all_inner_texts() == list(SYSTEMS)
    assert opened.page.locator("#x-direction").input_value() == "down"


def test_a_point_of_the_picture_leads_to_its_sentences(
    compared_file: Path, open_page: Open, compared: Contents
) -> None:
    opened = open_page(compared_file)
    assert opened.page.locator(".answer .picture").count() == 2
    opened.page.locator(".picture").nth(1).locator("a circle").nth(2).click()
    opened.page.wait_for_selector("#x-list .row")
    assert compared.explorer is not None
    where = {"system": _OTHER, "perturbation": PERTURBATIONS[2]}
    wanted = compared.explorer.rows.filter(**where).height
    assert opened.page.locator("#x-count").inner_text() == f"{wanted} of 400 rows"


def test_what_belongs_together_stays_in_one_line_and_no_point_covers_the_best_corner(
    compared: Contents,
) -> None:
    text = page(compared)
    assert BETTER.replace("p < .001", "p\N{NO-BREAK SPACE}&lt;\N{NO-BREAK SPACE}.001")[-11:] in text
    (top,) = set(re.findall(r'class="field" x="[\d.]+" y="(\d+)"', text))
    corners = re.findall(r'class="corner" x="[\d.]+" y="([\d.]+)" text-anchor="end">repaired', text)
    assert len(corners) == 2
    assert all(float(corner) < float(top) for corner in corners)


def test_where_less_comes_first_a_system_leads_where_the_other_has_more(compared: Contents) -> None:
    first = compared.contests[0]
    for lower, more, less in ((False, _ONE, _OTHER), (True, _OTHER, _ONE)):
        text = contests_html(replace(compared, contests=[replace(first, lower=lower)]))
        how = "lower" if lower else "higher"
        (link,) = re.findall(rf'href="([^"]*)">Sentences where {_ONE} is {how} than', text)
        state = parse_qs(unescape(link).partition("&")[2])
        assert (state["better"], state["is.system"]) == ([less], [more])


def test_hostile_names_stay_text(compared: Contents) -> None:
    bad = '"><img src=x onerror=alert(1)>'
    duel = Duel(bad, bad, (0.1, 0.0, 0.2), 0.5, False)
    contest = Contest(bad, bad, {bad: (1, (0.1, 0.0, 0.2))}, [duel], "beta1")
    nan = float("nan")
    centre = ((nan, nan, nan), (0.1, 0.0, 0.2))
    picture = Picture(
        (bad, bad), centre, {bad: (0.1, 0.2), "b": (0.1, nan)}, "perturbation", (bad,)
    )
    known = replace(picture, centre=((0.1, 0.0, 0.2),) * 2)
    headlines = [Headline(bad, bad, {}, {}, each) for each in (picture, known)]
    text = page(replace(compared, contests=[contest], headlines=headlines))
    assert "<img" not in text
    assert text.count('class="picture"') == 1
    assert "nan" not in text.split("<header")[1].split("</header>")[0]
