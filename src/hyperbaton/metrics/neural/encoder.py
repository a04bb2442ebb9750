"""An encoder of the hub's format: texts in, the states of their tokens out."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hyperbaton.encoders.hf import readable_tokens
from hyperbaton.errors import HyperbatonError
from hyperbaton.extras import need
from hyperbaton.metrics.neural.batches import by_length
from hyperbaton.metrics.neural.models import (
    Source,
    device_of,
    folder_of,
    refuse_without_safetensors,
)
from hyperbaton.tokenizing import load_folder

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["Encoder", "States", "load_encoder"]

_PREFIX_SPACE = ("Roberta", "GPT2")
"""Tokenizers that know a word by the space before it, so the first word needs one too."""


class States(NamedTuple):
    """The tokens of one text and what the model makes of them (tokens × width)."""

    ids: Tensor
    states: Tensor


@dataclass(frozen=True, eq=False)
class Encoder:
    """A model with its tokenizer, ready on its device."""

    tokenizer: PreTrainedTokenizerBase
    model: PreTrainedModel
    limit: int
    """How many tokens the model can read; longer texts are cut."""

    @property
    def markers(self) -> tuple[int, ...]:
        """The tokens that open and close a text."""
        ids = (self.tokenizer.cls_token_id, self.tokenizer.sep_token_id)
        return tuple(i for i in ids if i is not None)

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        """Token numbers with opening and closing markers, cut at the limit."""
        if not texts:
            return []
        coded = self.tokenizer(
            list(texts), add_special_tokens=True, truncation=True, max_length=self.limit
        )
        return list(coded["input_ids"])

    def encode(self, texts: Sequence[str], tokens: int) -> Iterator[tuple[int, States]]:
        """Each text's states with its position, in batches of like length."""
        torch = need("torch", extra="neural")
        ids = self.tokenize(texts)
        padding = self.tokenizer.pad_token_id or 0
        for batch in by_length([len(row) for row in ids], tokens):
            longest = len(ids[batch[0]])
            rows = torch.full((len(batch), longest), padding, dtype=torch.long)
            mask = torch.zeros((len(batch), longest), dtype=torch.long)
            for row, position in enumerate(batch):
                rows[row, : len(ids[position])] = torch.tensor(ids[position], dtype=torch.long)
                mask[row, : len(ids[position])] = 1
            with torch.inference_mode():
                device = self.model.device
                out = self.model(rows.to(device), attention_mask=mask.to(device))
                found = out.last_hidden_state.float().cpu()
            for row, position in enumerate(batch):
                length = len(ids[position])
                # A copy, or the padded batch would live as long as its shortest text.
                yield position, States(rows[row, :length].clone(), found[row, :length].clone())


@lru_cache(maxsize=2)
def load_encoder(source: Source, layer: int | None, device: str, limit: int | None) -> Encoder:
    """Load an encoder up to a layer, or say in one sentence why that cannot be."""
    transformers = need("transformers", extra="neural")
    folder = folder_of(source)
    refuse_without_safetensors(folder, source.model)
    with explained(source.model), quiet():
        config = transformers.AutoConfig.from_pretrained(folder, trust_remote_code=False)
        if layer is not None:
            if not 0 < layer <= config.num_hidden_layers:
                raise HyperbatonError(
                    f"{source.model} has layers 1 to {config.num_hidden_layers}, not {layer}"
                )
            # Layers above are neither read nor run.
            config.num_hidden_layers = layer
        model = transformers.AutoModel.from_pretrained(
            folder, config=config, use_safetensors=True, trust_remote_code=False
        )
        tokenizer = load_tokenizer(folder)
    if config.is_encoder_decoder:
        model = model.get_encoder()
    readable = readable_tokens(model, tokenizer)
    return Encoder(
        tokenizer, model.to(device_of(device)).eval().float(), min(readable, limit or readable)
    )


def load_tokenizer(folder: Path) -> PreTrainedTokenizerBase:
    """The tokenizer of a folder, with a space before the first word where words have one."""
    tokenizer = load_folder(folder)
    if type(tokenizer).__name__.startswith(_PREFIX_SPACE):
        tokenizer = load_folder(folder, add_prefix_space=True)
    return tokenizer


@contextmanager
def explained(model: str) -> Iterator[None]:
    """Turn the library's long stories into one sentence."""
    try:
        yield
    except (OSError, ValueError, KeyError, TypeError, ImportError, RuntimeError) as error:
        reason = " ".join(str(error).split()).split(". ")[0].rstrip(".")
        if "trust_remote_code" in str(error) or "custom code" in str(error):
            reason = "it brings its own code, which is not run"
        raise HyperbatonError(f"the model {model} cannot be loaded: {reason}") from None


@contextmanager
def quiet() -> Iterator[None]:
    """Without progress bars and without the list of layers that were left away on purpose."""
    library = need("transformers.utils.logging", extra="neural")
    shown, level = library.is_progress_bar_enabled(), library.get_verbosity()
    library.disable_progress_bar()
    library.set_verbosity(logging.ERROR)
    try:
        yield
    finally:
        library.set_verbosity(level)
        if shown:
            library.enable_progress_bar()
