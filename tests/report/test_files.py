"""Figures and tables as files that a paper can take in."""

from __future__ import annotations

import csv
import io
import re
import shutil
import struct
import subprocess
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import altair
import polars
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.report import Contents, Figure, Table, write_figures, write_tables
from hyperbaton.report.charts import charts
from hyperbaton.report.files.figures import TEXT_WIDTH, figure_bytes, repacked
from hyperbaton.report.files.pdf import in_one_order
from hyperbaton.report.files.tables import table_text

_ODD = polars.DataFrame(
    {
        "a|b_c": ["50 % & more", "x_{i}^2 ~ \\n", "line\nbreak", None],
        "β": [0.12345, -0.5, None, 1.0],
        "N": [1200, 3, None, 0],
        "ok": [True, False, None, True],
        "words": [["a", "b"], ["c"], None, []],
    }
)


def test_figures_fit_a_page_and_a_mailbox(tmp_path: Path, sample: Contents) -> None:
    rows: list[dict[str, str | float | int | None]] = [
        {"x": k / 2000, "y": (k * 7 % 2000) / 2000, "language": "de"} for k in range(800)
    ]
    axes = (("x", "y"), ("y", "x"), ("x", "x"))
    cloud = Figure("F15", "Points", charts.scatter(rows, axes, {"x": "x", "y": "y"}))
    paths = write_figures(replace(sample, figures=[*sample.figures, cloud]), tmp_path)
    for path in paths:
        assert path.stat().st_size < 500_000, path
        if path.suffix == ".svg":
            assert 200 < float(ElementTree.parse(path).getroot().attrib["width"]) <= TEXT_WIDTH
        elif path.suffix == ".png":
            (width,) = struct.unpack(">I", path.read_bytes()[16:20])
            assert width <= TEXT_WIDTH / 72 * 300 + 1


def test_a_repacked_picture_is_the_same(sample: Contents) -> None:
    png = figure_bytes(sample.figures[0], "png")
    assert repacked(png) == png
    assert png.startswith(b"\x89PNG")


def test_figures_in_every_format(tmp_path: Path, sample: Contents) -> None:
    paths = write_figures(sample, tmp_path)
    assert [path.name for path in paths[:4]] == ["f1.png", "f1.svg", "f1.pdf", "f13.png"]
    assert len(paths) == 9
    png, svg, pdf = (path.read_bytes() for path in paths[:3])
    width, height = struct.unpack(">II", png[16:24])
    assert width > 1500
    assert height > 300
    assert pdf.startswith(b"%PDF-")
    assert b"/FontFile" in pdf
    root = ElementTree.fromstring(svg)
    assert root.tag.endswith("svg")
    assert "β2 − β1" in "".join(root.itertext())


def test_every_script_has_its_glyphs() -> None:
    """A letter that the fonts lack would come out as the same blank as any other."""
    names = ["β", "ρ", "Ж", "Ю", "ü", "ñ", "−"]
    drawn = {figure_bytes(_labelled(name), "png") for name in names}
    assert len(drawn) == len(names)


def _labelled(name: str) -> Figure:
    rows = polars.DataFrame({"name": [name], "x": [1]})
    return Figure("F", "t", altair.Chart(rows).mark_bar().encode(x="x:Q", y="name:N"))


def test_a_figure_of_many_rows_is_drawn() -> None:
    rows = polars.DataFrame({"x": range(6000)})
    svg = figure_bytes(Figure("F", "t", altair.Chart(rows).mark_tick().encode(x="x:Q")), "svg")
    assert svg.count(b"<path") >= 6000


def test_a_histogram_has_bars() -> None:
    """A rounding of bars in the theme once left those of ready-made bins without a width."""
    rows = polars.DataFrame({"from": [0.0, 0.5], "to": [0.5, 1.0], "n": [3, 4]})
    chart = (
        altair.Chart(rows).mark_bar().encode(x=altair.X("from:Q", bin="binned"), x2="to:Q", y="n:Q")
    )
    svg = figure_bytes(Figure("F", "t", chart), "svg").decode()
    bars = re.findall(r'<path d="M[\d.]+,[\d.]+h([\d.]+)v[^>]* fill="#', svg)
    assert len(bars) == 2
    assert all(float(width) > 200 for width in bars)


def test_colours_of_the_theme_are_the_printed_ones(sample: Contents) -> None:
    svg = figure_bytes(sample.figures[0], "svg").decode()
    assert "#0072B2" in svg
    assert "#D55E00" in svg
    assert 'fill="white"' in svg


def test_a_figure_keeps_what_it_configures_itself() -> None:
    rows = polars.DataFrame({"x": [1]})
    chart = altair.Chart(rows).mark_bar().encode(x="x:Q").configure_mark(color="#123456")
    assert "#123456" in figure_bytes(Figure("F", "t", chart), "svg").decode()


