"""What a chat model is asked, and the translation in its answer: without its thoughts and quotes.

A mark of thoughts counts as one only beyond those that the source text has itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from hyperbaton.language.languages import name
from hyperbaton.systems.system import Mode, Translation

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

_THOUGHTS = (
    ("<think>", "</think>"),  # DeepSeek, Qwen, GLM and most others
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("◁think▷", "◁/think▷"),  # Kimi
    ("[THINK]", "[/THINK]"),  # Mistral
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),  # Cohere
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<|channel>", "<channel|>"),  # Gemma
    ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),  # Kimi K3
)
_ANSWERS = (
    ("<answer>", "</answer>"),
    ("<|begin_of_solution|>", "<|end_of_solution|>"),
    ("<|START_RESPONSE|>", "<|END_RESPONSE|>"),
    ("<|open|>response<|sep|>", "<|close|>response<|sep|>"),
)
_HARMONY = ("<|start|>", "<|channel|>", "<|constrain|>", "<|message|>")
_HARMONY_ENDS = ("<|end|>", "<|return|>", "<|call|>")
MARKS = frozenset(
    (*_HARMONY, *_HARMONY_ENDS, *(mark for pair in (*_THOUGHTS, *_ANSWERS) for mark in pair))
)
"""All of them: tokenizers may count some as special tokens, which decoding leaves out."""
_MESSAGE = re.compile(
    r"(?:<\|channel\|>\s*+(?P<channel>\w*+)[^<]*+)?(?:<\|constrain\|>[^<]*+)?<\|message\|>"
    r"(?P<body>.*?)(?=<\|(?:start|channel|end|return|call)\|>|\Z)",
    re.DOTALL,
)
# What is left of gpt-oss's channels where a server drops its special tokens.
_RAW_ANSWER = "assistantfinal"
_RAW_THOUGHT = re.compile(r"\A\s*(?:analysis|commentary)(?=[A-Z])|assistant(?:analysis|commentary)")
_UNFINISHED = "the model was still thinking when its answer ended"
_UNCLEAR = "it cannot be told where the model's thoughts end: the text has such marks itself"


def messages(text: str, source: str, target: str, mode: Mode = "plain") -> list[Message]:
    """The conversation that asks for one translation.

    >>> messages("Hello.", "en", "de")[0]["content"].splitlines()[0][:55]
    'Translate the following text from English to German. An'
    """
    instruction = PROMPTS[mode].format(source=name(source), target=name(target))
    return [{"role": "user", "content": f"{instruction}\n\n{text}"}]


def gemma_messages(text: str, source: str, target: str) -> list[dict[str, object]]:
    """The conversation that TranslateGemma's chat template takes: a text with its two languages.

    >>> gemma_messages("Hello.", "en", "pt_BR")[0]["content"][0]["target_lang_code"]
    'pt-BR'
    """
    codes = {
        f"{side}_lang_code": code.replace("_", "-")
        for side, code in (("source", source), ("target", target))
    }
    return [{"role": "user", "content": [{"type": "text", **codes, "text": text}]}]


def answer(reply: str, text: str = "") -> Translation:
    """The translation in a reply: without thoughts, spaces, or quotes that the text had not.

    >>> answer('<think>German, then.</think>\\n"Hallo."\\n', "Hello.").text
    'Hallo.'
    >>> answer("<think>German, then.").fault
    'the model was still thinking when its answer ended'
    """
    try:
        translation = _unquoted(spoken(reply, text), text)
    except Unspoken as fault:
        return Translation(None, str(fault))
    return Translation(translation) if translation else Translation(None, "the answer is empty")


def _unquoted(reply: str, text: str) -> str:
    if len(reply) < 2 or text.strip()[:1] in _OPENING or reply[:1] not in _OPENING:
        return reply
    inside = reply[1:-1]
    quotes = {reply[0], _OPENING[reply[0]]}
    return inside.strip() if reply[-1] in quotes and not quotes & {*inside} else reply


class Unspoken(Exception):
    """A reply that holds thoughts and no answer that can be told from them."""


def spoken(reply: str, text: str = "") -> str:
    """The part of a reply to a text that is its answer; Unspoken where there is none.

    >>> spoken("<think>German, then.</think>\\n\\nHallo.")
    'Hallo.'
    >>> spoken("analysisGerman, then.assistantfinalHallo.")
    'Hallo.'
    """
    reply = _last_message(reply, text)
    pairs = [_Pair(*marks) for marks in _THOUGHTS]
    while tails := [tail for pair in pairs if (tail := pair.after(reply, text)) is not None]:
        # Thoughts may speak of other marks: what ends last is outermost.
        reply = min(tails, key=len)
    for pair in pairs:
        if pair.exceeds(reply, text):
            raise Unspoken(_UNCLEAR if pair.counts(text) != (0, 0) else _UNFINISHED)
    return _unwrapped(reply, text).strip()


@dataclass(frozen=True)
class _Pair:
    """The marks around thoughts, in capitals or not."""

    opening: str
    closing: str

    def counts(self, text: str) -> tuple[int, int]:
        """How many of each are in a text."""
        low = text.lower()
        return low.count(self.opening.lower()), low.count(self.closing.lower())

    def exceeds(self, reply: str, text: str) -> bool:
        """Whether a reply has marks that the text it translates has not."""
        return any(a > b for a, b in zip(self.counts(reply), self.counts(text), strict=True))

    def after(self, reply: str, text: str) -> str | None:
        """What follows the thoughts: it has the marks of the text, neither more nor fewer."""
        # Only behind one of the closing marks are there as many of them as in the text.
        beyond = self.counts(reply)[1] - self.counts(text)[1]
        closing = re.finditer(re.escape(self.closing), reply, re.IGNORECASE)
        mark = next(islice(closing, beyond - 1, None), None) if beyond > 0 else None
        tail = "" if mark is None else reply[mark.end() :]
        return tail if mark is not None and self.counts(tail) == self.counts(text) else None


def _last_message(reply: str, text: str) -> str:
    """The final message of gpt-oss; other replies as they are."""
    if any(mark in text for mark in (*_HARMONY, *_HARMONY_ENDS, _RAW_ANSWER)):
        if any(reply.count(mark) > text.count(mark) for mark in ("<|message|>", _RAW_ANSWER)):
            raise Unspoken(_UNCLEAR)
        return reply
    messages = list(_MESSAGE.finditer(reply))
    final = [one["body"] for one in messages if one["channel"] in (None, "final")]
    if final:
        return final[-1]
    if messages:
        # Some servers keep the marks of the thoughts and drop those of the answer.
        reply = reply.rpartition("<|end|>")[2] if "<|end|>" in reply else ""
        if not reply.strip() or any(mark in reply for mark in _HARMONY):
            raise Unspoken(_UNFINISHED)
    if _RAW_ANSWER in reply:
        return reply.rpartition(_RAW_ANSWER)[2]
    if _RAW_THOUGHT.search(reply) and not _RAW_THOUGHT.search(text):
        raise Unspoken(_UNFINISHED)
    for end in _HARMONY_ENDS:
        reply = reply.rstrip().removesuffix(end)
    return reply


def _unwrapped(reply: str, text: str) -> str:
    """An answer without the marks around it."""
    reply = reply.strip()
    for opening, closing in _ANSWERS:
        if reply.startswith(opening) and opening not in text:
            if closing not in reply:
                raise Unspoken("the answer was cut off: the mark that ends it is missing")
            return reply.removeprefix(opening).rpartition(closing)[0]
    return reply
