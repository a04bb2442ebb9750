"""A real HTTP server on this machine that speaks the hub's protocol and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tests.hub.folders import COMMIT, OTHER

__all__ = ["Hub", "hub_server"]

BOT = {
    "num": 1,
    "title": "Adding `safetensors` variant of this model",
    "status": "open",
    "author": {"name": "SFconvertbot"},
    "createdAt": "2024-01-01T00:00:00.000Z",
    "isPullRequest": True,
}
"""What the hub's own program proposes to repositories that hold no safetensors."""


@dataclass
class Hub:
    """One repository: `main`, and what a pull request would make of it."""

    name: str
    main: Path
    proposed: Path | None = None
    url: str = ""
    asked: list[str] = field(default_factory=list)
    broken: bool = False

    def revision(self, asked: str) -> tuple[str, Path] | None:
        """The commit that a revision stands for, and its files."""
        if asked in ("main", COMMIT):
            return COMMIT, self.main
        if asked in ("refs/pr/1", OTHER) and self.proposed is not None:
            return OTHER, self.proposed
        return None

    def fetched(self) -> set[str]:
        """The files whose content was sent, with the revision under which they were asked for."""
        start = f"GET /{self.name}/resolve/"
        return {line.removeprefix(start) for line in self.asked if line.startswith(start)}


@contextmanager
def hub_server(name: str, main: Path, proposed: Path | None = None) -> Iterator[Hub]:
    """A hub that holds one model."""
    hub = Hub(name, main, proposed)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            with suppress(BrokenPipeError, ConnectionResetError):
                _serve(self, hub)

        do_HEAD = do_POST = do_GET  # noqa: N815

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _serve(request: BaseHTTPRequestHandler, hub: Hub) -> None:
    path = unquote(urlsplit(request.path).path)
    hub.asked.append(f"{request.command} {path}")
    files, api = f"/{hub.name}/resolve/", f"/api/models/{hub.name}"
    if hub.broken:
        return _answer(request, 503, b"{}")
    if path.startswith(files):
        return _file(request, hub, path.removeprefix(files))
    if path == api or path.startswith(f"{api}/"):
        return _json(request, _facts(hub, path.removeprefix(api)))
    return _missing(request, "RepoNotFound")


def _facts(hub: Hub, asked: str) -> object:
    kind, _, rest = asked.strip("/").partition("/")
    if kind == "discussions":
        return {
            "discussions": [{**BOT, "repo": {"name": hub.name, "type": "model"}}],
            "count": 1,
            "start": 0,
        }
    found = hub.revision(rest or "main")
    if found is None:
        return None
    commit, folder = found
    if kind == "commits":
        date = "2024-01-01T00:00:00.000Z"
        line = [OTHER, COMMIT] if commit == OTHER else [COMMIT]
        said = {"authors": [], "date": date, "title": "", "message": ""}
        return [{"id": one, **said} for one in line]
    names = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
    if kind == "tree":
        return [
            {
                "type": "file",
                "path": name,
                "size": (folder / name).stat().st_size,
                "oid": _digest(folder / name),
            }
            for name in names
        ]
    return {
        "_id": "1",
        "id": hub.name,
        "modelId": hub.name,
        "sha": commit,
        "private": False,
        "tags": [],
        "siblings": [{"rfilename": name} for name in names],
    }


def _file(request: BaseHTTPRequestHandler, hub: Hub, asked: str) -> None:
    for revision in ("main", COMMIT, "refs/pr/1", OTHER):
        if asked.startswith(f"{revision}/"):
            found = hub.revision(revision)
            if found is None:
                return _missing(request, "RevisionNotFound")
            commit, folder = found
            file = folder / asked.removeprefix(f"{revision}/")
            if not file.is_file():
                return _missing(request, "EntryNotFound", commit)
            about = {"ETag": f'"{_digest(file)}"', "X-Repo-Commit": commit}
            return _answer(request, 200, file.read_bytes(), about)
    return _missing(request, "RevisionNotFound")


def _json(request: BaseHTTPRequestHandler, facts: object) -> None:
    if facts is None:
        return _missing(request, "RevisionNotFound")
    return _answer(request, 200, json.dumps(facts).encode())


def _missing(request: BaseHTTPRequestHandler, code: str, commit: str = "") -> None:
    about = {"X-Error-Code": code} | ({"X-Repo-Commit": commit} if commit else {})
    return _answer(request, 404, b"{}", about)


def _answer(
    request: BaseHTTPRequestHandler, status: int, body: bytes, about: dict[str, str] | None = None
) -> None:
    request.send_response(status)
    for name, value in (about or {}).items():
        request.send_header(name, value)
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    if request.command != "HEAD":
        request.wfile.write(body)


def _digest(file: Path) -> str:
    return sha1(file.read_bytes()).hexdigest()
