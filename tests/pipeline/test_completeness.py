"""A run that is not whole says so, at whatever moment it was stopped."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline import Job, Pair, Run, execute
from tests.pipeline.small import corpus, job, logged, on_desk, parts

SYSTEM = "python:fake:translate(batch=20)"


class Stopped(BaseException):
    """The process is gone."""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    on_desk(tmp_path, monkeypatch)
    return tmp_path


def _job(desk: Path, **changes: object) -> Job:
    corpora = (corpus(20), corpus(12, "en-fr"))
    return job(desk, corpora=corpora, only={"en-fr": ("copy",)}, part=8, **changes)


def _stop_after(writes: int, before: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """End the process at a write: before a file takes its place, or right after."""
    replace, left = os.replace, [writes]

    def stopping(source: str, target: str) -> None:
        left[0] -= 1
        if left[0] == 0 and before:
            raise Stopped
        replace(source, target)
        if left[0] == 0:
            raise Stopped

    monkeypatch.setattr(os, "replace", stopping)


def test_right_after_run_json_appeared_everything_is_missing(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        _stop_after(1, False, patch)
        with pytest.raises(Stopped):
            execute(_job(desk), desk / "run")
    run = Run(desk / "run")
    assert parts(desk / "run") == {}
    assert (run.pairs, run.systems) == ((Pair("en", "de"), Pair("en", "fr")), (SYSTEM, "copy"))
    assert run.pairs_of("copy") == (Pair("en", "fr"),)
    assert run.metrics == ("Levenshtein",)
    assert not run.complete
    missing = run.missing()
    assert missing[:3] == [
        "en-de: no probes",
        "en-de: no Levenshtein of the probes",
        f"{SYSTEM}, en-de: no outputs",
    ]
    assert "copy, en-fr: no Levenshtein" in missing
    assert len(missing) == 2 * 2 + 3 * (3 + 4)  # outputs, scores, scores of the whole corpus


def test_between_two_pairs_the_second_is_missing(desk: Path) -> None:
    execute(_job(desk), desk / "run")
    for path in (desk / "run").glob("**/en-fr/**/*.parquet"):
        path.unlink()
    run = Run(desk / "run")
    assert not run.complete
    assert run.missing()[0] == "en-fr: no probes"
    assert not any("en-de" in sentence for sentence in run.missing())
    with pytest.raises(HyperbatonError, match="is not complete"):
        run.scores()


def test_a_part_of_a_stage_is_counted(desk: Path) -> None:
    run = execute(_job(desk), desk / "run")
    assert run.complete
    assert run.missing() == []
    run.layout.scores("oracle", Pair("en", "de"), "Levenshtein", 1).unlink()
    assert run.missing() == ["oracle, en-de: no Levenshtein for 1 of 3 parts"]


def test_a_run_stopped_at_any_write_is_incomplete_and_ends_the_same(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = execute(_job(desk), desk / "whole")
    texts = logged(desk)
    (desk / "log").unlink()
    rng = random.Random(3)
    stops = 0
    while True:
        with monkeypatch.context() as patch:
            _stop_after(rng.randrange(1, 4), rng.random() < 0.5, patch)
            try:
                execute(_job(desk, cache=desk / "other"), desk / "run")
            except Stopped:
                stops += 1
            else:
                break
        if (desk / "run" / "run.json").exists():
            run = Run(desk / "run")
            whole = parts(desk / "run") == parts(desk / "whole")
            assert run.complete == whole
            assert bool(run.missing()) != whole
    assert stops >= 20
    assert parts(desk / "run") == parts(desk / "whole")
    assert Run(desk / "run").scores().equals(expected.scores())
    # Stopped or not: nothing is asked for twice.
    assert sorted(logged(desk)) == sorted(texts)
