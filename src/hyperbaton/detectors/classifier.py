"""`hf-pair:NAME_OR_PATH`: a fine-tuned sequence-pair classifier of the hub's format."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.detectors.detector import Detector, Pair, Probabilities
from hyperbaton.hub import Source, device_of, explained, identity, load_model, quiet, resolve
from hyperbaton.language.tokenizing import load_folder
from hyperbaton.metrics.metric import versions

if TYPE_CHECKING:
    from hyperbaton.encoders.tuning.pretrained import Pretrained

_POSITIVE = re.compile(
    r"(is[_ -]?)?(paraphrases?|paraphrased|duplicates?|equivalent|same|entailment|yes|true|1|"
    r"label_1)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class PairClassifier(Detector):
    """BERT, XLM-R, DistilBERT and their like.

    `commutative=true` is the mean of both orders of the two sentences, as the paper proposes.
    """

    name: ClassVar[str] = "hf-pair"
    positional: ClassVar[str | None] = "model"

    model: str
    commutative: bool = False
    """Use P = (P(a, b) + P(b, a)) / 2."""
    label: str = ""
    """The class that means `paraphrase`, by name or number; found in the configuration else."""
    max_tokens: int = 128
    revision: str | None = None
    download: bool = False
    device: str = "auto"
    batch_tokens: int = 8192

    @property
    def _source(self) -> Source:
        return Source(self.model, self.revision, self.download)

    def judge(self, pairs: Sequence[Pair], language: str) -> Probabilities:
        """Softmax over the classes, at the one for paraphrases."""
        model = _load(self._source, self.device, self.max_tokens)
        names = (model.network.config.id2label or {}).items()
        labels = {int(number): str(name) for number, name in names}
        index = paraphrase_index(labels, self.label, self.model)
        directed = [*pairs, *((b, a) for a, b in pairs if self.commutative)]
        logits = need("torch", extra="neural").from_numpy(
            model.scores(model.read(directed), self.batch_tokens)
        )
        one = logits.shape[1] == 1
        chances = logits.double().sigmoid() if one else logits.double().softmax(dim=1)
        found = chances[:, index].numpy().reshape(-1, len(pairs))
        return np.asarray(found.mean(axis=0))

    def fields(self, language: str) -> dict[str, str]:
        """The weights as they were read, and the versions of what ran them."""
        return {"revision": identity(self._source), **versions("torch", "transformers")}


def paraphrase_index(labels: Mapping[int, str], asked: str, model: str) -> int:
    """The number of the class that means `paraphrase`.

    >>> paraphrase_index({0: "different", 1: "paraphrase"}, "", "m")
    1
    >>> paraphrase_index({0: "LABEL_0", 1: "LABEL_1"}, "0", "m")
    0
    """
    if asked:
        for number, name in labels.items():
            if asked in (name, str(number)):
                return number
        known = ", ".join(f"{number} {name}" for number, name in labels.items())
        raise HyperbatonError(f"{model} has no class '{asked}': it has {known}")
    if len(labels) == 1:
        return 0
    found = [number for number, name in labels.items() if _POSITIVE.fullmatch(name.strip())]
    if len(found) != 1:
        known = ", ".join(f"{number} {name}" for number, name in labels.items())
        raise HyperbatonError(
            f"{model} does not say which class means paraphrase (it has {known}): give label=…"
        )
    return found[0]


@lru_cache(maxsize=3)
def _load(source: Source, device: str, longest: int) -> Pretrained:
    transformers = need("transformers", extra="neural")
    need("torch", extra="neural")
    from hyperbaton.encoders.tuning.pretrained import CLASS, Pretrained

    snapshot = resolve(source)
    with explained(source), quiet():
        config = transformers.AutoConfig.from_pretrained(snapshot.folder, trust_remote_code=False)
        _refuse_bare_encoder(config.architectures, source.model)
    model = load_model(CLASS, snapshot)
    with explained(source, part="tokenizer"):
        tokenizer = load_folder(snapshot.folder)
    return Pretrained(model, tokenizer, longest).to(device_of(device)).train(False)


def _refuse_bare_encoder(architectures: Sequence[str] | None, model: str) -> None:
    """A model without a trained head would answer, but with random numbers."""
    if not any("SequenceClassification" in name for name in architectures or ()):
        raise HyperbatonError(
            f"{model} is not fine-tuned to classify pairs: train one with hyperbaton train detector"
        )
