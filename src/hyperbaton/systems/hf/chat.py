"""Decoder-only chat models of transformers, asked for a translation with a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from hyperbaton.errors import HyperbatonError
from hyperbaton.systems.hf.generation import GeneratingTranslator, Rows
from hyperbaton.systems.prompts import answer, is_unfinished, messages
from hyperbaton.systems.system import Translation

if TYPE_CHECKING:
    import torch

    from hyperbaton.systems.hf import HuggingFace
    from hyperbaton.systems.hf.loading import Loaded

__all__ = ["ChatTranslator"]


class ChatTranslator(GeneratingTranslator):
    """A loaded chat model, for one direction and one behaviour."""

    # What is written goes on from the last token read, so the padding stands before the first.
    side: Literal["left", "right"] = "left"

    def __init__(
        self, system: HuggingFace, loaded: Loaded, source: str, target: str, signed: str
    ) -> None:
        super().__init__(system, loaded, source, target, signed)
        if not self._tokenizer.chat_template:
            raise HyperbatonError(
                f"{system.model} has no chat template, so it cannot be asked for a translation: "
                "name its chat or instruct version"
            )
        # Reading and writing share the positions of a decoder-only model.
        self._max_input = max(1, self._max_input - system.max_length)
        self._decoding["pad_token_id"] = self._filler

    def _encode(self, texts: Sequence[str], max_length: int | None) -> Rows:
        asked = [
            self._tokenizer.apply_chat_template(
                messages(text, self._source, self._target, self._system.behaviour),
                tokenize=False,
                add_generation_prompt=True,
                enable_thinking=False,
            )
            for text in texts
        ]
        # The template has written the special tokens already.
        rows: Rows = self._tokenizer(asked, add_special_tokens=False, verbose=False)["input_ids"]
        return rows

    def _decode(self, produced: torch.Tensor, read: int, texts: Sequence[str]) -> list[Translation]:
        replies = self._tokenizer.batch_decode(produced[:, read:], skip_special_tokens=True)
        return [_judged(str(reply), text) for reply, text in zip(replies, texts, strict=True)]


def _judged(reply: str, text: str) -> Translation:
    if is_unfinished(reply):
        return Translation(None, "the model was still thinking when its answer ended")
    found = answer(reply, text)
    return Translation(found) if found else Translation(None, "the answer is empty")
