"""Any model of transformers with the head that its class has for classification."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from torch import Tensor

from hyperbaton.base.content import read_object
from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.encoders.hf import readable_tokens
from hyperbaton.encoders.tuning.classifier import Classifier, Row
from hyperbaton.hub import Snapshot, Source, explained, load_model, quiet, resolve
from hyperbaton.language.tokenizing import load_folder

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

CLASS = "AutoModelForSequenceClassification"


class Pretrained(Classifier):
    """BERT, XLM-R, CANINE and their like; all weights are trained, the tables of words too."""

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        longest: int | None = None,
    ) -> None:
        super().__init__()
        self.network = model
        self._tokenizer = tokenizer
        readable = readable_tokens(getattr(model, model.base_model_prefix), tokenizer)
        self._limit = min(readable, longest or readable)
        self.pad = int(tokenizer.pad_token_id or 0)
        # CANINE takes characters together, and fails on fewer than it takes.
        self.shortest = int(getattr(model.config, "downsampling_rate", 1))
        # DistilBERT and XLM-R know no kinds of text, whatever the tokenizer offers.
        known = inspect.signature(model.forward).parameters
        several = getattr(model.config, "type_vocab_size", 2) > 1
        self._takes_kinds = "token_type_ids" in known and several

    def read(self, texts: Sequence[tuple[str, ...]]) -> list[Row]:
        """With the marks of its own tokenizer; of a pair the longer text is cut first."""
        if not texts:
            return []
        parts = [list(side) for side in zip(*texts, strict=True)]
        how = "longest_first" if len(parts) > 1 else True
        cut = self._tokenizer(*parts, truncation=how, max_length=self._limit)
        kinds = cut.get("token_type_ids") or [[0] * len(ids) for ids in cut["input_ids"]]
        # A tokenizer without special tokens makes nothing of an empty text.
        unknown = Row([self._tokenizer.unk_token_id or 0], [0])
        rows = zip(cut["input_ids"], kinds, strict=True)
        return [Row(ids, which) if ids else unknown for ids, which in rows]

    def forward(self, numbers: Tensor, mask: Tensor, kinds: Tensor) -> Tensor:
        """Rows × labels."""
        own = {"token_type_ids": kinds} if self._takes_kinds else {}
        found: Tensor = self.network(input_ids=numbers, attention_mask=mask.long(), **own).logits
        return found

    def save(self, folder: Path) -> None:
        """Write a folder in the hub's format, with safetensors."""
        folder.mkdir(parents=True, exist_ok=True)
        with quiet():
            self.network.save_pretrained(folder)
            self._tokenizer.save_pretrained(folder)


def with_new_head(
    source: Source, outputs: int, longest: int | None = None, **labels: object
) -> Pretrained:
    """A pretrained encoder with a head that is still to be trained; torch's seed decides it."""
    snapshot = resolve(source)
    _check_kind(snapshot)
    model = load_model(CLASS, snapshot, head="new", num_labels=outputs, **labels)
    with explained(source, part="tokenizer"):
        return Pretrained(model, load_folder(snapshot.folder), longest)


def _check_kind(snapshot: Snapshot) -> None:
    """Refuse a model whose class has no head for classification."""
    kind = str(read_object(snapshot.folder / "config.json").get("model_type"))
    names = need("transformers.models.auto.modeling_auto", extra="hf")
    if kind not in names.MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES:
        raise HyperbatonError(
            f"the model {snapshot.source.model} cannot be fine-tuned: transformers has no "
            f"classifier for models of the kind '{kind}'"
        )
