"""Servers that refuse parameters are asked as they want it; what is sent is in the signature."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.cli.main import main
from hyperbaton.pipeline import Run
from hyperbaton.systems.chat.refusals import refused_parameters
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.survey import survey
from hyperbaton.systems.system import SYSTEMS, Translation
from tests.systems.chat_server import ChatServer, chat_server

SENT = ("temperature", "seed", "max_tokens", "reasoning_effort")

Refusals = Mapping[str, tuple[int, object]]

GPT5: Refusals = {
    "max_tokens": (
        400,
        {
            "error": {
                "message": "Unsupported parameter: 'max_tokens' is not supported with this model. "
                "Use 'max_completion_tokens' instead.",
                "type": "invalid_request_error",
                "param": "max_tokens",
                "code": "unsupported_parameter",
            }
        },
    ),
    "temperature": (
        400,
        {
            "error": {
                "message": "Unsupported value: 'temperature' does not support 0 with this model. "
                "Only the default (1) value is supported.",
                "type": "invalid_request_error",
                "param": "temperature",
                "code": "unsupported_value",
            }
        },
    ),
}
_UNKNOWN = 'Invalid JSON payload received. Unknown name "seed": Cannot find field.'
GEMINI: Refusals = {
    "seed": (
        400,
        [{"error": {"code": 400, "message": _UNKNOWN, "status": "INVALID_ARGUMENT"}}],
    )
}
_DETAIL = {
    "type": "extra_forbidden",
    "loc": ["body", "seed"],
    "msg": "Extra inputs are not permitted",
    "input": 0,
}
MISTRAL: Refusals = {
    "seed": (422, {"object": "error", "message": {"detail": [_DETAIL]}, "param": None})
}
CLAUDE: Refusals = {
    "temperature": (
        400,
        {
            "type": "error",
            "error": {
                "type": "invalid_request_error",
                "message": "`temperature` is deprecated for this model.",
            },
        },
    )
}
HOUSES: dict[str, Refusals] = {
    "gpt-5": GPT5,
    "gemini": GEMINI,
    "mistral": MISTRAL,
    "claude": CLAUDE,
}
TAKEN: dict[str, dict[str, object]] = {
    "gpt-5": {"seed": 0, "max_completion_tokens": 1024},
    "gemini": {"temperature": 0.0, "max_tokens": 1024},
    "mistral": {"temperature": 0.0, "max_tokens": 1024},
    "claude": {"seed": 0, "max_tokens": 1024},
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with chat_server() as state:
        yield state


@pytest.mark.parametrize("house", HOUSES)
def test_a_refusal_is_answered_once_told_and_signed(
    server: ChatServer, tmp_path: Path, house: str, caplog: pytest.LogCaptureFixture
) -> None:
    server.refuses = HOUSES[house]
    texts = [f"text {n}" for n in range(40)]
    spec = f"openai:{house}@{server.url}"
    with Store(tmp_path) as store, caplog.at_level(logging.WARNING):
        translator = SYSTEMS.parse(spec).open("en", "de")
        asked_for = translator.signature
        answers = translate_all(translator, texts, store=store)
        assert [a.text for a in answers] == [t.upper() for t in texts]
        assert len(server.seen) == len(texts)
        sent = {k: v for k, v in server.seen[0].body.items() if k not in ("model", "messages")}
        assert sent == TAKEN[house]
        assert translator.signature != asked_for
        for name, value in TAKEN[house].items():
            assert f"|{name}:{value}" in translator.signature
        for name in HOUSES[house]:
            assert f"|{name}:" not in translator.signature
            assert name in caplog.text
        # Refused requests are under way on all connections at most, once for each parameter.
        assert len(server.refused) <= 8 * len(HOUSES[house])
        # The store has them under what was sent, and nothing under what was not.
        assert len(store.lookup(translator.signature, texts)) == len(texts)
        assert not any(a.text for a in store.lookup(asked_for, texts).values())

        server.seen.clear()
        server.refused.clear()
        again = SYSTEMS.parse(spec).open("en", "de")
        assert survey(again, [*texts, "new"], store=store).to_send == ("new",)
        again = SYSTEMS.parse(spec).open("en", "de")
        assert translate_all(again, texts, store=store) == answers
        assert again.signature == translator.signature
        assert not server.seen
        assert not server.refused


def test_without_a_store_it_works_as_well(server: ChatServer) -> None:
    server.refuses = GPT5
    translator = SYSTEMS.parse(f"openai:gpt-5@{server.url}").open("en", "de")
    assert translate_all(translator, ["a", "b"]) == [Translation("A"), Translation("B")]
    assert translate_all(translator, ["c"]) == [Translation("C")]


def test_answers_under_other_terms_are_never_mixed(server: ChatServer, tmp_path: Path) -> None:
    spec = f"openai:m@{server.url}"
    with Store(tmp_path) as store:
        before = SYSTEMS.parse(spec).open("en", "de")
        translate_all(before, ["a", "b"], store=store)
        server.refuses = CLAUDE  # another model under the same name
        now = SYSTEMS.parse(spec).open("en", "de")
        translate_all(now, ["b", "c"], store=store)
        assert now.signature != before.signature
        assert {*store.lookup(before.signature, ["a", "b", "c"])} == {"a", "b"}
        assert {*store.lookup(now.signature, ["a", "b", "c"])} == {"b", "c"}


def test_what_somebody_asked_for_is_not_left_out(server: ChatServer) -> None:
    said = "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model."
    server.refuses = {
        "reasoning_effort": (400, {"error": {"message": said, "param": "reasoning_effort"}}),
        "top_k": (400, {"error": {"message": 'Unknown name "top_k": Cannot find field.'}}),
    }
    for option, name in (("effort=minimal", "reasoning_effort"), ('extra={"top_k": 5}', "top_k")):
        system = SYSTEMS.parse(f"openai:m@{server.url}({option})")
        with pytest.raises(HyperbatonError, match=f"change {name} in the options"):
            translate_all(system.open("en", "de"), ["a", "b"])


def test_effort_and_extra_are_sent_and_signed(server: ChatServer) -> None:
    spec = f'openai:m@{server.url}(effort="none", extra={{"chat": {{"think": false}}, "top_k": 5}})'
    system = SYSTEMS.parse(spec)
    assert str(system) == spec
    assert SYSTEMS.parse(spec.replace('"none"', "none")) == system
    translator = system.open("en", "de")
    translate_all(translator, ["a"])
    body = server.seen[0].body
    assert body["reasoning_effort"] == "none"
    assert body["chat"] == {"think": False}
    assert body["top_k"] == 5
    assert '|extra:{"chat": {"think": false}, "top_k": 5}|' in translator.signature
    assert "|reasoning_effort:none" in translator.signature


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ('extra={"model": "x"}', "cannot hold 'model'"),
        ("extra=[]", "not a JSON object"),
        ("extra={a}", "not JSON"),
        ("dialect=translategemma, mode=robust", "takes no instruction"),
    ],
)
def test_mistakes_are_one_sentence(options: str, said: str) -> None:
    with pytest.raises(HyperbatonError, match=said):
        SYSTEMS.parse(f"openai:m@http://h/v1({options})")


def test_translategemma_gets_its_own_message(server: ChatServer) -> None:
    system = SYSTEMS.parse(f"openai:m@{server.url}(dialect=translategemma)")
    translator = system.open("en", "pt_BR")
    assert translate_all(translator, ["Hello."]) == [Translation("HELLO.")]
    part = {"type": "text", "source_lang_code": "en", "target_lang_code": "pt-BR"}
    expected = [{"role": "user", "content": [{**part, "text": "Hello."}]}]
    assert server.seen[0].body["messages"] == expected
    plain = SYSTEMS.parse(f"openai:m@{server.url}").open("en", "pt_BR")
    assert translator.signature != plain.signature


def test_a_thinking_model_that_was_cut_says_what_helps(server: ChatServer) -> None:
    message = {"content": "", "reasoning": "Let me think"}
    choice = {"message": message, "finish_reason": "length"}
    server.faults["a"] = [f"replies {json.dumps(choice)}"]
    translator = SYSTEMS.parse(f"openai:m@{server.url}").open("en", "de")
    (answer,) = translate_all(translator, ["a"])
    assert "max_tokens=1024" in answer.fault
    assert "effort=none" in answer.fault


def test_a_study_signs_what_is_sent_and_asks_sources_twice(
    server: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    server.refuses = GPT5
    (tmp_path / "in.en").write_text("The cat drinks milk.\nShe reads a book.\n")
    spec = f"openai:gpt-5@{server.url}"
    out = str(tmp_path / "run")
    command = ["surface", str(tmp_path / "in.en"), "-l", "en-de", "--system", spec, "--out", out]
    assert main(command) == 0
    run = Run(tmp_path / "run")
    (signature,) = run.record.systems[spec].values()
    assert "max_completion_tokens:1024" in signature
    assert "temperature" not in signature
    assert len(server.asked("The cat drinks milk.")) == 2
    assert run.record.batch_bound == {spec: ("en-de",)}
    assert main(command) == 0
    assert len(server.asked("The cat drinks milk.")) == 2


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        (
            r"{\"error\":{\"message\":\"`temperature` is deprecated for this model.\"}}",
            "temperature",
        ),
        ("models don't support temperature=0.0. Only temperature=1 is supported", "temperature"),
        ("x does not support parameters: ['seed', 'temperature'], for model=x", "seed temperature"),
        ("'max_tokens' is too large: the model's context length is 512 tokens", ""),
        ("You requested 9000 tokens. Please reduce max_tokens", ""),
        ("Unrecognized request argument supplied: seed", "seed"),
        (
            "Unsupported parameter: 'seed'. Supported parameters are: temperature, max_tokens",
            "seed",
        ),
        ("`temperature` may only be set to 1 when thinking is enabled.", "temperature"),
        ("Additional properties are not allowed ('seed' was unexpected)", "seed"),
        ("The text speaks of temperature. It is not allowed by the policy.", ""),
        ("not now", ""),
        ('{"error": {"param": "temperature", "message": "must be between 0 and 2"}}', ""),
    ],
)
def test_refusals_are_read_as_servers_write_them(said: str, refused: str) -> None:
    assert " ".join(refused_parameters(said, SENT)) == refused


@pytest.mark.parametrize("depth", [0, 3])
def test_no_reply_takes_long_to_read(depth: int) -> None:
    for text in ("[" * 100_000, '{"a":' * 2000, "unsupported " * 100_000, "\\" * 200_000):
        assert refused_parameters(text, SENT) == {}
