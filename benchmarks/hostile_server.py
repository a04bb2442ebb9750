"""Every way in which a server has been seen to go wrong, or could: what `openai:` makes of it.

    python -m benchmarks.hostile_server
    python -m benchmarks.hostile_server --timeout 5 --only slow

Four groups, all against servers on this machine. `half`: answers that are not whole, and thoughts.
`slow`: replies that never end, in each place of an exchange. `key`: replies that repeat the key.
`money`: what is sent, and what is counted of it. Prints a line for each: requests, seconds, and
what was stored. Ends with status 1 when something is stored that is no translation, a request takes
longer than `--timeout` and a margin, the key is found anywhere, or a request was not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryDirectory

from hyperbaton.base.errors import HyperbatonError, OutOfBudget
from hyperbaton.pipeline import execute
from hyperbaton.systems.chat.openai import OpenAI
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.store.store import Store
from tests.pipeline.small import job
from tests.systems.chat_server import chat_server
from tests.systems.dribbling import SLOW, Slow, slow_server
from tests.systems.half_answers import REPLIES, SOURCE
from tests.systems.hostile import HOSTILE

MARGIN = 5.0
"""Seconds beyond the timeout that a busy machine may take."""
KEY = "sk-Zq83HfmW0pXcT5vbLr29"
PARTS = [KEY[at : at + 8].lower() for at in range(len(KEY) - 7)]


@dataclass(frozen=True)
class Seen:
    """What came of a scenario."""

    group: str
    name: str
    requests: int
    seconds: float
    stored: str
    wrong: str = ""

    def __str__(self) -> str:
        mark = f"   WRONG: {self.wrong}" if self.wrong else ""
        stored = self.stored if len(self.stored) < 70 else f"{self.stored[:69]}…"
        return (
            f"{self.group:<6} {self.name:<32} {self.requests:>8} {self.seconds:>8.2f}  "
            f"{stored}{mark}"
        )


@dataclass(frozen=True)
class Asked:
    """What one text came to."""

    text: str | None
    told: str
    """The fault, or the sentence that ended the job."""
    seconds: float
    leaks: bool
    """Whether the key is in what was told or stored."""

    @property
    def stored(self) -> str:
        """In words."""
        return repr(self.text) if self.text is not None else f"nothing: {self.told}"


def ask(url: str, text: str, **options: object) -> Asked:
    """Send one text and look at everything that is left of it."""
    system = OpenAI(f"m@{url}", backoff=0.01, **options)  # type: ignore[arg-type]
    began = time.monotonic()
    with TemporaryDirectory(prefix="hyperbaton-hostile-") as folder:
        with Store(Path(folder)) as store:
            try:
                (answer,) = translate_all(system.open("en", "de"), [text], store=store)
                found, told = answer.text, answer.fault
            except HyperbatonError as error:
                found, told = None, str(error)
        seconds = time.monotonic() - began
        files = (path.read_bytes() for path in Path(folder).rglob("*") if path.is_file())
        data = (told.encode() + b"".join(files)).decode(errors="replace").lower()
    return Asked(found, told, seconds, any(part in data for part in PARTS))


def half() -> Iterator[Seen]:
    """Answers that are not whole."""
    with chat_server() as server:
        for name, case in REPLIES.items():
            server.seen.clear()
            server.faults[case.source] = [f"body {case.data.decode()}!"]
            asked = ask(server.url, case.source, retries=2)
            requests = len(server.seen)
            wrong = ""
            if asked.text != case.text:
                wrong = f"{case.text!r} should be stored"
            elif requests != (3 if case.again else 1):
                wrong = "asked again in vain"
            yield Seen("half", name, requests, asked.seconds, asked.stored, wrong)


def slow(timeout: float) -> Iterator[Seen]:
    """Replies that never end, to requests that are repeated once (a busy server: four times)."""
    for name, case in SLOW.items():
        text = SOURCE if case.reads else "house " * 3_000_000
        with slow_server(case) as server:
            asked = ask(server.url, text, timeout=timeout, retries=1)
            yield _in_time(name, server.connections, asked, timeout)
    silent = Slow(lambda: repeat(b""), reads=False)
    with slow_server(silent) as server:
        url = server.url.replace("http:", "https:")
        asked = ask(url, SOURCE, timeout=timeout, retries=1)
        yield _in_time("encryption, silent", server.connections, asked, timeout)
    with slow_server(Slow(SLOW["header"].pieces, reads=False)) as server:
        url = server.url.replace("http:", "https:")
        asked = ask(url, SOURCE, timeout=timeout, retries=1)
        yield _in_time("encryption, nonsense", server.connections, asked, timeout)
    for name in ("silence", "status line", "header", "continue"):
        with slow_server(SLOW[name]) as server, _environment("https_proxy", server.url[:-3]):
            asked = ask("https://models.example/v1", SOURCE, timeout=timeout, retries=1)
            yield _in_time(f"proxy, {name}", server.connections, asked, timeout)
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        fillers = [socket.socket() for _ in range(8)]
        for one in fillers:
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        url = f"http://127.0.0.1:{full.getsockname()[1]}/v1"
        yield _in_time(
            "no place in the queue", 0, ask(url, SOURCE, timeout=timeout, retries=1), timeout
        )
        for one in fillers:
            one.close()
    with _name_server_that_is_silent():
        asked = ask("http://models.example/v1", SOURCE, timeout=timeout, retries=1)
        yield _in_time("name server", 0, asked, timeout)


def _in_time(name: str, connections: int, asked: Asked, timeout: float) -> Seen:
    wrong = ""
    if asked.text is not None:
        wrong = "something was stored"
    elif asked.seconds > max(2, connections) * timeout + MARGIN:
        wrong = f"more than {timeout:g} s for a request"
    return Seen("slow", name, connections, asked.seconds, asked.stored, wrong)


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    before = {key: os.environ.get(key) for key in (name, "no_proxy")}
    os.environ.pop("no_proxy", None)
    os.environ[name] = value
    try:
        yield
    finally:
        for key, old in before.items():
            os.environ.pop(key, None)
            if old is not None:
                os.environ[key] = old


@contextmanager
def _name_server_that_is_silent() -> Iterator[None]:
    """The one thing that cannot be had on this machine without its administrator."""
    before, over = socket.getaddrinfo, threading.Event()

    def look_up(*args: object, **kwargs: object) -> object:
        over.wait(600)
        raise socket.gaierror("no answer")

    socket.getaddrinfo = look_up  # type: ignore[assignment]
    try:
        yield
    finally:
        socket.getaddrinfo = before
        over.set()


def key() -> Iterator[Seen]:
    """Replies that repeat the key they were given."""
    with chat_server() as server, _environment("HOSTILE_KEY", KEY):
        server.faults[SOURCE] = ["said to nobody"]
        asked = ask(server.url, SOURCE)
        wrong = "a key that nobody named was sent" if server.seen[0].key else ""
        yield Seen("key", "no key_env", len(server.seen), asked.seconds, asked.stored, wrong)
        for name in HOSTILE:
            server.seen.clear()
            server.faults[SOURCE] = [f"hostile {name}!"]
            asked = ask(server.url, SOURCE, retries=1, timeout=10, key_env="HOSTILE_KEY")
            wrong = "the key is there" if asked.leaks else ""
            if asked.text is not None:
                wrong = "something was stored"
            yield Seen("key", name, len(server.seen), asked.seconds, asked.stored, wrong)
        for url in ("http://models.example/v1", "http://192.168.1.7/v1"):
            server.seen.clear()
            with _environment("http_proxy", server.url[:-3]):
                asked = ask(url, SOURCE, key_env="HOSTILE_KEY")
            wrong = "something was sent" if server.seen else ""
            yield Seen("key", url, len(server.seen), asked.seconds, asked.stored, wrong)


FAULTS: dict[str, list[str]] = {
    "good replies": [],
    "five unreadable": ["malformed"] * 5,
    "broken, cut, busy": ["500", "cut", "429 seconds 0", "choices 2", "cut-body"],
    "unreadable for ever": ["malformed!"],
}


def money(most: float) -> Iterator[Seen]:
    """A study against servers that have everything sent again, with a sum and without end."""
    for name, faults in FAULTS.items():
        for sum_, how in ((most, "stopped"), (1e9, "to its end")):
            if faults[-1:] == ["malformed!"] and sum_ > most:
                continue
            yield _spent(f"{name}, {how}", faults, sum_)


def _spent(name: str, faults: list[str], most: float) -> Seen:
    began = time.monotonic()
    with chat_server() as server, TemporaryDirectory(prefix="hyperbaton-hostile-") as place:
        folder = Path(place)
        system = f"openai:m@{server.url}(retries=50, backoff=0, concurrency=8)"
        server.faults = _EachText(faults)
        limits = {"max_cost": most, "prices": {system: 1_000_000.0}}
        wrong = ""
        try:
            execute(job(folder, systems=(system,), **limits), folder / "run")
        except OutOfBudget:
            wrong = "" if most < 1e9 else "it was stopped"
        costs = folder / "run" / "costs.json"
        paid = sum(json.loads(costs.read_text()).values()) if costs.exists() else 0
        sent = sum(len(seen.text) for seen in server.seen)
        if paid != sent:
            wrong = f"{sent} characters were sent and {paid:g} counted"
        elif sent > most:
            wrong = f"{sent} characters were sent, {most:g} allowed"
        told = f"{sent} characters sent, {paid:g} counted, {most:g} allowed"
        requests = len(server.seen)
    return Seen("money", name, requests, time.monotonic() - began, told, wrong)


class _EachText(dict[str, list[str]]):
    """The same faults for every text, each time anew."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__()
        self._faults = faults

    def __missing__(self, text: str) -> list[str]:
        self[text] = [] if text == "*" else list(self._faults)
        return self[text]


def main() -> None:
    """Go through all scenarios, and print what was seen."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--timeout", type=float, default=2.0, help="seconds for one request")
    parser.add_argument(
        "--most", type=float, default=3000.0, help="characters that may be paid for"
    )
    parser.add_argument("--only", choices=("half", "slow", "key", "money"))
    args = parser.parse_args()
    os.environ["OPENAI_API_KEY"] = KEY
    groups: dict[str, Callable[[], Iterator[Seen]]] = {
        "half": half,
        "slow": lambda: slow(args.timeout),
        "key": key,
        "money": lambda: money(args.most),
    }
    print(f"{'group':<6} {'scenario':<32} {'requests':>8} {'seconds':>8}  what was stored")
    wrong = count = 0
    for name, group in groups.items():
        if args.only in (None, name):
            for seen in group():
                count += 1
                wrong += bool(seen.wrong)
                print(seen, flush=True)
    print(f"{count} scenarios, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
