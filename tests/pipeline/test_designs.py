"""A design of somebody else: its columns, comparisons, metric, and its stage over the corpus."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import polars as pl
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline import IDENTITY, Job, Pair, Run, execute
from tests.pipeline import foreign, small
from tests.pipeline.small import corpus, on_desk, parts

EN_DE = Pair("en", "de")
SYSTEM = "python:fake:translate(batch=20)"


def job(folder: Path, **changes: object) -> Job:
    """The design on two corpora."""
    import fakes as installed  # type: ignore[import-not-found]

    settings: dict[str, object] = {
        "design": installed.Beginnings(),
        "corpora": (corpus(20), corpus(9, "en-fr")),
        "metrics": (),
        "part": 4,
    }
    return small.job(folder, **{**settings, **changes})


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    on_desk(tmp_path, monkeypatch)
    # The package of the fakes, as pip would leave it.
    shutil.copy(foreign.__file__, tmp_path / "fakes.py")
    info = tmp_path / "fakes-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fakes\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(foreign.ENTRY_POINTS)
    monkeypatch.delitem(sys.modules, "fakes", raising=False)
    return tmp_path


def test_typed_columns_and_scores_are_read_back(desk: Path) -> None:
    run = execute(job(desk), desk / "run")
    assert run.complete
    assert run.systems == (SYSTEM,)
    rows = run.table(EN_DE, SYSTEM, "ExactMatch")
    assert dict(rows.select("number", "share", "tags").schema) == foreign.Beginnings.columns
    assert rows["share"].to_list()[2:4] == [1 / 3, 1 / 3]
    for row in rows.iter_rows(named=True):
        assert row["output"] == row["source"].upper()
        assert row["right"] == 0
        assert row["kept"] == (None if row["variant"] == IDENTITY else 0)
    oracle = run.table(EN_DE, "oracle", "ExactMatch")
    assert (oracle["right"] == 1).all()
    # The metric of one comparison alone, of the probes alone.
    assert run.metrics == ("ExactMatch", "chrF")
    assert "wording" not in rows.columns
    assert run.table(EN_DE, "oracle", "chrF")["wording"].is_between(0.1, 1).all()
    assert run.corpus_score(EN_DE, SYSTEM, "ExactMatch", "right").items == 20
    assert run.scores().height == 2 * 2 * 2 * (20 + 9)


def test_the_whole_corpus_is_judged(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = execute(job(desk, cached=False), desk / "whole")
    found = run.whole(EN_DE, SYSTEM)
    assert found is not None
    assert found.height == run.table(EN_DE).height
    assert found["rank"].min() == 1
    # The next run fills what failed, and judges all of it again.
    monkeypatch.setenv("FAIL", "cat3 ")
    run = execute(job(desk), desk / "run")
    failed = run.table(EN_DE, SYSTEM)["fault"].is_not_null()
    judged = run.whole(EN_DE, SYSTEM)
    assert judged is not None
    assert failed.sum() == judged.filter(failed)["rank"].null_count() == 2
    monkeypatch.delenv("FAIL")
    run = execute(job(desk), desk / "run")
    assert run.failed() == {}
    assert parts(desk / "run") == parts(desk / "whole")
    run.layout.whole(SYSTEM, EN_DE).unlink()
    assert run.missing() == [f"{SYSTEM}, en-de: no scores of the whole corpus"]


def test_a_worker_killed_while_scoring_is_one_sentence_and_the_run_is_resumed(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = job(desk, metrics=("deadly",), workers=1)
    expected = execute(asked, desk / "whole").scores()
    monkeypatch.setenv("DEADLY", "1")
    with pytest.raises(HyperbatonError, match=r"worker process was killed.* run the same command"):
        execute(asked, desk / "run")
    assert not Run(desk / "run").complete
    monkeypatch.delenv("DEADLY")
    assert execute(asked, desk / "run").scores().equals(expected)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"fault": pl.String()}, "has a column fault, which every run has"),
        ({"number": pl.String()}, "the column number of beginnings holds values that"),
    ],
)
def test_a_design_with_wrong_columns_is_one_sentence(
    desk: Path, monkeypatch: pytest.MonkeyPatch, columns: dict[str, object], message: str
) -> None:
    asked = job(desk)
    monkeypatch.setattr(type(asked.design), "columns", columns)
    with pytest.raises(HyperbatonError, match=message):
        execute(asked, desk / "run")


def test_a_whole_of_another_length_is_one_sentence(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = job(desk)
    monkeypatch.setattr(type(asked.design), "whole", lambda *_: pl.DataFrame({"rank": [1]}))
    with pytest.raises(HyperbatonError, match="gives 1 row for 40 probes"):
        execute(asked, desk / "run")
    monkeypatch.setattr(type(asked.design), "whole", lambda *_: None)
    run = execute(asked, desk / "run")
    assert run.complete
    assert run.whole(EN_DE, SYSTEM) is None
