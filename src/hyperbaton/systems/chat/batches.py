"""Batch interfaces of paid servers: requests and results, in the words of each house."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from hyperbaton.base.content import parse_object
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.chat.openai import _OpenAITranslator
from hyperbaton.systems.chat.replies import Reply, Unreadable, complaint, read_reply
from hyperbaton.systems.store.exchange import read_lines
from hyperbaton.systems.store.store import text_id
from hyperbaton.systems.system import System, Translation, Translator

House = Literal["openai", "anthropic", "gemini"]
"""Mistral, Azure, Together and vLLM read and write what OpenAI does."""
_ENDS = {
    **dict.fromkeys(("end_turn", "stop_sequence", "STOP"), "stop"),
    **dict.fromkeys(("max_tokens", "MAX_TOKENS"), "length"),
    **dict.fromkeys(("refusal", "SAFETY", "PROHIBITED_CONTENT", "RECITATION"), "content_filter"),
}


def chat_translator(system: System, translator: Translator) -> _OpenAITranslator:
    """A translator that has a batch interface, or a sentence."""
    if not isinstance(translator, _OpenAITranslator):
        raise HyperbatonError(f"'{system}' is no chat model: name one, as openai:MODEL")
    return translator


def request_line(translator: _OpenAITranslator, text: str, house: House) -> str:
    """The line of one text in a file of requests."""
    body, key = translator.body(text), text_id(text)
    line: dict[str, object]
    if house == "openai":
        path = "/v1/chat/completions"
        line = {"custom_id": key, "method": "POST", "url": path, "body": body}
    elif house == "anthropic":
        _only(house, body, "model", "messages", "temperature", "max_tokens", "seed")
        # Its own interface has no seed; that of OpenAI's form passes it over.
        line = {"custom_id": key, "params": {k: v for k, v in body.items() if k != "seed"}}
    else:
        _only(house, body, "model", "messages", "temperature", "max_tokens", "seed")
        names = {"max_tokens": "max_output_tokens", "temperature": "temperature", "seed": "seed"}
        config = {new: body[old] for old, new in names.items() if old in body}
        asked = [{"role": "user", "parts": [{"text": translator.prompt(text)}]}]
        line = {"key": key, "request": {"contents": asked, "generation_config": config}}
    return json.dumps(line, ensure_ascii=False)


def _only(house: House, body: Mapping[str, object], *names: str) -> None:
    if further := [name for name in body if name not in names]:
        raise HyperbatonError(
            f"requests for {house} cannot hold {' and '.join(further)}: leave it out of the system"
        )


def is_results(path: Path) -> bool:
    """Whether a file holds the results of a batch."""
    if path.suffix != ".jsonl":
        return False
    first = next((line for line in read_lines(path) if line.strip()), "")
    try:
        record = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and (
        "custom_id" in record or ("key" in record and bool({"response", "error"} & {*record}))
    )


def read_results(
    path: Path, sources: Mapping[str, str], translator: _OpenAITranslator
) -> Iterator[tuple[str, Translation]]:
    """The translation of each text by its id, or the fault why there is none."""
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        record = parse_object(line, f"{path}, line {number}")
        key = record.get("custom_id", record.get("key"))
        if not isinstance(key, str):
            raise HyperbatonError(f"{path}, line {number}: no result of a batch has this form")
        try:
            reply = _reply(record)
        except Unreadable as error:
            yield key, Translation(None, str(error))
        except (KeyError, IndexError, TypeError, AttributeError):
            yield key, Translation(None, f"the result cannot be read: {line[:200]}")
        else:
            yield key, translator.translation(reply, sources.get(key, ""))


def _reply(record: Mapping[str, object]) -> Reply:
    """What the model said; Unreadable with the server's words where it said nothing."""
    if error := record.get("error"):
        raise Unreadable(complaint(json.dumps({"error": error})))
    if isinstance(result := record.get("result"), dict):
        if result["type"] != "succeeded":
            said = result.get("error") or {"message": f"the request is {result['type']}"}
            raise Unreadable(complaint(json.dumps(said)))
        message = result["message"]
        return _joined(message["content"], "type", message.get("stop_reason"))
    response = record["response"]
    if isinstance(response, dict) and "candidates" in response:
        (candidate,) = response["candidates"]
        parts = candidate.get("content", {}).get("parts", [])
        return _joined(parts, "thought", candidate.get("finishReason"))
    if not isinstance(response, dict):
        raise Unreadable("the result holds no response")
    if response.get("status_code", 200) != 200:
        raise Unreadable(complaint(json.dumps(response["body"])))
    return read_reply(json.dumps(response["body"]).encode())


def _joined(parts: list[dict[str, str]], mark: str, end: object) -> Reply:
    """The text of the parts of an answer, without those that are thoughts."""
    thoughts = [part for part in parts if part.get(mark) not in (None, False, "text")]
    text = "".join(part["text"] for part in parts if part not in thoughts)
    return Reply(text, _ENDS.get(str(end), str(end or "")), bool(thoughts))
