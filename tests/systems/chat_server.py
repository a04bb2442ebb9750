"""A real HTTP server on this machine that speaks the OpenAI protocol, with faults on demand."""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.systems.hostile import HOSTILE

__all__ = ["ChatServer", "Seen", "chat_server"]


@dataclass(frozen=True)
class Seen:
    """One request as the server saw it."""

    moment: float
    path: str
    key: str | None
    body: dict[str, object]
    text: str
    proxy_key: str | None = None


@dataclass
class ChatServer:
    """What the server was asked, and the faults it is to show for a text, one per request."""

    url: str = ""
    faults: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    seen: list[Seen] = field(default_factory=list)
    refuses: Mapping[str, tuple[int, object]] = field(default_factory=dict)
    """Parameters that no request may have, each with status and body of the answer to one."""
    refused: list[Seen] = field(default_factory=list)
    delay: float = 0.0
    most_at_once: int = 0
    at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    closing: threading.Event = field(default_factory=threading.Event)

    def asked(self, text: str) -> list[Seen]:
        return [request for request in self.seen if request.text == text]


@contextmanager
def chat_server(encryption: ssl.SSLContext | None = None) -> Iterator[ChatServer]:
    """A server that answers each text in capital letters."""
    state = ChatServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            with suppress(BrokenPipeError, ConnectionResetError):
                _serve(self, state)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if encryption is not None:
        server.socket = encryption.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    scheme = "http" if encryption is None else "https"
    state.url = f"{scheme}://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield state
    finally:
        state.closing.set()
        server.shutdown()
        server.server_close()


def _serve(handler: BaseHTTPRequestHandler, state: ChatServer) -> None:
    body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
    content = body["messages"][-1]["content"]
    text = content[0]["text"] if isinstance(content, list) else content.partition("\n\n")[2]
    for name in (name for name in state.refuses if name in body):
        status, said = state.refuses[name]
        state.refused.append(Seen(time.monotonic(), handler.path, None, body, text))
        _send(handler, status, json.dumps(said).encode())
        return
    with state.lock:
        state.at_once += 1
        state.most_at_once = max(state.most_at_once, state.at_once)
        key = handler.headers.get("Authorization")
        proxy = handler.headers.get("Proxy-Authorization")
        state.seen.append(Seen(time.monotonic(), handler.path, key, body, text, proxy))
        faults = state.faults[text] or state.faults["*"]
        # A fault that ends in ! is shown every time.
        fault = faults[0] if faults and faults[0].endswith("!") else faults.pop(0) if faults else ""
    time.sleep(state.delay)
    with state.lock:
        # Before the reply: the client may send its next request as soon as it has it.
        state.at_once -= 1
    _react(handler, fault.removesuffix("!"), text, state)


def _react(handler: BaseHTTPRequestHandler, fault: str, text: str, state: ChatServer) -> None:
    good = json.dumps(_reply([text.upper()])).encode()
    match fault.split(" "):
        case ["slow"]:
            state.closing.wait(60)
            _send(handler, 200, good)
        case ["dribble"]:
            handler.send_response(200)
            handler.send_header("Content-Length", "100000")
            handler.end_headers()
            while not state.closing.wait(0.1):
                handler.wfile.write(b" ")
        case ["cut"]:
            handler.close_connection = True
            handler.connection.close()
        case ["cut-body"]:
            handler.send_response(200)
            handler.send_header("Content-Length", str(len(good) + 10))
            handler.end_headers()
            handler.wfile.write(good)
            handler.close_connection = True
        case ["malformed"]:
            _send(handler, 200, b'{"choices": [')
        case ["not-an-object"]:
            _send(handler, 200, b'["surprise"]')
        case ["choices", number]:
            _send(handler, 200, json.dumps(_reply([text.upper()] * int(number))).encode())
        case ["says", *words]:
            _send(handler, 200, json.dumps(_reply([" ".join(words)])).encode())
        case [status] if status.isdigit():
            _send(handler, int(status), json.dumps({"error": {"message": "not now"}}).encode())
        case ["429", "date", seconds]:
            date = formatdate(time.time() + float(seconds), usegmt=True)
            _send(handler, 429, b"{}", ("Retry-After", date))
        case ["429", "seconds", seconds]:
            _send(handler, 429, b"{}", ("Retry-After", seconds))
        case ["echo-key", status]:
            said = {"error": {"message": f"wrong key {handler.headers['Authorization']}"}}
            _send(handler, int(status), json.dumps(said).encode())
        case ["replies", *words]:
            _send(handler, 200, json.dumps({"choices": [json.loads(" ".join(words))]}).encode())
        case ["body", *words]:
            _send(handler, 200, " ".join(words).encode())
        case ["hostile", name]:
            handler.close_connection = True
            key = handler.headers["Authorization"].removeprefix("Bearer ")
            handler.wfile.write(HOSTILE[name](key))
        case ["redirect", url]:
            _send(handler, 307, b"", ("Location", url))
        case _:
            _send(handler, 200, good)


def _reply(contents: list[str]) -> dict[str, object]:
    choices = [
        {"index": n, "message": {"role": "assistant", "content": c}, "finish_reason": "stop"}
        for n, c in enumerate(contents)
    ]
    return {"id": "x", "object": "chat.completion", "choices": choices}


def _send(
    handler: BaseHTTPRequestHandler, status: int, body: bytes, *headers: tuple[str, str]
) -> None:
    handler.send_response(status)
    for name, value in (*headers, ("Content-Length", str(len(body)))):
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)
