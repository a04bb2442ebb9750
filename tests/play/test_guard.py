"""Requests that the printed link does not make are refused, as plain HTTP sees it."""

from __future__ import annotations

import http.client
import json
import socket
import time

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.play.guard import LARGEST_QUESTION, POLICY, Rate, host_name
from tests.play.conftest import TOKEN, Serve, Served


def request(
    served: Served,
    path: str,
    headers: dict[str, str] | None = None,
    body: object = None,
    method: str | None = None,
) -> tuple[int, dict[str, str], str]:
    """What comes back for a path that is sent as it is written."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=900)
    sent = {"Host": f"127.0.0.1:{served.port}", **(headers or {})}
    if body is not None:
        sent = {"Content-Type": "application/json", **sent}
    data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
    connection.putrequest(
        method or ("GET" if body is None else "POST"),
        path,
        skip_host=True,
        skip_accept_encoding=True,
    )
    for name, value in {**sent, "Content-Length": str(len(data or b""))}.items():
        connection.putheader(name, value)
    connection.endheaders(data)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, {k.lower(): v for k, v in answer.getheaders()}, text


def test_the_link_is_answered_with_a_strict_policy(serve: Serve) -> None:
    status, headers, text = request(serve(), f"/{TOKEN}/")
    assert status == 200
    assert "<title>Hyperbaton</title>" in text
    assert headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", ""]
)
def test_a_foreign_host_is_refused(serve: Serve, host: str) -> None:
    status, _, text = request(serve(), f"/{TOKEN}/", {"Host": host})
    assert status in (400, 403)
    assert "<title>" not in text


@pytest.mark.parametrize("name", ["localhost", "LOCALHOST", "[::1]"])
def test_this_computer_has_other_names(serve: Serve, name: str) -> None:
    served = serve()
    headers = {"Host": f"{name}:{served.port}", "Origin": f"http://{name.lower()}:{served.port}"}
    assert request(served, f"/{TOKEN}/", headers)[0] == 200


@pytest.mark.parametrize("host", ["127.0.0.1:1", "localhost:9000", "[::1]:80", "localhost"])
def test_another_port_is_told_to_forward_the_same_one(serve: Serve, host: str) -> None:
    served = serve()
    status, _, text = request(served, f"/{TOKEN}/", {"Host": host})
    assert status == 403
    assert f"ssh -L {served.port}:127.0.0.1:{served.port}" in text
    assert f"--host-name {host}\n" in text


def test_another_host_is_told_how_to_be_named(serve: Serve) -> None:
    served = serve()
    told = request(served, f"/{TOKEN}/", {"Host": "hub.example.org"})[2]
    assert "behind a proxy that you trust, start it with --host-name hub.example.org" in told
    told = request(served, f"/{TOKEN}/", {"Host": "<script>alert(1)</script>"})[2]
    assert told == f"this page answers on 127.0.0.1:{served.port} only\n"


HUB = "hub.example.org"


@pytest.mark.parametrize("origin", [f"https://{HUB}", f"http://{HUB}", ""])
@pytest.mark.parametrize("host", [HUB, "Hub.Example.org", "127.0.0.1:{port}"])
def test_a_proxy_that_is_named_is_answered(serve: Serve, host: str, origin: str) -> None:
    served = serve(hosts=(HUB,))
    headers = {"Host": host.format(port=served.port)} | ({"Origin": origin} if origin else {})
    assert request(served, f"/{TOKEN}/api/start", headers, {})[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": f"{HUB}.evil.example"},
        {"Host": f"evil.{HUB}"},
        {"Host": f"{HUB}:8443"},
        {"Host": HUB, "Origin": "https://evil.example"},
        {"Host": HUB, "Origin": f"https://evil.{HUB}"},
        {"Host": HUB, "Origin": "null"},
    ],
)
def test_naming_one_proxy_lets_nobody_else_in(serve: Serve, headers: dict[str, str]) -> None:
    served = serve(hosts=(HUB,))
    assert request(served, f"/{TOKEN}/api/start", headers, {})[0] == 403


def test_a_proxy_that_is_named_needs_the_token_too(serve: Serve) -> None:
    served = serve(hosts=(HUB,))
    for path in ("/", "/wrong/", "/api/start"):
        assert request(served, path, {"Host": HUB}, {})[0] == 403


@pytest.mark.parametrize(
    "name", ["*", "*.example.org", "https://hub.example.org", "a b", "", "a/b"]
)
def test_a_host_is_named_as_the_browser_does(name: str) -> None:
    with pytest.raises(HyperbatonError, match="is no host"):
        host_name(name)


def test_no_other_machine_can_reach_it(serve: Serve) -> None:
    with pytest.raises(OSError, match=r"refused|unreachable|assign|timed out"):
        socket.create_connection(("127.0.0.2", serve().port), timeout=10).close()


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", ""])
def test_a_foreign_origin_is_refused(serve: Serve, origin: str) -> None:
    served = serve()
    assert request(served, f"/{TOKEN}/", {"Origin": origin})[0] == 403
    assert request(served, f"/{TOKEN}/api/start", {"Origin": origin}, {})[0] == 403


def test_our_own_origin_is_answered(serve: Serve) -> None:
    served = serve()
    origin = {"Origin": f"http://127.0.0.1:{served.port}"}
    assert request(served, f"/{TOKEN}/api/start", origin, {})[0] == 200


@pytest.mark.parametrize(
    "path", ["/", "/assets/main.js", "/api/start", "/wrong/", f"/{TOKEN}x/", f"/{TOKEN[:-1]}/"]
)
def test_without_the_token_there_is_nothing(serve: Serve, path: str) -> None:
    served = serve()
    for method in ("GET", "POST"):
        status, _, text = request(served, path, body={}, method=method)
        assert status == 403
        assert TOKEN not in text


@pytest.mark.parametrize(
    "path",
    [
        "assets/../server.py",
        "assets/..%2fserver.py",
        "assets/%2e%2e/server.py",
        "assets/..%5cserver.py",
        "runs/../secret/report.html",
        "runs/..%2fsecret/report.html",
        "compared/../../secret",
        "../etc/passwd",
        "assets/server.py",
        "assets//etc/passwd",
        "runs/secret/report.html",
        "runs/.secret/report.html",
        "compared/secret.html",
    ],
)
def test_no_file_outside_the_folders_is_read(serve: Serve, path: str) -> None:
    served = serve()
    outside = served.runs.parent / "secret"
    outside.mkdir()
    (outside / "report.html").write_text("SECRET")
    (outside / "run.json").write_text("{}")
    served.runs.mkdir()
    (served.runs / "secret").symlink_to(outside)
    status, _, text = request(served, f"/{TOKEN}/{path}")
    assert status in (403, 404)
    assert "SECRET" not in text
    assert "import" not in text


def test_only_json_is_taken(serve: Serve) -> None:
    served = serve()
    path = f"/{TOKEN}/api/start"
    assert request(served, path, {"Content-Type": "text/plain"}, b"{}")[0] == 415
    assert request(served, path, {}, b"{")[0] == 400
    assert request(served, path, {}, b"[]")[0] == 400
    assert request(served, path, {}, b"\xff\xfe")[0] == 400
    assert request(served, path, method="DELETE")[0] == 405
    assert request(served, path)[0] == 405


def test_what_is_too_large_is_refused(serve: Serve) -> None:
    body = json.dumps({"text": "x" * LARGEST_QUESTION}).encode()
    status, _, text = request(serve(), f"/{TOKEN}/api/sentence", {}, body)
    assert status == 413
    assert json.loads(text)["key"] == "wrong_too_large"


def test_a_rate_lets_a_burst_through_and_then_so_many_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    rate = Rate(each_second=10, burst=5)
    assert [rate.allows() for _ in range(7)] == [True] * 5 + [False] * 2
    now[0] = 0.25
    assert [rate.allows() for _ in range(3)] == [True, True, False]


def test_nothing_of_the_environment_reaches_the_page(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    served = serve("openai:model@http://127.0.0.1:9/v1(retries=0, key_env=OPENAI_API_KEY)")
    asked = {
        "page": "a",
        "number": 1,
        "systems": ["openai:model@http://127.0.0.1:9/v1(retries=0, key_env=OPENAI_API_KEY)"],
        "pair": "en-de",
    }
    texts = [
        request(served, f"/{TOKEN}/api/start", body={})[2],
        request(served, f"/{TOKEN}/api/ask", body={**asked, "text": "Go home."})[2],
        request(served, f"/{TOKEN}/api/runs/listed", body={})[2],
    ]
    assert '"fault"' in texts[1]
    assert not any("secret" in text for text in texts)
