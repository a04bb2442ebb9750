"""Tiny pair classifiers of three classes, with random weights, saved as the hub saves them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.metrics.neural_models import Kind, make_model

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
_HOME = TemporaryDirectory(prefix="hyperbaton-pairs-")
LABELS = {0: "different", 1: "paraphrase"}


@cache
def encoder(kind: Kind) -> Path:
    """An encoder without a head."""
    torch.set_num_threads(1)
    folder = Path(_HOME.name) / f"{kind}-encoder"
    folder.mkdir()
    return make_model(folder, kind)


@cache
def classifier(kind: Kind, labels: tuple[str, ...] = ("different", "paraphrase")) -> Path:
    """The same encoder with a random head; its configuration names the classes."""
    transformers = import_module("transformers")
    folder = Path(_HOME.name) / "-".join((kind, *labels))
    torch.manual_seed(3)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(
        encoder(kind), num_labels=len(labels), id2label=dict(enumerate(labels))
    )
    # Far from 0, so that answers differ clearly from one half.
    for name, weights in model.named_parameters():
        if name.startswith(("classifier", "pre_classifier")):
            torch.nn.init.normal_(weights, std=0.3)
    model.save_pretrained(folder)
    transformers.AutoTokenizer.from_pretrained(encoder(kind)).save_pretrained(folder)
    return folder
