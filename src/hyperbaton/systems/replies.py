"""What a reply of an OpenAI-compatible server says, or why it cannot be read."""

from __future__ import annotations

import json
from dataclasses import dataclass

__all__ = ["Reply", "Unreadable", "complaint", "read_reply"]


_REASONS = ("stop", "length", "content_filter", "tool_calls", "function_call")
"""The protocol's reasons; what else a server writes there is not repeated."""


@dataclass(frozen=True)
class Reply:
    """What the model said, and why it stopped."""

    content: str
    finish_reason: str


class Unreadable(Exception):
    """A reply that is not of the protocol."""


def read_reply(data: bytes) -> Reply:
    """The one answer in a reply; content in several parts of text is joined."""
    try:
        reply = json.loads(data)
    except (ValueError, RecursionError):
        raise Unreadable(f"the reply is not JSON: {_quoted(data)}") from None
    choices = reply.get("choices") if isinstance(reply, dict) else None
    if not isinstance(choices, list):
        raise Unreadable(f"the reply holds no choices: {_quoted(data)}")
    if len(choices) != 1:
        raise Unreadable(f"{len(choices)} choices in the reply instead of one")
    choice = choices[0] if isinstance(choices[0], dict) else {}
    message = choice.get("message")
    if not isinstance(message, dict) or "content" not in message:
        raise Unreadable(f"the reply holds no content: {_quoted(data)}")
    reason = choice.get("finish_reason")
    return Reply(_text(message["content"]), reason if reason in _REASONS else "not given")


def _text(content: object) -> str:
    # No content at all is what servers send when they filter it.
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, list):
        return "".join(map(_part, content))
    raise Unreadable(f"the content of the reply is not text but {type(content).__name__}")


def _part(part: object) -> str:
    """The text of one part, as `{"type": "text", "text": "…"}`."""
    text = part.get("text") if isinstance(part, dict) else part
    if not isinstance(text, str):
        kind = part.get("type") if isinstance(part, dict) else type(part).__name__
        raise Unreadable(f"a part of the reply's content is not text but {kind!r}")
    return text


def complaint(text: str) -> str:
    """The server's own words, from the usual places of an error reply.

    >>> complaint('{"error": {"message": "no such model"}}')
    'no such model'
    """
    said: object = text
    try:
        reply = json.loads(text)
        error = reply.get("error", reply)
        said = error.get("message", error) if isinstance(error, dict) else error
    except (ValueError, AttributeError, RecursionError):
        pass
    return str(said)


def _quoted(data: bytes) -> str:
    return repr(data.decode(errors="replace"))
