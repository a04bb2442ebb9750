"""What goes wrong around a run: outages, damage, other people's files, a disk that is full."""

from __future__ import annotations

import errno
import json
import os
import subprocess
from contextlib import suppress
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


def _times(folder: Path) -> dict[str, int]:
    return {
        str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*.parquet")
    }


@pytest.mark.parametrize("cached", [True, False])
@pytest.mark.parametrize("retry", [True, False])
def test_the_next_run_fills_exactly_what_failed(
    desk: Path, monkeypatch: pytest.MonkeyPatch, cached: bool, retry: bool
) -> None:
    expected = execute(job(desk, cached=False), desk / "whole")
    monkeypatch.setenv("FAIL", "cat7 ")
    run = execute(job(desk, cached=cached), desk / "run")
    failed = run.table(EN_DE, SYSTEM).filter(pl.col("fault").is_not_null())
    assert set(failed["item"]) == {"i7"}
    assert run.failed() == {(SYSTEM, EN_DE): failed.height}
    assert run.complete
    before, times = parts(desk / "run"), _times(desk / "run")
    monkeypatch.delenv("FAIL")
    (desk / "log").unlink()
    run = execute(job(desk, cached=cached, retry_failed=retry), desk / "run")
    assert run.failed() == expected.failed() == {}
    assert parts(desk / "run") == parts(desk / "whole")
    null = [
        *failed.filter(pl.col("output").is_null())["source"],
        *failed.filter(pl.col("varied_output").is_null())["varied"],
    ]
    assert set(logged(desk)) == set(null)
    touched = {name for name, time in _times(desk / "run").items() if time != times[name]}
    assert touched == {name for name, data in before.items() if data != parts(desk / "run")[name]}
    assert {name.split("/")[0] for name in touched} == {"outputs", "scores", "whole"}
    assert all("python-fake" in name and "part-00000" in name for name in touched)


