"""The verbs translate, export, import and cache, as a user types them."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from hyperbaton.cli.main import main
from hyperbaton.parsing.cache import ParseStore
from hyperbaton.systems.store import text_id

Run = Callable[..., tuple[int, str, str]]

LOGGING = "cmd:tee -a $PWD/log"
"""A file that the command names plainly would be taken for a part of the system."""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in an empty folder: exit code, output, complaint."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))

    def run(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main(arguments)
        sys.stdout.flush()
        captured = capfd.readouterr()
        return code, captured.out, captured.err

    return run


def _translate(run: Run, system: str, *more: str, stdin: bytes = b"") -> tuple[int, str, str]:
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
    assert "2 of 4 lines failed; --retry-failed" in err
    assert "  line 2: returned 0 lines for 1" in err
    assert "  line 4: " in err
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
    assert "15 of 30 lines failed" in err
    assert err.count("\n  line ") == 10
    assert "and 5 more: returned 0 lines for 1" in err


def test_empty_translations_are_mentioned(run: Run) -> None:
    code, out, err = _translate(run, "cmd:sed s/x//", stdin=b"x\n\ny\n")
    assert (code, out) == (0, "\n\ny\n")
    assert "1 of 3 lines have an empty translation" in err


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
        (("--system", "copy", "-l", "en-de", "nowhere.txt"), "nowhere.txt cannot be read"),
        (("--system", "oracle", "-l", "en-de"), "'oracle' answers with references"),
        (("--system", "cmd:cat(bach=3)", "-l", "en-de"), "Did you mean 'batch'?"),
        (("--system", "openai:gpt-4o(behaviour=odd)", "-l", "en-de"), "plain, robust, faithful"),
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
    assert "in.txt, line 2: not UTF-8" in err
    assert not Path("out.txt").exists()


def test_cache_info_and_clear(run: Run) -> None:
    _translate(run, "cmd:rev", stdin=b"a\nb\n")
    _translate(run, "cmd:cat", stdin=b"a\n")
    _, out, _ = run("cache", "info")
    assert "3 translations" in out
    assert "2  cmd:rev|en-de|" in out
    code, _, err = run("cache", "clear")
    assert code == 2
    assert "would forget 3 translations and 0 parses" in err
    assert run("cache", "clear", "--system", "cmd:rev")[1] == "2 entries cleared\n"
    assert run("cache", "clear", "--all")[1] == "1 entries cleared\n0 parses cleared\n"


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
    assert list((tmp_path / "cache" / "parses").iterdir()) == []
    assert "2 translations" in run("cache", "info")[1]


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
    command = ("import", str(answers), "--sources", name, "-s", "recorded:x", "-l", "en-de")
    assert run(*command) == (0, "3 translations imported for recorded:x\n", "")
    code, out, _ = _translate(run, "recorded:x", "in.txt")
    assert (code, out) == (0, "ONE\nTWO\nONE\n\nTHREE\n")


def test_import_names_what_is_missing_and_what_is_strange(run: Run) -> None:
    run("export", "--format", "jsonl", "-o", "s.jsonl", str(_file("in.txt", "one\ntwo\n")))
    rows = [{"source": "one", "translation": "eins"}, {"source": "nine", "translation": "neun"}]
    _file("a.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    command = ("import", "a.jsonl", "--sources", "s.jsonl", "-s", "recorded:x", "-l", "en-de")
    code, out, err = run(*command)
    assert (code, out) == (1, "1 translations imported for recorded:x\n")
    assert "1 answers are to none of the sources" in err
    assert "1 of 2 texts have no answer" in err
    assert f"  {text_id('two')}  two\n" in err


def test_import_does_not_replace_unasked(run: Run) -> None:
    command = ("import", "a.tsv", "-s", "recorded:x", "-l", "en-de")
    _file("a.tsv", "one\teins\n")
    assert run(*command)[0] == 0
    assert run(*command)[0] == 0
    _file("a.tsv", "one\tuno\n")
    code, _, err = run(*command)
    assert code == 2
    assert "1 other translations" in err
    assert run(*command, "--replace")[0] == 0
    assert _translate(run, "recorded:x", stdin=b"one\n")[1] == "uno\n"


def test_import_for_a_system_with_a_name_of_its_own(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    _file("a.tsv", "one\teins\n")
    assert run("import", "a.tsv", "-s", "openai:gpt-4o", "-l", "en-de")[0] == 0
    assert _translate(run, "openai:gpt-4o", stdin=b"one\n")[:2] == (0, "eins\n")
    code, _, err = run("import", "a.tsv", "-s", "copy", "-l", "en-de")
    assert code == 2
    assert "name it recorded:NAME" in err


def test_export_from_tables_and_runs(run: Run) -> None:
    table = pl.DataFrame({"source": ["a", "b"], "varied": ["b", None], "item": ["1", "2"]})
    Path("run/probes").mkdir(parents=True)
    table.write_parquet("run/probes/0.parquet")
    table.write_ndjson("probes.jsonl")
    for source in ("run", "run/probes/0.parquet", "probes.jsonl"):
        assert run("export", source, "--format", "text")[:2] == (0, "a\nb\n")
    assert run("export", "run", "--columns", "item", "--format", "text")[1] == "1\n2\n"
    code, _, err = run("export", "run", "--columns", "x")
    assert code == 2
    assert "no column x (it has: source, varied, item)" in err


def test_export_refuses_text_that_would_not_come_back(run: Run) -> None:
    _file("in.txt", "a\tb\n")
    code, _, err = run("export", "in.txt", "--format", "tsv")
    assert code == 2
    assert "use jsonl" in err


def _file(name: str, content: str) -> Path:
    path = Path(name)
    path.write_text(content)
    return path
