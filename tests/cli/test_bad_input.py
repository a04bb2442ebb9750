"""A user's mistake is told in one sentence, with exit code 2 and no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.cli.main import main
from tests.cli.command import TOM, call

UPPER = ("perturb", "-l", "en", "--with", "upper")


def files(folder: Path) -> None:
    (folder / "empty.txt").write_bytes(b"")
    (folder / "latin.txt").write_bytes("fine\ncafé\n".encode("latin-1"))
    (folder / "broken.conllu").write_text(TOM.replace("5\tdog", "5 dog"))
    (folder / "circle.conllu").write_text(
        TOM.replace("\t5\tdet", "\t4\tdet").replace("\t5\tamod", "\t3\tamod")
    )
    (folder / "rootless.conllu").write_text(TOM.replace("\t0\troot", "\t5\troot"))
    (folder / "range.conllu").write_text(TOM.replace("\t5\tdet", "\t50\tdet"))
    (folder / "two.en").write_text("one\ntwo\n")
    (folder / "three.de").write_text("eins\nzwei\ndrei\n")
    (folder / "bad.jsonl").write_text('{"source": "a"}\n{"source"}\n')
    (folder / "plain.tsv").write_text("a\tb\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*UPPER, "missing.txt"), "missing.txt: no such file"),
        ((*UPPER, "."), ". is a directory"),
        ((*UPPER, "empty.txt"), "empty.txt is empty"),
        ((*UPPER, "latin.txt"), "latin.txt: line 2, byte 4: not UTF-8 (0xe9)"),
        ((*UPPER, "broken.conllu"), "broken.conllu, line 7: 9 columns where CoNLL-U has 10"),
        ((*UPPER, "circle.conllu"), "circle.conllu, line 5: the heads run in a circle"),
        ((*UPPER, "rootless.conllu"), "rootless.conllu, line 3: no word of the sentence has head"),
        ((*UPPER, "range.conllu"), "range.conllu, line 5: the head is 50, but the sentence has 9"),
        ((*UPPER, "bad.jsonl"), "bad.jsonl, line 2, column 10: not JSON"),
        ((*UPPER, "--column", "text", "plain.tsv"), "no column 'text' (columns: a, b)"),
        ((*UPPER, "x.csv"), "CSV is not read"),
        (("perturb", "-l", "en-de", "--with", "upper", "--format", "jsonl", "two.en", "three.de"),
         "two.en has 2 lines but three.de has 3 lines"),
        (("perturb", "-l", "en", "--with", "treeMirorPre", "two.en"),
         "unknown perturbation 'treeMirorPre'. Did you mean 'treeMirrorPre'?"),
        (("perturb", "-l", "en", "--with", "NeighbourFlip", "two.en"), "needs p"),
        (("perturb", "-l", "en", "--with", "NeighbourFlip(p=2)", "two.en"), "between 0 and 1"),
        (("perturb", "--with", "upper", "two.en"), "which language is the text in? Add it: -l en"),
        (("perturb", "-l", "qu", "--with", "treeMirrorPre", "two.en"),
         "no parser for qu is installed"),
        (("perturb", "-l", "lo", "--with", "wordShuffle", "two.en"),
         "lo is written without spaces, so its words need a parser"),
        (("perturb", "-l", "en", "--with", "wordShuffle", "--parser", "spacey:x", "two.en"),
         "unknown parser 'spacey'. Did you mean 'spacy'?"),
        ((*UPPER, "--draws", "0", "two.en"), "--draws: at least 1, not '0'"),
        (("perturb", "-l", "en-de", "--with", "upper", "two.en", "three.de"), "choose --format"),
        (("perturb", "-l", "en-de", "--with", "upper", "--format", "tsv", *["two.en"] * 3),
         "3 files"),
        (("show",), "which sentence?"),
        (("show", "-l", "qu", "huk iskay"), "no parser for qu is installed"),
        (("show", "--conllu", "range.conllu"), "range.conllu, line 5"),
        (("show", "x", "--conllu", "range.conllu"), "not both"),
        (("pertub",), "unknown command 'pertub'. Did you mean 'perturb'?"),
    ],
)  # fmt: skip
def test_one_sentence_and_exit_code_2(
    arguments: tuple[str, ...],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.startswith("hyperbaton: ")
    assert error.count("\n") == 1


def test_through_the_real_command(tmp_path: Path) -> None:
    files(tmp_path)
    done = call(*UPPER, tmp_path / "latin.txt")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_uneven_pairs_are_counted_nowhere(tmp_path: Path) -> None:
    files(tmp_path)
    pair = ("-s", tmp_path / "two.en", "-r", tmp_path / "three.de")
    done = call("counts", *pair, "-l", "en-de", "--with", "upper")
    assert done.returncode == 2
    assert "two.en has 2 lines but" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        ("wordorder --shipped -l en-de --system gloss -l en-fr", "-l/--languages"),
        ("demo -l de --languages ja", "-l/--languages"),
        ("translate --system gloss -l en-de -l en-fr -", "-l/--languages"),
        ("perturb -l en -l de --with reversed -", "-l/--language"),
    ],
)
def test_languages_are_not_given_twice(
    arguments: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments.split()) == 2
    said = capsys.readouterr().err
    assert f"{option}: given twice, but it takes one value. See: hyperbaton " in said
