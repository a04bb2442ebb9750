"""`hyperbaton ls` names what the registries hold, with one line on each."""

from __future__ import annotations

import json

import pytest

from hyperbaton.cli.main import main
from hyperbaton.perturb import GROUPS, PERTURBATIONS


def test_perturbations(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ls", "perturbations"]) == 0
    lines = capsys.readouterr().out.splitlines()
    named = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert named == [*PERTURBATIONS.names(), *GROUPS]
    (mirror,) = (line for line in lines if line.startswith("treeMirrorPre"))
    assert mirror.split(maxsplit=3)[1:3] == ["tree", "impossible"]
    (flip,) = (i for i, line in enumerate(lines) if line.startswith("NeighbourFlip"))
    assert lines[flip + 1].strip() == "(p, unit=char|word|subword, tokenizer=none)"


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ls", "perturbations", "--format", "json"]) == 0
    entries = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert entries["nounSwaps"]["labels"] == "PoS possible"
    assert entries["whitespace"]["parameters"] == (
        "kind=double|nobreak|thin|tab|missing|ends, p=1.0"
    )
    assert all(entry["description"] for entry in entries.values())


@pytest.mark.parametrize(
    "kind", ["metrics", "systems", "parsers", "detectors", "encoders", "aligners", "breaks"]
)
def test_every_registry_is_described(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ls", kind, "--format", "json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert entries
    assert all(entry["description"] for entry in entries)


def test_languages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ls", "languages"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (japanese,) = (line for line in lines if line.startswith("ja "))
    assert "Japanese" in japanese
    assert "no spaces, no case" in japanese


def test_an_unknown_kind_is_a_users_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ls", "wonders"]) == 2
    error = capsys.readouterr().err
    assert "'wonders' is not one of perturbations" in error
    assert error.count("\n") == 1
