"""Reports opened from the page: a foreign one steals nothing, our own does all that it can."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline.run.record import Record
from hyperbaton.play.guard import REPORT_POLICY, REPORTS
from hyperbaton.play.reports import open_inside
from hyperbaton.play.runs import Runs
from hyperbaton.report import write_report
from tests.play.conftest import TOKEN, Look, Serve, Served
from tests.play.test_guard import request
from tests.play.test_page import state
from tests.report.conftest import Opened
from tests.report.sample import contents

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = Path(__file__).with_name("hostile-report.html")


@dataclass
class Evil:
    """A server elsewhere that writes down all that it is told."""

    address: str
    paths: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)


@pytest.fixture
def evil() -> Iterator[Evil]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.do_POST()

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            made.paths.append(self.path.partition("?")[0])
            made.told.append(unquote(f"{self.path}\n{self.headers}\n{body!r}"))
            self.send_response(200)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"ok")

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made = Evil(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield made
    server.shutdown()
    server.server_close()
    thread.join()


def _run(served: Served, name: str, report: str | None = None) -> Path:
    """A folder with the files that the page asks for in a run."""
    folder = served.runs / name
    Record("surface", 256, {}, {}, {}, {}, {}, {}).write(folder / "run.json")
    if report is not None:
        (folder / "report.html").write_text(report)
    return folder


def _opened(served: Served, look: Look, name: str) -> Page:
    """The report of a run, opened from the page as a reader does."""
    looked = look(served.link + state())
    link = looked.page.locator(f'[data-run="{name}"] a')
    with looked.page.context.expect_page() as caught:
        link.click()
    return caught.value


def test_a_foreign_report_sends_no_token_anywhere(serve: Serve, look: Look, evil: Evil) -> None:
    served = serve()
    _run(served, "foreign", HOSTILE.read_text("utf-8").replace("EVIL", evil.address))
    _run(served, "other", "<h1>SECRET</h1>")
    page = _opened(served, look, "foreign")
    page.wait_for_url(f"{evil.address}/stolen**")
    assert "/stolen" in evil.paths
    assert set(evil.paths) <= {"/stolen", "/favicon.ico"}, "it can go away, and do nothing else"
    said = "\n".join(evil.told)
    assert TOKEN not in said
    assert "SECRET" not in said
    (stolen,) = (told for told in evil.told if told.startswith("/stolen"))
    assert "referer" not in stolen.lower()
    found = json.loads(stolen.partition("?")[2].partition(" HTTP")[0].partition("\n")[0])
    assert found["got"] == []
    here = found["known"][0]
    assert here.startswith(f"http://127.0.0.1:{served.port}{REPORTS}")
    # What was stolen opens this one report, and nothing else.
    word = here.rpartition("/")[2]
    for path in (f"/{word}/", f"/{word}/api/start", f"{REPORTS}{word}/", f"{REPORTS}{word}x"):
        assert request(served, path)[0] in (403, 404)


def test_our_own_report_does_everything_it_can(serve: Serve, look: Look) -> None:
    served = serve()
    sample = contents(60)
    write_report(sample, _run(served, "ours") / "report.html")
    page = _opened(served, look, "ours")
    page.locator("h1").wait_for()
    report = Opened(page)
    page.reload()
    assert page.evaluate("self.origin") == "null", "it is kept apart from the page"
    assert TOKEN not in page.url
    for number in range(len(sample.figures)):
        report.figure(number)
    with page.expect_download() as caught:
        page.locator("figure .svg").first.click()
    assert caught.value.path().read_text("utf-8").startswith("<svg")
    with page.expect_download() as caught:
        page.locator("figure .png").first.click()
    assert caught.value.path().read_bytes().startswith(b"\x89PNG")
    page.locator("#tables th button").first.click()
    page.locator("#tables th[aria-sort]:not([aria-sort=none])").wait_for()
    report.explorer()
    before = page.locator("#x-count").inner_text()
    page.locator("#x-search").fill("1")
    report.until(f"document.getElementById('x-count').textContent != {json.dumps(before)}")
    page.evaluate("() => { const own = print; self.print = () => { own(); self.printed = true; } }")
    page.locator("#print").click()
    report.until("self.printed")
    was = page.locator("#theme").inner_text()
    page.locator("#theme").click()
    report.until(f"document.getElementById('theme').textContent != {json.dumps(was)}")
    # The button says so for a moment only, which a busy machine could miss.
    page.evaluate(
        """() => {
          const button = document.querySelector(".copy");
          const watch = () => { self.said = `${self.said} ${button.textContent}`; };
          new MutationObserver(watch).observe(button, {childList: true, characterData: true});
        }"""
    )
    page.locator(".copy").first.click()
    report.until("String(self.said).includes('Copied')")
    page.reload()
    page.locator("h1").wait_for()
    assert report.complaints == []


def test_a_report_has_its_own_policy_and_its_address_holds_no_token(serve: Serve) -> None:
    served = serve()
    _run(served, "one", "<h1>one</h1>")
    listed = json.loads(request(served, f"/{TOKEN}/api/runs/listed", body={})[2])["runs"]
    address = listed[0]["report"]
    status, headers, text = request(served, address)
    assert (status, text) == (200, "<h1>one</h1>")
    assert headers["content-security-policy"] == REPORT_POLICY
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    for rule in ("default-src 'none'", "sandbox ", "form-action 'none'"):
        assert rule in REPORT_POLICY
    for right in ("allow-same-origin", "top-navigation", "allow-popups", "allow-forms", "connect"):
        assert right not in REPORT_POLICY
    assert len(address.removeprefix(REPORTS)) >= 20
    again = json.loads(request(served, f"/{TOKEN}/api/runs/listed", body={})[2])["runs"]
    assert again == listed, "it can be opened again while the page runs"
    assert request(served, address, {"Host": "evil.example"})[0] == 403
    assert request(served, address, {"Origin": "null"})[0] == 403
    assert request(served, address, body={})[0] == 403
    assert request(served, f"/{TOKEN}{address}")[0] == 404
    for path in (f"{REPORTS}one", REPORTS, f"{REPORTS}.."):
        assert request(served, path)[0] in (403, 404)
    (served.runs / "one" / "report.html").unlink()
    assert request(served, address)[0] == 404


def test_no_spelling_of_the_address_of_reports_opens_the_page(serve: Serve) -> None:
    """The guard cuts the token off a path that it has checked, and off no other."""
    served = serve()
    for size in range(len(TOKEN) + len(REPORTS) + 9):
        status, _, text = request(served, "/%2572eport/" + "y" * size)
        assert status in (403, 404)
        assert "<title>" not in text


def _linked(served: Served) -> Path:
    """A folder outside, to which everything here leads."""
    outside = served.runs.parent / "outside"
    outside.mkdir()
    (outside / "run.json").write_text("{}")
    (outside / "report.html").write_text("SECRET")
    return outside


def _listed(served: Served) -> dict[str, dict[str, object]]:
    answer = request(served, f"/{TOKEN}/api/runs/listed", body={})
    assert answer[0] == 200
    return {run["name"]: run for run in json.loads(answer[2])["runs"]}


def test_links_to_runs_elsewhere_are_neither_listed_nor_compared(serve: Serve) -> None:
    served = serve()
    outside = _linked(served)
    _run(served, "plain", "<h1>plain</h1>")
    (served.runs / "linked").symlink_to(outside)
    (served.runs / "dangling").symlink_to(outside / "nothing")
    half = served.runs / "half"
    half.mkdir()
    (half / "run.json").symlink_to(outside / "run.json")
    inner = _run(served, "inner", "<h1>inner</h1>")
    (inner / "scores").symlink_to(outside)
    report = _run(served, "report")
    (report / "report.html").symlink_to(outside / "report.html")
    runs = _listed(served)
    assert set(runs) == {"plain", "inner", "report"}
    assert not runs["report"].get("report")
    for name in ("linked", "half", "inner"):
        answer = request(served, f"/{TOKEN}/api/runs/compare", body={"names": ["plain", name]})
        assert answer[0] == 400
        assert json.loads(answer[2])["key"] in ("wrong_no_run", "wrong_links")


@pytest.mark.parametrize("swapped", ["run", "report"])
def test_a_link_put_in_the_place_of_what_was_listed_is_not_followed(
    serve: Serve, swapped: str
) -> None:
    served = serve()
    outside = _linked(served)
    folder = _run(served, "one", "<h1>one</h1>")
    address = str(_listed(served)["one"]["report"])
    assert request(served, address)[0] == 200
    if swapped == "run":
        folder.rename(served.runs / "away")
        folder.symlink_to(outside)
    else:
        (folder / "report.html").unlink()
        (folder / "report.html").symlink_to(outside / "report.html")
    status, _, text = request(served, address)
    assert status == 404
    assert "SECRET" not in text


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    (tmp_path / "a" / "folder").mkdir(parents=True)
    os.mkfifo(tmp_path / "a" / "pipe")
    (tmp_path / "a" / "file").write_bytes(b"x")
    with open_inside(tmp_path, "a", "file") as file:
        assert file.read() == b"x"
    for name in ("folder", "pipe", "nothing"):
        with pytest.raises(OSError, match=name):
            open_inside(tmp_path, "a", name)


@pytest.mark.parametrize("link", ["files", "files/surface-en-de-1", "files/surface-en-de-1/a.txt"])
def test_nothing_is_written_through_a_link(tmp_path: Path, link: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    runs = Runs(tmp_path / "runs", ["copy"])
    place = runs.folder / link
    place.parent.mkdir(parents=True)
    place.symlink_to(outside / "kept" if link.endswith(".txt") else outside)
    with pytest.raises(HyperbatonError, match="is a link"):
        runs.start("surface", ("en", "de"), {"a.txt": "Go.\n"})
    assert [path.name for path in outside.iterdir()] == ["kept"]
    assert (outside / "kept").read_text() == "kept"


def test_no_study_begins_where_a_link_leads_nowhere_yet(tmp_path: Path) -> None:
    runs = Runs(tmp_path / "runs", ["copy"])
    runs.folder.mkdir()
    (runs.folder / "surface-en-de-1").symlink_to(tmp_path / "elsewhere")
    assert runs.start("surface", ("en", "de"), {"a.txt": "Go.\n"}) == "surface-en-de-2"
    runs.close()
    assert not (tmp_path / "elsewhere").exists()
