"""The verbs translate, export, import and cache, as a user types them."""

from __future__ import annotations

import errno
import gzip
import io
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from hyperbaton.base.wording import counted
from hyperbaton.cli.main import main
from hyperbaton.parsing.parse_store import ParseStore
from hyperbaton.systems.store.store import text_id

Run = Callable[..., tuple[int, str, str]]

LOGGING = "cmd:tee -a $PWD/log"
"""A file that the command names plainly would be taken for a part of the system."""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in an empty folder: exit code, output, complaint."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))

    def run(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin))))
        code = main(arguments)
        sys.stdout.flush()
        captured = capfd.readouterr()
        return code, captured.out, captured.err

    return run


def _translate(run: Run, system: str, *more: str, stdin: bytes = b"") -> tuple[int, str, str]:
    if system == "cmd:rev" and shutil.which("rev") is None:
        pytest.skip("rev is not installed")
    return run("translate", "--system", system, "-l", "en-de", *more, stdin=stdin)


def test_standard_input_to_standard_output(run: Run) -> None:
    code, out, err = _translate(run, "cmd:rev", stdin=b"\xef\xbb\xbfabc\r\n\ndef")
    assert (code, out, err) == (0, "cba\n\nfed\n", "")


def test_a_file_to_a_file_as_jsonl(run: Run) -> None:
    Path("in.txt").write_text("abc\nü\n")
    code, out, _ = _translate(run, "cmd:tr a-z A-Z", "--format=jsonl", "-o", "out.jsonl", "in.txt")
    rows = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert (code, out) == (0, "")
    assert rows == [
        {"line": 1, "source": "abc", "translation": "ABC"},
        {"line": 2, "source": "ü", "translation": "ü"},
    ]


def test_failed_lines_are_named_and_can_be_tried_again(run: Run) -> None:
    Path("fails").write_text("")
    system = "cmd:sh -c 'if [ -e fails ]; then grep -v bad; else cat; fi'"
    lines = b"good\nbad one\nfine\nbad two\n"
    code, out, err = _translate(run, system, stdin=lines)
    assert (code, out) == (1, "good\n\nfine\n\n")
    assert "2 of 4 texts failed; retry them with --retry-failed" in err
    assert "  text 2: returned 0 lines for 1" in err
    assert "  text 4: " in err
    Path("fails").unlink()
    again = _translate(run, system, stdin=lines)
    assert again == (1, out, err)
    code, out, err = _translate(run, system, "--retry-failed", stdin=lines)
    assert (code, out, err) == (0, lines.decode(), "")


def test_failed_lines_in_jsonl_hold_the_reason(run: Run) -> None:
    code, out, _ = _translate(run, "cmd:grep -v bad", "--format=jsonl", stdin=b"bad\nx\n")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 1
    assert rows[0]["translation"] is None
    assert rows[0]["fault"].startswith("returned 0 lines for 1")
    assert rows[1] == {"line": 2, "source": "x", "translation": "x"}


def test_many_failed_lines_are_summed_up(run: Run) -> None:
    lines = "".join(f"bad {n}\nok {n}\n" for n in range(15)).encode()
    code, _, err = _translate(run, "cmd:grep -v bad", stdin=lines)
    assert code == 1
    assert "15 of 30 texts failed" in err
    assert err.count("\n  text ") == 10
    assert "and 5 more: returned 0 lines for 1" in err


def test_an_empty_translation_is_a_failed_text(run: Run) -> None:
    system = "cmd:tee -a $PWD/log | sed 's/[x?]//'"
    for more in ((), ("--retry-failed",)):
        code, out, err = _translate(run, system, *more, stdin=b"x\n\ny\n?\n")
        assert (code, out) == (1, "\n\ny\n\n")
        assert "1 of 4 texts failed\n" in err
        assert "  text 1: the translation is empty\n" in err
    assert sorted(Path("log").read_text()) == sorted("x\ny\n?\n")


def test_an_empty_translation_in_jsonl_is_null(run: Run) -> None:
    code, out, _ = _translate(run, "cmd:sed s/x//", "--format=jsonl", stdin=b"x\n")
    assert code == 1
    fault = "the translation is empty"
    assert json.loads(out) == {"line": 1, "source": "x", "translation": None, "fault": fault}


