"""The board: rankings side by side, quality and control beside them, and what it says of them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.wmt import Wmt
from hyperbaton.pipeline import Run
from hyperbaton.report.board import Board, Cell, Column, board_table
from hyperbaton.report.page.page import page
from hyperbaton.studies.layer.board import board_of
from hyperbaton.studies.layer.board.quality import measured_quality, scored_quality
from tests.cli.command import call
from tests.corpus.wmt_folder import write_wmt


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The board of the small folder, made by the command."""
    folder = tmp_path_factory.mktemp("board")
    write_wmt(folder / "wmt")
    (folder / "wmt" / "autorank-en-es.tsv").write_text("system\tautorank\nA\t2\nB\t1\nC\t3\n")
    done = call(
        "board", "--wmt", folder / "wmt", "-l", "en-es", "--runs-in", folder / "runs",
        "--out", folder / "board.html", "--tables", folder / "tables",
        "--records", folder / "records",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder


def test_the_question_is_answered_first(made: Path) -> None:
    html = (made / "board.html").read_text()
    question, answer = html.index("can I trust with messy input"), html.index("Least moved by")
    assert question < answer < html.index("<table")
    assert "Least moved by messy input: A (0.00)" in html
    assert "Not to be told from these translations: B" in html  # it changes its mind
    assert "src=" not in html.partition("<script")[0]


def test_every_measured_cell_leads_to_its_sentences(made: Path) -> None:
    contents = board_of([Run(next((made / "runs").iterdir()))])
    assert contents.board is not None
    links = [cell.link for c in contents.board.columns for cell in c.cells.values()]
    assert links
    assert all(link.startswith("#sentences&") for link in links)
    assert all("is.system=A" in c.cells["A"].link for c in contents.board.columns)


def test_the_table_has_everything(made: Path) -> None:
    rows = {row["system"]: row for row in csv.DictReader((made / "tables/board.csv").open())}
    assert list(rows) == ["A", "B", "C"]
    assert rows["A"]["RB"] == "100.0"
    assert float(rows["A"]["NR"]) == 0
    assert rows["B"]["mark"] == "†"
    assert rows["A"]["mark"] == ""
    assert float(rows["B"]["NR own"]) > 0
    assert float(rows["A"]["NR own"]) == 0
    assert rows["C"]["RB"] == ""
    assert rows["C"]["autorank rank"] == "3"
    assert r"\begin{" in (made / "tables/board.tex").read_text()


def test_records_have_the_fields_of_the_schema(made: Path) -> None:
    """As eval.schema.json 0.2.1 of every_eval_ever asks for them."""
    needed = {"schema_version", "evaluation_id", "retrieved_timestamp", "source_metadata"}
    needed |= {"model_info", "eval_library", "evaluation_results"}
    for path in (made / "records").iterdir():
        record = json.loads(path.read_text())
        assert needed <= set(record) <= needed | {"dedupe_identity", "evaluation_timestamp"}
        assert record["source_metadata"]["source_type"] in ("documentation", "evaluation_run")
        assert {"name", "id"} <= set(record["model_info"])
        assert record["evaluation_results"], path
        for result in record["evaluation_results"]:
            assert {"dataset_name", "source_type"} <= set(result["source_data"])
            config = result["metric_config"]
            assert config["score_type"] == "continuous"
            assert isinstance(config["lower_is_better"], bool)
            assert config["min_score"] <= result["score_details"]["score"] <= config["max_score"]
            details = result["score_details"]["details"]
            assert all(isinstance(value, str) for value in details.values())


def test_quality_is_that_of_the_main_test_set(tmp_path: Path) -> None:
    write_wmt(tmp_path)
    outputs = tmp_path / "txt-ts" / "system-outputs" / "en-es" / "C.txt"
    lines = outputs.read_text().splitlines()
    lines[1:3] = ["Un perro duerme.", "Llueve mucho."]
    outputs.write_text("\n".join(lines) + "\n")
    (contest,) = measured_quality(Wmt(str(tmp_path)), "en", "es", ["chrF"])
    assert next(iter(contest.ranks)) == "C"
    assert contest.ranks["C"][1][0] == pytest.approx(100)


def test_tables_of_scores(tmp_path: Path) -> None:
    path = tmp_path / "scores.tsv"
    path.write_text("system\tautorank\tcomet\ttype\nA\t2.5\t.7\tx\nB\t1\t.9\ty\n")
    comet, autorank = scored_quality(path)
    assert [comet.score, autorank.score, autorank.lower, comet.lower] == [
        "comet", "autorank", True, False
    ]  # fmt: skip
    assert {system: rank for system, (rank, _) in autorank.ranks.items()} == {"B": 1, "A": 2}
    path.write_text("system\tautorank\nA\n")
    with pytest.raises(HyperbatonError, match="a row for each system"):
        scored_quality(path)
    path.write_text("system\ttype\nA\tx\n")
    with pytest.raises(HyperbatonError, match="no column of numbers"):
        scored_quality(path)


def test_names_are_no_markup() -> None:
    cell = Cell((1.0, np.nan, np.nan), 1)
    board = Board("<q>", ["<a>"], [Column("<m>", "<p>", "<k>", True, {"<b>": cell})], ["<b>"])
    from hyperbaton.report.contents import Contents

    html = page(Contents("t", "", [], [board_table(board)], [], None, [], "", board=board))
    assert "<b>&lt;b&gt;" not in html
    assert "<q>" not in html
    assert "<m>" not in html
    assert "&lt;b&gt;" in html


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "no run was given"),
        (["nowhere"], "no such run directory"),
        (["-l", "en-es"], "is of --wmt DIR"),
        (["--wmt", "."], "--wmt needs a language pair"),
    ],
)
def test_mistakes_are_one_sentence(arguments: list[str], sentence: str) -> None:
    done = call("board", *arguments)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
