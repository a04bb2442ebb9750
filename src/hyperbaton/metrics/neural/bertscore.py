"""BERTScore: each token matched with its nearest in the other text (Zhang et al. 2020)."""

from __future__ import annotations

import csv
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.hub import Source
from hyperbaton.metrics.metric import Level, Scores, SentenceMetric, versions
from hyperbaton.metrics.neural.encoder import Encoder, load_encoder
from hyperbaton.metrics.neural.models import identity
from hyperbaton.metrics.segments import Segments

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["LAYERS", "BERTScore"]

LAYERS = {
    "albert-base-v2": 9,
    "bert-base-chinese": 8,
    "bert-base-multilingual-cased": 9,
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "distilbert-base-multilingual-cased": 5,
    "distilbert-base-uncased": 5,
    "microsoft/deberta-large-mnli": 18,
    "microsoft/deberta-v3-large": 12,
    "microsoft/deberta-xlarge-mnli": 40,
    "microsoft/mdeberta-v3-base": 10,
    "roberta-base": 10,
    "roberta-large": 17,
    "roberta-large-mnli": 19,
    "xlm-roberta-base": 9,
    "xlm-roberta-large": 17,
}
"""The layer that agreed best with human judgement, as the bert-score package has it."""

_WINDOW = 2048
_CACHE = 1 << 30
"""Bytes of token states that are kept for segments that come again."""
_COLUMNS = {"precision": 0, "recall": 1, "f": 2}


@dataclass(frozen=True)
class BERTScore(SentenceMetric):
    """Cosine similarity of contextual token embeddings, greedily matched; no idf weights.

    `layer=none` is the layer the bert-score package recommends for a model it knows, else the
    last; `rescale=de` subtracts the package's baseline for the language.

    >>> print(BERTScore(model="xlm-roberta-large", rescale="de"))
    BERTScore(model=xlm-roberta-large, rescale=de)
    """

    name: ClassVar[str] = "BERTScore"
    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    model: str = "bert-base-multilingual-cased"
    layer: int | None = None
    part: Literal["f", "precision", "recall"] = "f"
    rescale: str | None = None
    revision: str | None = None
    download: bool = False
    device: str = "auto"
    batch_tokens: int = 8192

    @property
    def symmetric(self) -> bool:
        """Precision and recall change places, F stays."""
        return self.part == "f"

    @property
    def _source(self) -> Source:
        return Source(self.model, self.revision, self.download)

    @property
    def _layer(self) -> int | None:
        return self.layer if self.layer is not None else LAYERS.get(self.model)

    def score_each(self, segments: Segments) -> Scores:
        """One score a pair; equal pairs are scored once, equal texts read once."""
        encoder = load_encoder(self._source, self._layer, self.device, None)
        texts = [
            [text.strip() for text in side] for side in (segments.hypotheses, segments.references)
        ]
        pairs = list(zip(*texts, strict=True))
        # Pairs with the same reference stand together, and references of like length.
        unique = sorted(set(pairs), key=lambda pair: (len(pair[1]), pair[1], len(pair[0])))
        cache = _Cache(encoder, self.batch_tokens)
        found: dict[tuple[str, str], float] = {}
        baseline = self._baseline()
        for start in range(0, len(unique), _WINDOW):
            window = unique[start : start + _WINDOW]
            cache.fill([text for pair in window for text in pair])
            for pair in window:
                values = _match(cache.get(pair[0]), cache.get(pair[1]))
                rescaled = (np.array(values) - baseline) / (1 - baseline)
                found[pair] = float(rescaled[_COLUMNS[self.part]])
        return np.array([found[pair] for pair in pairs], dtype=np.float64)

    def _baseline(self) -> Scores:
        if self.rescale is None:
            return np.zeros(3)
        package = find_spec("bert_score")
        if package is None or package.origin is None:
            need("bert_score", extra="neural", package="bert-score")
            raise AssertionError  # need has raised
        folder = Path(package.origin).parent / "rescale_baseline"
        file = folder / self.rescale / f"{self.model}.tsv"
        if not file.is_file():
            languages = sorted(p for p in folder.iterdir() if p.is_dir())
            known = [p.name for p in languages if (p / f"{self.model}.tsv").is_file()]
            raise HyperbatonError(
                f"bert-score has no baseline of {self.model} for '{self.rescale}' "
                f"(it has: {', '.join(known) or 'none'}): leave rescale away"
            )
        with file.open(encoding="utf-8", newline="") as lines:
            row = list(csv.DictReader(lines))[self._layer or -1]
        return np.array([float(row[column]) for column in "PRF"])

    def fields(self, level: Level) -> dict[str, str]:
        """The model as it was read, and the versions of what ran it."""
        layer = "last" if self._layer is None else str(self._layer)
        scale = {} if self.rescale is None else versions("bert-score")
        revision = identity(self._source)
        return {"layer": layer, "revision": revision, **versions("torch", "transformers"), **scale}


@dataclass(frozen=True)
class _Tokens:
    """The unit vectors of a text's tokens, and which of them count."""

    vectors: Tensor
    counted: Tensor


class _Cache:
    """Texts already read; those used longest ago go first when the room is full."""

    def __init__(self, encoder: Encoder, tokens: int) -> None:
        self._encoder = encoder
        self._tokens = tokens
        self._kept: OrderedDict[str, _Tokens] = OrderedDict()
        self._bytes = 0

    def get(self, text: str) -> _Tokens:
        return self._kept[text]

    def fill(self, texts: Sequence[str]) -> None:
        torch = need("torch", extra="neural")
        wanted = dict.fromkeys(texts)
        for text in wanted:
            if text in self._kept:
                self._kept.move_to_end(text)
        missing = [text for text in wanted if text not in self._kept]
        markers = torch.tensor(self._encoder.markers)
        for position, (ids, states) in self._encoder.encode(missing, self._tokens):
            vectors = states / states.norm(dim=-1, keepdim=True)
            self._kept[missing[position]] = _Tokens(vectors, ~torch.isin(ids, markers))
            self._bytes += vectors.nbytes
        while self._bytes > _CACHE and len(self._kept) > len(wanted):
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= oldest.vectors.nbytes


def _match(hypothesis: _Tokens, reference: _Tokens) -> tuple[float, float, float]:
    """Precision, recall and F; a text without a token of its own has 0, as in bert-score."""
    if not (hypothesis.counted.any() and reference.counted.any()):
        return 0.0, 0.0, 0.0
    similarity = hypothesis.vectors @ reference.vectors.T
    precision = float(similarity.amax(dim=1)[hypothesis.counted].mean())
    recall = float(similarity.amax(dim=0)[reference.counted].mean())
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0
