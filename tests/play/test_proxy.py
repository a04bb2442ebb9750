"""The page behind a proxy that shows it at a path of its own, as JupyterHub does."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from hyperbaton.pipeline.run.record import Record
from tests.play.conftest import TOKEN, Look, Serve

PREFIX = "/user/ada/proxy"
Proxy = Callable[[Callable[[], int]], str]


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    """Show a page's port at a path of another port; the host stays as the browser sent it."""
    servers = []

    def showing(to: Callable[[], int]) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                there = http.client.HTTPConnection("127.0.0.1", to(), timeout=900)
                path = self.path.removeprefix(PREFIX)
                there.request(self.command, path, body or None, dict(self.headers))
                answer = there.getresponse()
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("transfer-encoding", "content-length"):
                        self.send_header(name, value)
                self.end_headers()
                while chunk := answer.read1():
                    self.wfile.write(chunk)
                    self.wfile.flush()
                there.close()

            def do_GET(self) -> None:
                self.do_POST()

            def log_message(self, *_: object) -> None:
                """Nothing in the terminal."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"localhost:{server.server_address[1]}"

    yield showing
    for server in servers:
        server.shutdown()
        server.server_close()


def test_the_page_works_behind_a_proxy_that_was_named(
    serve: Serve, look: Look, proxy: Proxy
) -> None:
    host = proxy(lambda: served.port)
    served = serve(hosts=(host,))
    folder = served.runs / "one"
    Record("surface", 256, {}, {}, {}, {}, {}, {}).write(folder / "run.json")
    (folder / "report.html").write_text("<h1>a report</h1>")
    looked = look(f"http://{host}{PREFIX}/{TOKEN}/")
    page = looked.page
    assert looked.outcome() == "unchanged"
    page.locator(".tile").first.focus()
    page.keyboard.press("Shift+ArrowRight")
    page.locator(".card .outcome:not(.unchanged)").wait_for()
    with page.context.expect_page() as caught:
        page.locator('[data-run="one"] a').click()
    caught.value.locator("h1:has-text('a report')").wait_for()
    assert caught.value.url.startswith(f"http://{host}{PREFIX}/report/")
    assert all(url.startswith((f"http://{host}{PREFIX}/", "data:")) for url in looked.requests)
    assert looked.complaints == []


def test_a_proxy_that_was_not_named_is_told_how(serve: Serve, proxy: Proxy) -> None:
    host = proxy(lambda: served.port)
    served = serve()
    there = http.client.HTTPConnection(host, timeout=900)
    there.request("GET", f"{PREFIX}/{TOKEN}/")
    answer = there.getresponse()
    assert answer.status == 403
    assert f"--host-name {host}" in answer.read().decode()
    there.close()
