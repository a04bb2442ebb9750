"""BLEURT: a regression on a pair of texts, trained on human ratings (Sellam et al. 2020).

The checkpoints are those of the PyTorch port (`bleurt-pytorch`, models `lucadiliello/BLEURT-20…`).
That package does not run beside transformers 5, and the authors' own needs TensorFlow. The model is
BERT (the older checkpoints) or RemBERT (BLEURT-20) under other names, so these read the weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hyperbaton.base.content import read_object
from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.hub import (
    Snapshot,
    Source,
    explained,
    identity,
    load_model,
    quiet,
    read_weights,
    resolve,
)
from hyperbaton.language.tokenizing import load_folder, load_sentencepiece
from hyperbaton.metrics.metric import Level, Scores, Segments, SentenceMetric, versions

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel

_PROJECTION = ("encoder.embedding_projection.", "encoder.embedding_hidden_mapping_in.")
"""What a layer is called in the port, and in transformers' RemBERT."""
_PIECES = ("spm.model", "sent_piece.model")
Pair = tuple[str, str]
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
    batch_size: int = 64

    @property
    def _source(self) -> Source:
        return Source(self.model, self.revision, self.download)

    def score_each(self, segments: Segments) -> Scores:
        """One rating a pair; equal pairs are read once, pairs of like length together."""
        torch = need("torch", extra="neural")
        rater = _load(self._source, self.device)
        pairs = list(zip(segments.references, segments.hypotheses, strict=True))
        rows = rater.rows(list(dict.fromkeys(pairs)))
        order = sorted(rows, key=lambda pair: len(rows[pair][0]), reverse=True)
        found: dict[Pair, float] = {}
        for start in range(0, len(order), self.batch_size):
            batch = order[start : start + self.batch_size]
            with torch.inference_mode():
                logits = rater.model(**rater.padded([rows[pair] for pair in batch])).logits
            found.update(zip(batch, logits[:, 0].tolist(), strict=True))
        return np.array([found[pair] for pair in pairs], dtype=np.float64)

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

    def rows(self, pairs: Sequence[Pair]) -> dict[Pair, tuple[list[int], list[int]]]:
        """Token numbers of each pair, and which of its texts each token is in."""
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        tokens = dict(zip(texts, self.tokenize(texts), strict=True))
        rows = {}
        for one, two in pairs:
            a, b = _cut(tokens[one], tokens[two], self.limit - 3)
            numbers = [self.first, *a, self.last, *b, self.last]
            rows[one, two] = numbers, [0] * (len(a) + 2) + [1] * (len(b) + 1)
        return rows

    def padded(self, rows: Sequence[tuple[list[int], list[int]]]) -> dict[str, Tensor]:
        """What the model reads of some rows, as long as the longest."""
        torch = need("torch", extra="neural")

        def pad(columns: Sequence[list[int]], value: int = 0) -> Tensor:
            tensors = [torch.tensor(column, device=self.model.device) for column in columns]
            padded: Tensor = torch.nn.utils.rnn.pad_sequence(tensors, True, value)
            return padded

        return {
            "input_ids": pad([numbers for numbers, _ in rows], self.padding),
            "attention_mask": pad([[1] * len(numbers) for numbers, _ in rows]),
            "token_type_ids": pad([kinds for _, kinds in rows]),
        }


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
        settings = read_object(snapshot.folder / "config.json")
        model = _model(snapshot, settings)
    tokenize, (first, last, padding) = _tokenizer(snapshot)
    limit = int(settings.get("max_position_embeddings", 512))
    torch = need("torch", extra="neural")
    from hyperbaton.hub import device_of

    torch.nn.Module.to(model, device_of(device), torch.float32)
    return _Rater(model.train(False), tokenize, first, last, padding, limit)


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
    stem, own = ("Bert", {}) if width is None else ("RemBert", {"input_embedding_size": width})
    config = getattr(transformers, f"{stem}Config")(**kept, **own, num_labels=1)
    model = getattr(transformers, f"{stem}ForSequenceClassification")(config)
    weights = {
        key.replace(*_PROJECTION).replace("bleurt.", f"{stem.lower()}.", 1): value
        for key, value in read_weights(snapshot.weights()).items()
        if not key.endswith("position_ids")
    }
    missing, unknown = model.load_state_dict(weights, strict=False)
    if missing or unknown:
        raise HyperbatonError(
            f"the weights of {name} are not BLEURT's: missing {list(missing)[:3]}, "
            f"unexpected {list(unknown)[:3]}"
        )
    return model


def _tokenizer(snapshot: Snapshot) -> tuple[Tokenize, tuple[int, int, int]]:
    """How texts become numbers, and the numbers of [CLS], [SEP] and padding."""
    folder = snapshot.folder
    pieces = next((folder / name for name in _PIECES if (folder / name).is_file()), None)
    if pieces is not None:
        processor = load_sentencepiece(pieces)
        first, last, padding = (processor.PieceToId(m) for m in ("[CLS]", "[SEP]", "[PAD]"))
        return (lambda texts: list(processor.EncodeAsIds(list(texts)))), (first, last, padding)
    with explained(snapshot.source, part="tokenizer"), quiet():
        tokenizer = load_folder(folder)

    def tokenize(texts: Sequence[str]) -> list[list[int]]:
        if not texts:
            return []
        coded = tokenizer(list(texts), add_special_tokens=False, verbose=False)
        return list(coded["input_ids"])

    marks = (tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.pad_token_id or 0)
    return tokenize, marks
