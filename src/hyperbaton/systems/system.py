"""What a translation system is: a value that opens into a translator for one language pair."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from hyperbaton.spec import Registry, Spec

__all__ = ["SYSTEMS", "Estimate", "System", "Translation", "Translator"]


@dataclass(frozen=True)
class Translation:
    """What came back for one text: the translation, or the fault that prevented it."""

    text: str | None
    fault: str = ""


@dataclass(frozen=True)
class Estimate:
    """What a job will take, before anything is sent."""

    texts: int
    characters: int
    cost: float | None = None
    """In the currency of the price given, None where the system costs nothing per character."""


class Translator(ABC):
    """An open system: holds the model or connection, translates batches."""

    signature: str
    """Model with revision or hash, decoding options, versions, language pair."""
    batch_tokens: int = 4096
    """How large a batch may be, in the unit of `cost`."""

    @abstractmethod
    def translate(self, texts: Sequence[str]) -> list[Translation]:
        """Translate one batch, in order; a text that failed says so and costs no other."""

    def cost(self, text: str) -> int:
        """The share of a batch that a text takes, in tokens or the like."""
        return len(text)

    def close(self) -> None:  # noqa: B027 - most systems hold nothing to give back
        """Give the resources back."""

    def __enter__(self) -> Translator:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class System(Spec, ABC):
    """A translation system as the user names it; opening it is what loads or connects."""

    price: ClassVar[float | None] = None

    @abstractmethod
    def open(self, source: str, target: str) -> Translator:
        """Make ready for one direction, or say in one sentence why that cannot be."""

    def estimate(self, texts: Sequence[str], price: float | None = None) -> Estimate:
        """Counts and, at a price per million characters, the cost."""
        characters = sum(map(len, texts))
        cost = None if price is None else characters * price / 1e6
        return Estimate(len(texts), characters, cost)


SYSTEMS: Registry[System] = Registry(
    "system",
    {},
)
