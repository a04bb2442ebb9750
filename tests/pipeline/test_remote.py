"""A run in an object store: the same bytes as in a folder, resumed and read from there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hyperbaton import wordorder
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.remote_paths import place
from hyperbaton.cli.main import main
from hyperbaton.pipeline import Job, Run, execute
from hyperbaton.pipeline.run.locking import alone
from hyperbaton.studies.layer.contents import facts
from hyperbaton.studies.structure.grid import Grid, TaskCorpus, execute_grid
from hyperbaton.studies.structure.study import Structure
from hyperbaton.tasks import TASKS
from tests.pipeline.small import job, on_desk, parts


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    on_desk(tmp_path, monkeypatch)
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def bucket() -> Iterator[Path]:
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    yield place("memory://bucket/run")
    fsspec.filesystem("memory").store.clear()


def _parts(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*.parquet")}


def test_a_run_has_the_same_bytes_and_resumes(
    desk: Path, bucket: Path, caplog: pytest.LogCaptureFixture
) -> None:
    execute(job(desk), desk / "run")
    run = execute(job(desk), bucket)
    assert run.complete
    assert _parts(bucket) == parts(desk / "run")
    (pair,) = run.pairs
    lost, damaged = (run.layout.probes(pair, 0), run.layout.outputs(run.systems[0], pair, 1))
    lost.unlink()
    damaged.write_bytes(damaged.read_bytes()[:-7])
    assert Run(bucket).missing() == ["en-de: no probes for 1 of 3 parts"]
    assert execute(job(desk), bucket).complete
    assert f"{damaged} is damaged: it is made again" in caplog.text
    assert _parts(bucket) == parts(desk / "run")


def test_a_study_called_from_python_is_kept_there(desk: Path, bucket: Path) -> None:
    session = wordorder(
        "copy", "en-de", out=str(bucket), limit=4, workers=0, perturbations="reversed"
    )
    assert session.run.folder == bucket
    assert session.run.complete
    assert "finished" in facts([session.run])


def test_commands_keep_the_run_and_its_report_there_and_read_it_from_there(
    desk: Path, bucket: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = ("wordorder", "--shipped", "-l", "en-de", "--limit", "4", "--with", "reversed")
    assert main([*study, "--system", "copy", "--workers", "0", "--out", str(bucket)]) == 0
    assert (bucket / "report.html").read_bytes().startswith(b"<!doctype html>")
    assert main(["check", str(bucket), "--min", "beta1=0"]) == 0
    assert main(["report", str(bucket), "--out", str(desk / "page.html")]) == 0
    assert (desk / "page.html").exists()
    assert capsys.readouterr().err == ""


def test_models_are_not_trained_there(desk: Path, bucket: Path) -> None:
    study = Structure(perturbations="FullShuffle", seeds=1)
    grid = Grid(study.settings, 1, "", lambda name, _: pytest.fail(name), trains=True)
    asked = Job(study, (TaskCorpus(TASKS.parse("starter"), Path(), "de", 4),), ("chars",))
    with pytest.raises(HyperbatonError, match="which must be on this machine: choose one with"):
        execute_grid(asked, grid, bucket)


def test_two_processes_of_a_machine_do_not_meet_there(desk: Path, bucket: Path) -> None:
    with alone(bucket), pytest.raises(HyperbatonError) as caught:
        execute(job(desk), bucket)
    assert str(caught.value).startswith("Another process is using memory://bucket/run: wait")
