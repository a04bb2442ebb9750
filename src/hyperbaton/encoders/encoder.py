"""What an encoder is: a value that opens into a model which turns texts into vectors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperbaton import __version__
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import Registry, Spec

if TYPE_CHECKING:
    from hyperbaton.encoders.tuning.classifier import Classifier

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
    tokens: Integers | None = None
    """Tokens of each text, special ones counted and the prefix not; None without a vocabulary."""


class Reader(ABC):
    """How an encoder reads texts, apart from its model: light, and another process can have it."""

    @abstractmethod
    def read(self, texts: Sequence[str]) -> Read:
        """The texts as the model wants them."""


class OpenEncoder(ABC):
    """An open encoder; a vector does not depend on what else is in its batch."""

    signature: str
    """Everything that changes the vectors: name, weights, pooling, prefix, precision, versions."""
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

    def close(self) -> None:  # noqa: B027
        """Give the resources back."""


class Encoder(Spec, ABC):
    """An encoder as the user names it; opening it is what loads the model."""

    @abstractmethod
    def open(self) -> OpenEncoder:
        """Load the model, or say in one sentence why that cannot be."""

    def classifier(self, outputs: int) -> Classifier:
        """Its network in torch with a new head of so many numbers, to be fine-tuned."""
        raise HyperbatonError(f"'{self}' cannot be fine-tuned: name e5 or hf:MODEL")

    @property
    def trained(self) -> Encoder:
        """The same without what changes no weights: a training goes by its name."""
        return self

    @property
    def training_device(self) -> str:
        """Where it is fine-tuned."""
        return "auto"


def signature(name: str, **fields: str) -> str:
    """The name of an encoder, what changes its vectors, and the version of this package."""
    parts = (f"{key}:{value}" for key, value in fields.items())
    return "|".join([name, *parts, f"hyperbaton:{__version__}"])


ENCODERS: Registry[Encoder] = Registry(
    "encoder",
    {
        "e5": "hyperbaton.encoders.e5.encoder:E5",
        "chars": "hyperbaton.encoders.characters:Characters",
        "ngrams": "hyperbaton.encoders.character_ngrams:CharacterNgrams",
        "hf": "hyperbaton.encoders.hf:HuggingFace",
        "ct2": "hyperbaton.encoders.ct2:CTranslate2",
        "use": "hyperbaton.encoders.use:USE",
        "translator": "hyperbaton.encoders.translator:Translator",
        "recorded": "hyperbaton.encoders.recorded:Recorded",
    },
)
