"""The folder of a training: checkpoints that are whole or not there, one process at a time.

Tensors are safetensors and the rest is JSON: nothing is pickled.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import torch
from filelock import FileLock, Timeout
from safetensors.torch import load_file, save

from hyperbaton.base.errors import HyperbatonError, first_line
from hyperbaton.base.files import owned, write_bytes, write_text

_NAME = re.compile(r"step-(\d{8})\.safetensors")
Tensors = dict[str, torch.Tensor]


def _path(folder: Path, step: int) -> Path:
    return folder / f"step-{step:08d}.safetensors"


def steps_saved(folder: Path) -> list[int]:
    """The steps that have a checkpoint, in order."""
    if not folder.is_dir():
        return []
    found = (_NAME.fullmatch(path.name) for path in folder.iterdir())
    return sorted(int(match[1]) for match in found if match)


def latest(folder: Path) -> int | None:
    """The last step that has a checkpoint."""
    steps = steps_saved(folder)
    return steps[-1] if steps else None


def save_state(
    folder: Path,
    step: int,
    model: Mapping[str, torch.Tensor],
    optimizer: torch.optim.Optimizer,
    notes: Mapping[str, object],
) -> None:
    """Write weights, optimizer state and notes of a step in one file."""
    tensors: Tensors = {f"model/{k}": v.detach().contiguous() for k, v in model.items()}
    for index, state in optimizer.state_dict()["state"].items():
        for key, value in state.items():
            tensors[f"optimizer/{index}/{key}"] = torch.as_tensor(value).contiguous()
    # Not by safetensors' own file: it would leave one behind, of any name, where it is killed.
    write_bytes(_path(folder, step), save(tensors, metadata={"notes": json.dumps(dict(notes))}))


def load_state(
    folder: Path, step: int, model: torch.nn.Module, optimizer: torch.optim.Optimizer
) -> dict[str, object]:
    """Put a checkpoint back into model and optimizer, exactly, and return its notes."""
    path = _path(folder, step)
    tensors = _tensors(path)
    weights = {k.removeprefix("model/"): v for k, v in tensors.items() if k.startswith("model/")}
    parameters = dict(model.named_parameters())
    if set(weights) != set(parameters):
        raise HyperbatonError(
            f"{path} holds a model of another recipe: use that recipe, or choose another --out"
        )
    try:
        with torch.no_grad():
            for name, parameter in parameters.items():
                parameter.copy_(weights[name])
        state = optimizer.state_dict()
        state["state"] = {}
        for name, value in tensors.items():
            if name.startswith("optimizer/"):
                _, index, key = name.split("/")
                state["state"].setdefault(int(index), {})[key] = value
        optimizer.load_state_dict(state)
        return _notes(path)
    except (ValueError, KeyError, TypeError, RuntimeError) as error:
        raise HyperbatonError(_damage(path, error)) from None


def _tensors(path: Path) -> Tensors:
    try:
        return load_file(path)
    except Exception as error:  # of a class that the library does not name
        raise HyperbatonError(_damage(path, error)) from None


def _damage(path: Path, error: Exception) -> str:
    why = first_line(error)
    return f"{path} is damaged ({why}): delete it, and training resumes from the one before"


def _notes(path: Path) -> dict[str, object]:
    from safetensors import safe_open

    with safe_open(path, framework="pt") as file:
        notes = dict(json.loads(file.metadata()["notes"]))
    float(str(notes["best_loss"])), int(str(notes["best_step"]))
    return notes


def average(folder: Path, steps: Sequence[int]) -> Tensors:
    """The mean of the weights of several checkpoints."""
    total: Tensors = {}
    for step in steps:
        for name, value in _tensors(_path(folder, step)).items():
            if name.startswith("model/"):
                key = name.removeprefix("model/")
                total[key] = total[key] + value.double() if key in total else value.double()
    return {key: (value / len(steps)).float() for key, value in total.items()}


def prune(folder: Path, keep: Sequence[int]) -> None:
    """Remove every checkpoint but these."""
    for step in set(steps_saved(folder)) - set(keep):
        _path(folder, step).unlink()


_HALF_WRITTEN = re.compile(r"\.tmp[A-Za-z0-9]{6}")
"""What safetensors writes to before it renames the file."""


@contextmanager
def alone(out: Path) -> Iterator[None]:
    """Keep other trainings out of a folder, and remove what a killed one left half-written."""
    out.mkdir(parents=True, exist_ok=True)
    try:
        with owned(FileLock(out / ".lock", timeout=0)):
            for name in ("checkpoints", "model"):
                for path in (out / name).glob(".tmp*"):
                    if _HALF_WRITTEN.fullmatch(path.name):
                        path.unlink(missing_ok=True)
            yield
    except Timeout:
        raise HyperbatonError(
            f"Another process is training in {out}: wait for it, or choose another folder with "
            "--out"
        ) from None


def cut_log(path: Path, step: int) -> None:
    """Leave only the lines up to a step in a log: training goes on from there, and says the rest.

    A line that a killed process wrote half goes too.
    """
    if not path.exists():
        return
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    kept = [line for line in lines if 0 < _step(line) <= step]
    if kept != lines:
        write_text(path, "".join(f"{line}\n" for line in kept))


def _step(line: str) -> int:
    """The step of a line; 0 where it is none."""
    try:
        row = json.loads(line)
    except ValueError:
        return 0
    step = row.get("step") if isinstance(row, dict) else None
    return step if isinstance(step, int) else 0
