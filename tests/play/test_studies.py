"""From the page to a study: started, paused, resumed, its report opened, runs compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.play.runs import Runs
from tests.play.conftest import GATED, ROOT, Look, Serve
from tests.play.test_page import state


def test_a_study_is_started_paused_resumed_and_its_report_opened(
    serve: Serve, look: Look, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(ROOT))
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{ROOT / 'src'}")
    served = serve(GATED, "copy")
    looked = look(served.link + state(x="copy"))
    page = looked.page
    page.locator("#study-name").select_option("surface")
    content = "The dog sleeps.\nWe don't know.\n"
    page.locator("#study-files").set_input_files(
        {"name": "mine.txt", "mimeType": "text/plain", "buffer": content.encode()}
    )
    page.locator("#study button[type=submit]").click()
    run = page.locator('[data-run="surface-en-de-1"]')
    page.locator('[data-run="surface-en-de-1"][data-state="running"]').wait_for()
    run.locator("progress").wait_for()
    page.locator('[data-act="pause surface-en-de-1"]').click()
    page.locator('[data-run="surface-en-de-1"][data-state="paused"]').wait_for()
    assert not (served.runs / "surface-en-de-1" / "report.html").exists()
    (tmp_path / "gate").touch()
    page.locator('[data-act="resume surface-en-de-1"]').click()
    page.locator('[data-run="surface-en-de-1"][data-state="finished"]').wait_for(timeout=120_000)
    with page.context.expect_page() as caught:
        run.locator("a").click()
    report = caught.value
    report.locator("h1").wait_for()
    assert "Surface" in report.locator("h1").inner_text()
    assert report.evaluate("self.origin") == "null", "a report is kept apart from the page"
    record = json.loads((served.runs / "surface-en-de-1" / "run.json").read_text("utf-8"))
    assert GATED in record["command"]
    assert "copy" not in record["command"], "a system that is not shown is not run"


def _finished(folder: Path, name: str) -> None:
    """A run as the command leaves it."""
    from tests.cli.command import call

    done = call(
        *("surface", "--shipped", "-l", "en-de", "--limit", "2", "--system", "copy"),
        *("--with", "upper", "--out", folder / name, "--no-cache", "--workers", "0"),
    )
    assert done.returncode == 0, done.stderr


def test_runs_of_a_folder_are_listed_and_compared(serve: Serve, look: Look) -> None:
    served = serve("copy")
    for name in ("one", "two"):
        _finished(served.runs, name)
    for run in Runs(served.runs, ["copy"]).listing():
        assert (run["state"], run["report"]) == ("there", True)
        assert run["done"] == run["all"] > 0  # type: ignore[operator]
    (served.runs / "broken").mkdir()
    (served.runs / "broken" / "run.json").write_text("{")
    looked = look(served.link + state())
    page = looked.page
    page.locator('[data-run="broken"][data-state="damaged"]').wait_for()
    for name in ("one", "two"):
        page.locator(f'[data-run="{name}"] input').check()
    page.locator("#compare").click()
    page.locator("#compared a").wait_for(timeout=120_000)
    with page.context.expect_page() as caught:
        page.locator("#compared a").click()
    caught.value.locator("h1").wait_for()


@pytest.mark.parametrize(
    "files",
    [
        {},
        [],
        {"../x": "a"},
        {"a/b": "a"},
        {".x": "a"},
        {"x..y": "a"},
        {"messages.txt": "a"},
        {"x.txt": ""},
        {"x.txt": 1},
        {str(n): "a" for n in range(4)},
    ],
)
def test_files_must_have_plain_names_and_content(tmp_path: Path, files: object) -> None:
    runs = Runs(tmp_path / "runs", ["copy"])
    with pytest.raises(HyperbatonError):
        runs.start("surface", ("en", "de"), files)
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("names", [("news.de", "news.en"), ("news.en", "news.de")])
def test_the_sentences_come_before_their_translations_in_whatever_order_they_are_chosen(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    runs = Runs(tmp_path / "runs", ["copy"])
    name = runs.start("wordorder", ("en", "de"), dict.fromkeys(names, "Go.\n"))
    words = runs._started[name].words
    runs.close()
    own = tmp_path / "runs" / "files" / name
    assert words[1:3] == [str(own / "news.en"), str(own / "news.de")]


@pytest.mark.parametrize("names", [("a.txt", "b.txt"), ("a.en", "b.en"), ("a.en", "b.fr")])
def test_two_files_whose_names_do_not_tell_their_language_are_refused(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    runs = Runs(tmp_path / "runs", ["copy"])
    with pytest.raises(HyperbatonError, match=r"such as news\.en, and the one with .* news\.de"):
        runs.start("wordorder", ("en", "de"), dict.fromkeys(names, "Go.\n"))
    assert not (tmp_path / "runs").exists()


def test_only_what_was_started_here_is_paused_or_resumed(tmp_path: Path) -> None:
    runs = Runs(tmp_path, ["copy"])
    for act in (runs.pause, runs.resume):
        with pytest.raises(HyperbatonError, match="not started here"):
            act("x")
    with pytest.raises(HyperbatonError, match="choose a study"):
        runs.start("train", ("en", "de"), {"a.txt": "a"})
    with pytest.raises(HyperbatonError, match="two runs or more"):
        runs.compare(["one"])
    with pytest.raises(HyperbatonError, match="No system is chosen"):
        runs.start("surface", ("en", "de"), {"a.txt": "a"}, [])
    with pytest.raises(HyperbatonError, match="that the command was given"):
        runs.start("surface", ("en", "de"), {"a.txt": "a"}, ["cmd:touch owned"])
    for name in ("../x", "/etc", "a/b", ""):
        with pytest.raises(HyperbatonError, match="no such run"):
            runs.path(name)
