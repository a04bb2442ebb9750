"""Systems against each other on the page, and what a person asks of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars
import pytest

from hyperbaton.report import Contents, write_report
from hyperbaton.report.contents import Contest, Duel, Example, Headline, Picture
from hyperbaton.report.page import page
from tests.report.conftest import Open
from tests.report.sample import PERTURBATIONS, SYSTEMS

_ONE, _OTHER = SYSTEMS
_BETTER = f"{_ONE} is better than {_OTHER}: its β1 is higher by 0.011 [0.005, 0.016], p < .001."


@pytest.fixture(scope="module")
def compared(sample: Contents) -> Contents:
    """The sample with everything that a study of two systems says."""
    spans = {_ONE: (0.245, 0.22, 0.27), _OTHER: (0.234, 0.21, 0.26)}
    sure = Duel(_ONE, _OTHER, (0.011, 0.005, 0.016), 0.0002, True)
    unsure = Duel(_ONE, _OTHER, (0.002, -0.01, 0.014), 0.41, False)
    centre = ((0.7, 0.65, 0.75), (0.5, 0.45, 0.55))
    points = {name: (0.1 + 0.15 * k, 0.5) for k, name in enumerate(PERTURBATIONS)}
    picture = Picture(("kept", "restored"), centre, points, "perturbation", ("repaired", "carried"))
    return replace(
        sample,
        headlines=[
            Headline(name, f"{name} keeps 57 %.", {"repaired": spans[name]}, {}, picture)
            for name in SYSTEMS
        ],
        contests=[
            Contest(
                "β1", _BETTER, {n: (k, spans[n]) for k, n in enumerate(SYSTEMS, 1)}, [sure], "beta1"
            ),
            Contest(
                "β",
                f"{_ONE} and {_OTHER} share the first place by β.",
                {name: (1, spans[name]) for name in SYSTEMS},
                [unsure],
                "beta",
                controls=[_OTHER],
            ),
        ],
        examples=[Example(3, "The outcome: carried."), Example(9, "The outcome: lost.")],
        glossary={"β1": "Robustness.", "β": "Quality."},
    )


@pytest.fixture(scope="module")
def compared_file(compared: Contents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same as a file."""
    path = tmp_path_factory.mktemp("contests") / "report.html"
    write_report(compared, path)
    return path


def test_a_persons_questions(compared_file: Path, open_page: Open, compared: Contents) -> None:
    """Which system is better, by how much, is that certain, what happened to this sentence?"""
    opened = open_page(compared_file, width=1440, height=900)
    screen = opened.page
    answer = screen.locator(".best")
    box = answer.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 900  # without a click
    assert answer.inner_text().startswith(_BETTER)  # which, by how much, how certain
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


def test_controls_are_told_from_systems(compared: Contents) -> None:
    ranking = page(compared).split('<ol class="ranking">')[2].split("</ol>")[0]
    assert f'{_OTHER} <span class="run">control</span>' in ranking
    assert f'{_ONE} <span class="run">' not in ranking


def test_hostile_names_stay_text(compared: Contents) -> None:
    bad = '"><img src=x onerror=alert(1)>'
    duel = Duel(bad, bad, (0.1, 0.0, 0.2), 0.5, False)
    contest = Contest(bad, bad, {bad: (1, (0.1, 0.0, 0.2))}, [duel], "beta1", [bad])
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
