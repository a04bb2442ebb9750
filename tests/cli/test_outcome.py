"""What a study prints in the end has no nan, and no minus before what rounds to zero."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import polars as pl
import pytest

from hyperbaton.cli.outcome import show
from hyperbaton.cli.table_text import as_text
from hyperbaton.report.contents import Contents, Finding, Table
from hyperbaton.studies.wordorder import WordOrder
from tests.cli.command import call


@pytest.mark.parametrize(
    ("value", "low", "high", "printed"),
    [
        (0.0251, 0.0111, 0.0391, " + +0.025 [+0.011, +0.039]  β1 > β2"),
        (-0.00004, -0.0011, 0.00049, " + 0.000 [-0.001, 0.000]  β1 > β2"),
        (0.1, math.nan, math.nan, " + +0.100 [n/a, n/a]  β1 > β2"),
        (0.1, -math.inf, math.inf, " + +0.100 [n/a, n/a]  β1 > β2"),
    ],
)
def test_a_finding_in_a_line(
    value: float, low: float, high: float, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    finding = Finding("β1 > β2", "mean β1 − β2", value, low, high, "holds")
    contents = Contents("Title", "One sentence.", [finding], [], [], None, [], "")
    show(WordOrder(), contents, [], None, argparse.Namespace(format="text", open=False))
    assert capsys.readouterr().out == f"One sentence.\n{printed}\n"


def test_a_table_in_the_terminal() -> None:
    columns = {"t": [-0.001, -2.0], "mean": [-0.00001, math.nan]}
    table = Table("T1", "Means", pl.DataFrame(columns))
    assert as_text([table]).splitlines() == [
        "T1 Means",
        "    t    mean",
        " 0.00  0.0000",
        "-2.00       –",
    ]


def test_an_outage_of_everything_is_named_and_is_status_1(tmp_path: Path) -> None:
    done = call("grammar", "--shipped", "-l", "en-de", "--system", "cmd:false", "--limit", "3",
                "--out", tmp_path / "run", "--no-cache", "--workers", "0")  # fmt: skip
    assert done.returncode == 1
    assert "cmd:false failed on 6 rows in en-de" in done.stderr
    assert "run the same command again" in done.stderr
