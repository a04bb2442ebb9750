"""No exception, closed stream or hostile byte reaches the user raw."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from hyperbaton.base.errors import printable
from hyperbaton.cli import main as command_line
from hyperbaton.cli.main import main
from tests.cli.command import real_command

UPPER = ("perturb", "-l", "en", "--with", "upper")
posix = pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX redirects the streams")


def shell(
    line: str, *arguments: str | Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the command as "$@" in a line of shell."""
    return subprocess.run(
        ["sh", "-c", line, "sh", *real_command(*arguments)],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
        env={**os.environ, **environment},
    )


def raising(error: Exception) -> object:
    class Broken:
        DESCRIPTION = EXAMPLES = ""

        @staticmethod
        def add_arguments(parser: object) -> None: ...

        @staticmethod
        def run(args: object) -> int:
            raise error

    return Broken


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(28, "No space left on device", "a.txt"), "a.txt: No space left on device"),
        (OSError(36, "File name too long", "a" * 999), "aaa: File name too long"),
        (MemoryError(), "not enough memory"),
        (RecursionError("maximum recursion depth exceeded"), "nested too deeply"),
        (UnicodeEncodeError("utf-8", "a\ud800", 1, 2, "surrogates"), "holds U+D800"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid"), "not utf-8"),
        (ImportError("no module named x"), "a package is missing or broken: no module named x"),
        (ValueError("odd\nlines\x1b[2J"), r"a bug in hyperbaton: ValueError: odd lines\x1b[2J"),
        (KeyError("key"), "KeyError: 'key'"),
    ],
)
def test_any_exception_is_one_line(
    error: Exception,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(command_line, "_verb", lambda name: raising(error))
    assert main(["ls"]) == 2
    printed = capsys.readouterr().err
    assert sentence in printed
    assert printed.count("\n") == 1
    assert ("--debug" in printed) != (isinstance(error, OSError))
    assert len(printed) < 500
    for debugging in (["ls", "--debug"], ["--debug", "ls"]):
        assert main(debugging) == 2
        assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_a_variable_asks_for_details_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HYPERBATON_DEBUG", "1")
    assert main(["ls", "wonders"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_control_bytes_are_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    assert printable("a\x1b]0;x\x07\u202e\ud800é中\n") == r"a\x1b]0;x\x07\u202e\ud800é中\n"
    assert main([*UPPER, "no\x1b[2Jfile\nhere"]) == 2
    error = capsys.readouterr().err
    assert r"no\x1b[2Jfile\nhere" in error
    assert error.count("\n") == 1
    assert main(["ls", "metrics", "--\x1b[2J"]) == 2
    assert "\x1b" not in capsys.readouterr().err


@posix
@pytest.mark.parametrize(
    ("line", "code", "error"),
    [
        ('"$@" >&-', 2, "hyperbaton: standard output cannot be written: it is closed\n"),
        ('"$@" 2>&-', 0, ""),
        ('"$@" <&-', 0, ""),
        ('"$@" <&- >&- 2>&-', 2, ""),
    ],
)
def test_closed_streams(line: str, code: int, error: str) -> None:
    done = shell(line, "ls", "metrics")
    assert (done.returncode, done.stderr) == (code, error)
    assert bool(done.stdout) == (code == 0)


@posix
def test_input_that_is_closed() -> None:
    done = shell('"$@" <&-', *UPPER)
    assert (done.returncode, done.stdout) == (2, "")
    assert "closed" in done.stderr
    assert done.stderr.count("\n") == 1


@posix
def test_a_file_never_takes_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    """Without output, the first file that is opened would have its number and get its text."""
    path = tmp_path / "a.txt"
    path.write_text("some words\n")
    done = shell('"$@" >&-', *UPPER, path)
    assert done.returncode == 2
    assert path.read_text() == "some words\n"


@posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk() -> None:
    done = shell('"$@" > /dev/full', "ls", "metrics")
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert done.stderr.count("\n") == 1


SHOWN = ("show", "--parser", "plain", "-l", "en-de", "Tom came home late.")


@posix
@pytest.mark.parametrize(
    "arguments",
    [("ls", "metrics"), SHOWN, (*SHOWN, "--system", "gloss"), ("score", "-m", "chrF", "a", "a")],
    ids=lambda arguments: " ".join(arguments[:1] + arguments[-2:]),
)
def test_a_reader_that_left(arguments: tuple[str, ...], tmp_path: Path) -> None:
    given = tmp_path / "a"
    given.write_text("a line\n")
    words = [str(given) if word == "a" else word for word in arguments]
    done = shell('("$@"; echo $? >&2) | true', *words, PYTHONUNBUFFERED="1")
    assert done.stderr == "141\n"


@posix
def test_a_locale_without_umlauts(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("grün β\n", encoding="utf-8")
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        real_command(*UPPER, path), env={**os.environ, **plain}, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "GRÜN Β\n".encode(), b"")
    (tmp_path / "a.tsv").write_text("grün\tβ\n", encoding="utf-8")
    wrong = real_command(*UPPER, "--column", "text", tmp_path / "a.tsv")
    done = subprocess.run(wrong, env={**os.environ, **plain}, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert "(columns: grün, β)" in done.stderr.decode()


@posix
def test_arguments_that_are_not_utf8() -> None:
    for wrong in (b"\xff\xfe", b"--\xff", b"perturb\xff"):
        done = subprocess.run(
            [*map(os.fsencode, real_command(*UPPER)), wrong], capture_output=True, check=False
        )
        assert done.returncode == 2
        assert done.stderr.count(b"\n") == 1
        assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("wordorder", "--limit", "-1"), "--limit: at least 1, not '-1'"),
        (("wordorder", "--limit", "9" * 5000), "--limit: at most"),
        (("wordorder", "--draws", "1" * 5000), "--draws: at most"),
        (("wordorder", "--workers", "100000"), "--workers: at most"),
        (("demo", "--limit", "0"), "--limit: at least 1"),
        (("check", "run", "--min", "beta1=nan"), "--min: a number, not 'nan'"),
        (("check", "run", "--min", "0.4"), "--min: write it as NAME=VALUE"),
        (("check", "run", "--max-failed", "-1"), "--max-failed: at least 0"),
        (("score", "a", "b", "--digits", "-1"), "--digits: at least 0"),
        (("score", "a", "b", "--resamples", "0"), "--resamples: at least 1"),
        (("train", "translator", "--held-out", "7", "--out", "x"), "--held-out: a number from 0"),
        (("isometry", "--epsilon", "much"), "--epsilon: a number, not 'much'"),
        (("ls", "metrics", "--formt", "json"), "Did you mean '--format'?"),
    ],
)
def test_options_say_what_they_take(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert len(error) < 400
