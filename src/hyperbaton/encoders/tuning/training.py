"""The training itself, in torch, and what a checkpoint predicts."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import atomic_path, atomic_write
from hyperbaton.base.npz import DamagedArrays, read_npz
from hyperbaton.encoders.encoder import ENCODERS
from hyperbaton.encoders.tuning.classifier import Classifier, Row
from hyperbaton.encoders.tuning.finetuning import FineTuning, Texts
from hyperbaton.hub import device_of

_TOKENS = {"cuda": 65_536, "cpu": 4_096}
"""Pieces in a batch of predictions."""


class Trained:
    """The weights after an epoch."""

    def __init__(self, job: FineTuning, path: Path, device: str) -> None:
        self._job = job
        self._path = path
        self._device = device
        self.name = f"{path.parent.name}/{path.stem}"

    def predict(self, texts: Texts) -> NDArray[np.intp]:
        """The label of each row; for `choice`, the number of the choice."""
        if not texts:
            return np.empty(0, np.intp)
        model = _model(self._job.encoder, self._job.outputs, self._device)
        _load(model, self._path)
        model.train(False)
        rows = model.read(_model_rows(self._job, texts))
        device = next(model.parameters()).device
        with _precision(device):
            scores = model.scores(rows, _TOKENS.get(device.type, _TOKENS["cpu"]))
        best: NDArray[np.intp] = scores.reshape(len(texts), -1).argmax(axis=1)
        return best


def train(job: FineTuning, texts: Texts, gold: Sequence[int], place: Path, device: str) -> None:
    """Train the epochs that are not there yet; the same weights whether stopped between or not."""
    done = _epochs_done(place, job.epochs)
    if done == job.epochs:
        return
    torch.manual_seed(job.seed)
    model = _build(job.encoder, job.outputs, device_of(device))
    weights = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=job.rate, weight_decay=job.decay)
    if done:
        _load(model, place / f"epoch-{done:02}.npz")
        _load_optimizer(optimizer, _state(place, done))
    rows = model.read(_model_rows(job, texts))
    per_row = len(rows) // len(texts)
    steps = -(-len(texts) // job.batch)
    for epoch in range(done, job.epochs):
        model.train()
        order = np.random.default_rng((job.seed, epoch)).permutation(len(texts))
        for number in range(steps):
            step = epoch * steps + number
            # What dropout draws hangs on the step alone, so that a resumed run draws the same.
            torch.manual_seed(job.seed * 1_000_003 + step)
            for group in optimizer.param_groups:
                group["lr"] = job.learning_rate(step, steps * job.epochs)
            chosen = order[number * job.batch : (number + 1) * job.batch]
            taken = [rows[at * per_row + part] for at in chosen for part in range(per_row)]
            labels = torch.tensor([gold[at] for at in chosen])
            _step(model, taken, labels, optimizer, weights)
        _keep(model, optimizer, place, epoch + 1)
    _state(place, job.epochs).unlink()


def _step(
    model: Classifier,
    rows: Sequence[Row],
    labels: Tensor,
    optimizer: torch.optim.Optimizer,
    weights: Sequence[Tensor],
) -> None:
    device = next(model.parameters()).device
    with _precision(device):
        scores = model.logits(rows)
    loss = functional.cross_entropy(scores.float().view(len(labels), -1), labels.to(device))
    if not torch.isfinite(loss):
        raise HyperbatonError("fine-tuning diverged: lower the learning rate")
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(weights, 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


def _model_rows(job: FineTuning, texts: Texts) -> list[tuple[str, ...]]:
    """What the model reads at once: a premise goes with each of its choices."""
    if job.kind != "choice":
        return list(texts)
    return [(premise, choice) for premise, *choices in texts for choice in choices]


def _precision(device: torch.device) -> AbstractContextManager[object]:
    """Half precision where it is faster."""
    return torch.autocast("cuda", torch.bfloat16) if device.type == "cuda" else nullcontext()


def _build(encoder: str, outputs: int, device: torch.device) -> Classifier:
    return ENCODERS.parse(encoder).classifier(outputs).to(device)


@lru_cache(maxsize=1)
def _model(encoder: str, outputs: int, device: str) -> Classifier:
    """One model for all checkpoints, which bring their own weights."""
    return _build(encoder, outputs, device_of(device))


def _trained(model: Classifier) -> dict[str, Tensor]:
    return {name: p for name, p in model.named_parameters() if p.requires_grad}


def _load(model: Classifier, path: Path) -> None:
    try:
        found = read_npz(path)
        with torch.no_grad():
            for name, place in _trained(model).items():
                place.copy_(torch.from_numpy(found[name].copy()))
    except (DamagedArrays, KeyError, TypeError, RuntimeError):
        raise HyperbatonError(_retrain(path)) from None


def _retrain(path: Path) -> str:
    return f"{path} cannot be read: delete {path.parent}, and it is trained again"


def _load_optimizer(optimizer: torch.optim.Optimizer, path: Path) -> None:
    try:
        optimizer.load_state_dict(torch.load(path, weights_only=True))
    except Exception:  # torch's reader of pickles raises whatever its parts raise
        raise HyperbatonError(_retrain(path)) from None


def _state(place: Path, epoch: int) -> Path:
    return place / f"resume-{epoch:02}.pt"


def _keep(model: Classifier, optimizer: torch.optim.Optimizer, place: Path, epoch: int) -> None:
    """The state of the optimizer comes first, and that of the epoch before goes last."""
    with atomic_path(_state(place, epoch)) as path:
        torch.save(optimizer.state_dict(), path)
    with atomic_write(place / f"epoch-{epoch:02}.npz") as file:
        weights = {name: p.detach().cpu().numpy() for name, p in _trained(model).items()}
        np.savez(file, allow_pickle=False, **weights)
    _state(place, epoch - 1).unlink(missing_ok=True)


def _epochs_done(place: Path, epochs: int) -> int:
    """Epochs that training can go on from."""
    done = 0
    while done < epochs and (place / f"epoch-{done + 1:02}.npz").is_file():
        done += 1
    return done if done == epochs or _state(place, done).is_file() else 0