def test_unknown_formats_are_refused(sample: Contents, tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match=r"unknown figure format 'pgn'.*Did you mean 'png'"):
        write_figures(sample, tmp_path, ["pgn"])
    with pytest.raises(HyperbatonError, match="unknown table format 'xlsx': one of csv, md, tex"):
        write_tables(sample, tmp_path, ["xlsx"])


def test_a_figure_is_the_same_each_time(sample: Contents) -> None:
    import vl_convert

    svg = figure_bytes(sample.figures[0], "svg").decode()
    assert len({in_one_order(vl_convert.svg_to_pdf(svg)) for _ in range(8)}) == 1
    for form in ("png", "svg", "pdf"):
        assert len({figure_bytes(sample.figures[0], form) for _ in range(4)}) == 1


def test_a_pdf_in_one_order_is_the_same_picture(sample: Contents, tmp_path: Path) -> None:
    import vl_convert

    svg = figure_bytes(sample.figures[0], "svg").decode()
    before = vl_convert.svg_to_pdf(svg)
    after = in_one_order(before)
    table = int(re.findall(rb"startxref\n(\d+)", after)[0])
    places = [int(place) for place in re.findall(rb"(\d{10}) 00000 n \n", after[table:])]
    assert [after[place:].split(b" ")[0] for place in places] == [
        str(number).encode() for number in range(1, len(places) + 1)
    ]
    assert len(re.findall(rb" 0 obj\n", before)) == len(places)
    assert in_one_order(after) == after
    if shutil.which("mutool") is None:
        pytest.skip("no mutool to draw the pages with")
    pictures = []
    for name, pdf in (("before", before), ("after", after)):
        (tmp_path / f"{name}.pdf").write_bytes(pdf)
        draw = ["mutool", "draw", "-q", "-o", f"{name}.ppm", f"{name}.pdf"]
        done = subprocess.run(draw, cwd=tmp_path, capture_output=True, check=True)
        assert b"error" not in done.stderr + done.stdout
        assert b"repair" not in done.stderr
        pictures.append((tmp_path / f"{name}.ppm").read_bytes())
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize("pdf", [b"", b"%PDF-1.7\n", b"x\nstartxref\n9\n%%EOF", b"\x00" * 99])
def test_what_is_built_otherwise_stays_as_it_is(pdf: bytes) -> None:
    assert in_one_order(pdf) == pdf


def test_csv_reads_back(tmp_path: Path, sample: Contents) -> None:
    write_tables(sample, tmp_path, ["csv"])
    assert polars.read_csv(tmp_path / "t4.csv").equals(sample.tables[1].data)
    assert (
        table_text(Table("T9", "", _ODD), "csv").splitlines()[1]
        == "50 % & more,0.12345,1200,true,a b"
    )


def test_a_text_is_no_formula_in_csv_and_a_number_stays_one() -> None:
    rows = polars.DataFrame(
        {
            "=text": ["=1+1", "+cmd|' /C calc'!A0", "- he said", "@SUM(A1)", "\tx", "plain", None],
            "written": ["-0.5", "+3", "−0.5", "-1e-05", "-", "1,200", "-5 %"],
            "number": [-0.5, -1.0, 2.0, 3.0, 4.0, 5.0, None],
            "words": [["=a"], ["b"], [], ["-c", "d"], ["e"], ["f"], None],
        }
    )
    head, *cells = csv.reader(io.StringIO(table_text(Table("T9", "", rows), "csv")))
    columns = list(zip(*cells, strict=True))
    assert head == ["'=text", "written", "number", "words"]
    assert columns[0] == (
        "'=1+1", "'+cmd|' /C calc'!A0", "'- he said", "'@SUM(A1)", "'\tx", "plain", ""
    )  # fmt: skip
    assert columns[1] == ("-0.5", "+3", "−0.5", "-1e-05", "'-", "1,200", "'-5 %")
    assert columns[2] == ("-0.5", "-1.0", "2.0", "3.0", "4.0", "5.0", "")
    assert [cell[:2] for cell in columns[3]] == ["'=", "b", "", "'-", "e", "f", ""]


def test_markdown() -> None:
    lines = table_text(Table("T9", "A *title*", _ODD, "A note."), "md").splitlines()
    assert lines[0] == r"**A \*title\***"
    assert lines[2] == r"| a\|b\_c | β | N | ok | words |"
    assert lines[3] == "| :--- | ---: | ---: | :--- | :--- |"
    assert lines[4] == "| 50 % & more | 0.123 | 1,200 | yes | a b |"
    assert lines[6] == "| line break |  |  |  |  |"
    assert lines[-1] == "A note."
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines[2:8]} == {6}
