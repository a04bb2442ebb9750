"""BLEURT: a regression on a pair of texts, trained on human ratings (Sellam et al. 2020).

The checkpoints are those of the PyTorch port (`bleurt-pytorch`, models `lucadiliello/BLEURT-20…`).
That package is no dependency: its model is BERT (the older checkpoints) or RemBERT (BLEURT-20)
under other names, so the weights are read into these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hyperbaton.base.content import read_json
from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.hub import (
    Snapshot,
    Source,
    explained,
    load_model,
    quiet,
    read_weights,
    resolve,
)
from hyperbaton.language.tokenizing import load_sentencepiece
from hyperbaton.metrics.metric import Level, Scores, SentenceMetric, versions
from hyperbaton.metrics.neural.batches import by_length
from hyperbaton.metrics.neural.encoder import load_tokenizer
from hyperbaton.metrics.neural.models import device_of, identity
from hyperbaton.metrics.segments import Segments

if TYPE_CHECKING:
    from torch.nn import Module
    from transformers import PreTrainedModel

__all__ = ["BLEURT"]

_RENAMED = {"encoder.embedding_projection.": "encoder.embedding_hidden_mapping_in."}
_PIECES = ("spm.model", "sent_piece.model")
Tokenize = Callable[[Sequence[str]], list[list[int]]]


@dataclass(frozen=True)
class BLEURT(SentenceMetric):
    """The rating that BLEURT gives a hypothesis; about 0 to 1, without hard bounds.

    >>> print(BLEURT(model="lucadiliello/BLEURT-20-D12"))
    BLEURT(model=lucadiliello/BLEURT-20-D12)
    """

    name: ClassVar[str] = "BLEURT"
    range: ClassVar[tuple[float, float]] = (float("-inf"), float("inf"))

    model: str = "lucadiliello/BLEURT-20"
    revision: str | None = None
    download: bool = False
    device: str = "auto"
    batch_tokens: int = 8192

    @property
    def _source(self) -> Source:
        return Source(self.model, self.revision, self.download)

    def score_each(self, segments: Segments) -> Scores:
        """One rating a pair; equal pairs are read once, pairs of like length together."""
        torch = need("torch", extra="neural")
        rater = _load(self._source, self.device)
        pairs = list(zip(segments.references, segments.hypotheses, strict=True))
        unique = list(dict.fromkeys(pairs))
        rows = rater.rows(unique)
        found = np.empty(len(unique))
        for batch in by_length([len(ids) for ids, _ in rows], self.batch_tokens):
            longest = len(rows[batch[0]][0])
            ids = torch.full((len(batch), longest), rater.padding, dtype=torch.long)
            mask, kinds = torch.zeros_like(ids), torch.zeros_like(ids)
            for row, position in enumerate(batch):
                tokens, first = rows[position]
                ids[row, : len(tokens)] = torch.tensor(tokens, dtype=torch.long)
                mask[row, : len(tokens)] = 1
                kinds[row, first : len(tokens)] = 1
            with torch.inference_mode():
                place = rater.model.device
                out = rater.model(
                    ids.to(place), attention_mask=mask.to(place), token_type_ids=kinds.to(place)
                )
            found[batch] = out.logits[:, 0].float().cpu().numpy()
        place_of = {pair: i for i, pair in enumerate(unique)}
        return found[[place_of[pair] for pair in pairs]]

    def fields(self, level: Level) -> dict[str, str]:
        """The model as it was read, and the versions of what ran it."""
        return {"revision": identity(self._source), **versions("torch", "transformers")}


@dataclass(frozen=True, eq=False)
class _Rater:
    model: PreTrainedModel
    tokenize: Tokenize
    first: int
    last: int
    padding: int
    limit: int

    def rows(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[list[int], int]]:
        """Token numbers of each pair, and where its second text begins."""
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        tokens = dict(zip(texts, self.tokenize(texts), strict=True))
        rows = []
        for one, two in pairs:
            a, b = _cut(tokens[one], tokens[two], self.limit - 3)
            rows.append(([self.first, *a, self.last, *b, self.last], len(a) + 2))
        return rows


def _cut(a: list[int], b: list[int], room: int) -> tuple[list[int], list[int]]:
    """Shorten the longer text, the second on a tie, until both fit.

    >>> _cut([1, 2, 3, 4], [5, 6], room=4)
    ([1, 2], [5, 6])
    >>> _cut([1, 2, 3], [4, 5, 6], room=5)
    ([1, 2, 3], [4, 5])
    """
    keep_b = min(len(b), max(room - len(a), room // 2))
    return a[: room - keep_b], b[:keep_b]


@lru_cache(maxsize=2)
def _load(source: Source, device: str) -> _Rater:
    snapshot = resolve(source)
    with explained(source), quiet():
        settings = read_json(snapshot.folder / "config.json")
        if not isinstance(settings, dict):
            raise HyperbatonError(f"{snapshot.folder / 'config.json'} is not a JSON object")
        model = _model(snapshot, settings)
    tokenize, (first, last, padding) = _tokenizer(snapshot)
    limit = int(settings.get("max_position_embeddings", 512))
    torch = need("torch", extra="neural")
    module: Module = model
    module.to(device=torch.device(device_of(device)), dtype=torch.float32).train(False)
    return _Rater(model, tokenize, first, last, padding, limit)


def _model(snapshot: Snapshot, settings: dict[str, object]) -> PreTrainedModel:
    transformers = need("transformers", extra="neural")
    name = snapshot.source.model
    kind = settings.get("model_type")
    model: PreTrainedModel
    if kind in ("bert", "rembert"):
        model = load_model("AutoModelForSequenceClassification", snapshot)
        if model.config.num_labels != 1:
            raise HyperbatonError(f"{name} gives {model.config.num_labels} values a pair, not one")
        return model
    if kind != "bleurt":
        raise HyperbatonError(f"{name} is a model of the kind '{kind}', not BLEURT")
    left_out = ("model_type", "architectures", "embedding_size", "torch_dtype", "dtype")
    kept = {key: value for key, value in settings.items() if key not in left_out}
    width = settings.get("embedding_size")
    if width is None:
        stem = "bert"
        config = transformers.BertConfig(**kept, num_labels=1)
        model = transformers.BertForSequenceClassification(config)
    else:
        stem = "rembert"
        config = transformers.RemBertConfig(**kept, num_labels=1, input_embedding_size=width)
        model = transformers.RemBertForSequenceClassification(config)
    missing, unknown = model.load_state_dict(_weights(snapshot, stem), strict=False)
    if missing or unknown:
        raise HyperbatonError(
            f"{name} does not fit: missing {list(missing)[:3]}, not known {list(unknown)[:3]}"
        )
    return model


def _weights(snapshot: Snapshot, stem: str) -> dict[str, object]:
    weights: dict[str, object] = {}
    for key, value in read_weights(snapshot.weights()).items():
        renamed = key
        for old, new in _RENAMED.items():
            renamed = renamed.replace(old, new)
        if not renamed.endswith("position_ids"):
            weights[renamed.replace("bleurt.", f"{stem}.", 1)] = value
    return weights


def _tokenizer(snapshot: Snapshot) -> tuple[Tokenize, tuple[int, int, int]]:
    """How texts become numbers, and the numbers of [CLS], [SEP] and padding."""
    folder = snapshot.folder
    pieces = next((folder / name for name in _PIECES if (folder / name).is_file()), None)
    if pieces is not None:
        processor = load_sentencepiece(pieces)
        first, last, padding = (processor.PieceToId(m) for m in ("[CLS]", "[SEP]", "[PAD]"))
        return (lambda texts: list(processor.EncodeAsIds(list(texts)))), (first, last, padding)
    with explained(snapshot.source, part="tokenizer"), quiet():
        tokenizer = load_tokenizer(folder)

    def tokenize(texts: Sequence[str]) -> list[list[int]]:
        if not texts:
            return []
        coded = tokenizer(list(texts), add_special_tokens=False, verbose=False)
        return list(coded["input_ids"])

    marks = (tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.pad_token_id or 0)
    return tokenize, marks
