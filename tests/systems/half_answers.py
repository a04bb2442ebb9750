"""Replies with status 200 that hold half an answer, thoughts, or none, as servers send them."""

from __future__ import annotations

import json
from dataclasses import dataclass

__all__ = ["REPLIES", "SOURCE", "Case"]

SOURCE = "a red house"
GOOD = "Ein rotes Haus"


@dataclass(frozen=True)
class Case:
    """What a server sends for a text, and what may be stored of it."""

    body: object
    text: str | None = None
    """The translation; None where the reply is a fault."""
    fault: str = ""
    """What the fault says."""
    again: bool = False
    """Whether it is a passing fault, so that the text is sent again."""
    source: str = SOURCE

    @property
    def data(self) -> bytes:
        """The reply as it is sent."""
        return json.dumps(self.body, ensure_ascii=False).encode()


def _choice(message: object, reason: object = "stop", **more: object) -> dict[str, object]:
    return {"choices": [{"index": 0, "message": message, "finish_reason": reason, **more}]}


def _says(content: object, reason: object = "stop", **more: object) -> dict[str, object]:
    return _choice({"role": "assistant", "content": content, **more}, reason)


def _ended(reason: object, fault: str) -> Case:
    return Case(_says("Ein rotes", reason), fault=fault)


def _thought(content: object, text: str = GOOD, source: str = SOURCE) -> Case:
    return Case(_says(content), text, source=source)


def _unfinished(content: object, source: str = SOURCE) -> Case:
    return Case(_says(content), fault="still thinking", source=source)


def _cut(content: object) -> Case:
    return Case(_says(content), fault="the answer was cut off")


_ANALYSIS = "<|channel|>analysis<|message|>The user wants German.<|end|>"
_FINAL = "<|start|>assistant<|channel|>final<|message|>"
_THINKING = {"type": "thinking", "thinking": [{"type": "text", "text": "German, then."}]}

