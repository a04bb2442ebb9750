"""Labels and vectors go the way of translations: store, parts, kill -9, resume, reading."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline import IDENTITY, Design, Job, Pair, Run, execute
from tests.cli.command import script
from tests.pipeline import fakes
from tests.pipeline.small import corpus, logged, parts

ROOT = Path(__file__).parents[2]
EN_DE = Pair("en", "de")
SCRIPT = """
import os, signal, sys
from pathlib import Path
from hyperbaton.pipeline import execute
from tests.pipeline.test_answers import job

replace, left = os.replace, [int(os.environ.get("DIE_AT_WRITE", 0))]

def dying(source, target):
    left[0] -= 1
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    replace(source, target)

os.replace = dying
if __name__ == "__main__":
    execute(job(sys.argv[1], Path(sys.argv[2])), Path(sys.argv[3]))
"""


def job(kind: str, folder: Path, **changes: object) -> Job:
    """The classifier on pairs, or the encoder on texts."""
    import fakes as installed  # type: ignore[import-not-found]

    of: dict[str, tuple[Design, str]] = {
        "label": (installed.Inference(), "overlap(least=4)"),
        "vector": (installed.Retrieval(), "letters"),
    }
    settings: dict[str, object] = {
        "design": of[kind][0],
        "corpora": (corpus(20), corpus(9, "en-fr")),
        "systems": (of[kind][1],),
        "part": 4,
        "workers": 0,
        "cache": folder / "cache",
    }
    return Job(**{**settings, **changes})  # type: ignore[arg-type]


def _installed(folder: Path) -> Path:
    """The package of the fakes, as pip would leave it."""
    folder.mkdir(exist_ok=True)
    shutil.copy(fakes.__file__, folder / "fakes.py")
    info = folder / "fakes-1.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fakes\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(fakes.ENTRY_POINTS)
    (folder / "script.py").write_text(SCRIPT)
    return folder


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    _installed(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    monkeypatch.delitem(sys.modules, "fakes", raising=False)
    return tmp_path


def test_labels_are_read_back_with_typed_columns(desk: Path) -> None:
    run = execute(job("label", desk), desk / "run")
    assert run.complete
    assert run.systems == ("overlap(least=4)",)
    rows = run.table(EN_DE, "overlap(least=4)", "ExactMatch")
    assert dict(rows.select("number", "share", "tags").schema) == fakes.Inference.columns
    assert rows["share"].to_list()[2:4] == [1 / 3, 1 / 3]
    for row in rows.iter_rows(named=True):
        common = set(row["source"].split()) & set(row["source_second"].split())
        label = "same" if len(common) >= 4 else "other"
        assert row["output"] == row["varied_output"] == label
        assert (row["source"], row["source_second"]) == (
            (row["varied"], row["varied_second"])
            if row["variant"] == IDENTITY
            else (row["varied_second"], row["varied"])
        )
        assert row["accuracy"] == (label == row["reference"])
        assert row["kept"] == (None if row["variant"] == IDENTITY else 1)
    oracle = run.table(EN_DE, "oracle", "ExactMatch")
    assert (oracle["accuracy"] == 1).all()
    # The metric of one comparison alone, of the probes alone.
    assert run.metrics == ("ExactMatch", "chrF")
    assert "wording" not in rows.columns
    assert run.table(EN_DE, "oracle", "chrF")["wording"].is_between(0.1, 0.99).all()
    assert run.corpus_score(EN_DE, "overlap(least=4)", "ExactMatch", "accuracy").items == 20
    assert run.whole(EN_DE, "oracle") is None
    assert run.scores().height == 2 * 2 * 2 * (20 + 9)


def test_vectors_are_exact_and_the_whole_corpus_is_judged(desk: Path) -> None:
    run = execute(job("vector", desk), desk / "run")
    assert run.complete
    rows = run.table(EN_DE, "letters")
    assert rows["output"].dtype == pl.Array(pl.Float32, 5)
    for column, text in (("output", "source"), ("varied_output", "varied")):
        wanted = np.array([fakes.vector(t, 5) for t in rows[text]], dtype=np.float32)
        np.testing.assert_array_equal(rows[column].to_numpy(), wanted)
    whole = run.whole(EN_DE, "letters")
    assert whole is not None
    assert whole.height == rows.height
    assert whole.filter(rows["variant"] == IDENTITY)["rank"].to_list() == [1] * 20
    run.layout.whole("letters", EN_DE).unlink()
    assert run.missing() == ["letters, en-de: no scores of the whole corpus"]


@pytest.mark.parametrize("kind", ["label", "vector"])
def test_each_input_is_asked_once_and_the_controls_once_more(desk: Path, kind: str) -> None:
    run = execute(job(kind, desk), desk / "run")
    asked = Counter(logged(desk))
    frames = [run.table(pair) for pair in run.pairs]
    names = ["source", "source_second"] if kind == "label" else ["source"]
    clean = {json.dumps(_given(row)) for f in frames for row in f.select(names).iter_rows()}
    assert {text for text, count in asked.items() if count == 2} == clean
    assert set(asked.values()) == {1, 2}
    execute(job(kind, desk), desk / "other")
    assert Counter(logged(desk)) == asked


def _given(row: tuple[str, ...]) -> str | tuple[str, ...]:
    return row if len(row) > 1 else row[0]


@pytest.mark.parametrize("kind", ["label", "vector"])
def test_what_failed_is_filled_and_judged_again(
    desk: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    execute(job(kind, desk, cached=False), desk / "whole")
    monkeypatch.setenv("FAIL", "cat3 ")
    run = execute(job(kind, desk), desk / "run")
    system = run.systems[0]
    # The classifier reads it in the reference of the item before as well.
    items = 1 if kind == "vector" else 2
    assert run.failed() == {(system, pair): 2 * items for pair in run.pairs}
    failed = run.table(EN_DE, system)["fault"].is_not_null()
    if kind == "vector":
        whole = run.whole(EN_DE, system)
        assert whole is not None
        assert whole.filter(failed)["rank"].null_count() == 2
    monkeypatch.delenv("FAIL")
    assert execute(job(kind, desk), desk / "run").failed() == {}
    assert parts(desk / "run") == parts(desk / "whole")


@pytest.mark.parametrize("kind", ["label", "vector"])
def test_killed_it_ends_with_the_same_bytes_and_asks_nothing_twice(
    tmp_path: Path, kind: str
) -> None:
    whole, torn = _installed(tmp_path / "whole"), _installed(tmp_path / "torn")
    assert _run(whole, kind, {}) == 0
    deaths = [{"DIE": "1"}, {"DIE_AT_WRITE": "2"}, {"DIE_AT_WRITE": "5"}, {"DIE": "3"}]
    for death in [*deaths, {"DIE_AT_WRITE": "8"}]:
        assert _run(torn, kind, death) == -signal.SIGKILL
        if (torn / "run" / "run.json").exists():
            assert not Run(torn / "run").complete
        there = parts(torn / "run")
        assert there.items() <= parts(whole / "run").items()
    assert _run(torn, kind, {}) == 0
    assert Run(torn / "run").complete
    assert parts(torn / "run") == parts(whole / "run")
    assert sorted(logged(torn)) == sorted(logged(whole))


def _run(folder: Path, kind: str, death: dict[str, str]) -> int:
    environment = {**os.environ, **death, "LOG": str(folder / "log")}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), str(ROOT), str(folder)])
    command = script(folder / "script.py", kind, folder, folder / "run")
    return subprocess.run(command, cwd=folder, env=environment, check=False).returncode


def test_a_worker_killed_while_scoring_is_one_sentence_and_the_run_is_resumed(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = job("label", desk, metrics=("deadly",), workers=1)
    expected = execute(asked, desk / "whole").scores()
    monkeypatch.setenv("DEADLY", "1")
    with pytest.raises(HyperbatonError, match=r"worker process was killed.* run the same command"):
        execute(asked, desk / "run")
    assert not Run(desk / "run").complete
    monkeypatch.delenv("DEADLY")
    assert execute(asked, desk / "run").scores().equals(expected)


def test_a_wrong_kind_of_system_is_one_sentence(desk: Path) -> None:
    with pytest.raises(HyperbatonError, match="unknown classifier 'letters'"):
        execute(job("label", desk, systems=("letters",)), desk / "run")
    with pytest.raises(HyperbatonError, match="unknown encoder 'copy'"):
        execute(job("vector", desk, systems=("copy",)), desk / "run")
    assert not (desk / "run").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": {"fault": pl.String()}}, "has a column fault, which every run has"),
        ({"columns": {"number": pl.String()}}, "the column number of inference holds values that"),
        ({"inputs": "text"}, r"has 2 texts: inference says its inputs are single texts"),
        ({"output": "text"}, "pairs of texts, which only classifiers take"),
    ],
)
def test_a_design_that_contradicts_itself_is_one_sentence(
    desk: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, object], message: str
) -> None:
    asked = job("label", desk)
    for name, value in change.items():
        monkeypatch.setattr(type(asked.design), name, value)
    if "output" in change:
        asked = job("label", desk, systems=("copy",))
    with pytest.raises(HyperbatonError, match=message):
        execute(asked, desk / "run")


def test_vectors_are_not_compared_as_texts(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hyperbaton.pipeline import Comparison

    asked = job("vector", desk)
    compared = (Comparison("same", "output", "varied_output"),)
    monkeypatch.setattr(type(asked.design), "comparisons", property(lambda self: compared))
    with pytest.raises(HyperbatonError, match="compares vectors as texts"):
        execute(asked, desk / "run")


def test_a_whole_of_another_length_is_one_sentence(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = job("vector", desk)
    monkeypatch.setattr(type(asked.design), "whole", lambda *_: pl.DataFrame({"rank": [1]}))
    with pytest.raises(HyperbatonError, match="gives 1 row for 40 probes"):
        execute(asked, desk / "run")
    monkeypatch.setattr(type(asked.design), "whole", lambda *_: None)
    run = execute(asked, desk / "run")
    assert run.complete
    assert run.whole(EN_DE, "letters") is None
