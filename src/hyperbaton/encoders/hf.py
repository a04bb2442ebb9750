"""`hf:NAME`: an encoder of Hugging Face's transformers: BERT, XLM-R, CANINE and their like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hyperbaton.base.batches import equal_length
from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import need
from hyperbaton.encoders.encoder import Encoder, OpenEncoder, Vectors, signature
from hyperbaton.hub import Snapshot, Source, explained, load_model, resolve
from hyperbaton.language.tokenizing import load_folder

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from hyperbaton.encoders.tuning.pretrained import Pretrained

_BATCH = {"cuda": 65_536, "cpu": 2_048}


@dataclass(frozen=True)
class HuggingFace(Encoder):
    """A folder, or a name on the hub; of a translation model, its encoder."""

    name: ClassVar[str] = "hf"
    positional: ClassVar[str | None] = "model"

    model: str
    revision: str | None = None
    download: bool = False
    """Fetch a name on the hub that is not on this machine."""
    device: str = "auto"
    prefix: str = ""
    """What the model was trained to see before a text."""

    def open(self) -> OpenEncoder:
        """Load weights and tokenizer; no code that comes with them is run."""
        snapshot = resolve(self._source())
        model = load_model("AutoModel", snapshot, head="unused")
        with explained(snapshot.source, part="tokenizer"):
            tokenizer = load_folder(snapshot.folder)
        return _OpenModel(model, tokenizer, snapshot, self)

    def classifier(self, outputs: int) -> Pretrained:
        """The model with a new head for classification, as transformers has it for its class."""
        source = self._source()
        from hyperbaton.encoders.tuning.pretrained import with_new_head

        return with_new_head(source, outputs)

    @property
    def trained(self) -> HuggingFace:
        """Fine-tuning learns what stands before a text by itself: it takes no prefix."""
        return HuggingFace(self.model, self.revision)

    @property
    def training_device(self) -> str:
        return self.device

    def _source(self) -> Source:
        need("transformers", extra="hf")
        need("torch", extra="hf")
        return Source(
            self.model, self.revision, self.download, to_fetch=str(replace(self, download=True))
        )


class _OpenModel(OpenEncoder):
    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        snapshot: Snapshot,
        spec: HuggingFace,
    ) -> None:
        import torch
        import transformers

        from hyperbaton.hub import device_of

        self._device = device_of(spec.device)
        if model.config.is_encoder_decoder:
            model = model.get_encoder()
        self._model = torch.nn.Module.to(model, self._device, torch.float32).train(False)
        self._tokenizer = tokenizer
        self._prefix = spec.prefix
        self._limit = readable_tokens(model, tokenizer)
        # CANINE takes characters together, and fails on fewer than it takes.
        self._shortest = int(getattr(model.config, "downsampling_rate", 1))
        self.size = int(model.config.hidden_size)
        path = snapshot.folder
        if (path / "tokenizer.json").is_file():
            self.tokenizer = path / "tokenizer.json"
        weights = snapshot.revision(12) if snapshot.commit else fingerprint([path])
        self.signature = signature(
            f"hf:{spec.model if snapshot.commit else path.name}",
            weights=weights,
            prefix=spec.prefix,
            pooling="mean",
            torch=str(torch.__version__),
            transformers=transformers.__version__,
        )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The mean of the final states over all tokens; texts of one length share a batch."""
        import torch

        rows = self._rows([self._prefix + text for text in texts])
        found = np.empty((len(rows), self.size), np.float32)
        budget = _BATCH.get(self._device.type, _BATCH["cpu"])
        with torch.inference_mode():
            for batch in equal_length([len(row) for row in rows], budget):
                ids = torch.tensor([rows[at] for at in batch], device=self._device)
                length = ids.shape[1]
                missing = (0, max(0, self._shortest - length))
                mask = torch.nn.functional.pad(torch.ones_like(ids), missing)
                out = self._model(torch.nn.functional.pad(ids, missing), attention_mask=mask)
                found[batch] = out.last_hidden_state[:, :length].mean(dim=1).cpu().numpy()
        return found

    def _rows(self, texts: Sequence[str]) -> list[list[int]]:
        if not texts:
            return []
        cut = self._tokenizer(list(texts), truncation=True, max_length=self._limit)
        # A tokenizer without special tokens makes nothing of an empty text.
        return [ids or [self._tokenizer.unk_token_id or 0] for ids in cut["input_ids"]]


def readable_tokens(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> int:
    """What tokenizer and position table allow; RoBERTa keeps the first places for padding."""
    limits = [tokenizer.model_max_length]
    places = getattr(model.config, "max_position_embeddings", None)
    if places:
        table = getattr(getattr(model, "embeddings", None), "position_embeddings", None)
        reserved = getattr(table, "padding_idx", None)
        limits.append(places - (0 if reserved is None else reserved + 1))
    return int(min(limits))
