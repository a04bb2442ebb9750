"""A server on this machine that speaks four published protocols, with faults on demand."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

__all__ = ["Asked", "Service", "services"]

KEY = "0123-a-very-secret-key"


@dataclass(frozen=True)
class Asked:
    """One request as the server understood it."""

    texts: tuple[str, ...]
    source: str
    target: str
    headers: Mapping[str, str]
    body: Any


@dataclass
class Service:
    """What was asked, and the faults for the next requests, one each; `!` stays."""

    url: str = ""
    faults: list[str] = field(default_factory=list)
    bad: str = ""
    """A text whose presence has the last fault shown, and no other."""
    asked: list[Asked] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


class _Wrong(Exception):
    """A request that the protocol does not allow, with the status it is answered with."""

    def __init__(self, status: int, body: object) -> None:
        super().__init__(status)
        self.status, self.body = status, body


def _deepl(path: str, query: Mapping[str, list[str]], headers: Mapping[str, str], body: Any) -> Any:
    if headers.get("Authorization") != f"DeepL-Auth-Key {KEY}":
        raise _Wrong(403, {"message": "Forbidden"})
    if body["target_lang"] not in ("DE", "ZH-HANS", "ZH-HANT", "PT-BR"):
        raise _Wrong(400, {"message": "Value for 'target_lang' not supported."})
    if len(body["text"]) > 50:
        raise _Wrong(400, {"message": "Too many texts"})
    asked = Asked(tuple(body["text"]), body["source_lang"], body["target_lang"], headers, body)
    return asked, lambda texts: {
        "translations": [{"detected_source_language": "EN", "text": text} for text in texts]
    }


def _libre(path: str, query: Mapping[str, list[str]], headers: Mapping[str, str], body: Any) -> Any:
    if body.get("api_key", KEY) != KEY:
        raise _Wrong(403, {"error": "Invalid API key"})
    if body["source"] != "en":
        raise _Wrong(400, {"error": f"{body['source']} is not supported"})
    asked = Asked(tuple(body["q"]), body["source"], body["target"], headers, body)
    assert body["format"] == "text"
    return asked, lambda texts: {"translatedText": texts}


def _google(
    path: str, query: Mapping[str, list[str]], headers: Mapping[str, str], body: Any
) -> Any:
    if headers.get("X-goog-api-key") != KEY:
        said = "API key not valid. Please pass a valid API key."
        raise _Wrong(400, {"error": {"code": 400, "message": said, "status": "INVALID_ARGUMENT"}})
    if len(body["q"]) > 128:
        raise _Wrong(400, {"error": {"code": 400, "message": "Too many text segments"}})
    asked = Asked(tuple(body["q"]), body["source"], body["target"], headers, body)
    html = body.get("format", "html") == "html"
    return asked, lambda texts: {
        "data": {
            "translations": [
                {"translatedText": t.replace("'", "&#39;") if html and t else t} for t in texts
            ]
        }
    }


def _azure(path: str, query: Mapping[str, list[str]], headers: Mapping[str, str], body: Any) -> Any:
    if headers.get("Ocp-Apim-Subscription-Key") != KEY:
        said = "The request is not authorized because credentials are missing or invalid."
        raise _Wrong(401, {"error": {"code": 401000, "message": said}})
    if query.get("api-version") != ["3.0"]:
        raise _Wrong(400, {"error": {"code": 400021, "message": "The API version is missing."}})
    texts = tuple(part["Text"] for part in body)
    asked = Asked(texts, query["from"][0], query["to"][0], headers, body)
    to = query["to"][0]
    return asked, lambda texts: [{"translations": [{"text": t, "to": to}]} for t in texts]


_PROTOCOLS: dict[str, Callable[..., Any]] = {
    "/v2/translate": _deepl,
    "/translate": _libre,
    "/language/translate/v2": _google,
}


@contextmanager
def services() -> Iterator[Service]:
    """A server that answers each text in capital letters."""
    state = Service()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            with suppress(BrokenPipeError, ConnectionResetError):
                _serve(self, state)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()


def _serve(handler: BaseHTTPRequestHandler, state: Service) -> None:
    parts = urlsplit(handler.path)
    body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
    protocol = _azure if parts.query else _PROTOCOLS[parts.path]
    try:
        asked, reply = protocol(parts.path, parse_qs(parts.query), dict(handler.headers), body)
    except _Wrong as wrong:
        _send(handler, wrong.status, json.dumps(wrong.body).encode())
        return
    with state.lock:
        state.asked.append(asked)
        fault = state.faults[0] if state.faults else ""
        if fault and state.bad and state.bad not in asked.texts:
            fault = ""
        elif fault and not fault.endswith("!"):
            state.faults.pop(0)
    _react(handler, fault.removesuffix("!"), asked, reply)


def _react(
    handler: BaseHTTPRequestHandler, fault: str, asked: Asked, reply: Callable[..., Any]
) -> None:
    texts: list[str | None] = [text.upper() for text in asked.texts]
    good = json.dumps(reply(texts)).encode()
    match fault.split(" ", 1):
        case ["half"]:
            handler.send_response(200)
            handler.send_header("Content-Length", str(len(good)))
            handler.end_headers()
            handler.wfile.write(good[: len(good) // 2])
            handler.close_connection = True
        case ["cut-json"]:
            _send(handler, 200, good[: len(good) // 2])
        case ["fewer"]:
            _send(handler, 200, json.dumps(reply(texts[:-1])).encode())
        case ["more"]:
            _send(handler, 200, json.dumps(reply([*texts, "?"])).encode())
        case ["null"]:
            some = [None if text == "BAD" else text for text in texts]
            _send(handler, 200, json.dumps(reply(some)).encode())
        case ["html"]:
            _send(handler, 200, b"<!DOCTYPE html><html><body>Sign in</body></html>")
        case ["other"]:
            _send(handler, 200, b'{"message": "hello"}')
        case ["echo"]:
            key = KEY
            _send(handler, 200, json.dumps(reply([key for _ in texts])).encode())
        case [status, said]:
            _send(handler, int(status), said.encode())
        case [status] if status:
            _send(handler, int(status), b'{"message": "not now"}')
        case _:
            _send(handler, 200, good)


def _send(handler: BaseHTTPRequestHandler, status: int, body: bytes) -> None:
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)
