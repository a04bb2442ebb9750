"""Any model of transformers with the head that its class has for classification."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from torch import Tensor

from hyperbaton.base.content import read_json
from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.encoders.hf import readable_tokens
from hyperbaton.encoders.tuning.classifier import Classifier, Row
from hyperbaton.hub import Snapshot, Source, explained, load_model, resolve
from hyperbaton.language.tokenizing import load_folder

_CLASS = "AutoModelForSequenceClassification"


class Pretrained(Classifier):
    """BERT, XLM-R, CANINE and their like; all weights are trained, the tables of words too."""

    def __init__(self, source: Source, outputs: int) -> None:
        super().__init__()
        snapshot = resolve(source)
        _check_kind(snapshot)
        model = load_model(_CLASS, snapshot, head="new", num_labels=outputs)
        with explained(source, part="tokenizer"):
            self._tokenizer = load_folder(snapshot.folder)
        self.network = model
        self._limit = readable_tokens(getattr(model, model.base_model_prefix), self._tokenizer)
        self.pad = int(self._tokenizer.pad_token_id or 0)
        # CANINE takes characters together, and fails on fewer than it takes.
        self.shortest = int(getattr(model.config, "downsampling_rate", 1))
        known = inspect.signature(model.forward).parameters
        self._takes_kinds = (
            "token_type_ids" in known and getattr(model.config, "type_vocab_size", 0) > 1
        )

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


def _check_kind(snapshot: Snapshot) -> None:
    """Refuse a model whose class has no head for classification."""
    config = read_json(snapshot.folder / "config.json")
    kind = str(config.get("model_type")) if isinstance(config, dict) else ""
    names = need("transformers.models.auto.modeling_auto", extra="hf")
    if kind not in names.MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES:
        raise HyperbatonError(
            f"the model {snapshot.source.model} cannot be fine-tuned: transformers has no "
            f"classifier for models of the kind '{kind}'"
        )
