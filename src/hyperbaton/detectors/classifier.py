"""`hf-pair:NAME_OR_PATH`: a fine-tuned sequence-pair classifier of the hub's format."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hyperbaton.base.batches import by_length
from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.detectors.detector import Detector, Pair, Probabilities
from hyperbaton.hub import Source, explained, load_model, quiet, resolve
from hyperbaton.metrics.metric import versions
from hyperbaton.metrics.neural.models import identity

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

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
        loaded = _load(self._source, self.device)
        index = paraphrase_index(loaded.labels, self.label, self.model)
        if not self.commutative:
            return loaded.probabilities(pairs, index, self.max_tokens, self.batch_tokens)
        directed = [*pairs, *((b, a) for a, b in pairs)]
        found = loaded.probabilities(directed, index, self.max_tokens, self.batch_tokens)
        return np.asarray((found[: len(pairs)] + found[len(pairs) :]) / 2)

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


@dataclass(frozen=True, eq=False)
class _Loaded:
    tokenizer: PreTrainedTokenizerBase
    model: PreTrainedModel
    inputs: frozenset[str]

    @property
    def labels(self) -> dict[int, str]:
        return {
            int(number): str(name) for number, name in (self.model.config.id2label or {}).items()
        }

    def probabilities(
        self, pairs: Sequence[Pair], index: int, limit: int, tokens: int
    ) -> Probabilities:
        torch = need("torch", extra="neural")
        coded = self.tokenizer(
            [a for a, _ in pairs],
            [b for _, b in pairs],
            truncation="longest_first",
            max_length=limit,
        )
        kept = {key: rows for key, rows in coded.items() if key in self.inputs}
        found = np.empty(len(pairs))
        for batch in by_length([len(row) for row in kept["input_ids"]], tokens):
            part = {key: [rows[i] for i in batch] for key, rows in kept.items()}
            padded = self.tokenizer.pad(part, return_tensors="pt")
            with torch.inference_mode():
                logits = self.model(**padded.to(self.model.device)).logits.double().cpu()
            one = logits.shape[1] == 1
            chances = logits.sigmoid() if one else logits.softmax(dim=1)
            found[batch] = chances[:, index].numpy()
        return found


@lru_cache(maxsize=3)
def _load(source: Source, device: str) -> _Loaded:
    transformers = need("transformers", extra="neural")
    snapshot = resolve(source)
    folder = snapshot.folder
    with explained(source), quiet():
        config = transformers.AutoConfig.from_pretrained(folder, trust_remote_code=False)
        _refuse_bare_encoder(config.architectures, source.model)
        model = load_model("AutoModelForSequenceClassification", snapshot)
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
    # DistilBERT and XLM-R know no segments, whatever the tokenizer offers.
    inputs = frozenset(inspect.signature(model.forward).parameters)
    if getattr(config, "type_vocab_size", 2) < 2:
        inputs -= {"token_type_ids"}
    torch = need("torch", extra="neural")
    from hyperbaton.hub import device_of

    torch.nn.Module.to(model, device_of(device), torch.float32)
    return _Loaded(tokenizer, model.train(False), inputs)


def _refuse_bare_encoder(architectures: Sequence[str] | None, model: str) -> None:
    """A model without a trained head would answer, but with random numbers."""
    if not any("SequenceClassification" in name for name in architectures or ()):
        raise HyperbatonError(
            f"{model} is not fine-tuned to classify pairs: train one with hyperbaton train detector"
        )
