"""The browser is opened without the token in any command, and nothing of it is left behind."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.browser import Windows
from tests.cli.command import real_command
from tests.play.conftest import GATED, ROOT, Serve
from tests.play.test_page import state

BROWSER = """\
#!{python} -IS
import json, os, stat, sys, urllib.parse
path = urllib.parse.unquote(urllib.parse.urlparse(sys.argv[-1]).path)
seen = {{"argv": sys.argv, "environ": dict(os.environ), "file": path}}
if os.path.exists(path):
    seen["modes"] = [stat.S_IMODE(os.stat(p).st_mode) for p in (path, os.path.dirname(path))]
    seen["text"] = open(path).read()
open({seen!r} + ".part", "w").write(json.dumps(seen))
os.rename({seen!r} + ".part", {seen!r})
"""
"""A browser that writes down what every user of this computer can see of it."""


@dataclass
class Played:
    """Commands at work, their browser, and what it saw."""

    folder: Path
    environment: dict[str, str]
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, *command: str) -> str:
        """Run the command; its link."""
        self.seen.unlink(missing_ok=True)
        with (self.folder / "out").open("wb") as out, (self.folder / "said").open("wb") as said:
            process = subprocess.Popen(
                command or real_command("play", "--system", "copy"),
                cwd=self.folder,
                env=self.environment,
                stdout=out,
                stderr=said,
                # Under nohup a process ignores it, and so would this one.
                preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
            )
        self.processes.append(process)
        until(lambda: (self.folder / "out").read_text().endswith("\n"))
        return (self.folder / "out").read_text().strip()

    def end(self, number: signal.Signals = signal.SIGINT) -> int:
        """Stop the last one; its status."""
        process = self.processes.pop()
        process.send_signal(number)
        return process.wait(300)

    @property
    def seen(self) -> Path:
        return self.folder / "seen"

    @property
    def said(self) -> str:
        return (self.folder / "said").read_text()

    @property
    def left(self) -> list[str]:
        """What stands where the file does."""
        return sorted(path.name for path in (self.folder / "temporary").glob("hyperbaton-*"))


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    pytest.importorskip("uvicorn")
    browser = tmp_path / "browser"
    browser.write_text(BROWSER.format(python=sys.executable, seen=str(tmp_path / "seen")))
    browser.chmod(0o755)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    folders = {"TMPDIR": temporary, "HOME": temporary, "HYPERBATON_CACHE": tmp_path / "cache"}
    words = {name: str(path) for name, path in {**folders, "BROWSER": browser}.items()}
    made = Played(tmp_path, {**os.environ, **words})
    yield made
    for process in made.processes:
        process.kill()
        process.wait()


def until(happened: Callable[[], bool]) -> None:
    """Wait for it, a minute at most."""
    end = time.monotonic() + 300
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_no_command_holds_the_token_and_the_file_goes_when_it_was_used(played: Played) -> None:
    link = played.start()
    token = link.split("/")[3]
    assert len(token) > 20
    until(played.seen.exists)
    seen = json.loads(played.seen.read_text())
    assert token not in json.dumps([seen["argv"], seen["environ"]])
    assert seen["argv"][1].startswith("file://")
    assert link in seen["text"]
    assert seen["modes"] == [0o600, 0o700]
    assert len(played.left) == 1
    urllib.request.urlopen(link, timeout=900).close()
    until(lambda: not played.left)
    assert played.end() == 0
    assert played.said == "hyperbaton: the page is open until you press Ctrl-C\n"


def _holding(token: str, folder: Path) -> list[Path]:
    """Words and environments of all processes, and files of a folder, that hold the token."""
    proc = [
        path for name in ("cmdline", "environ", "comm") for path in Path("/proc").glob(f"*/{name}")
    ]
    found = []
    for path in [*proc, *(path for path in folder.rglob("*") if path.is_file())]:
        with suppress(OSError):  # a process that has ended, or is not ours
            if token.encode() in path.read_bytes():
                found.append(path)
    return found


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are seen in /proc")
def test_a_study_started_on_the_page_knows_nothing_of_the_token(played: Played) -> None:
    played.environment["PYTHONPATH"] = f"{ROOT}:{ROOT / 'src'}"
    link = played.start(*real_command("play", "--no-open", "--system", GATED))
    token = link.split("/")[3]
    asked = {"study": "surface", "pair": "en-de", "files": {"a.txt": "The dog sleeps.\n"}}
    request = urllib.request.Request(
        f"{link}api/runs/start", json.dumps(asked).encode(), {"Content-Type": "application/json"}
    )
    urllib.request.urlopen(request, timeout=900).close()
    until((played.folder / "runs" / "surface-en-de-1" / "run.json").exists)
    assert _holding(token, played.folder) == [played.folder / "out"], "where the link is printed"
    (played.folder / "gate").touch()
    assert played.end() == 0
    assert _holding(token, played.folder) == [played.folder / "out"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_file_that_nobody_used_goes_with_the_command(
    played: Played, number: signal.Signals
) -> None:
    played.start()
    until(played.seen.exists)
    assert len(played.left) == 1
    assert played.end(number) == (0 if number == signal.SIGINT else 128 + number)
    assert played.left == []


def test_what_a_killed_command_left_goes_at_the_next_start_and_a_living_one_keeps_its_own(
    played: Played,
) -> None:
    played.start()
    until(played.seen.exists)
    assert played.end(signal.SIGKILL) == -signal.SIGKILL
    (old,) = played.left
    for count in (1, 2):
        played.start()
        until(played.seen.exists)
        assert old not in played.left
        assert len(played.left) == count
    assert [played.end(), played.end()] == [0, 0]
    assert played.left == []


def test_without_a_browser_the_user_is_told(played: Played) -> None:
    played.environment |= {"BROWSER": "/bin/false", "PATH": str(played.folder)}
    played.start()
    told = "hyperbaton: no browser could be opened: open the link above yourself\n"
    until(lambda: told in played.said)
    assert played.end() == 0
    assert played.left == []


FULL = """
import sys, tempfile
def full(*words, **more):
    raise OSError(28, "No space left on device")
