"""`--max-cost` counts every request that is sent, and `--time-limit` ends those that wait."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hyperbaton.base.errors import OutOfBudget
from hyperbaton.pipeline import execute
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import SYSTEMS
from tests.pipeline.small import corpus, job
from tests.systems.chat_server import ChatServer, chat_server

A_CHARACTER = 1_000_000.0
"""The price of a million characters that makes one cost 1."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with chat_server() as state:
        yield state


def _system(server: ChatServer, **options: object) -> str:
    settings = {"retries": 9, "backoff": 0.001, "concurrency": 4, **options}
    said = ", ".join(f"{name}={value}" for name, value in settings.items())
    return f"openai:m@{server.url}({said})"


def _execute(folder: Path, system: str, limits: dict[str, Any], **options: object) -> None:
    execute(job(folder, systems=(system,), **limits, **options), folder / "run")


def _paid(folder: Path) -> float:
    path = folder / "run" / "costs.json"
    return float(sum(json.loads(path.read_text()).values())) if path.exists() else 0.0


def _sent(server: ChatServer) -> int:
    return sum(len(seen.text) for seen in server.seen)


def _answered(folder: Path, system: str, server: ChatServer) -> set[str]:
    """The texts that were sent and whose translations are stored."""
    signature = SYSTEMS.parse(system).open("en", "de").signature
    texts = list({seen.text for seen in server.seen})
    with Store(folder / "cache") as store:
        signed = (signature, f"{signature}|again")
        found = [answers for name in signed for answers in store.lookup(name, texts).items()]
    return {text for text, answer in found if answer.text is not None}


def test_every_request_is_paid_for(tmp_path: Path, server: ChatServer) -> None:
    system = _system(server)
    for item in corpus(4).items():
        server.faults[str(item.source_text)] = ["malformed"] * 5
    server.faults["*"] = ["500", "malformed", "cut", "429 seconds 0"]
    limits = {"max_cost": 10**6, "prices": {system: A_CHARACTER}}
    _execute(tmp_path, system, limits, corpora=(corpus(4),))
    assert len(server.seen) > len({seen.text for seen in server.seen}) + 20
    assert _paid(tmp_path) == _sent(server)


def test_no_request_is_sent_that_is_not_paid_for(tmp_path: Path, server: ChatServer) -> None:
    system = _system(server, retries=1000, backoff=0)
    server.faults["*"] = ["malformed!"]
    limits = {"max_cost": 2000, "prices": {system: A_CHARACTER}}
    with pytest.raises(OutOfBudget, match="--max-cost 2000 is reached"):
        _execute(tmp_path, system, limits)
    assert 1900 < _sent(server) <= 2000
    assert _paid(tmp_path) == _sent(server)


def test_what_was_paid_for_is_waited_for_and_stored(tmp_path: Path, server: ChatServer) -> None:
    system = _system(server, concurrency=8)
    server.delay = 0.05
    limits = {"max_cost": 2000, "prices": {system: A_CHARACTER}}
    with pytest.raises(OutOfBudget):
        _execute(tmp_path, system, limits)
    assert _answered(tmp_path, system, server) == {seen.text for seen in server.seen}
    assert _paid(tmp_path) == _sent(server)
    whole = {"max_cost": 10**6, "prices": {system: A_CHARACTER}}
    _execute(tmp_path, system, whole)
    assert _paid(tmp_path) == _sent(server)


def test_a_server_that_is_not_there_costs_nothing(tmp_path: Path) -> None:
    system = "openai:m@http://127.0.0.1:9/v1(retries=1, backoff=0.001)"
    _execute(tmp_path, system, {"max_cost": 5, "prices": {system: A_CHARACTER}})
    assert _paid(tmp_path) == 0


def _time_is_up_after(
    requests: int, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> dict[str, Any]:
    """A limit that is reached when the server has seen so many requests."""
    clock = SimpleNamespace(monotonic=lambda: 1e9 * (len(server.seen) >= requests))
    monkeypatch.setattr("hyperbaton.pipeline.engine.budgets.time", clock)
    return {"time_limit": 1e6}


def test_a_run_out_of_time_sends_nothing_more(
    tmp_path: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hyperbaton.systems.chat.crew.LAST", 0.5)
    system = _system(server, timeout=3600)
    server.faults["*"] = ["slow!"]
    limits = _time_is_up_after(4, server, monkeypatch)
    with pytest.raises(OutOfBudget, match="--time-limit is reached"):
        _execute(tmp_path, system, limits)
    assert len(server.seen) == 4  # one on each connection, and none again
    server.faults.clear()
    _execute(tmp_path, system, {})
    # None of them was stored as failed.
    assert _answered(tmp_path, system, server) == {seen.text for seen in server.seen}


def test_a_run_out_of_time_keeps_what_is_under_way(
    tmp_path: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = _system(server)
    server.delay = 0.2
    limits = _time_is_up_after(10, server, monkeypatch)
    with pytest.raises(OutOfBudget, match="--time-limit is reached"):
        _execute(tmp_path, system, limits)
    assert 10 <= len(server.seen) <= 14
    assert _answered(tmp_path, system, server) == {seen.text for seen in server.seen}


def test_a_run_out_of_time_does_not_wait_to_try_again(
    tmp_path: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hyperbaton.systems.chat.client._LONGEST_BACKOFF", 3600.0)
    system = _system(server, backoff=3600)
    server.faults["*"] = ["500!"]
    limits = _time_is_up_after(4, server, monkeypatch)
    began = time.monotonic()
    with pytest.raises(OutOfBudget, match="--time-limit is reached"):
        _execute(tmp_path, system, limits)
    assert time.monotonic() - began < 900  # the shortest pause is half an hour
    assert len(server.seen) == 4