def test_an_outage_from_beginning_to_end_leaves_no_trace(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute(job(desk, cached=False), desk / "whole")
    monkeypatch.setenv("FAIL", " ")
    run = execute(job(desk), desk / "run")
    rows = run.table(EN_DE, SYSTEM)
    assert run.failed() == {(SYSTEM, EN_DE): rows.height}
    assert rows["output"].null_count() == rows.height
    before, times = parts(desk / "run"), _times(desk / "run")
    execute(job(desk), desk / "run")  # still down: nothing is written
    assert _times(desk / "run").keys() == times.keys()
    assert {n for n in before if "outputs" not in n and _times(desk / "run")[n] != times[n]} <= {
        n for n in before if "scores/python" in n
    }
    monkeypatch.delenv("FAIL")
    assert execute(job(desk), desk / "run").failed() == {}
    assert parts(desk / "run") == parts(desk / "whole")


def test_a_run_killed_in_an_outage_leaves_nothing_failed(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute(job(desk, cached=False), desk / "whole")
    monkeypatch.setenv("FAIL", " ")
    execute(job(desk), desk / "run")
    # Its faults are in the store, but the part that held them was never written.
    for path in (desk / "run").glob("*/python-fake*/**/part-00001.parquet"):
        path.unlink()
    monkeypatch.delenv("FAIL")
    assert execute(job(desk), desk / "run").failed() == {}
    assert parts(desk / "run") == parts(desk / "whole")


def test_faults_of_another_run_stand_in_a_new_one_unless_retried(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIL", "cat7 ")
    execute(job(desk), desk / "run")
    monkeypatch.delenv("FAIL")
    assert sum(execute(job(desk), desk / "new").failed().values()) > 0
    assert execute(job(desk, retry_failed=True), desk / "newer").failed() == {}


def test_a_killed_retry_never_leaves_old_scores_beside_new_outputs(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIL", "cat7 ")
    execute(job(desk), desk / "run")
    monkeypatch.delenv("FAIL")
    with monkeypatch.context() as patch:
        patch.setattr("hyperbaton.pipeline.stages.scoring.score_part", _killed)
        with pytest.raises(KeyboardInterrupt):
            execute(job(desk), desk / "run")
    run = Run(desk / "run")
    assert run.failed() == {}
    assert run.missing() == [
        f"{SYSTEM}, en-de: no Levenshtein for 1 of 3 parts",
        f"{SYSTEM}, en-de: no further scores for 1 of 3 parts",
    ]
    assert execute(job(desk), desk / "run").complete


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("kind", ["probes", "measures", "outputs/python*", "scores/python*"])
@pytest.mark.parametrize("damage", ["truncated", "changed", "empty"])
def test_a_damaged_part_is_found_named_and_made_anew(
    desk: Path, kind: str, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    execute(job(desk), desk / "run")
    whole, texts = parts(desk / "run"), logged(desk)
    path = next((desk / "run").glob(f"{kind}/**/part-00001.parquet"))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes({"truncated": data[:-9], "changed": data, "empty": bytearray()}[damage])
    with pytest.raises(HyperbatonError, match=r"part-00001\.parquet is damaged: run the command"):
        Run(desk / "run").scores()
    caplog.clear()
    assert execute(job(desk), desk / "run").complete
    assert [record.getMessage() for record in caplog.records] == [
        f"hyperbaton: {path} is damaged: it is made again"
    ]
    assert parts(desk / "run") == whole
    assert logged(desk) == texts


def test_parts_without_a_record_are_refused(desk: Path) -> None:
    execute(job(desk), desk / "run")
    (desk / "run" / "run.json").unlink()
    before = parts(desk / "run")
    other = WordOrder(perturbations="reversed; wordShuffle", seed=3)
    with pytest.raises(HyperbatonError, match=r"parts of a run but no run\.json"):
        execute(job(desk, design=other), desk / "run")
    assert parts(desk / "run") == before
    assert not (desk / "run" / "run.json").exists()


def test_parts_of_another_configuration_are_refused(desk: Path) -> None:
    execute(job(desk), desk / "run")
    other = WordOrder(perturbations="reversed; wordShuffle", seed=3)
    execute(job(desk, design=other), desk / "other")
    name = "probes/en-de/part-00001.parquet"
    (desk / "run" / name).write_bytes((desk / "other" / name).read_bytes())
    with pytest.raises(HyperbatonError, match=r"part-00001\.parquet is a part of another config"):
        execute(job(desk), desk / "run")
    with pytest.raises(HyperbatonError, match=r"part-00001\.parquet is a part of another config"):
        Run(desk / "run").table(EN_DE)


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "null", '{"format": 3}', '{"format": 3, "study": 3}', "[" * 100_000, "\x00"],
)
def test_a_damaged_record_is_refused_and_kept(desk: Path, content: str) -> None:
    execute(job(desk), desk / "run")
    record = desk / "run" / "run.json"
    record.write_text(content)
    for act in (lambda: execute(job(desk), desk / "run"), lambda: Run(desk / "run").systems):
        with pytest.raises(HyperbatonError, match=r"run\.json is damaged") as caught:
            act()
        assert "delete" not in str(caught.value)
    assert record.read_text() == content


def test_every_wrong_type_in_the_record_is_one_sentence(desk: Path) -> None:
    execute(job(desk), desk / "run")
    record = desk / "run" / "run.json"
    content = json.loads(record.read_text())
    del content["checksum"]  # which would find every change
    for key in content:
        for wrong in (None, 3, [3], {"x": 3}, "x"):
            if isinstance(content[key], str) and wrong == "x":
                continue
            record.write_text(json.dumps({**content, key: wrong}))
            run = Run(desk / "run")
            with suppress(HyperbatonError):  # and nothing else
                _ = run.systems, run.poles, run.failed(), run.missing(), run.scores()


@pytest.mark.parametrize("earlier", [1, 2])
def test_an_earlier_format_is_one_sentence(desk: Path, earlier: int) -> None:
    (desk / "run").mkdir()
    (desk / "run" / "run.json").write_text(f'{{"format": {earlier}, "study": "wordorder"}}')
    with pytest.raises(HyperbatonError, match="another version of hyperbaton"):
        execute(job(desk), desk / "run")


def test_only_our_own_leavings_are_swept(desk: Path) -> None:
    execute(job(desk), desk / "run")
    ours = ["probes/en-de/.part-00001.parquet.a1.part", ".run.json.x_2.part"]
    others = [".download.part", "probes/.film.mp4.part", "data/.part-00001.parquet.a1.part"]
    for name in (*ours, *others):
        (desk / "run" / name).parent.mkdir(exist_ok=True)
        (desk / "run" / name).write_text("half")
    execute(job(desk), desk / "run")
    assert not any((desk / "run" / name).exists() for name in ours)
    assert all((desk / "run" / name).exists() for name in others)


@pytest.mark.parametrize("workers", [0, 1])
def test_a_full_disk_is_one_sentence_and_the_run_goes_on(
    desk: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    execute(job(desk), desk / "whole")
    replace, left = os.replace, [4]

    def full(source: str, target: str) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))
        replace(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        with pytest.raises(HyperbatonError, match=r"No space left.*run the same command again"):
            execute(job(desk, workers=workers), desk / "run")
    assert not Run(desk / "run").complete
    assert execute(job(desk), desk / "run").complete
    assert parts(desk / "run") == parts(desk / "whole")


def test_a_disk_that_is_really_full(desk: Path) -> None:
    small = desk / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except OSError:
        done = False
    if not done:
        pytest.skip("a file system cannot be mounted here")
    try:
        with pytest.raises(HyperbatonError, match="No space left"):
            execute(job(desk, corpora=(corpus(400),)), small / "run")
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_a_folder_that_cannot_be_made_is_one_sentence(desk: Path) -> None:
    (desk / "file").write_text("")
    with pytest.raises(HyperbatonError, match="file/run: Not a directory"):
        execute(job(desk), desk / "file" / "run")


@pytest.mark.parametrize(
    "languages", ["../../escaped-de", "en-../x", "/tmp/x-de", "en-", "en-d e", "en-" + "x" * 60]
)
def test_a_language_cannot_lead_out_of_the_folder(languages: str) -> None:
    with pytest.raises(HyperbatonError, match="is not a language"):
        Pair.parse(languages)


def test_a_pair_made_by_hand_is_checked_too() -> None:
    with pytest.raises(HyperbatonError, match="'/etc/x' is not a language code"):
        Pair("en", "/etc/x")
    assert str(Pair("eng_Latn", "zh-Hans")) == "eng_Latn-zh-Hans"
