"""run.json: what changed in it is found, and what contradicts itself is one sentence."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline import Pair, Run, execute
from hyperbaton.pipeline.run.record import Progress
from tests.pipeline.small import job, on_desk

EN_DE = Pair("en", "de")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    on_desk(tmp_path, monkeypatch)
    return tmp_path


def test_every_key_that_is_gone_is_one_sentence(desk: Path) -> None:
    execute(job(desk), desk / "run")
    record = desk / "run" / "run.json"
    content = json.loads(record.read_text())
    del content["checksum"]
    for key in content:
        record.write_text(json.dumps({k: v for k, v in content.items() if k != key}))
        run = Run(desk / "run")
        with suppress(HyperbatonError):  # and nothing else
            _ = run.systems, run.poles, run.failed(), run.missing(), run.scores()


def test_what_changed_in_the_record_is_found(desk: Path) -> None:
    """One part less would be a smaller corpus, without a word."""
    execute(job(desk), desk / "run")
    record = desk / "run" / "run.json"
    text = record.read_text()
    content = json.loads(text)
    content["progress"]["en-de"] = {"items": 32, "parts": 2}
    record.write_text(json.dumps(content))
    for act in (lambda: execute(job(desk), desk / "run"), lambda: Run(desk / "run").systems):
        with pytest.raises(HyperbatonError, match=r"run\.json was changed since hyperbaton wrote"):
            act()
    del content["checksum"]  # as older versions wrote it, and as the sentence advises
    record.write_text(json.dumps(content))
    assert Run(desk / "run").systems
    record.write_text(json.dumps(json.loads(text)))  # laid out in another way
    assert Run(desk / "run").complete


@pytest.mark.parametrize(
    ("key", "wrong", "said"),
    [
        ("progress", {}, "progress is not about the pairs"),
        ("progress", {"en-de": {"items": 40, "parts": 2}}, "40 items do not make 2 parts"),
        ("progress", {"en-de": {"items": 10**18, "parts": 10**18}}, "out of bounds"),
        ("progress", {"en-de": {"items": -1, "parts": 0}}, "out of bounds"),
        ("asked", {}, "asked is not about the pairs"),
        ("asked", {"en-de": ["other"]}, "not among the systems"),
        ("poles", ["other"], "not among the systems"),
        ("metrics", {}, "does not fit its name or the metrics"),
        ("part", True, "part is not a whole number"),
        ("part", 0, "part is not a whole number"),
        ("cells", 1, "neither true nor false"),
        ("study", "\ud800", "half a character"),
    ],
)
def test_a_record_that_contradicts_itself(desk: Path, key: str, wrong: object, said: str) -> None:
    execute(job(desk), desk / "run")
    record = desk / "run" / "run.json"
    content = json.loads(record.read_text())
    del content["checksum"]
    record.write_text(json.dumps({**content, key: wrong}))
    with pytest.raises(HyperbatonError, match=f"run.json is damaged .*{said}"):
        _ = Run(desk / "run").systems


def test_parts_without_end(desk: Path) -> None:
    """What a record promises is counted by the files that there are."""
    run = execute(job(desk, systems=("copy",), metrics=("Levenshtein",)), desk / "run")
    many = (1 << 39) // 16
    endless = replace(run.record, progress={"en-de": Progress(16 * many, many)})
    endless.write(run.layout.record)
    found = Run(desk / "run")
    assert not found.complete
    assert found.missing()[0] == f"en-de: no probes for {many - 3:,} of {many:,} parts"
    assert found.failed() == {}
    with pytest.raises(HyperbatonError, match="is not complete"):
        found.table(EN_DE)


def test_a_record_of_an_older_version(desk: Path) -> None:
    """Whatever was added since is not in it."""
    execute(job(desk), desk / "run")
    record = desk / "run" / "run.json"
    content = json.loads(record.read_text())
    first = ("format", "study", "part", "corpora", "parsers", "asked", "systems", "metrics")
    kept = (*first, "comparisons", "whole", "by_parts", "progress", "poles")
    record.write_text(json.dumps({key: content[key] for key in kept}))
    assert Run(desk / "run").complete
    assert Run(desk / "run").scores().height
    assert execute(job(desk), desk / "run").complete
