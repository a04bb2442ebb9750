"""`cmd:` and `apertium:` against real programs, the ill-behaved ones too."""

from __future__ import annotations

import contextlib
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.programs.command import Command
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import SYSTEMS, Translation
from tests.cli.test_signals import running

PROC = Path("/proc/self/stat")
LINES = [f"line {n}" for n in range(100)]
SCRIPT = """
import os, signal, sys, time
for number, line in enumerate(sys.stdin):
    if "poison" in line:
        {reaction}
    sys.stdout.write(line.upper())
"""
REACTIONS = {
    "dies": ("sys.exit(3)", "returned 0 lines for 1 (exit code 3)"),
    "dies loudly": ("sys.exit('no such word')", "(exit code 1: no such word)"),
    "is killed": ("os.kill(os.getpid(), signal.SIGKILL)", "returned 0 lines for 1 ("),
    "hangs": ("time.sleep(60)", "did not answer within 4 s"),
    "drops the line": ("continue", "returned 0 lines for 1"),
    "adds a line": ("print()", "returned more lines than it was given (1)"),
    "never ends": ("\n        while True: print('and on')", "more lines than it was given"),
    "is not UTF-8": ("sys.stdout.flush(); os.write(1, b'caf\\xe9\\n'); continue", "not UTF-8"),
}


def _translate(command: str, texts: list[str], **options: object) -> list[Translation]:
    system = Command(command, **options)  # type: ignore[arg-type]
    with system.open("en", "de") as translator:
        return translate_all(translator, texts)


def _script(folder: Path, reaction: str) -> str:
    path = folder / "system.py"
    path.write_text(SCRIPT.format(reaction=reaction))
    return f"{sys.executable} {path}"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("sed 's/line/Zeile/'", [f"Zeile {n}" for n in range(100)]),
        ("tr a-y b-z | sed 's/ //'", [f"mjof{n}" for n in range(100)]),
        ("tr a-z A-Z | cat", [line.upper() for line in LINES]),
        ("sed 's/$/\\r/'", LINES),
    ],
)
def test_pipes_give_line_for_line(command: str, expected: list[str]) -> None:
    assert [a.text for a in _translate(command, LINES, batch=32)] == expected


def test_more_text_than_a_pipe_holds() -> None:
    texts = [f"{n} " + "x" * 10_000 for n in range(200)]
    assert [a.text for a in _translate("cat", texts)] == texts


def test_odd_characters_go_through() -> None:
    texts = ["tab\there", "two\nlines", "'quoted' \"twice\" $HOME `id` \\n", "日本語 ñ €", " x "]
    expected = ["tab\there", "two lines", *texts[2:]]
    assert [a.text for a in _translate("cat", texts)] == expected


def test_an_empty_line_is_the_fault_of_its_own_text_alone() -> None:
    found = _translate("sed s/a//", ["a", "b"])
    assert found == [Translation(None, "the translation is empty"), Translation("b")]


@pytest.mark.parametrize("kind", REACTIONS)
def test_one_bad_line_costs_no_other(tmp_path: Path, kind: str) -> None:
    reaction, reason = REACTIONS[kind]
    # Each half that holds the line is waited for.
    others, timeout = (1, 4.0) if kind == "hangs" else (7, 30.0)
    texts = [f"text {n}" for n in range(others)] + ["poison"]
    answers = _translate(_script(tmp_path, reaction), texts, timeout=timeout)
    assert [a.text for a in answers[:-1]] == [t.upper() for t in texts[:-1]]
    assert answers[-1].text is None
    assert reason in answers[-1].fault


def test_what_a_hanging_command_started_is_ended_too(tmp_path: Path) -> None:
    mark = f"{97_531}"
    answers = _translate(
        f"sh -c 'sleep {mark} & cat > /dev/null; sleep {mark}'", ["a"], timeout=0.5
    )
    assert answers == [Translation(None, "did not answer within 0.5 s")]
    until = time.monotonic() + 300
    while f"sleep {mark}" in _running_commands():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_command_that_cannot_run_is_a_sentence() -> None:
    with pytest.raises(HyperbatonError, match=r"'no-such-program -x' cannot be run: .*not found"):
        _translate("no-such-program -x", LINES)


def test_a_changed_script_is_another_system(tmp_path: Path) -> None:
    command = _script(tmp_path, "pass")
    first = Command(command).open("en", "de").signature
    assert Command(command).open("en", "de").signature == first
    assert Command(command, version="2").open("en", "de").signature != first
    assert Command(command).open("en", "fr").signature != first
    assert Command(command, timeout=7.0, batch=3).open("en", "de").signature == first
    _script(tmp_path, "continue")
    assert Command(command).open("en", "de").signature != first
    model = tmp_path / "model"
    model.mkdir()
    (model / "weights").write_text("1")
    with_model = Command(f"cat --model={model}").open("en", "de").signature
    (model / "weights").write_text("2")
    assert Command(f"cat --model={model}").open("en", "de").signature != with_model


def test_a_file_that_the_command_writes_is_no_part_of_it(tmp_path: Path) -> None:
    system = Command(f"cat 2> {tmp_path}/log")
    first = system.open("en", "de").signature
    (tmp_path / "log").write_text("warning")
    assert system.open("en", "de").signature == first


@pytest.mark.parametrize(
    "text",
    ["cmd:sed 's/(a)/b/'", "cmd:cat(batch=3)", "cmd:a | b(timeout=2.5, version=x)", "cmd:f $(g)"],
)
def test_specs_print_as_they_are_written(text: str) -> None:
    system = SYSTEMS.parse(text)
    assert str(system) == text
    assert SYSTEMS.parse(str(system)) == system


