"""`openai:` against a real server, with every fault that servers have."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.chat.client import retry_after
from hyperbaton.systems.chat.openai import OpenAI
from hyperbaton.systems.execution import PATIENCE, translate_all
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import SYSTEMS, Translation
from tests.systems.chat_server import ChatServer, chat_server

KEY = "sk-a-very-secret-key"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with chat_server() as state:
        yield state


def _translate(
    server: ChatServer, texts: list[str], store: Store | None = None, **options: object
) -> list[Translation]:
    quick: dict[str, object] = {"backoff": 0.02, "timeout": 30.0, **options}
    system = OpenAI(f"model-x@{server.url}", **quick)  # type: ignore[arg-type]
    with system.open("en", "de") as translator:
        return translate_all(translator, texts, store=store)


def test_texts_come_back_in_order_and_the_question_is_complete(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    texts = [f"text {n}" for n in range(300)]
    answers = _translate(server, texts, mode="robust", key_env="OPENAI_API_KEY")
    assert [a.text for a in answers] == [t.upper() for t in texts]
    request = server.seen[0]
    assert request.path == "/v1/chat/completions"
    assert request.key == f"Bearer {KEY}"
    settings = {key: value for key, value in request.body.items() if key != "messages"}
    assert settings == {"model": "model-x", "temperature": 0.0, "seed": 0, "max_tokens": 1024}
    assert "from English to German" in str(request.body["messages"])
    assert len(server.seen) == 300


def test_no_more_requests_at_once_than_allowed(server: ChatServer) -> None:
    server.delay = 0.05
    _translate(server, [f"text {n}" for n in range(20)], concurrency=4)
    assert 2 <= server.most_at_once <= 4


@pytest.mark.parametrize(
    "fault",
    [
        *("429", "500", "503", "cut", "cut-body"),
        *("malformed", "not-an-object", "choices 0", "choices 2"),
    ],
)
def test_a_passing_fault_is_only_a_delay(server: ChatServer, fault: str) -> None:
    server.faults["b"] = [fault]
    answers = _translate(server, ["a", "b", "c"], timeout=30.0)
    assert [a.text for a in answers] == ["A", "B", "C"]
    assert [len(server.asked(text)) for text in "abc"] == [1, 2, 1]


def test_what_comes_too_late_once_is_only_a_delay(server: ChatServer) -> None:
    server.faults.update({"b": ["slow"], "c": ["dribble"]})
    answers = _translate(server, ["a", "b", "c"], timeout=4.0, concurrency=3)
    assert [a.text for a in answers] == ["A", "B", "C"]
    assert [len(server.asked(text)) for text in "abc"] == [1, 2, 2]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("500!", "HTTP 500: not now, after 3 attempts"),
        ("slow!", "no answer within 4 s, after 2 attempts"),
        ("cut!", "the connection failed"),
        ("cut-body!", "the connection was cut in the middle of the answer"),
        ("malformed!", "the reply is not JSON: '{\"choices\": ['"),
        ("choices 2!", "2 choices in the reply instead of one"),
        ("says !", "the answer is empty (finish_reason: stop)"),
        ("400!", "HTTP 400: not now"),
    ],
)
def test_a_lasting_fault_costs_its_own_line_and_can_be_tried_again(
    server: ChatServer, tmp_path: Path, fault: str, reason: str
) -> None:
    server.faults["b"] = [fault]
    with Store(tmp_path) as store:
        retries, timeout = (1, 4.0) if fault == "slow!" else (2, 30.0)
        answers = _translate(server, ["a", "b", "c"], store, retries=retries, timeout=timeout)
        assert [a.text for a in answers] == ["A", None, "C"]
        assert answers[1].fault.startswith(reason)
        once = fault.startswith(("400", "says"))
        assert len(server.asked("b")) == (1 if once else retries + 1)
        server.faults.clear()
        translator = OpenAI(f"model-x@{server.url}").open("en", "de")
        again = translate_all(translator, ["a", "b", "c"], store=store, retry_failed=True)
        assert [a.text for a in again] == ["A", "B", "C"]
        assert len(server.asked("a")) == 1


@pytest.mark.parametrize("fault", ["429 seconds 1", "429 date 2"])
def test_retry_after_is_honoured_by_all_requests(server: ChatServer, fault: str) -> None:
    server.faults["a"] = [fault]
    texts = ["a", "b", "c", "d"]
    assert [a.text for a in _translate(server, texts, concurrency=1)] == ["A", "B", "C", "D"]
    first, second = server.asked("a")
    # A date has whole seconds: up to one of the two may be gone.
    assert 1.0 <= second.moment - first.moment < 4
    assert all(server.asked(text)[0].moment >= second.moment for text in "bcd")


def test_retry_after_stops_the_other_connections_too(server: ChatServer) -> None:
    server.faults["*"] = ["429 seconds 1"]
    server.delay = 0.05
    answers = _translate(server, [f"{n:02}" for n in range(20)], concurrency=2)
    assert all(a.text for a in answers)
    limited = server.seen[0].moment + server.delay
    quiet = [r for r in server.seen if limited + 0.1 < r.moment < limited + 0.95]
    assert not quiet


def test_a_server_that_asks_for_an_hour_ends_the_run_with_a_sentence(
    server: ChatServer, tmp_path: Path
) -> None:
    server.faults["b"] = ["429 seconds 3600!"]
    with Store(tmp_path) as store:
        with pytest.raises(HyperbatonError, match=r"asks to wait 3,600 s .* run the same command"):
            _translate(server, ["a", "b", "c"], store, concurrency=1)
        server.faults.clear()
        assert all(a.text for a in _translate(server, ["a", "b", "c"], store))
    assert len(server.asked("a")) == 1


@pytest.mark.parametrize("status", [401, 403, 404])
def test_what_concerns_all_texts_ends_the_run(
    server: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    server.faults["c"] = [f"echo-key {status}!"]
    with Store(tmp_path) as store:
        with pytest.raises(HyperbatonError) as caught:
            _translate(server, ["a", "b", "c"], store, concurrency=1, key_env="MY_KEY")
        message = str(caught.value)
        assert f"HTTP {status}" in message
        assert "\n" not in message
        assert ("MY_KEY" in message) == (status != 404)
        assert KEY not in message
        server.faults.clear()
        assert all(a.text for a in _translate(server, ["a", "b", "c"], store))
    assert len(server.asked("a")) == 1


@pytest.mark.parametrize("fault", ["402!", 'body {"error": {"code": 402, "message": "not now"}}!'])
def test_an_account_without_money_ends_the_run_at_once(server: ChatServer, fault: str) -> None:
    server.faults["*"] = [fault]
    with pytest.raises(HyperbatonError, match=r"not now; what .* stored: top up the account"):
        _translate(server, [f"text {n}" for n in range(40)], concurrency=2)
    assert len(server.seen) <= 2


def test_the_key_is_written_down_nowhere(
    server: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server.faults["b"] = ["echo-key 400!"]
    system = OpenAI(f"model-x@{server.url}", key_env="OPENAI_API_KEY")
    translator = system.open("en", "de")
    with Store(tmp_path) as store:
        answers = translate_all(translator, ["a", "b"], store=store)
    assert server.seen[0].key == f"Bearer {KEY}"
    assert answers[1].fault.startswith("HTTP 400: wrong key")
    written = str(system) + repr(system) + translator.signature + answers[1].fault
    assert KEY not in written
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert files
    assert all(KEY.encode() not in file.read_bytes() for file in files)


def test_a_redirect_is_not_followed_with_the_key(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with chat_server() as other:
        server.faults["a"] = [f"redirect {other.url}/chat/completions"]
        with pytest.raises(HyperbatonError, match="HTTP 307"):
            _translate(server, ["a"], key_env="OPENAI_API_KEY")
        assert server.seen[0].key == f"Bearer {KEY}"
        assert not other.seen


def test_keys_that_are_missing_or_broken(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    paid = SYSTEMS.parse("openai:gpt-4o-mini").open("en", "de")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(HyperbatonError, match="missing: put it into the variable OPENAI_API_KEY"):
        translate_all(paid, ["a"])
    with pytest.raises(HyperbatonError, match="missing: put it into the variable MY_KEY"):
        _translate(server, ["a"], key_env="MY_KEY")
    monkeypatch.setenv("MY_KEY", "sk-se\ncret")
    with pytest.raises(HyperbatonError, match="MY_KEY contains characters") as caught:
        _translate(server, ["a"], key_env="MY_KEY")
    assert "cret" not in str(caught.value)
    assert _translate(server, ["a"]) == [Translation("A")]
    assert server.seen[-1].key is None


def test_a_server_that_is_not_there_is_given_up_soon() -> None:
    gone = ChatServer(url="http://127.0.0.1:9/v1")
    answers = _translate(gone, [f"text {n}" for n in range(2_000)], retries=1)
    assert all(a.text is None and "refused" in a.fault for a in answers)
    assert sum(a.fault.startswith("not tried") for a in answers) >= 2_000 - 2 * PATIENCE


def test_thoughts_and_line_breaks_are_left_out(server: ChatServer) -> None:
    server.faults["a"] = ["says <think>German\nthen</think>\n\nEin\nHaus "]
    assert _translate(server, ["a"]) == [Translation("Ein Haus")]


@pytest.mark.parametrize(
    ("endpoint", "url"),
    [
        ("m@http://h:8000", "http://h:8000/v1"),
        ("m@http://h:8000/v1/", "http://h:8000/v1"),
        ("m@https://h/api/v3/chat/completions", "https://h/api/v3"),
        ("org/m:7b@http://h/v1", "http://h/v1"),
        ("gpt-4o-mini", "https://api.openai.com/v1"),
    ],
)
def test_addresses(endpoint: str, url: str) -> None:
    signature = SYSTEMS.parse(f"openai:{endpoint}").open("en", "de").signature
    assert signature.startswith(f"openai:{endpoint.split('@')[0]}@{url}|en-de|")


@pytest.mark.parametrize("endpoint", ["m@localhost:8000", "m@http://me:word@h/v1", "m@ftp://h/v1"])
def test_addresses_that_cannot_be(endpoint: str) -> None:
    with pytest.raises(HyperbatonError) as caught:
        SYSTEMS.parse(f"openai:{endpoint}").open("en", "de")
    assert "word@" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "openai:gpt-4o-mini",
        "openai:org/m:7b@http://h:8000/v1(mode=faithful, concurrency=32)",
        "openai:m@http://h/v1(temperature=none, seed=7, max_tokens=none, key_env=MY_KEY)",
    ],
)
def test_specs_print_as_they_are_written(text: str) -> None:
    assert str(SYSTEMS.parse(text)) == text


@pytest.mark.parametrize("options", ["concurrency=0", "timeout=0", "retries=-1", "backoff=-1"])
def test_numbers_that_cannot_be(options: str) -> None:
    with pytest.raises(HyperbatonError, match="must be between"):
        SYSTEMS.parse(f"openai:m({options})")


def test_ctrl_c_does_not_wait_for_the_server(server: ChatServer, tmp_path: Path) -> None:
    server.faults["slow"] = ["slow!"]
    command = ["translate", "--system", f"openai:m@{server.url}", "-l", "en-de"]
    process = subprocess.Popen(
        [sys.executable, "-m", "hyperbaton", *command, "--cache", str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(b"quick\nslow\n")
    process.stdin.close()
    while not (server.asked("slow") and server.asked("quick")):
        time.sleep(0.01)
    while not _stored(tmp_path, server, "quick"):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert process.wait(300) == 130  # the server answers the other text at the end of the test only
    assert process.stderr is not None
    assert b"run the same command again to resume" in process.stderr.read()
    assert _stored(tmp_path, server, "quick") == Translation("QUICK")


def _stored(folder: Path, server: ChatServer, text: str) -> Translation | None:
    translator = SYSTEMS.parse(f"openai:m@{server.url}").open("en", "de")
    with Store(folder) as store:
        return store.lookup(translator.signature, [text]).get(text)


def test_what_changes_the_answer_changes_the_signature() -> None:
    def sign(options: str, target: str = "de") -> str:
        return SYSTEMS.parse(f"openai:m@http://h/v1{options}").open("en", target).signature

    changed = {
        *("(mode=robust)", "(mode=faithful)", "(temperature=0.5)", "(seed=1)"),
        *("(max_tokens=9)", "(temperature=none)", "(seed=none)"),
    }
    signatures = {sign(""), sign("", "fr"), *map(sign, changed)}
    assert len(signatures) == len(changed) + 2
    for same in ("(concurrency=2)", "(timeout=1)", "(retries=0)", "(backoff=3)", "(key_env=K)"):
        assert sign(same) == sign("")


def test_retry_after_in_both_forms_and_in_none() -> None:
    assert retry_after(None) is None
    assert retry_after("soon") is None
    assert retry_after("-3") == 0
    assert retry_after("inf") is None
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT", now=1445412479.0) == 1.0
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (
            {"content": [{"type": "text", "text": "Ein "}, {"type": "text", "text": "Haus"}]},
            "Ein Haus",
        ),
        ({"content": ["Ein ", "Haus"]}, "Ein Haus"),
        ({"content": "<think>So.</think>Ein Haus"}, "Ein Haus"),
    ],
)
def test_an_answer_in_parts_is_joined(
    server: ChatServer, reply: dict[str, object], text: str
) -> None:
    server.faults["a"] = ["replies " + json.dumps({"message": reply, "finish_reason": "stop"})]
    assert _translate(server, ["a"]) == [Translation(text)]


@pytest.mark.parametrize(
    ("reply", "reason", "fault"),
    [
        ({"content": "Ein Ha"}, "length", "the answer was cut off (max_tokens=1024"),
        ({"content": "<think>What is"}, "stop", "still thinking"),
        ({"content": "<think>a</think>b<think>What"}, "stop", "still thinking"),
        (
            {"content": [{"type": "image_url", "image_url": "x"}]},
            "stop",
            "not text but 'image_url'",
        ),
        ({"content": {"text": "Ein Haus"}}, "stop", "not text but dict"),
        ({"content": 7}, "stop", "not text but int"),
        ({"content": None, "refusal": "No."}, "stop", "the answer is empty"),
    ],
)
def test_what_is_no_answer_is_a_fault(
    server: ChatServer, reply: dict[str, object], reason: str, fault: str
) -> None:
    choice = {"message": reply, "finish_reason": reason}
    server.faults["a"] = [f"replies {json.dumps(choice)}!"]
    answers = _translate(server, ["a", "b"], retries=1)
    assert answers[0].text is None
    assert fault in answers[0].fault
    assert answers[1] == Translation("B")
