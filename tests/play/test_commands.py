"""Every printed `hyperbaton play` serves its page as it is printed, until Ctrl-C."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from itertools import pairwise
from pathlib import Path

import pytest

from hyperbaton.cli.main import main
from tests.cli.command import real_command
from tests.cli.printed import pages

COMMANDS = sorted(
    {command for page in pages() for command in page.commands if "hyperbaton play" in command}
)


def test_the_command_is_printed() -> None:
    assert len(COMMANDS) >= 4


def hosts_of(words: list[str]) -> list[str]:
    """The hosts that a command names."""
    return [host for flag, host in pairwise(words) if flag == "--host-name"]


def _started(address: str) -> tuple[list[str], list[str]]:
    """The systems of a page, and those of them that wait for a click."""
    request = urllib.request.Request(
        f"{address}api/start", b"{}", {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=900) as answer:
        told = json.load(answer)
    return told["systems"], told["off"]


@pytest.mark.parametrize("command", COMMANDS)
def test_it_serves_its_page_and_ends_on_ctrl_c(command: str, tmp_path: Path) -> None:
    pytest.importorskip("uvicorn")
    words = shlex.split(command.partition("hyperbaton ")[2])
    if "--port" in words:
        words[words.index("--port") + 1] = "0"  # another test may be using the port
    environment = {**os.environ, "HYPERBATON_CACHE": str(tmp_path), "BROWSER": "true"}
    process = subprocess.Popen(
        real_command(*words),
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    link = process.stdout.readline().strip()
    try:
        address = link.partition("#")[0]
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address, timeout=900) as answer:
            assert b"<title>Hyperbaton</title>" in answer.read()
        root = address[: address.index("/", len("http://"))] + "/"
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(root, timeout=900)
        if "--system" not in words:
            systems, off = _started(address)
            assert systems == ["bundled", *off]
            assert off == ["steered(mode=robust)", "steered(mode=faithful)"]
        if "#" in command:
            assert link.partition("#")[2] == words[1].partition("#")[2]
    finally:
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=900)
    assert process.returncode == 0, said
    *behind, last = said.splitlines()
    assert last == "hyperbaton: the page is open until you press Ctrl-C"
    for line, host in zip(behind, hosts_of(words), strict=True):
        assert line.startswith(f"hyperbaton: behind {host}: add ")


def test_ctrl_c_ends_it_also_while_a_system_hangs(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn")
    (tmp_path / "stuck.py").write_text(
        "import sys, time\n"
        "def translate(texts):\n"
        "    print('asked', file=sys.stderr, flush=True)\n"
        "    time.sleep(1000)\n"
    )
    process = subprocess.Popen(
        real_command("play", "--no-open", "--system", "python:stuck:translate"),
        cwd=tmp_path,
        env={**os.environ, "HYPERBATON_CACHE": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    while process.stderr.readline() != "asked\n":
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=900)
    assert process.returncode == 0


def test_each_start_has_a_token_of_its_own(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn")
    links = set()
    for _ in range(2):
        process = subprocess.Popen(
            real_command("play", "--no-open", "--system", "copy"),
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdout is not None
        links.add(process.stdout.readline().strip().rsplit("/", 2)[1])
        process.send_signal(signal.SIGINT)
        process.wait(300)
    assert len(links) == 2
    assert min(map(len, links)) >= 20


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--system", "bundld"], "Did you mean 'bundled'?"),
        (["-l", "english"], "is not a language pair"),
        (["--port", "70000"], "at most 65535"),
        (["http://127.0.0.1:1/x/"], "the link holds no sentence"),
    ],
)
def test_mistakes_are_one_sentence(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("starlette")
    assert main(["play", "--no-open", *words]) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert shown.out == ""


def test_a_port_that_is_taken_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("uvicorn")
    from hyperbaton.play.serving import listen

    with listen(0) as taken:
        port = taken.getsockname()[1]
        assert main(["play", "--no-open", "--port", str(port)]) == 2
    assert f"port {port} cannot be used" in capsys.readouterr().err


def test_without_the_extra_the_command_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "starlette", None)
    assert main(["play", "--no-open"]) == 2
    assert "starlette is not installed: pip install 'hyperbaton[play]'" in capsys.readouterr().err