tempfile.mkdtemp = full
from hyperbaton.cli.main import main
sys.exit(main(["play", "--system", "copy"]))
"""


def test_where_no_file_can_be_made_the_page_is_served_and_the_user_told(played: Played) -> None:
    link = played.start(sys.executable, "-c", FULL)
    urllib.request.urlopen(link, timeout=900).close()
    assert played.end() == 0
    assert "the browser cannot be opened ([Errno 28] No space left on device)" in played.said
    assert not played.seen.exists()


@pytest.fixture
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pytest.importorskip("uvicorn")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr("hyperbaton.play.serving.SNAPD", tmp_path / "none")
    return tmp_path / "temporary"


def test_only_what_is_provably_a_leftover_is_taken_away(private: Path) -> None:
    from hyperbaton.play.serving import Opening

    def made(name: str, *files: str, mode: int = 0o700) -> None:
        (private / f"hyperbaton-play-{name}").mkdir()
        for file in files:
            (private / f"hyperbaton-play-{name}" / file).write_text("x")
        (private / f"hyperbaton-play-{name}").chmod(mode)

    made("leftover", "lock", "open.html")
    made("open to others", "lock", "open.html", mode=0o755)
    made("with more", "lock", "open.html", "thesis.tex")
    made("new")
    (private / "hyperbaton-play-link").symlink_to(private / "hyperbaton-play-with more")
    opening = Opening("http://127.0.0.1:1/t/")
    own = opening.path.parent.name
    kept = {path.name.removeprefix("hyperbaton-play-") for path in private.iterdir()}
    assert kept == {"open to others", "with more", "new", "link", own[len("hyperbaton-play-") :]}
    opening.close()
    opening.close()
    assert not opening.path.parent.exists()


def test_where_browsers_see_no_temporary_folder_the_file_is_in_the_users_own(
    private: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hyperbaton.play.serving import Opening

    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr("hyperbaton.play.serving.SNAPD", tmp_path)
    opening = Opening("http://127.0.0.1:1/t/")
    assert opening.path.parent.parent == home
    assert not opening.path.parent.name.startswith("."), "they do not see hidden folders either"
    assert stat.S_IMODE(opening.path.parent.stat().st_mode) == 0o700
    opening.close()
    assert list(home.iterdir()) == []
    monkeypatch.setenv("HOME", str(tmp_path / "gone"))
    opening = Opening("http://127.0.0.1:1/t/")
    assert opening.path.parent.parent == private
    opening.close()


def test_a_browser_that_does_not_come_is_told_of(
    private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hyperbaton.play.serving import Opening

    monkeypatch.setattr("webbrowser._tryorder", None)
    monkeypatch.setenv("BROWSER", "true")
    monkeypatch.setattr("hyperbaton.play.serving.PATIENCE", 0)
    opening, told = Opening("http://127.0.0.1:1/t/"), list[str]()
    opening.browse(threading.Event(), told.append)
    assert told == ["the browser did not open the page: open the link above yourself"]
    assert opening.path.exists(), "it may still come"
    opening.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_the_file_leads_to_the_page_and_says_nothing_of_where_it_came_from(
    serve: Serve, windows: Windows, private: Path, scripts: bool
) -> None:
    from hyperbaton.play.serving import Opening

    served = serve()
    link = served.link + state('Say "no" & it\'s <b>bold</b>.')
    opening = Opening(link)
    page = windows.open(served.link, 1280, 900, "light", java_script_enabled=scripts)
    asked: list[dict[str, str]] = []
    page.on("request", lambda request: asked.append(request.all_headers()))
    page.goto(opening.path.as_uri(), wait_until="commit")
    page.wait_for_url(f"{served.link}**")
    if scripts:
        page.locator('.tile:has-text("bold")').first.wait_for()
        words = page.locator("#text").input_value()
        assert words == 'Say "no" & it\'s <b>bold</b>.'
    else:
        assert page.url == link
    assert len(asked) > 1
    assert not any("referer" in headers for headers in asked)
    opening.close()
