"""BERTScore (Zhang et al. 2020) by bert-score: each token matched with its nearest in the other."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import numpy as np

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.encoders.hf import readable_tokens
from hyperbaton.hub import Source, explained, identity, load_model, quiet, resolve
from hyperbaton.language.tokenizing import load_folder
from hyperbaton.metrics.metric import Level, Scores, Segments, SentenceMetric, versions

if TYPE_CHECKING:
    from types import ModuleType

    from transformers import PreTrainedModel, PreTrainedTokenizerBase

_WINDOW = 2048
"""Pairs whose token states are in memory at once."""
_PARTS = ("precision", "recall", "f")
_PREFIX_SPACE = ("Roberta", "GPT2")
"""Tokenizers that know a word by the space before it, so the first word needs one too."""


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
    batch_size: int = 64

    @property
    def symmetric(self) -> bool:
        """Precision and recall change places, F stays."""
        return self.part == "f"

    @property
    def _source(self) -> Source:
        return Source(self.model, self.revision, self.download)

    @property
    def _layer(self) -> int | None:
        if self.layer is not None:
            return self.layer
        known: dict[str, int] = _library().model2layers
        return known.get(self.model)

    def score_each(self, segments: Segments) -> Scores:
        """One score a pair; equal pairs are scored once."""
        encoder = _load(self._source, self._layer, self.device)
        sides = ([text.strip() for text in s] for s in (segments.hypotheses, segments.references))
        pairs = list(zip(*sides, strict=True))
        # A text without words has 0, as in bert-score.
        found = dict.fromkeys(pairs, (0.0, 0.0, 0.0))
        unique = sorted(filter(all, found), key=lambda pair: (len(pair[1]), pair[1], len(pair[0])))
        for start in range(0, len(unique), _WINDOW):
            window = unique[start : start + _WINDOW]
            hypotheses, references = map(list, zip(*window, strict=True))
            scores = _library().bert_cos_score_idf(
                encoder.model,
                references,
                hypotheses,
                encoder.tokenizer,
                encoder.weights,
                device=encoder.model.device,
                batch_size=self.batch_size,
            )
            found.update(zip(window, scores.tolist(), strict=True))
        column = _PARTS.index(self.part)
        scores = np.array([found[pair][column] for pair in pairs], dtype=np.float64)
        baseline = self._baseline()[column]
        return np.asarray((scores - baseline) / (1 - baseline))

    def _baseline(self) -> Scores:
        """Precision, recall and F of unrelated texts, as the package has them for a language."""
        if self.rescale is None:
            return np.zeros(3)
        folder = Path(str(_library().__file__)).parent / "rescale_baseline"
        file = folder / self.rescale / f"{self.model}.tsv"
        if not file.is_file():
            known = sorted(path.parent.name for path in folder.glob(f"*/{self.model}.tsv"))
            raise HyperbatonError(
                f"bert-score has no baseline of {self.model} for '{self.rescale}' "
                f"(it has: {', '.join(known) or 'none'}): leave out rescale"
            )
        rows = np.loadtxt(file, delimiter=",", skiprows=1, encoding="utf-8")
        return np.asarray(rows[self._layer or -1, 1:])

    def fields(self, level: Level) -> dict[str, str]:
        """The model as it was read, and the versions of what ran it."""
        layer = "last" if self._layer is None else str(self._layer)
        packages = versions("bert-score", "torch", "transformers")
        return {"layer": layer, "revision": identity(self._source), **packages}


class _Encoder(NamedTuple):
    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    weights: defaultdict[int | None, float]
    """How much a token counts: all alike, those that open and close a text not at all."""


def _library() -> ModuleType:
    return need("bert_score.utils", extra="neural", package="bert-score")


@lru_cache(maxsize=2)
def _load(source: Source, layer: int | None, device: str) -> _Encoder:
    """Load an encoder up to a layer, or say in one sentence why that cannot be."""
    transformers, torch = (need(name, extra="neural") for name in ("transformers", "torch"))
    from hyperbaton.hub import device_of

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
        tokenizer = load_folder(snapshot.folder)
        if type(tokenizer).__name__.startswith(_PREFIX_SPACE):
            tokenizer = load_folder(snapshot.folder, add_prefix_space=True)
    if config.is_encoder_decoder:
        model = model.get_encoder()
    tokenizer.model_max_length = readable_tokens(model, tokenizer)
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    torch.nn.Module.to(model, device_of(device), torch.float32)
    weights: defaultdict[int | None, float] = defaultdict(lambda: 1.0)
    weights |= {tokenizer.cls_token_id: 0.0, tokenizer.sep_token_id: 0.0}
    return _Encoder(model.train(False), tokenizer, weights)