REPLIES: dict[str, Case] = {
    # Why the answer ended.
    "stop": Case(_says(GOOD), GOOD),
    "none given": Case(_says(GOOD, None), GOOD),
    "no finish_reason": Case({"choices": [{"message": {"content": GOOD}}]}, GOOD),
    "length": _ended("length", "the answer was cut off (max_tokens=1024; finish_reason: length)"),
    "content_filter": _ended("content_filter", "content filter"),
    "error": _ended("error", "broke the answer off"),
    "tool_calls": _ended("tool_calls", "called a tool"),
    "function_call": _ended("function_call", "called a tool"),
    "abort": _ended("abort", "finish_reason: abort"),
    "number": _ended(0, "finish_reason: 0"),
    "object": _ended({"type": "stop"}, "finish_reason: {'type': 'stop'}"),
    "a tool beside text": Case(
        _says("Ein rotes", tool_calls=[{"type": "function", "function": {"name": "f"}}]),
        fault="called a tool",
    ),
    "no tool": Case(_says(GOOD, tool_calls=[], refusal=None, function_call=None), GOOD),
    "refusal": Case(_says(None, refusal="I cannot."), fault="the model refused: I cannot."),
    "refusal beside text": Case(_says("Ein", refusal="I cannot."), fault="the model refused"),
    # An error in a reply that has status 200.
    "error beside choices": Case(
        {**_says("Ein rotes"), "error": {"code": 400, "message": "provider says no"}},
        fault="provider says no",
    ),
    "error without a code": Case(
        {**_says("Ein rotes"), "error": "provider says no"}, fault="provider says no"
    ),
    "error in the choice": Case(
        _choice({"content": "Ein rotes"}, "stop", error={"code": 403, "message": "flagged"}),
        fault="flagged",
    ),
    "passing error": Case(
        {**_says("Ein rotes"), "error": {"code": 502, "message": "provider is gone"}},
        fault="provider is gone",
        again=True,
    ),
    "error alone": Case(
        {"error": {"code": 400, "message": "too long for us"}}, fault="too long for us"
    ),
    "no error": Case({**_says(GOOD), "error": None}, GOOD),
    # Where the answer should be.
    "no content": Case(_choice({"role": "assistant"}), fault="holds no content"),
    "thoughts and no content": Case(
        _choice({"role": "assistant", "reasoning": "German, then."}), fault="holds no content"
    ),
    "no message": Case({"choices": [{"finish_reason": "stop"}]}, fault="holds no content"),
    "message text": Case(_choice("Ein rotes Haus"), fault="holds no content"),
    "null": Case(_says(None), fault="the answer is empty"),
    "thoughts and null": Case(
        _says(None, reasoning_content="German, then."), fault="the model wrote thoughts only"
    ),
    "thoughts beside": Case(_says(GOOD, reasoning_content="German, then."), GOOD),
    "reasoning beside": Case(_says(GOOD, reasoning="German, then."), GOOD),
    "object content": Case(_says({"text": GOOD}), fault="not text but dict"),
    "image": Case(_says([{"type": "image_url"}]), fault="not text but 'image_url'"),
    # Parts.
    "thinking part": _thought([_THINKING, {"type": "text", "text": GOOD}]),
    "thinking parts alone": Case(_says([_THINKING]), fault="the model wrote thoughts only"),
    "reasoning part": _thought(
        [{"type": "reasoning", "text": "German, then."}, {"type": "text", "text": GOOD}]
    ),
    "refusal part": Case(_says([{"type": "refusal", "refusal": "No."}]), fault="refused: No."),
    # Thoughts in the text.
    "think": _thought(f"<think>German, then.</think>\n\n{GOOD}"),
    "think in capitals": _thought(f"<THINK>German, then.</THINK>\n\n{GOOD}"),
    "think closed only": _thought(f"German, then.</think>{GOOD}"),
    "think twice": _thought(f"<think>Hm.</think><think>German.</think>{GOOD}"),
    "think open": _unfinished("<think>German, then."),
    "think open again": _unfinished(f"<think>Hm.</think>{GOOD}<think>Or"),
    "think about think": _thought(f"<think>No <thinking> here.</think>{GOOD}"),
    "thinking": _thought(f"<thinking>German, then.</thinking>{GOOD}"),
    "thinking open": _unfinished("<thinking>German, then."),
    "thought": _thought(f"<thought>German, then.</thought>{GOOD}"),
    "thought open": _unfinished("<thought>German, then."),
    "reasoning": _thought(f"<reasoning>German, then.</reasoning>\n{GOOD}"),
    "seed": _thought(f"<seed:think>German, then.</seed:think>{GOOD}"),
    "kimi": _thought(f"◁think▷German, then.◁/think▷{GOOD}"),
    "kimi k3": _thought(
        "<|open|>think<|sep|>German.<|close|>think<|sep|>"
        f"<|open|>response<|sep|>{GOOD}<|close|>response<|sep|>"
    ),
    "mistral": _thought(f"[THINK]German, then.[/THINK]{GOOD}"),
    "mistral open": _unfinished("[THINK]German, then."),
    "mistral about think": _thought(f"[THINK]Is <think> meant?[/THINK]{GOOD}"),
    "thought and solution": _thought(
        "<|begin_of_thought|>German, then.<|end_of_thought|>\n\n"
        f"<|begin_of_solution|>{GOOD}<|end_of_solution|>"
    ),
    "solution open": _cut(
        "<|begin_of_thought|>German.<|end_of_thought|><|begin_of_solution|>Ein rotes"
    ),
    "think and answer": _thought(f"<think>German.</think>\n<answer>\n{GOOD}\n</answer>"),
    "cohere": _thought(
        "<|START_THINKING|>German.<|END_THINKING|>"
        f"<|START_RESPONSE|>{GOOD}<|END_RESPONSE|>"
    ),
    "gemma": _thought(f"<|channel>thought\nGerman, then.\n<channel|>{GOOD}"),
    "gemma open": _unfinished("<|channel>thought\nGerman, then."),
    # gpt-oss.
    "harmony": _thought(f"{_ANALYSIS}{_FINAL}{GOOD}<|return|>"),
    "harmony from the start": _thought(f"<|start|>assistant{_ANALYSIS}{_FINAL}{GOOD}<|end|>"),
    "harmony final alone": _thought(f"<|channel|>final<|message|>{GOOD}"),
    "harmony constrained": _thought(
        f"{_ANALYSIS}<|start|>assistant<|channel|>final <|constrain|>text<|message|>{GOOD}"
    ),
    "harmony as llama.cpp": _thought(f"{_ANALYSIS}{GOOD}"),
    "harmony with a preamble": _thought(
        f"{_ANALYSIS}<|start|>assistant<|channel|>commentary<|message|>Now then.<|end|>{_FINAL}"
        f"{GOOD}"
    ),
    "harmony unfinished": _unfinished("<|channel|>analysis<|message|>The user wants German."),
    "harmony without an answer": _unfinished(_ANALYSIS),
    "harmony without a final": _unfinished(
        f"{_ANALYSIS}<|start|>assistant<|channel|>analysis<|message|>So"
    ),
    "raw": _thought(f"analysisThe user wants German.assistantfinal{GOOD}"),
    "raw without its start": _thought(f"We need German. Fine.assistantfinal{GOOD}"),
    "raw with a preamble": _thought(f"analysisGerman.assistantcommentaryNow.assistantfinal{GOOD}"),
    "raw unfinished": _unfinished("analysisThe user wants German."),
    "raw unfinished later": _unfinished("We need German.assistantanalysisOr French?"),
    # A text that has such words itself keeps them.
    "think in the text": _thought("Das <think> hier.", "Das <think> hier.", "The <think> here."),
    "both in the text": _thought(
        "Erst <think>, dann </think>.", "Erst <think>, dann </think>.", "<think> and </think>."
    ),
    "think about a text with think": _thought(
        "<think>It says <think>.</think>Das <think> hier.", "Das <think> hier.", "The <think> here."
    ),
    "think about a text with an end": _thought(
        "<think>It says </think>, hm.</think>Das </think> hier.",
        "Das </think> hier.",
        "The </think> here.",
    ),
    "unclear": Case(
        _says("<think>It says </think> somewhere."),
        fault="cannot be told where the model's thoughts end",
        source="The </think> here.",
    ),
    "mark in the text": _thought("Das [THINK] hier.", "Das [THINK] hier.", "The [THINK] here."),
    "channel in the text": _thought(
        "Erst <|channel|>, dann <|message|>.",
        "Erst <|channel|>, dann <|message|>.",
        "First <|channel|>, then <|message|>.",
    ),
    "analysis as a word": _thought("analysis of the red house", "analysis of the red house"),
    "analysis in the text": _thought(
        "analysisData stays.", "analysisData stays.", "analysisData bleibt."
    ),
    "assistantfinal in the text": _thought(
        "Nach assistantfinal kommt es.",
        "Nach assistantfinal kommt es.",
        "It comes after assistantfinal.",
    ),
    "answer in the text": _thought(
        "<answer>Ja</answer>", "<answer>Ja</answer>", "<answer>yes</answer>"
    ),
    "word for thought": _thought("Der Gedanke <i>hier</i>.", "Der Gedanke <i>hier</i>."),
}  # fmt: skip
