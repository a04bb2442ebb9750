"""Batch interfaces of paid servers: requests out, results in, counted as the system's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hyperbaton.cli.main import main
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import SYSTEMS

TEXTS = ["The cat drinks milk.", "“Hello,” she said.", "Bad text.", "Cut off.", "Lost."]
SYSTEM = "openai:m@https://models.example/v1"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.en").write_text("\n".join([*TEXTS, TEXTS[0]]) + "\n")
    return tmp_path


def exported(house: str, *more: str) -> list[dict[str, object]]:
    command = ["export", "in.en", "--format", house, "--system", SYSTEM, "-l", "en-de"]
    assert main([*command, "-o", "batch.jsonl", *more]) == 0
    lines = Path("batch.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _openai(key: str, text: str, end: str) -> dict[str, object]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": end}
    body = {"id": "x", "choices": [choice]}
    return {"id": "b", "custom_id": key, "response": {"status_code": 200, "body": body}}


def _anthropic(key: str, text: str, end: str) -> dict[str, object]:
    content = [{"type": "thinking", "thinking": "so"}, {"type": "text", "text": text}]
    message = {"content": content, "stop_reason": {"stop": "end_turn", "length": "max_tokens"}[end]}
    return {"custom_id": key, "result": {"type": "succeeded", "message": message}}


def _gemini(key: str, text: str, end: str) -> dict[str, object]:
    content = {"parts": [{"text": "so", "thought": True}, {"text": text}], "role": "model"}
    reason = {"stop": "STOP", "length": "MAX_TOKENS"}[end]
    return {"key": key, "response": {"candidates": [{"content": content, "finishReason": reason}]}}


_SAID = {"message": "Unsupported value: 'temperature' does not support 0"}
MADE = {"openai": _openai, "anthropic": _anthropic, "gemini": _gemini}
FAILED: dict[str, dict[str, object]] = {
    "openai": {"response": {"status_code": 400, "body": {"error": _SAID}}, "error": None},
    "anthropic": {"result": {"type": "errored", "error": {"type": "error", "error": _SAID}}},
    "gemini": {"error": {"code": 400, **_SAID}},
}


@pytest.mark.parametrize("house", MADE)
def test_results_of_a_batch_count_as_the_systems_own(
    folder: Path, house: str, capsys: pytest.CaptureFixture[str]
) -> None:
    requests = exported(house)
    assert len(requests) == len(TEXTS)
    name = "key" if house == "gemini" else "custom_id"
    keys = [str(request[name]) for request in requests]
    assert len({*keys}) == len(TEXTS)
    assert all(
        text in json.dumps(r, ensure_ascii=False) for text, r in zip(TEXTS, requests, strict=True)
    )
    make = MADE[house]
    results = [
        make(keys[1], "„Hallo“, sagte sie.", "stop"),
        make(keys[0], '"Die Katze\ntrinkt Milch."', "stop"),
        {name: keys[2], **FAILED[house]},
        make(keys[3], "Abge", "length"),
        make("f" * 32, "nobody asked", "stop"),
    ]
    Path("out.jsonl").write_text("".join(f"{json.dumps(r)}\n" for r in results))
    command = ["import", "out.jsonl", "--system", SYSTEM, "-l", "en-de"]
    assert main(command) == 2
    assert "name its texts with --sources" in capsys.readouterr().err
    assert main([*command, "--sources", "in.en"]) == 1
    said = capsys.readouterr()
    assert "1 text failed: Unsupported value: 'temperature'" in said.err
    assert "1 text failed: the answer was cut off" in said.err
    assert "no answer to 3 of 5 texts" in said.err
    assert "2 translations imported" in said.out
    signature = SYSTEMS.parse(SYSTEM).open("en", "de").signature
    with Store() as store:
        found = {text: answer.text for text, answer in store.lookup(signature, TEXTS).items()}
    assert found == {TEXTS[0]: "Die Katze trinkt Milch.", TEXTS[1]: "„Hallo“, sagte sie."}


def test_requests_are_what_would_be_sent(folder: Path) -> None:
    (first, *_) = exported("openai")
    assert first["url"] == "/v1/chat/completions"
    body = first["body"]
    assert isinstance(body, dict)
    translator = SYSTEMS.parse(SYSTEM).open("en", "de")
    assert body == translator.body(TEXTS[0])  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--format", "openai"], "requests are for a chat model and a language pair"),
        (["--format", "openai", "--system", "deepl", "-l", "en-de"], "'deepl' is no chat model"),
        (
            ["--format", "gemini", "--system", "openai:m(effort=low)", "-l", "en-de"],
            "requests for gemini cannot hold reasoning_effort",
        ),
    ],
)
def test_mistakes_are_one_sentence(
    folder: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "in.en", *arguments]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "line", ['{"custom_id": 7}', '{"custom_id": "a"}\n[]', '{"key": "a", "error": 1}\n{']
)
def test_damaged_results_are_one_sentence_or_a_missing_text(
    folder: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("out.jsonl").write_text(line)
    command = ["import", "out.jsonl", "--system", SYSTEM, "-l", "en-de", "--sources", "in.en"]
    assert main(command) in (1, 2)
    assert "Traceback" not in capsys.readouterr().err
