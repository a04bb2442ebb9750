"""A run: parts, resuming, growing, refusing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline import Pair, Run, execute
from hyperbaton.studies.wordorder import WordOrder
from tests.pipeline.small import corpus, job, logged, on_desk, parts

SYSTEM = "python:fake:translate(batch=20)"
EN_DE = Pair("en", "de")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    on_desk(tmp_path, monkeypatch)
    return tmp_path


def test_a_run_has_probes_outputs_and_scores_in_parts(desk: Path) -> None:
    run = execute(job(desk), desk / "run")
    names = set(parts(desk / "run"))
    assert len([name for name in names if name.startswith("probes/en-de/")]) == 3
    for folder in ("python-fake-translate-batch-20", "oracle", "literal"):
        assert len([n for n in names if n.startswith(f"scores/{folder}")]) == 3
        assert len([n for n in names if n.startswith(f"outputs/{folder}")]) == 3
    table = run.table(EN_DE, SYSTEM, "Levenshtein")
    assert table["item"].unique(maintain_order=True).to_list() == [f"i{n}" for n in range(40)]
    assert table["variant"].unique(maintain_order=True).to_list() == [
        "identity",
        "reversed",
        "wordShuffle",
    ]
    assert (table["varied"].str.to_uppercase() == table["varied_output"]).all()
    assert table["order"].list.len().drop_nulls().min() == 7


def test_workers_and_resuming_change_no_byte(desk: Path) -> None:
    execute(job(desk), desk / "one")
    execute(job(desk, workers=2), desk / "two")
    whole = parts(desk / "one")
    assert parts(desk / "two") == whole
    for number, path in enumerate(sorted((desk / "two").rglob("*.parquet"))):
        if number % 3:
            path.unlink()
    (desk / "two" / "probes" / "en-de" / ".part-00001.parquet.x.part").write_bytes(b"half")
    execute(job(desk, workers=0), desk / "two")
    assert parts(desk / "two") == whole
    assert not list((desk / "two").rglob("*.part"))


def test_a_clock_that_jumps_changes_no_byte(desk: Path, request: pytest.FixtureRequest) -> None:
    execute(job(desk), desk / "one")
    request.getfixturevalue("jumping_clock")
    execute(job(desk, cache=desk / "other"), desk / "two")
    assert parts(desk / "two") == parts(desk / "one")
    first = sorted((desk / "two").rglob("*.parquet"))[0]
    first.unlink()
    execute(job(desk, cache=desk / "other"), desk / "two")
    assert parts(desk / "two") == parts(desk / "one")


def test_each_text_is_translated_once_and_the_sources_once_more(desk: Path) -> None:
    run = execute(job(desk), desk / "run")
    probes = run.table(EN_DE)
    once = set(probes["source"]) | set(probes["varied"])
    texts = logged(desk)
    assert set(texts) == once
    assert len(texts) == len(once) + probes["source"].n_unique()
    execute(job(desk), desk / "other")
    assert len(logged(desk)) == len(texts)


def test_a_metric_more_translates_nothing(desk: Path) -> None:
    execute(job(desk), desk / "run")
    before, texts = parts(desk / "run"), logged(desk)
    (desk / "fake.py").unlink()
    run = execute(job(desk, metrics=("Levenshtein", "chrF")), desk / "run")
    after = parts(desk / "run")
    assert logged(desk) == texts
    kept = [name for name in before if not name.startswith("whole")]  # which is of all metrics
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    assert {name.split("/")[3] for name in after.keys() - before.keys() if "scores" in name} == {
        "chrF"
    }
    assert run.metrics == ("Levenshtein", "chrF")


def test_several_systems_and_pairs_in_one_run(desk: Path) -> None:
    corpora = (corpus(20), corpus(24, "en-fr"))
    only = {"en-fr": ("copy",)}
    run = execute(job(desk, corpora=corpora, only=only), desk / "run")
    assert run.systems == (SYSTEM, "copy")
    assert run.pairs_of("copy") == (Pair("en", "fr"),)
    assert run.pairs_of(SYSTEM) == (EN_DE, Pair("en", "fr"))
    scores = run.scores()
    counts = dict(scores.group_by("system").len().iter_rows())
    assert counts == {SYSTEM: 132, "oracle": 132, "literal": 132, "copy": 72}


def test_a_failed_translation_is_null_and_so_are_its_scores(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIL", "cat7 ")
    run = execute(job(desk), desk / "run")
    table = run.table(EN_DE, SYSTEM, "Levenshtein")
    failed = table.filter(pl.col("item") == "i7")
    assert failed["output"].null_count() == failed.height
    assert failed["beta"].null_count() == failed["beta1"].null_count() == failed.height
    assert failed["alpha"].null_count() == 0
    assert "no such word" in failed["fault"][0]
    assert table.filter(pl.col("item") != "i7")["beta2"].null_count() == 0
    monkeypatch.delenv("FAIL")
    for path in (desk / "run").glob("*/python-fake*/en-de/**/part-00000.parquet"):
        path.unlink()
    again = execute(job(desk, retry_failed=True), desk / "run")
    assert again.table(EN_DE, SYSTEM)["fault"].count() == 0


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"design": WordOrder(perturbations="reversed")}, "study"),
        ({"part": 8}, "size of a part"),
        ({"corpora": (corpus(41),)}, "corpus of en-de"),
    ],
)
def test_another_configuration_is_refused(
    desk: Path, changes: dict[str, object], named: str
) -> None:
    execute(job(desk), desk / "run")
    before = parts(desk / "run")
    with pytest.raises(HyperbatonError, match=f"another configuration .{named}"):
        execute(job(desk, **changes), desk / "run")
    assert parts(desk / "run") == before


def test_another_system_of_the_same_name_is_refused(desk: Path) -> None:
    execute(job(desk), desk / "run")
    next((desk / "run" / "outputs").glob("python*/en-de/part-00002.parquet")).unlink()
    (desk / "fake.py").write_text((desk / "fake.py").read_text() + "# other weights\n")
    with pytest.raises(HyperbatonError, match="outputs of another python:fake:translate"):
        execute(job(desk), desk / "run")


def test_a_second_process_is_kept_out(desk: Path) -> None:
    import fcntl

    (desk / "run").mkdir()
    with (desk / "run" / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(HyperbatonError, match="Another process is using"):
            execute(job(desk), desk / "run")


def test_what_is_missing_is_said_in_one_sentence(desk: Path) -> None:
    with pytest.raises(HyperbatonError, match=r"holds no run of hyperbaton \(no run.json\)"):
        _ = Run(desk).record
    run = execute(job(desk), desk / "run")
    next((desk / "run" / "scores" / "oracle").rglob("part-00001.parquet")).unlink()
    with pytest.raises(HyperbatonError, match="is not complete"):
        run.table(EN_DE, "oracle", "Levenshtein")
    (desk / "run" / "run.json").write_text("{")
    with pytest.raises(HyperbatonError, match="is damaged"):
        _ = Run(desk / "run").record


def test_the_record_names_all_that_decides_the_numbers(desk: Path) -> None:
    execute(job(desk, command="hyperbaton wordorder"), desk / "run")
    record = json.loads((desk / "run" / "run.json").read_text())
    assert record["study"] == 'wordorder(perturbations="reversed; wordShuffle")'
    assert record["systems"][SYSTEM]["en-de"].startswith("python:fake:translate|en-de|file:")
    assert record["metrics"]["Levenshtein"]["de"].startswith("Levenshtein(tokens=13a)|level")
    assert record["progress"] == {"en-de": {"items": 40, "parts": 3}}
    assert record["command"] == "hyperbaton wordorder"
    assert record["versions"]["polars"] == pl.__version__


def test_a_corpus_without_references_is_refused(desk: Path) -> None:
    given = corpus(3)
    bare = replace(given, sequence=[replace(item, reference=None) for item in given.sequence])
    with pytest.raises(HyperbatonError, match="no references"):
        execute(job(desk, corpora=(bare,)), desk / "run")
