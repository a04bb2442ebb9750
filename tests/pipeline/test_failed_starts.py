"""A first run that failed: why it did, and how the corrected command goes on in the same folder."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline import Pair, Run, execute
from hyperbaton.studies.wordorder import WordOrder
from tests.pipeline.small import FAKE, corpus, job, on_desk, parts

SYSTEM = "python:fake:translate(batch=20)"
WRONG = "python:fake:transalte(batch=20)"
EN_DE = Pair("en", "de")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    on_desk(tmp_path, monkeypatch)
    return tmp_path


def test_faults_are_counted_by_their_reasons(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIL", "cat7 ")
    run = execute(job(desk), desk / "run")
    (found,) = run.failures().values()
    assert list(run.failures()) == [(SYSTEM, EN_DE)]
    rows = run.table(EN_DE, SYSTEM)
    assert (found.failed, found.rows) == (run.failed()[SYSTEM, EN_DE], rows.height)
    assert found.reasons == {"ValueError: no such word": found.failed}
    head = f"failed on {found.failed} of {rows.height} rows in en-de"
    assert found.said(EN_DE) == f"{head}: ValueError: no such word"


def test_the_most_frequent_reason_is_said_with_its_count(desk: Path) -> None:
    (desk / "fake.py").write_text(
        "def translate(texts):\n"
        "    if 'cat7 ' in ' '.join(texts): raise ValueError('no such word')\n"
        "    return ['' if 'cat8 ' in t or 'cat9 ' in t else t.upper() for t in texts]\n"
    )
    (found,) = execute(job(desk), desk / "run").failures().values()
    empty = found.reasons["the translation is empty"]
    assert list(found.reasons) == ["the translation is empty", "ValueError: no such word"]
    assert found.said(EN_DE) == (
        f"failed on {found.failed} of {found.rows} rows in en-de; "
        f"{empty} times: the translation is empty"
    )


def test_a_program_that_was_mended_goes_on_where_it_only_failed(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = execute(job(desk, cached=False), desk / "whole")
    (desk / "fake.py").write_text("def translate(texts):\n    raise ValueError('not ready')\n")
    monkeypatch.delitem(__import__("sys").modules, "fake", raising=False)
    assert sum(execute(job(desk), desk / "run").failed().values())
    (desk / "fake.py").write_text(FAKE)
    monkeypatch.delitem(__import__("sys").modules, "fake", raising=False)
    run = execute(job(desk), desk / "run")
    assert run.failed() == {}
    assert run.record.systems == whole.record.systems
    assert parts(desk / "run") == parts(desk / "whole")


def test_a_program_that_changed_after_some_answers_is_refused(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIL", "cat7 ")
    execute(job(desk), desk / "run")
    before = parts(desk / "run")
    (desk / "fake.py").write_text(FAKE + "# other weights\n")
    with pytest.raises(HyperbatonError, match="outputs of another python:fake:translate"):
        execute(job(desk), desk / "run")
    assert parts(desk / "run") == before


@pytest.mark.parametrize("started", [True, False])
def test_a_system_that_never_answered_is_forgotten_when_another_takes_its_place(
    desk: Path, started: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    whole = execute(job(desk, cached=False), desk / "whole")
    wrong = WRONG
    if started:
        wrong = "python:dead:translate"
        (desk / "dead.py").write_text("def translate(texts):\n    raise ValueError('dead')\n")
        assert sum(execute(job(desk, systems=(wrong,)), desk / "run").failed().values())
    else:
        with pytest.raises(HyperbatonError, match="transalte"):
            execute(job(desk, systems=(wrong,)), desk / "run")
    assert (desk / "run" / "run.json").exists()
    with caplog.at_level(logging.WARNING):
        run = execute(job(desk), desk / "run")
    assert [r.getMessage() for r in caplog.records] == [
        f"hyperbaton: {desk / 'run'}: {wrong} never answered in en-de and is left out now"
    ]
    assert (run.systems, run.failed(), run.missing()) == ((SYSTEM,), {}, [])
    assert parts(desk / "run") == parts(desk / "whole")
    assert set(run.record.asked["en-de"]) == set(whole.record.asked["en-de"])
    assert run.record.systems == whole.record.systems
    assert run.record.batch_bound == whole.record.batch_bound


def test_a_system_that_answered_once_stays(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIL", "cat7 ")
    execute(job(desk), desk / "run")
    run = execute(job(desk, systems=("copy",)), desk / "run")
    assert run.systems == (SYSTEM, "copy")
    assert run.failed()


@pytest.mark.parametrize(
    "changes",
    [
        {"design": WordOrder(perturbations="reversed")},
        {"part": 8},
        {"corpora": (corpus(41),)},
    ],
)
@pytest.mark.parametrize("started", [True, False])
def test_another_configuration_starts_anew_where_nothing_was_answered(
    desk: Path, changes: dict[str, object], started: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute(job(desk, cached=False, **changes), desk / "whole")
    monkeypatch.setenv("FAIL", " ")
    if started:
        execute(job(desk), desk / "run")
    else:
        with pytest.raises(HyperbatonError):
            execute(job(desk, systems=(WRONG,)), desk / "run")
    monkeypatch.delenv("FAIL")
    note = desk / "run" / "probes" / "mine.txt"
    note.write_text("not a part")
    run = execute(job(desk, **changes), desk / "run")
    assert run.complete
    assert run.failed() == {}
    assert parts(desk / "run") == parts(desk / "whole")
    assert note.read_text() == "not a part"


def test_other_systems_and_pairs_keep_what_they_have(desk: Path) -> None:
    both = (corpus(), corpus(languages="en-fr"))
    with pytest.raises(HyperbatonError, match="transalte"):
        execute(job(desk, corpora=both, systems=("copy", WRONG)), desk / "run")
    kept = {name: data for name, data in parts(desk / "run").items() if "/copy/" in name}
    assert kept
    execute(job(desk), desk / "run")
    assert kept.items() <= parts(desk / "run").items()
    # The command names one pair: what was asked of the other is still asked.
    record = Run(desk / "run").record
    assert record.asked["en-de"] == ("copy", "oracle", "literal", SYSTEM)
    assert record.asked["en-fr"] == ("copy", WRONG, "oracle", "literal")


def test_a_damaged_part_may_hold_answers(desk: Path) -> None:
    execute(job(desk), desk / "run")
    for path in (desk / "run" / "outputs").glob("python*/**/*.parquet"):
        path.write_bytes(b"PAR1 nothing of the kind")
    with pytest.raises(HyperbatonError, match="another configuration"):
        execute(job(desk, part=8), desk / "run")
    assert Run(desk / "run").record.part == 16


def test_what_was_paid_is_remembered_when_a_run_starts_anew(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIL", " ")
    execute(job(desk), desk / "run")
    (desk / "run" / "costs.json").write_text('{"openai:x": 7}')
    monkeypatch.delenv("FAIL")
    execute(job(desk, part=8), desk / "run")
    assert (desk / "run" / "costs.json").read_text() == '{"openai:x": 7}'


def test_a_run_with_answers_is_never_cleared(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIL", "cat7 ")
    execute(job(desk), desk / "run")
    before = parts(desk / "run")
    with pytest.raises(HyperbatonError, match="another configuration"):
        execute(job(desk, part=8), desk / "run")
    assert parts(desk / "run") == before
    assert Run(desk / "run").failed()
