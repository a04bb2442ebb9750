"""Fine-tune an encoder on labelled texts: a checkpoint an epoch, to be chosen from later.

The defaults are those of Clouatre et al. 2022 for models of base size. Which checkpoint is used is
the caller's choice, since it is made anew for every perturbation.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.content import read_json
from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.base.files import write_text

Kind = Literal["single", "pair", "choice"]
"""One text, two texts, or a premise and its choices."""
Texts = Sequence[tuple[str, ...]]


class Checkpoint(Protocol):
    """The weights after an epoch, loaded when they are asked."""

    name: str

    def predict(self, texts: Texts) -> NDArray[np.intp]:
        """The label of each row; for `choice`, the number of the choice."""


@dataclass(frozen=True)
class FineTuning:
    """What decides the weights, apart from the texts."""

    encoder: str
    """Its name, without what changes no weights (`Encoder.trained`)."""
    kind: Kind
    labels: int
    seed: int = 0
    epochs: int = 10
    rate: float = 2e-5
    batch: int = 32
    decay: float = 0.1
    warmup: float = 0.06

    def __post_init__(self) -> None:
        if min(self.epochs, self.batch) < 1 or self.labels < 2:
            raise HyperbatonError("fine-tuning needs an epoch, a batch of 1 and 2 labels or more")
        if not (self.rate > 0 and self.decay >= 0 and 0 <= self.warmup < 1):
            raise HyperbatonError("fine-tuning: rate > 0, decay ≥ 0, and 0 ≤ warmup < 1")

    @property
    def outputs(self) -> int:
        """Numbers that the head gives for a row of the model."""
        return 1 if self.kind == "choice" else self.labels

    def learning_rate(self, step: int, steps: int) -> float:
        """A linear rise over the warm-up, then a linear fall to nothing."""
        rise = max(1, round(self.warmup * steps))
        if step < rise:
            return self.rate * (step + 1) / rise
        return self.rate * (steps - step) / max(1, steps - rise)


def fine_tune(
    job: FineTuning, texts: Texts, gold: Sequence[int], folder: Path, device: str = "auto"
) -> Sequence[Checkpoint]:
    """Train, or resume, or only name what is already there: one checkpoint for each epoch."""
    _check(job, texts, gold)
    need("torch", extra="hf")
    from hyperbaton.encoders.tuning.training import Trained, train

    place = folder / f"seed-{job.seed}"
    _claim(place, job, texts, gold)
    train(job, texts, gold, place, device)
    epochs = range(1, job.epochs + 1)
    return [Trained(job, place / f"epoch-{epoch:02}.npz", device) for epoch in epochs]


def _check(job: FineTuning, texts: Texts, gold: Sequence[int]) -> None:
    if not texts or len(texts) != len(gold):
        raise HyperbatonError(f"{len(texts)} texts but {len(gold)} labels to fine-tune on")
    parts = {"single": 1, "pair": 2, "choice": job.labels + 1}[job.kind]
    wrong = next((at for at, row in enumerate(texts) if len(row) != parts), None)
    if wrong is not None:
        raise HyperbatonError(
            f"row {wrong + 1} has {len(texts[wrong])} texts: '{job.kind}' wants {parts}"
        )
    if not all(0 <= label < job.labels for label in gold):
        raise HyperbatonError(f"a label is not among 0 to {job.labels - 1}")


def _claim(place: Path, job: FineTuning, texts: Texts, gold: Sequence[int]) -> None:
    """Refuse a folder that was trained in another way."""
    rows = json.dumps([list(texts), list(gold)], ensure_ascii=False)
    mine = asdict(job) | {"data": blake2b(rows.encode(), digest_size=8).hexdigest()}
    path = place / "fine-tuning.json"
    if not path.is_file():
        write_text(path, json.dumps(mine, indent=2))
    elif read_json(path) != mine:
        raise HyperbatonError(
            f"{place} holds a training with other settings or texts: name another folder"
        )