def test_a_dry_run_counts_and_runs_nothing(run: Run) -> None:
    assert _translate(run, LOGGING, stdin=b"one\n")[0] == 0
    text = b"one\ntwo\ntwo\nthree\n\n"
    code, out, _ = _translate(run, LOGGING, "--dry-run", "--price=20", stdin=text)
    rows = dict(line.split(maxsplit=1) for line in out.replace("in the store", "held").splitlines())
    assert code == 0
    assert (rows["lines"], rows["distinct"], rows["held"], rows["characters"]) == tuple("5418")
    assert out.endswith("0.00 at 20 per million characters\n")
    assert Path("log").read_text() == "one\n"


def test_the_price_is_per_million_characters(run: Run) -> None:
    Path("in.txt").write_text("".join(f"{n:09}\n" for n in range(20_000)))
    _, out, _ = _translate(run, "copy", "--dry-run", "--price=20", "in.txt")
    assert "180,000" in out
    assert "3.60 at 20 per million" in out


def test_the_store_is_used_unless_told_otherwise(run: Run) -> None:
    for options in ((), (), ("--no-cache",), ("--cache", "other"), ("--cache", "other")):
        assert _translate(run, LOGGING, *options, stdin=b"one\n")[:2] == (0, "one\n")
    assert Path("log").read_text() == "one\n" * 3


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--system", "sed:x", "-l", "en-de"), "unknown system 'sed'"),
        (("--system", "copy", "-l", "german"), "'german' is not a language pair"),
        (("--system", "copy", "-l", "en-de", "nowhere.txt"), "nowhere.txt: no such file"),
        (("--system", "oracle", "-l", "en-de"), "'oracle' answers with references"),
        (("--system", "cmd:cat(bach=3)", "-l", "en-de"), "Did you mean 'batch'?"),
        (("--system", "openai:gpt-4o(mode=odd)", "-l", "en-de"), "plain, robust, faithful"),
        (("--system", "openai:gpt-4o", "-l", "en-de"), "key for https://api.openai.com/v1"),
    ],
)
def test_mistakes_get_one_sentence(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    code, out, err = run("translate", *arguments, stdin=b"text\n")
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_input_that_is_not_utf8_leaves_no_half_file(run: Run) -> None:
    Path("in.txt").write_bytes(b"fine\ncaf\xe9\n")
    code, _, err = _translate(run, "copy", "-o", "out.txt", "in.txt")
    assert code == 2
    assert "in.txt: line 2, byte 4: not UTF-8" in err
    assert not Path("out.txt").exists()


def test_cache_info_and_clear(run: Run) -> None:
    _translate(run, "cmd:rev", stdin=b"a\nb\n")
    _translate(run, "cmd:cat", stdin=b"a\n")
    _, out, _ = run("cache", "info")
    assert "3 translations" in out
    assert "2  cmd:rev|en-de|" in out
    code, _, err = run("cache", "clear")
    assert code == 2
    assert "would delete 3 translations and 0 parses" in err
    assert run("cache", "clear", "--system", "cmd:rev")[1] == "2 entries cleared\n"
    assert run("cache", "clear", "--all")[1] == "1 entry cleared\n0 parses cleared\n"


def test_the_parses_are_shown_and_cleared(run: Run, tmp_path: Path) -> None:
    _translate(run, "cmd:rev", stdin=b"a\nb\n")
    store = ParseStore(tmp_path / "cache", "toy:parser|version:1")
    store.put([("a text", "[]"), ("another", "[]")])
    store.close()
    (tmp_path / "cache" / "parses" / "broken.sqlite").write_text("no database at all")
    _, out, _ = run("cache", "info")
    assert "2 parses" in out
    assert "2  toy:parser|version:1" in out
    assert "broken.sqlite, which cannot be read" in out
    assert run("cache", "clear", "--parses") == (0, "2 parses cleared\n", "")
    out = run("cache", "info")[1]
    assert "2 translations" in out
    assert str(tmp_path / "cache" / "parses") not in out


@pytest.mark.parametrize("form", ["jsonl", "tsv", "text"])
def test_export_translate_elsewhere_import(run: Run, form: str) -> None:
    Path("in.txt").write_text("one\ntwo\none\n\nthree\n")
    name = f"sources.{form if form != 'text' else 'txt'}"
    assert run("export", "in.txt", "--format", form, "-o", name)[0] == 0
    lines = Path(name).read_text().splitlines()
    assert len(lines) == 3
    answers = Path(f"answers.{name.rpartition('.')[2]}")
    if form == "jsonl":
        rows = [json.loads(line) for line in lines]
        assert rows[0] == {"id": text_id("one"), "text": "one"}
        answered = [json.dumps({"id": r["id"], "translation": r["text"].upper()}) for r in rows]
    elif form == "tsv":
        answered = [f"{line}\t{line.split()[1].upper()}" for line in lines]
    else:
        answered = [line.upper() for line in lines]
    answers.write_text("\n".join(answered) + "\n")
    command = ("import", str(answers), "--sources", name, "--system", "recorded:x", "-l", "en-de")
    assert run(*command) == (0, "3 translations imported for recorded:x\n", "")
    code, out, _ = _translate(run, "recorded:x", "in.txt")
    assert (code, out) == (0, "ONE\nTWO\nONE\n\nTHREE\n")


def test_import_names_what_is_missing_and_what_is_strange(run: Run) -> None:
    run("export", "--format", "jsonl", "-o", "s.jsonl", str(_file("in.txt", "one\ntwo\n")))
    rows = [{"source": "one", "translation": "eins"}, {"source": "nine", "translation": "neun"}]
    _file("a.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    command = ("import", "a.jsonl", "--sources", "s.jsonl", "--system", "recorded:x", "-l", "en-de")
    code, out, err = run(*command)
    assert (code, out) == (1, "1 translation imported for recorded:x\n")
    assert "skipped 1 answer without a source in" in err
    assert "no answer to 1 of 2 texts" in err
    assert f"  {text_id('two')}  two\n" in err


def test_what_import_misses_is_said_also_when_nobody_reads_its_output(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError(errno.EPIPE, "Broken pipe")

        def flush(self) -> None:
            """Nothing is held back."""

    run("export", "--format", "jsonl", "-o", "s.jsonl", str(_file("in.txt", "one\ntwo\n")))
    _file("a.jsonl", json.dumps({"source": "one", "translation": "eins"}) + "\n")
    monkeypatch.setattr(sys, "stdout", Gone())
    command = ("import", "a.jsonl", "--sources", "s.jsonl", "--system", "recorded:x", "-l", "en-de")
    code, _, err = run(*command)
    assert code == 1
    assert "no answer to 1 of 2 texts" in err


def test_import_does_not_replace_unasked(run: Run) -> None:
    command = ("import", "a.tsv", "--system", "recorded:x", "-l", "en-de")
    _file("a.tsv", "one\teins\n")
    assert run(*command)[0] == 0
    assert run(*command)[0] == 0
    _file("a.tsv", "one\tuno\n")
    code, _, err = run(*command)
    assert code == 2
    assert "1 other translation of" in err
    assert run(*command, "--replace")[0] == 0
    assert _translate(run, "recorded:x", stdin=b"one\n")[1] == "uno\n"


def test_import_for_a_system_with_a_name_of_its_own(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    _file("a.tsv", "one\teins\n")
    assert run("import", "a.tsv", "--system", "openai:gpt-4o", "-l", "en-de")[0] == 0
    assert _translate(run, "openai:gpt-4o", stdin=b"one\n")[:2] == (0, "eins\n")
    code, _, err = run("import", "a.tsv", "--system", "copy", "-l", "en-de")
    assert code == 2
    assert "name it recorded:NAME" in err


def test_export_from_tables(run: Run) -> None:
    table = pl.DataFrame({"source": ["a", "b"], "varied": ["b", None], "item": ["1", "2"]})
    table.write_parquet("probes.parquet")
    table.write_ndjson("probes.jsonl")
    for source in ("probes.parquet", "probes.jsonl"):
        assert run("export", source, "--format", "text")[:2] == (0, "a\nb\n")
    assert run("export", "probes.parquet", "--columns", "item", "--format", "text")[1] == "1\n2\n"
    code, _, err = run("export", "probes.parquet", "--columns", "x")
    assert code == 2
    assert "no column x (it has: source, varied, item)" in err


def test_the_texts_of_a_real_run_go_out_and_their_answers_come_back(run: Run) -> None:
    _file("s.en", "A red house stands here.\nTwo small cats sleep.\n")
    _file("r.de", "Hier steht ein rotes Haus.\nZwei kleine Katzen schlafen.\n")
    study = (
        *("wordorder", "-s", "s.en", "-r", "r.de", "-l", "en-de", "--with", "wordShuffle"),
        *("--parser", "plain", "--out", "run", "-m", "chrF", "--system"),
    )
    assert run(*study, "copy")[0] == 0
    code, out, err = run("export", "run", "--format", "text")
    texts = out.splitlines()
    assert (code, err) == (0, f"hyperbaton: {counted(len(texts), 'text')} written\n")
    assert {"A red house stands here.", "Two small cats sleep."} < {*texts}
    assert run("export", "run", "-l", "en-de", "--format", "text")[1] == out
    assert run("export", "run", "-o", "sources.jsonl")[0] == 0
    rows = [json.loads(line) for line in Path("sources.jsonl").read_text().splitlines()]
    assert [row["text"] for row in rows] == texts
    answered = [json.dumps({**row, "translation": row["text"].upper()}) for row in rows]
    _file("answers.jsonl", "\n".join(answered))
    recorded = ("--system", "recorded:elsewhere", "-l", "en-de")
    code, out, err = run("import", "answers.jsonl", "--sources", "sources.jsonl", *recorded)
    assert (code, err) == (0, "")
    code, out, err = run(*study, "recorded:elsewhere")
    assert (code, "fail" in err) == (0, False), err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("run", "-l", "en-fr"), "run has no pair en-fr; it has: en-de"),
        (("run", "--columns", "x"), "run has no column x"),
        (("elsewhere",), "elsewhere"),
    ],
)
def test_what_a_run_does_not_have(run: Run, arguments: tuple[str, ...], sentence: str) -> None:
    Path("elsewhere").mkdir()
    _file("s.en", "A red house stands here.\n")
    _file("r.de", "Hier steht ein rotes Haus.\n")
    study = ("wordorder", "-s", "s.en", "-r", "r.de", "-l", "en-de", "--with", "wordShuffle")
    assert run(*study, "--parser", "plain", "--out", "run", "--system", "copy")[0] == 0
    code, _, err = run("export", *arguments)
    assert code == 2
    assert sentence in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", ["in.txt", "in.txt.gz", "-"])
def test_a_file_is_read_as_every_command_reads_it(run: Run, name: str) -> None:
    packed = gzip.compress(b"abc\n\nd\n")
    if name != "-":
        Path(name).write_bytes(packed)
    code, out, err = _translate(run, "cmd:rev", name, stdin=packed)
    assert (code, out, err) == (0, "cba\n\nd\n", "")


def test_tables_and_trees_are_translated_too(run: Run) -> None:
    _file("in.jsonl", '{"source": "abc"}\n{"source": "de"}\n')
    assert _translate(run, "cmd:rev", "in.jsonl")[1] == "cba\ned\n"
    _file("in.tsv", "id\ttext\n1\tabc\n")
    assert _translate(run, "cmd:rev", "--column", "text", "in.tsv")[1] == "cba\n"


def test_a_line_that_never_ends_is_bounded(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hyperbaton.corpus.lines.LONGEST_LINE", 1 << 20)
    code, _, err = _translate(run, "copy", "/dev/zero")
    assert code == 2
    assert "line 1 is longer than 1 MiB" in err


def test_a_store_that_cannot_be_written_changes_no_translation(run: Run) -> None:
    _file("no-folder", "")
    code, out, _ = _translate(run, "cmd:rev", "--cache", "no-folder", stdin=b"abc\n")
    assert (code, out) == (0, "cba\n")
    _file("a.tsv", "one\teins\n")
    command = ("import", "a.tsv", "--system", "recorded:x", "-l", "en-de", "--cache", "no-folder")
    code, _, err = run(*command)
    assert (code, err.count("\n")) == (2, 1)
    assert "cannot use the store" in err


@pytest.mark.parametrize("output", ["I▁should go", "un@@ happy", "a <unk> b"])
def test_a_translation_left_in_pieces_is_warned_about(run: Run, output: str) -> None:
    code, out, err = _translate(run, f"cmd:sed 's/.*/{output}/'", stdin=b"abc\n")
    assert (code, out) == (0, f"{output}\n")
    assert "'▁', '@@' or '<unk>' in 1 of 1 translation" in err
    assert _translate(run, "cmd:cat", stdin=f"{output}\n".encode())[2] == ""


def test_export_refuses_text_that_would_not_come_back(run: Run) -> None:
    _file("in.txt", "a\tb\n")
    code, _, err = run("export", "in.txt", "--format", "tsv")
    assert code == 2
    assert "use jsonl" in err


def _file(name: str, content: str) -> Path:
    path = Path(name)
    path.write_text(content)
    return path
