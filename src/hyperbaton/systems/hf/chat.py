"""Decoder-only chat models of transformers, asked for a translation with a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.chat.prompts import answer, messages
from hyperbaton.systems.chat.thoughts import MARKS
from hyperbaton.systems.hf.generation import GeneratingTranslator, Rows
from hyperbaton.systems.system import Translation

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedTokenizerBase

    from hyperbaton.systems.hf import HuggingFace
    from hyperbaton.systems.hf.loading import Loaded

__all__ = ["ChatTranslator"]


class ChatTranslator(GeneratingTranslator):
    """A loaded chat model, for one direction and one mode."""

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
        self._ends = _ends(loaded)

    def _encode(self, texts: Sequence[str], max_length: int | None) -> Rows:
        asked = [
            self._tokenizer.apply_chat_template(
                messages(text, self._source, self._target, self._system.mode),
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
        rows: Rows = produced[:, read:].tolist()
        silent = _silent_tokens(self._tokenizer)
        return [self._judged(row, text, silent) for row, text in zip(rows, texts, strict=True)]

    def _judged(self, row: list[int], text: str, silent: frozenset[int]) -> Translation:
        end = next((place for place, token in enumerate(row) if token in self._ends), None)
        if end is None:
            limit = f"max_length={self._system.max_length}"
            return Translation(None, f"the answer was cut off ({limit})")
        reply = self._tokenizer.decode([token for token in row[:end] if token not in silent])
        return answer(str(reply), text)


def _silent_tokens(tokenizer: PreTrainedTokenizerBase) -> frozenset[int]:
    """Special tokens, but for those that tell thoughts from an answer."""
    added = tokenizer.added_tokens_decoder.items()
    special = {number for number, token in added if token.special} | {*tokenizer.all_special_ids}
    marks = {number for number, token in added if str(token) in MARKS}
    return frozenset(special - marks)


def _ends(loaded: Loaded) -> frozenset[int]:
    """The tokens that end an answer; a chat model may have several."""
    said = loaded.model.generation_config.eos_token_id
    if said is None:
        said = loaded.tokenizer.eos_token_id
    if said is None:
        return frozenset()
    return frozenset(said) if isinstance(said, list) else frozenset((said,))
