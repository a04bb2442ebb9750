"""What is wrong with answers stands beside them; parts of an older version are completed."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from hyperbaton.pipeline import Pair, Run, execute
from hyperbaton.pipeline.run.parts import Stamp, read_part, read_stamp, write_part
from tests.pipeline.small import job, logged, on_desk, parts

SYSTEM = "python:fake:translate(batch=20)"
EN_DE = Pair("en", "de")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    on_desk(tmp_path, monkeypatch)
    (tmp_path / "fake.py").write_text(
        "import os\n"
        "def translate(texts):\n"
        "    with open(os.environ['LOG'], 'a') as log:\n"
        "        log.write(''.join(text + chr(10) for text in texts))\n"
        "    return [_answer(text) for text in texts]\n"
        "def _answer(text):\n"
        "    if 'cat7 ' in text: return text\n"
        "    if 'cat8 ' in text: return ''\n"
        "    return 'Das ist ein Satz mit ' + str(len(text)) + ' Zeichen'\n"
    )
    return tmp_path


def _as_before(folder: Path) -> None:
    """Every part of outputs as it was written before empty answers failed and copies were told."""
    for path in folder.glob("outputs/**/*.parquet"):
        frame, stamp = read_part(path), read_stamp(path)
        empty = pl.col("fault") == "the translation is empty"
        frame = frame.drop("untranslated").with_columns(
            pl.when(empty).then(pl.lit("")).otherwise(name).alias(name)
            for name in ("output", "varied_output")
        )
        frame = frame.with_columns(pl.when(empty).then(None).otherwise("fault").alias("fault"))
        failed = frame["fault"].count()
        write_part(path, frame, Stamp(stamp.configuration, failed))


def test_copies_are_told_row_by_row(desk: Path) -> None:
    run = execute(job(desk), desk / "run")
    rows = run.table(EN_DE, SYSTEM)
    copied = rows["untranslated"] == "copied"
    assert set(rows.filter(copied)["item"]) == {"i7"}
    assert rows.filter(~copied.fill_null(False))["untranslated"].null_count() == (
        rows.height - copied.sum()
    )
    assert rows.filter(copied)["fault"].null_count() == copied.sum()
    # Its references are English, as an identifier may say.
    assert "copied" not in set(run.table(EN_DE, "oracle")["untranslated"])


def test_parts_of_an_older_version_are_completed_and_nobody_is_asked(desk: Path) -> None:
    execute(job(desk), desk / "run")
    whole = parts(desk / "run")
    _as_before(desk / "run")
    old = Run(desk / "run")
    empty = old.table(EN_DE, SYSTEM).filter(pl.col("output") == "")
    assert old.failed() == {(SYSTEM, EN_DE): empty.height}
    assert old.failures()[SYSTEM, EN_DE].reasons == {"the translation is empty": empty.height}
    assert old.table(EN_DE, SYSTEM)["untranslated"].count() == 0
    asked = logged(desk)
    run = execute(job(desk), desk / "run")
    assert logged(desk) == asked
    assert run.failed() == {(SYSTEM, EN_DE): empty.height}
    assert parts(desk / "run") == whole


def test_a_finished_run_of_an_older_version_needs_no_translator(desk: Path) -> None:
    execute(job(desk), desk / "run")
    for path in (desk / "run").glob("outputs/**/*.parquet"):
        frame, stamp = read_part(path), read_stamp(path)
        frame = frame.with_columns(
            pl.lit("Satz").alias("varied_output"), fault=pl.lit(None, pl.String)
        )
        frame = frame.with_columns(pl.col("output").fill_null("Satz")).drop("untranslated")
        write_part(path, frame, Stamp(stamp.configuration))
    (desk / "fake.py").unlink()
    assert execute(job(desk), desk / "run").failed() == {}


def test_old_and_new_parts_stand_in_one_table(desk: Path) -> None:
    run = execute(job(desk), desk / "run")
    path = run.layout.outputs(SYSTEM, EN_DE, 1)
    write_part(path, read_part(path).drop("untranslated"), read_stamp(path))
    rows = run.table(EN_DE, SYSTEM, "Levenshtein")
    assert rows["untranslated"].count() > 0
    assert run.table(EN_DE, SYSTEM, columns=["item", "untranslated"]).height == rows.height
