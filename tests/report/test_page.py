"""The page as text: whole, the same every time, complete without scripts."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.report import Contents, Finding, write_report
from hyperbaton.report.page.data import unpack
from hyperbaton.report.page.findings import findings_html, interval_svg, reaches, tally_html
from hyperbaton.report.page.page import page
from tests.report.sample import contents


class _Links(HTMLParser):
    """What a page would load, the ids it has and those it points at, its unclosed elements."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "src" or (name == "href" and tag == "link"):
                self.loads.append(value or "")
            elif name == "id":
                self.ids.append(value or "")
            elif name == "href" and (value or "").startswith("#"):
                self.targets.append((value or "")[1:].partition("&")[0])
            elif name == "aria-labelledby":
                self.targets.append(value or "")
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_page_is_well_formed_and_loads_nothing(sample_file: Path) -> None:
    reader = _Links()
    reader.feed(sample_file.read_text())
    assert reader.loads == []
    assert reader.open == []
    assert len(reader.ids) == len(set(reader.ids))
    assert set(reader.targets) <= set(reader.ids)


def test_same_contents_give_the_same_bytes(sample: Contents, sample_file: Path) -> None:
    assert page(sample).encode() == sample_file.read_bytes()


def test_findings_and_tables_are_there_without_scripts(sample_file: Path, sample: Contents) -> None:
    text = re.sub(r"<script.*?</script>", "", sample_file.read_text(), flags=re.DOTALL)
    for finding in sample.findings:
        assert finding.claim in text
    assert "functionalShuffle" in text
    assert sample.command in text
    assert all(note.replace("'", "&#x27;") in text for note in sample.notes)


def test_data_of_several_figures_are_stored_once(sample_file: Path) -> None:
    block = re.search(r'id="figures-data">([^<]+)<', sample_file.read_text())
    assert block is not None
    data = unpack(block[1])
    assert isinstance(data, dict)
    assert len(data["figures"]) == 3
    assert len(data["datasets"]) == 1
    assert "datasets" not in data["figures"][0]
    assert data["figures"][0]["width"] == "container"
    assert data["figures"][2]["width"] == 150
    assert data["themes"]["light"]["range"] != data["themes"]["dark"]["range"]


def test_an_empty_report_is_a_page(tmp_path: Path) -> None:
    path = tmp_path / "new" / "report.html"
    write_report(Contents("Nothing yet", "", [], [], [], None, [], ""), path)
    text = path.read_text()
    assert "<h1>Nothing yet</h1>" in text
    assert 'id="findings"' not in text
    assert "vegaEmbed=" not in text


def test_a_wrong_column_is_named(tmp_path: Path) -> None:
    made = contents(20)
    assert made.explorer is not None
    wrong = replace(made, figures=[], explorer=replace(made.explorer, scores={"bta1": "β1"}))
    with pytest.raises(HyperbatonError, match=r"no column 'bta1'. Did you mean 'beta1'"):
        write_report(wrong, tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()


def _finding(value: float, low: float, high: float, statistic: str = "mean") -> Finding:
    return Finding("claim", statistic, value, low, high, "holds")


def test_findings_of_one_statistic_share_a_scale() -> None:
    scales = reaches(
        [_finding(0.1, 0.05, 0.15), _finding(-0.4, -0.6, -0.2), _finding(3, 1, 4, "n")]
    )
    assert scales == {"mean": 1.0, "n": 5.0}


def test_interval_is_drawn_to_scale() -> None:
    svg = interval_svg(_finding(0.5, -0.5, 1.0), 1.0)
    bar = re.search(r'class="range" x="([\d.]+)" y="10" width="([\d.]+)"', svg)
    dot = re.search(r'cx="([\d.]+)"', svg)
    line = re.search(r'class="threshold" x1="([\d.]+)"', svg)
    assert bar is not None
    assert dot is not None
    assert line is not None
    left, width = float(bar[1]), float(bar[2])
    assert float(line[1]) == 120
    assert float(dot[1]) == 120 + 56
    assert (left, left + width) == (120 - 56, 120 + 112)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_finding_without_a_number_is_still_said(value: float) -> None:
    html = findings_html([_finding(value, float("nan"), float("nan"))])
    assert "claim" in html
    assert "nan" not in html
    assert 'class="range"' not in html


def test_tiny_values_are_not_rounded_away() -> None:
    html = findings_html([_finding(-0.0004, -0.0008, 0.0001)])
    assert "<b>−0.00040</b>" in html
    assert "[−0.00080, 0.00010]" in html


def test_tally_counts_verdicts() -> None:
    one = _finding(1, 0, 2)
    other = replace(one, verdict="does not hold")
    text = re.sub("<[^>]+>", " ", tally_html([one, one, other]))
    assert text.split() == ["✓", "2", "hold", "✗", "1", "does", "not", "hold"]
