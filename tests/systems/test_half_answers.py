"""`openai:` stores whole answers and nothing else, and does not repeat what cannot get better."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hyperbaton.systems.chat.openai import OpenAI
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.store.store import Store
from tests.systems.chat_server import ChatServer, chat_server
from tests.systems.half_answers import REPLIES


@pytest.fixture(scope="module")
def server() -> Iterator[ChatServer]:
    with chat_server() as state:
        yield state


@pytest.mark.parametrize("name", REPLIES)
def test_only_a_whole_answer_is_stored(server: ChatServer, tmp_path: Path, name: str) -> None:
    case = REPLIES[name]
    server.seen.clear()
    server.faults[case.source] = [f"body {case.data.decode()}!"]
    translator = OpenAI(f"m@{server.url}", retries=2, backoff=0.01).open("en", "de")
    with Store(tmp_path) as store:
        (answer,) = translate_all(translator, [case.source], store=store)
        assert store.lookup(translator.signature, [case.source])[case.source] == answer
    assert answer.text == case.text
    assert case.fault in answer.fault
    assert len(server.seen) == (3 if case.again else 1)
