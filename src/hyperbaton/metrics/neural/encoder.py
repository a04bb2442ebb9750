"""An encoder of the hub's format: texts in, the states of their tokens out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hyperbaton.base.batches import by_length
from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.encoders.hf import readable_tokens
from hyperbaton.hub import Source, explained, load_model, quiet, resolve
from hyperbaton.language.tokenizing import load_folder

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
    snapshot = resolve(source)
    with explained(source), quiet():
        config = transformers.AutoConfig.from_pretrained(snapshot.folder, trust_remote_code=False)
        if layer is not None:
            if not 0 < layer <= config.num_hidden_layers:
                raise HyperbatonError(
                    f"{source.model} has layers 1 to {config.num_hidden_layers}, not {layer}"
                )
            # Layers above are neither read nor run.
            config.num_hidden_layers = layer
        model = load_model("AutoModel", snapshot, head="unused", config=config)
        tokenizer = load_tokenizer(snapshot.folder)
    if config.is_encoder_decoder:
        model = model.get_encoder()
    readable = readable_tokens(model, tokenizer)
    torch = need("torch", extra="neural")
    from hyperbaton.encoders.torch_batches import device_of

    torch.nn.Module.to(model, device_of(device), torch.float32)
    return Encoder(tokenizer, model.train(False), min(readable, limit or readable))


def load_tokenizer(folder: Path) -> PreTrainedTokenizerBase:
    """The tokenizer of a folder, with a space before the first word where words have one."""
    tokenizer = load_folder(folder)
    if type(tokenizer).__name__.startswith(_PREFIX_SPACE):
        tokenizer = load_folder(folder, add_prefix_space=True)
    return tokenizer
