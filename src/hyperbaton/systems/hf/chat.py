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
        written = produced[:, read:]
        replies = self._tokenizer.batch_decode(written, skip_special_tokens=True)
        cut = [not self._ends.intersection(row) for row in written.tolist()]
        return [
            self._judged(str(reply), text, is_cut)
            for reply, text, is_cut in zip(replies, texts, cut, strict=True)
        ]

    def _judged(self, reply: str, text: str, is_cut: bool) -> Translation:
        if is_cut:
            limit = f"max_length={self._system.max_length}"
            return Translation(None, f"the answer was cut off ({limit})")
        return _read(reply, text)


def _read(reply: str, text: str) -> Translation:
    if is_unfinished(reply):
        return Translation(None, "the model was still thinking when its answer ended")
    found = answer(reply, text)
    return Translation(found) if found else Translation(None, "the answer is empty")


def _ends(loaded: Loaded) -> frozenset[int]:
    """The tokens that end an answer; a chat model may have several."""
    said = loaded.model.generation_config.eos_token_id
    if said is None:
        said = loaded.tokenizer.eos_token_id
    if said is None:
        return frozenset()
    return frozenset(said) if isinstance(said, list) else frozenset((said,))
