"""What a reply of an OpenAI-compatible server says, or why it cannot be read."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

_THINKING = ("thinking", "reasoning", "reasoning_content")
"""Where a message or a part of its content holds thoughts beside the answer."""
_TOOL = "the model called a tool instead of answering"
_ENDINGS = {
    "length": "the answer was cut off",
    "content_filter": "the server's content filter broke the answer off",
    "error": "the server broke the answer off",
    "tool_calls": _TOOL,
    "function_call": _TOOL,
}


@dataclass(frozen=True)
class Reply:
    """What the model said, and why it stopped."""

    content: str
    finish_reason: str
    """As the server has it; empty where it gives none."""
    thoughts: bool = False
    """Whether the model's thoughts stand beside the content."""


class Unreadable(Exception):
    """A reply that is not of the protocol; the next one may be."""


class NoAnswer(Unreadable):
    """A reply of the protocol that holds no answer; the next one would hold none either."""


class WebPage(Unreadable):
    """A page for people where a reply should be."""


class Failure(Unreadable):
    """An error in place of an answer, or beside one that it broke off."""

    def __init__(self, message: str, status: int | None) -> None:
        super().__init__(message)
        self.status = status
        """That of HTTP which the server means, where it names one."""


def read_reply(data: bytes) -> Reply:
    """The one answer in a reply; content in several parts of text is joined."""
    reply = parsed(data)
    reply = reply if isinstance(reply, dict) else {}
    _must_succeed(reply)
    choices = reply.get("choices")
    if not isinstance(choices, list):
        raise Unreadable(f"the reply holds no choices: {_quoted(data)}")
    if len(choices) != 1:
        raise Unreadable(f"{len(choices)} choices in the reply instead of one")
    choice = choices[0] if isinstance(choices[0], dict) else {}
    _must_succeed(choice)
    message = choice.get("message")
    if not isinstance(message, dict) or "content" not in message:
        raise NoAnswer(f"the reply holds no content: {_quoted(data)}")
    if message.get("refusal"):
        raise NoAnswer(_refusal(message))
    if message.get("tool_calls") or message.get("function_call"):
        raise NoAnswer(_TOOL)
    content = _text(message["content"])
    reason = choice.get("finish_reason")
    return Reply(content, "" if reason is None else str(reason), _has_thoughts(message))


def parsed(data: bytes) -> object:
    """The JSON of a reply."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        if re.match(rb"\s*<(!doctype|html)", data[:200], re.IGNORECASE):
            raise WebPage(f"with a web page instead of JSON: {_quoted(data)}") from None
        raise Unreadable(f"the reply is not JSON: {_quoted(data)}") from None


def ending(reason: str) -> str:
    """Why an answer that ended for this reason is no whole one; empty where it is.

    >>> ending("stop"), ending("content_filter")
    ('', "the server's content filter broke the answer off")
    """
    return "" if reason in ("", "stop") else _ENDINGS.get(reason, "the answer ended too early")


def _must_succeed(holder: Mapping[str, object]) -> None:
    """Raise the error that a reply or its choice holds, whatever else is there."""
    error = holder.get("error")
    if error:
        code = str(error.get("code")) if isinstance(error, dict) else ""
        status = int(code) if re.fullmatch(r"[1-5]\d\d", code) else None
        raise Failure(f"the server reports an error: {_words(error)}", status)


def _text(content: object) -> str:
    # No content at all is what servers send when they filter it.
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, list):
        return "".join(map(_part, content))
    raise NoAnswer(f"the content of the reply is not text but {type(content).__name__}")


def _has_thoughts(message: Mapping[str, object]) -> bool:
    parts = message["content"] if isinstance(message["content"], list) else []
    kinds = (part.get("type") for part in parts if isinstance(part, dict))
    return any(map(message.get, _THINKING)) or not {*_THINKING}.isdisjoint(map(str, kinds))


def _part(part: object) -> str:
    """The text of one part, as `{"type": "text", "text": "…"}`; of thoughts, none."""
    text = part
    if isinstance(part, dict):
        kind = part.get("type", "text")
        if kind in _THINKING:
            return ""
        if kind == "refusal":
            raise NoAnswer(_refusal(part))
        text = part.get("text") if kind in ("text", "output_text") else None
    if not isinstance(text, str):
        kind = part.get("type") if isinstance(part, dict) else type(part).__name__
        raise NoAnswer(f"a part of the reply's content is not text but {kind!r}")
    return text


def _refusal(holder: Mapping[str, object]) -> str:
    refusal = f"the model refused: {holder.get('refusal')}"
    return refusal if holder.get("content") else f"the answer is empty, and {refusal}"


def complaint(text: str) -> str:
    """The server's own words, from the usual places of an error reply.

    >>> complaint('{"error": {"message": "no such model"}}')
    'no such model'
    """
    try:
        reply = json.loads(text)
        # Gemini puts its error into a list.
        reply = reply[0] if isinstance(reply, list) and reply else reply
        return _words(reply.get("error", reply))
    except (ValueError, AttributeError, RecursionError):
        return text


def _words(error: object) -> str:
    if not isinstance(error, dict):
        return str(error)
    # DeepL gives a detail beside its message.
    said = (error.get(name) for name in ("message", "detail"))
    return ": ".join(s for s in said if isinstance(s, str)) or str(error.get("message", error))


def _quoted(data: bytes) -> str:
    return repr(data.decode(errors="replace"))
