"""Replies of a server that repeats the key it was given, in every place a reply has."""

from __future__ import annotations

import json
from collections.abc import Callable

__all__ = ["HOSTILE"]

Raw = Callable[[str], bytes]


def _http(status: str, body: object, *headers: str) -> bytes:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(data)}", *headers, "", ""]
    return "\r\n".join(head).encode() + data


def _choice(content: object, reason: object = "stop", **message: object) -> dict[str, object]:
    return {"choices": [{"message": {"content": content, **message}, "finish_reason": reason}]}


def _error(message: object) -> dict[str, object]:
    return {"error": {"message": message, "type": "x"}}


HOSTILE: dict[str, Raw] = {
    # Good replies by their status.
    "text": lambda key: _http("200 OK", f"denied: Bearer {key}".encode()),
    "html": lambda key: _http("200 OK", f"<pre>Authorization: Bearer {key}</pre>".encode()),
    "latin-1": lambda key: _http("200 OK", f"\xe9 {key} \xff".encode("latin-1")),
    "cut-json": lambda key: _http("200 OK", f'{{"choices": [{{"key": "{key}"'.encode()),
    "no-choices": lambda key: _http("200 OK", {"headers": {"Authorization": f"Bearer {key}"}}),
    "list": lambda key: _http("200 OK", [key]),
    "string": lambda key: _http("200 OK", key),
    "two-choices": lambda key: _http("200 OK", {"choices": [{"k": key}, {"k": key}]}),
    "choices-object": lambda key: _http("200 OK", {"choices": {"key": key}}),
    "choice-string": lambda key: _http("200 OK", {"choices": [key]}),
    "no-message": lambda key: _http("200 OK", {"choices": [{"text": key}]}),
    "no-content": lambda key: _http("200 OK", {"choices": [{"message": {"key": key}}]}),
    "content-key": lambda key: _http("200 OK", _choice(f"Your key is {key}.")),
    "content-upper": lambda key: _http("200 OK", _choice(f"Your key is {key.upper()}.")),
    "content-half": lambda key: _http("200 OK", _choice(f"It ends in {key[-14:]}.")),
    "content-parts": lambda key: _http(
        "200 OK", _choice([{"text": key[:9], "type": "text"}, {"text": key[9:], "type": "text"}])
    ),
    "content-image": lambda key: _http("200 OK", _choice([{"type": f"image {key}"}])),
    "content-object": lambda key: _http("200 OK", _choice({"key": key})),
    "content-escaped": lambda key: _http(
        "200 OK",
        b'{"choices": [{"message": {"content": "'
        + "".join(f"\\u{ord(c):04x}" for c in key).encode()
        + b'"}}]}',
    ),
    "reason": lambda key: _http("200 OK", _choice("", reason=key)),
    "think": lambda key: _http("200 OK", _choice(f"<think>The key is {key}")),
    "deep": lambda key: _http("200 OK", b"[" * 100_000 + key.encode()),
    # Errors.
    "401": lambda key: _http("401 No", _error(f"wrong key {key}")),
    "403-text": lambda key: _http("403 No", f"wrong key {key}".encode()),
    "404": lambda key: _http("404 No", _error(f"nothing for {key}")),
    "400": lambda key: _http("400 No", _error(f"{key}{key} {key[:10]}*** {key[5:]}")),
    "400-cut": lambda key: _http("400 No", _error("x" * 185 + key)),
    "400-cut-later": lambda key: _http("400 No", _error("x" * 290 + key)),
    "400-object": lambda key: _http("400 No", _error({"sent": {"Authorization": key}})),
    "400-json-string": lambda key: _http("400 No", f"Bearer {key}"),
    "400-control": lambda key: _http("400 No", _error(f"\x1b[2J\x1b]0;{key}\x07\x00")),
    "429": lambda key: _http("429 Busy", _error(f"{key} is busy"), "Retry-After: 0"),
    "429-long": lambda key: _http("429 Busy", _error(f"{key} is busy"), "Retry-After: 9999"),
    "500": lambda key: _http("500 Oh", _error(f"Bearer {key} broke it")),
    "quota": lambda key: _http("400 No", _error(f"insufficient_quota for {key}")),
    "redirect": lambda key: _http("307 There", b"", f"Location: http://{key}.example/"),
    # No HTTP at all.
    "status-line": lambda key: f"HTTP/9 {key}\r\n\r\n".encode(),
    "no-http": lambda key: f"{key}\r\n\r\n".encode(),
    "bad-length": lambda key: f"HTTP/1.1 200 OK\r\nContent-Length: {key}\r\n\r\n{key}".encode(),
    "bad-chunk": lambda key: (
        f"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{key}\r\n".encode()
    ),
    "reason-phrase": lambda key: _http(f"500 {key}", b""),
}
