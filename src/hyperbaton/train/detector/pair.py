"""A pretrained model fine-tuned to classify pairs: mBERT, XLM-R and their like."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Sequence
from pathlib import Path

import torch
import transformers

from hyperbaton.hub import Source, explained, load_model, quiet, resolve
from hyperbaton.language.tokenizing import load_folder
from hyperbaton.train.detector.recipe import DetectorRecipe
from hyperbaton.train.detector.training import Example

__all__ = ["LABELS", "FineTuned", "load_pretrained"]

LABELS = {0: "different", 1: "paraphrase"}


class FineTuned:
    """A transformers model with a classification head and its tokenizer."""

    def __init__(
        self,
        model: transformers.PreTrainedModel,
        tokenizer: transformers.PreTrainedTokenizerBase,
        max_tokens: int,
    ) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._limit = max_tokens
        names = set(inspect.signature(model.forward).parameters)
        if getattr(model.config, "type_vocab_size", 2) < 2:
            names -= {"token_type_ids"}
        self._inputs = names

    @property
    def module(self) -> torch.nn.Module:
        """The whole model is trained."""
        return self._model

    def logits(self, examples: Sequence[Example]) -> torch.Tensor:
        """Both sentences in one sequence, cut at the limit."""
        coded = self._tokenizer(
            [example.first for example in examples],
            [example.second for example in examples],
            truncation="longest_first",
            max_length=self._limit,
            padding=True,
            return_tensors="pt",
        )
        device = self._model.device
        inputs = {name: rows.to(device) for name, rows in coded.items() if name in self._inputs}
        logits: torch.Tensor = self._model(**inputs).logits
        return logits

    def save(self, folder: Path) -> None:
        """A folder in the hub's format, safetensors, that `hf-pair:` reads."""
        folder.mkdir(parents=True, exist_ok=True)
        with quiet():
            self._model.save_pretrained(folder)
            self._tokenizer.save_pretrained(folder)


def load_pretrained(source: Source, recipe: DetectorRecipe, device: torch.device) -> FineTuned:
    """A pretrained encoder with a fresh head; the seed decides how the head begins."""
    snapshot = resolve(source)
    torch.manual_seed(recipe.seed)
    with explained(source), quiet(), warnings.catch_warnings():
        # That the head is new is what is wanted here.
        warnings.simplefilter("ignore")
        model = load_model(
            "AutoModelForSequenceClassification",
            snapshot,
            head="new",
            num_labels=2,
            id2label=LABELS,
            label2id={name: number for number, name in LABELS.items()},
        )
        tokenizer = load_folder(snapshot.folder)
    torch.nn.Module.to(model, device)
    return FineTuned(model, tokenizer, min(recipe.max_tokens, tokenizer.model_max_length))