def test_a_command_that_reads_like_options_is_refused() -> None:
    with pytest.raises(HyperbatonError, match="put it in a script"):
        Command("cat $(x=1)")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("head -c -12; kill -9 $$", "signal 9"),
        ("head -c -3", "its last line has no line break"),
        ("cat; exit 3", "failed after its last line (exit code 3)"),
        ("cat; echo lost >&2; exit 1", "(exit code 1: lost)"),
        ("cat; exec >&-; sleep 60", "did not end within"),
    ],
)
def test_half_a_line_is_no_translation(
    monkeypatch: pytest.MonkeyPatch, command: str, reason: str
) -> None:
    monkeypatch.setattr("hyperbaton.systems.programs.pipe._GRACE", 0.2)
    (answer,) = _translate(command, ["Take an umbrella, it will rain."])
    assert answer.text is None
    assert reason in answer.fault


def test_a_line_without_an_end_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hyperbaton.systems.programs.pipe._LEAST_LIMIT", 1 << 20)
    (answer,) = _translate("cat /dev/zero", ["a"])
    assert answer == Translation(None, "returned more than 1 MiB")


def test_control_bytes_of_a_program_are_shown_as_escapes() -> None:
    (answer,) = _translate(r"printf '\033[2Jno' >&2; exit 1", ["a"])
    assert answer.fault == r"returned 0 lines for 1 (exit code 1: \x1b[2Jno)"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_program_ends_with_us(tmp_path: Path, number: signal.Signals) -> None:
    script = tmp_path / "system.sh"
    script.write_text(f"echo $$ > {tmp_path}/pid; sleep 600; cat\n")
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "hyperbaton", "translate", "--no-cache", "-l", "en-de"),
            *("--system", f"cmd:sh {script} | cat"),
        ],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Under nohup a signal is ignored from the start, and we keep it so.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    assert process.stdin is not None
    process.stdin.write(b"a\n")
    process.stdin.close()
    pid = tmp_path / "pid"
    while not (pid.exists() and pid.read_text().strip()):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(number)
    assert process.wait(300) == 128 + number
    until = time.monotonic() + 300
    while _is_running(int(pid.read_text())):
        assert time.monotonic() < until
        time.sleep(0.01)


KILLED_AT_ONCE = """
import os, signal
from hyperbaton.systems.programs import pipe

def killed(group):
    os.write(1, str(group).encode())
    os.kill(os.getpid(), signal.SIGKILL)

pipe._watched = killed
pipe.filter_through("echo $$ > begun", b"a\\n", max_lines=1, timeout=60)
"""


def test_a_program_does_not_begin_before_it_is_watched(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED_AT_ONCE], capture_output=True, cwd=tmp_path)
    assert done.returncode == -signal.SIGKILL
    until = time.monotonic() + 900
    while _is_running(int(done.stdout)):
        assert time.monotonic() < until
        time.sleep(0.01)
    assert not (tmp_path / "begun").exists()


def _is_running(pid: int) -> bool:
    if PROC.exists():  # a slim image has no ps
        return running(pid)
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return done.stdout.strip()[:1] not in ("", "Z")


def _running_commands() -> list[str]:
    if not PROC.exists():
        done = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
        return done.stdout.splitlines()
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # it has ended since
            found.append(path.read_bytes().rstrip(b"\0").replace(b"\0", b" ").decode())
    return found


needs_apertium = pytest.mark.skipif(
    shutil.which("apertium") is None, reason="apertium is not installed"
)


@needs_apertium
def test_apertium_leaves_no_marks_and_no_trace_of_the_neighbours(tmp_path: Path) -> None:
    system = SYSTEMS.parse("apertium:en-es")
    texts = [
        "The red house",
        "of my friend",
        "xyzzy and the blorg [brackets]",
        "I saw the cats",
        "house the red my of.",
        "two\nlines and a\ttab",
    ]
    with system.open("en", "es") as translator:
        together = translate_all(translator, texts)
        alone = [translate_all(translator, [text])[0] for text in texts]
    assert together == alone
    assert together[0].text == "La casa roja"
    assert together[3].text == "Vi los gatos"
    unknown = together[2].text
    assert unknown is not None
    assert "xyzzy" in unknown
    assert not set("*#@") & set(unknown)


@needs_apertium
def test_apertium_names_what_is_installed() -> None:
    with pytest.raises(HyperbatonError, match=r"installed: .*eng-spa.*apt-get install apertium-"):
        SYSTEMS.parse("apertium:en-ja").open("en", "ja")
    with pytest.raises(HyperbatonError, match="translates en-es, not en-de"):
        SYSTEMS.parse("apertium:en-es").open("en", "de")
    by_code = SYSTEMS.parse("apertium:eng-spa").open("en", "es")
    assert by_code.signature == SYSTEMS.parse("apertium:en-es").open("en", "es").signature
    assert "spa-eng_US" in SYSTEMS.parse("apertium:es-en_US").open("es", "en").signature


def test_apertium_that_is_missing_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(HyperbatonError, match="not installed; on Debian: apt-get install"):
        SYSTEMS.parse("apertium:en-es").open("en", "es")


@needs_apertium
def test_apertium_goes_through_the_store(tmp_path: Path) -> None:
    with SYSTEMS.parse("apertium:en-es").open("en", "es") as translator, Store(tmp_path) as store:
        first = translate_all(translator, ["a house", "a cat"], store=store)
        assert store.lookup(translator.signature, ["a house"]) == {"a house": first[0]}
