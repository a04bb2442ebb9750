"""What a paraphrase detector is trained with."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Literal

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.train.options import changed

__all__ = ["DETECTOR_PRESETS", "DetectorRecipe", "detector_preset"]


@dataclass(frozen=True)
class DetectorRecipe:
    """Optimisation of a detector; the defaults are the isometry paper's for base models."""

    epochs: int = 10
    batch: int = 32
    """Pairs on the device at once."""
    accumulate: int = 1
    """Batches whose gradients make one step."""
    learning_rate: float = 2e-5
    betas: tuple[float, float] = (0.9, 0.999)
    weight_decay: float = 0.0
    clip: float = 1.0
    max_tokens: int = 128
    precision: Literal["fp32", "bf16"] = "fp32"
    dropout: float = 0.3
    """Of the alignment network; a fine-tuned model has its own."""
    width: int = 48
    """Of the alignment network."""
    unrelated: float = 0.0
    """How many pairs more, as a share: sentences that do not belong together, labelled 0."""
    seed: int = 1

    def __post_init__(self) -> None:
        if min(self.epochs, self.batch, self.accumulate) < 1:
            raise HyperbatonError("epochs, batch and accumulate must be at least 1")
        if self.max_tokens < 8:
            raise HyperbatonError("max_tokens must be at least 8")
        if not 0 <= self.unrelated <= 1:
            raise HyperbatonError(f"unrelated is a share from 0 to 1, not {self.unrelated}")

    def to_json(self) -> str:
        """The recipe as it is stored beside the detector."""
        return json.dumps(asdict(self), indent=2)

    def with_options(self, options: dict[str, str]) -> DetectorRecipe:
        """The recipe with some numbers replaced, as the command line gives them.

        >>> DetectorRecipe().with_options({"epochs": "3", "learning_rate": "1e-4"}).epochs
        3
        """
        return changed(self, options)


DETECTOR_PRESETS: dict[str, DetectorRecipe] = {
    # Shankar 2021: mBERT base and XLM-R base.
    "base": DetectorRecipe(),
    # The same for XLM-R large: 8 pairs at a time, 4 times.
    "large": DetectorRecipe(batch=8, accumulate=4, learning_rate=1e-6),
    # The alignment network, from scratch or on an encoder that stays as it is.
    "alignment": DetectorRecipe(epochs=30, learning_rate=1e-3, weight_decay=0.01, width=32),
}


def detector_preset(name: str) -> DetectorRecipe:
    """A recipe by its name."""
    if name not in DETECTOR_PRESETS:
        known = ", ".join(DETECTOR_PRESETS)
        raise HyperbatonError(f"unknown preset '{name}' (there are: {known})")
    return DETECTOR_PRESETS[name]
