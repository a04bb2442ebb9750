"""What an encoder and a classifier are: values that open into a model which answers batches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.spec import Registry, Spec

__all__ = [
    "CLASSIFIERS",
    "ENCODERS",
    "Classifier",
    "Encoder",
    "Input",
    "Integers",
    "OpenClassifier",
    "OpenEncoder",
    "Read",
    "Reader",
    "Vectors",
]

Input = str | tuple[str, str]
"""A text, or two."""
Vectors = NDArray[np.float32]
"""Texts × numbers."""
Integers = NDArray[np.int32]


class Read(NamedTuple):
    """Texts as a model wants them, in plain arrays that go between processes."""

    numbers: Integers
    """All rows end to end, special tokens and prefix included."""
    lengths: Integers
    """Numbers in each row."""
    owners: Integers
    """The text that a row belongs to; a long text is cut into several rows."""
    tokens: Integers | None
    """Tokens of each text, special ones counted and the prefix not; None without a vocabulary."""


class Reader(ABC):
    """How an encoder reads texts, apart from its model: light, and another process can have it."""

    @abstractmethod
    def read(self, texts: Sequence[str]) -> Read:
        """The texts as the model wants them."""


class _Open:
    """What is open: it holds the model, and gives it back."""

    signature: str
    """Everything that changes the answers: name, weights, pooling, prefix, precision, versions."""
    batch_tokens: int = 4096
    """How large a batch may be, in the unit of `cost`."""

    def cost(self, text: Input) -> int:
        """The share of a batch that an input takes, in tokens or the like."""
        return len(text) if isinstance(text, str) else sum(map(len, text))

    def close(self) -> None:
        """Give the resources back."""


class OpenEncoder(_Open, ABC):
    """An open encoder; a vector does not depend on what else is in its batch."""

    size: int
    """Numbers in a vector."""

    tokenizer: Path | None = None
    """The file or folder of its tokenizer, where it has one that others can open."""

    @abstractmethod
    def encode(self, texts: Sequence[str]) -> Vectors:
        """One vector for each text, in order."""

    def reader(self) -> Reader | None:
        """How it reads texts; None where reading and encoding are one."""
        return None

    def encode_read(self, read: Read) -> Vectors:
        """The vectors of texts that its reader has read, the same as those of `encode`."""
        raise NotImplementedError

    def tokens(self, texts: Sequence[str]) -> list[int] | None:
        """How many tokens the model makes of each text, special ones counted; None without any."""
        return None


class OpenClassifier(_Open, ABC):
    """An open classifier of texts, or of pairs of texts."""

    labels: tuple[str, ...]

    @abstractmethod
    def classify(self, inputs: Sequence[Input]) -> list[str]:
        """One label for each input, in order."""


class Encoder(Spec, ABC):
    """An encoder as the user names it; opening it is what loads the model."""

    @abstractmethod
    def open(self) -> OpenEncoder:
        """Load the model, or say in one sentence why that cannot be."""


class Classifier(Spec, ABC):
    """A classifier as the user names it."""

    @abstractmethod
    def open(self) -> OpenClassifier:
        """Load the model, or say in one sentence why that cannot be."""


ENCODERS: Registry[Encoder] = Registry(
    "encoder",
    {
        "e5": "hyperbaton.encoders.e5.encoder:E5",
        "chars": "hyperbaton.encoders.characters.encoder:Characters",
        "ngrams": "hyperbaton.encoders.character_ngrams:CharacterNgrams",
        "hf": "hyperbaton.encoders.hf:HuggingFace",
        "ct2": "hyperbaton.encoders.ct2:CTranslate2",
        "use": "hyperbaton.encoders.use:USE",
        "translator": "hyperbaton.encoders.translator:Translator",
        "recorded": "hyperbaton.encoders.recorded:Recorded",
    },
)
CLASSIFIERS: Registry[Classifier] = Registry("classifier", {})
