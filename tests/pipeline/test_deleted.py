"""A run that is deleted under a command: it says so, and the same command then starts it anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline import execute
from tests.pipeline.small import job, on_desk, parts

DELETING = """
import os, shutil
from fake import translate as honest

def translate(texts):
    left = int(os.environ.get("LEFT", "0"))
    os.environ["LEFT"] = str(left - 1)
    if left == 0:
        while os.path.exists(os.environ["RUN"]):
            # A worker may put a part into a folder that is being removed.
            shutil.rmtree(os.environ["RUN"], ignore_errors=True)
        for name in filter(None, os.environ.get("PUT", "").split()):
            path = os.path.join(os.environ["RUN"], name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, "w").write("new")
    return honest(texts)
"""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    on_desk(tmp_path, monkeypatch)
    (tmp_path / "deleting.py").write_text(DELETING)
    monkeypatch.delitem(__import__("sys").modules, "deleting", raising=False)
    monkeypatch.setenv("RUN", str(tmp_path / "run"))
    return tmp_path


@pytest.mark.parametrize(("batches", "workers"), [(0, 0), (3, 0), (3, 1), (6, 0)])
def test_the_advised_command_starts_it_anew(
    desk: Path, batches: int, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = job(desk, systems=("python:deleting:translate(batch=20)",))
    monkeypatch.setenv("LEFT", "-1")
    execute(task, desk / "whole")
    fresh = job(desk, systems=task.systems, workers=workers, cache=desk / "other")
    monkeypatch.setenv("LEFT", str(batches))
    with pytest.raises(HyperbatonError, match=r"run was deleted .* run the same command again"):
        execute(fresh, desk / "run")
    assert not (desk / "run").exists()
    assert execute(fresh, desk / "run").complete
    assert parts(desk / "run") == parts(desk / "whole")


def test_what_others_put_there_since_stays(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = ("notes.txt", "outputs/film.mp4", "data/part-00000.parquet")
    monkeypatch.setenv("PUT", " ".join(theirs))
    with pytest.raises(HyperbatonError, match="run was deleted"):
        execute(job(desk, systems=("python:deleting:translate(batch=20)",)), desk / "run")
    left = {str(p.relative_to(desk / "run")) for p in (desk / "run").rglob("*") if p.is_file()}
    assert left == set(theirs)
