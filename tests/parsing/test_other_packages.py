"""A parser of another package is listed, and chosen by default, like our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.cli.main import main
from hyperbaton.parsing.catalogue import NoParser, best_parser, candidates
from hyperbaton.parsing.opening import open_parser
from hyperbaton.parsing.parser import PARSERS

CODE = """
from dataclasses import dataclass

from hyperbaton.parsing.parser import ParserSpec
from hyperbaton.parsing.plain import PlainParser


@dataclass(frozen=True)
class Quechua(ParserSpec):
    name = "quechua"
    languages = ("qu",)

    def open(self, language):
        return PlainParser(language)


@dataclass(frozen=True)
class Model(ParserSpec):
    name = "model"
    positional = "path"
    languages = ("qu",)
    path: str

    def open(self, language):
        return PlainParser(language)
"""


@pytest.fixture
def _package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other_parsers.py").write_text(CODE)
    about = tmp_path / "other_parsers-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: other-parsers\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[hyperbaton.parsers]\n"
        "quechua = other_parsers:Quechua\n"
        "model = other_parsers:Model\n"
        "broken = no_such_module:Nothing\n"
    )
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("_package")
def test_it_is_found_and_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    assert PARSERS.added() == ("quechua", "model", "broken")
    assert [c.spec for c in candidates("qu") if c.state == "installed"] == ["quechua"]
    assert str(best_parser("qu")) == "quechua"
    with open_parser("qu") as parser:
        assert [s.words for s in parser.parse(["huk iskay."])] == [("huk", "iskay", ".")]
    assert main(["parsers"]) == 0
    shown = capsys.readouterr().out
    assert "* installed   quechua  (from another package)" in shown
    with pytest.raises(HyperbatonError, match="'broken' of another package cannot be loaded"):
        PARSERS.get("broken")


def test_without_it_there_is_none() -> None:
    assert PARSERS.added() == ()
    with pytest.raises(NoParser, match="no parser for qu is installed"):
        best_parser("qu")
