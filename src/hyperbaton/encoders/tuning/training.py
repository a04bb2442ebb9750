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
        with _precision(device, device.type == "cuda"):
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
    on_gpu = next(model.parameters()).is_cuda  # where half precision is faster
    for epoch in range(done, job.epochs):
        model.train()
        order = np.random.default_rng((job.seed, epoch)).permutation(len(texts))
        for number in range(steps):
            step = epoch * steps + number
            chosen = order[number * job.batch : (number + 1) * job.batch]
            taken = [rows[at * per_row + part] for at in chosen for part in range(per_row)]
            batch = taken, [gold[at] for at in chosen]
            rate = job.learning_rate(step, steps * job.epochs)
            # What dropout draws hangs on the step alone, so that a resumed run draws the same.
            seed = job.seed * 1_000_003 + step
            take_step(model, [batch], optimizer, rate, seed, clip=1.0, half=on_gpu)
        _keep(model, optimizer, place, epoch + 1)
    _state(place, job.epochs).unlink()


def take_step(
    model: Classifier,
    batches: Sequence[tuple[Sequence[Row], Sequence[int]]],
    optimizer: torch.optim.Optimizer,
    rate: float,
    seed: int,
    clip: float,
    half: bool,
) -> float:
    """One step on labelled rows, which may come in several batches; their mean loss."""
    torch.manual_seed(seed)
    (group,) = optimizer.param_groups
    group["lr"] = rate
    count = sum(len(labels) for _, labels in batches)
    total = 0.0
    for rows, labels in batches:
        with _precision(next(model.parameters()).device, half):
            scores = model.logits(rows)
        gold = torch.tensor(labels, device=scores.device)
        scores = scores.float().view(len(labels), -1)
        loss = functional.cross_entropy(scores, gold, reduction="sum") / count
        loss.backward()  # type: ignore[no-untyped-call]
        total += float(loss.detach())
    if not np.isfinite(total):
        raise HyperbatonError(f"training diverged (loss {total}): lower the learning rate")
    if clip:
        torch.nn.utils.clip_grad_norm_(group["params"], clip)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return total


def _model_rows(job: FineTuning, texts: Texts) -> list[tuple[str, ...]]:
    """What the model reads at once: a premise goes with each of its choices."""
    if job.kind != "choice":
        return list(texts)
    return [(premise, choice) for premise, *choices in texts for choice in choices]


def _precision(device: torch.device, half: bool) -> AbstractContextManager[object]:
    return torch.autocast(device.type, torch.bfloat16) if half else nullcontext()


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
