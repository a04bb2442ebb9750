"""What a chat model is asked: one prompt per mode, the same for every chat backend."""

from __future__ import annotations

from hyperbaton.language.languages import name
from hyperbaton.systems.chat.thoughts import Unspoken, spoken
from hyperbaton.systems.modes import Mode
from hyperbaton.systems.system import Translation

__all__ = ["PROMPTS", "Message", "answer", "messages"]

Message = dict[str, str]
"""One turn, `role` and `content`, as chat templates and OpenAI-compatible servers want it."""

_OPENING = {'"': '"', "“": "”", "„": "“", "«": "»", "「": "」"}
_ONLY = "Answer with the translation only, on one line, without notes or quotation marks."

PROMPTS: dict[Mode, str] = {
    "plain": f"Translate the following text from {{source}} to {{target}}. {_ONLY}",
    "robust": (
        "Translate the following text from {source} to {target}. Its words may be in the wrong "
        "order or hold mistakes: work out what was meant and translate that, "
        f"in correct and fluent {{target}}. {_ONLY}"
    ),
    "faithful": (
        "Translate the following text from {source} to {target}. Keep to the text exactly as it "
        "stands: where its word order is unusual or a form is wrong, carry the same order "
        f"or mistake over into {{target}} instead of repairing it. {_ONLY}"
    ),
}
"""The instruction of each mode, with the places of the two language names."""


def messages(text: str, source: str, target: str, mode: Mode = "plain") -> list[Message]:
    """The conversation that asks for one translation.

    >>> messages("Hello.", "en", "de")[0]["content"].splitlines()[0][:55]
    'Translate the following text from English to German. An'
    """
    instruction = PROMPTS[mode].format(source=name(source), target=name(target))
    return [{"role": "user", "content": f"{instruction}\n\n{text}"}]


def answer(reply: str, text: str = "") -> Translation:
    """The translation in a reply: without thoughts, spaces, or quotes that the text had not.

    >>> answer('<think>German, then.</think>\\n"Hallo."\\n', "Hello.").text
    'Hallo.'
    >>> answer("<think>German, then.").fault
    'the model was still thinking when its answer ended'
    """
    try:
        found = _unquoted(spoken(reply, text), text)
    except Unspoken as fault:
        return Translation(None, str(fault))
    return Translation(found) if found else Translation(None, "the answer is empty")


def _unquoted(found: str, text: str) -> str:
    if len(found) < 2 or text.strip()[:1] in _OPENING or found[:1] not in _OPENING:
        return found
    inside = found[1:-1]
    quotes = {found[0], _OPENING[found[0]]}
    return inside.strip() if found[-1] in quotes and not quotes & {*inside} else found
