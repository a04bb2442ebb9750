"""Models as the hub's older repositories hold them, and as its cache keeps them on a disk."""

from __future__ import annotations

import json
import shutil
from hashlib import sha1
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
safetensors = pytest.importorskip("safetensors.torch")

__all__ = ["COMMIT", "OTHER", "cached", "pickled", "sharded"]

COMMIT = "0123456789abcdef0123456789abcdef01234567"
OTHER = "fedcba9876543210fedcba9876543210fedcba98"


def pickled(model: Path, folder: Path, legacy: bool = False) -> Path:
    """A copy whose weights are a pytorch_model.bin; of the kind before torch 1.6 if asked for."""
    shutil.copytree(model, folder)
    weights = folder / "model.safetensors"
    torch.save(
        safetensors.load_file(weights),
        folder / "pytorch_model.bin",
        _use_new_zipfile_serialization=not legacy,
    )
    weights.unlink()
    return folder


def sharded(model: Path, folder: Path) -> Path:
    """A copy whose weights are cut into two files with an index."""
    shutil.copytree(model, folder)
    weights = safetensors.load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    names = sorted(weights)
    places: dict[str, str] = {}
    for part, half in enumerate((names[::2], names[1::2]), start=1):
        file = f"pytorch_model-0000{part}-of-00002.bin"
        torch.save({name: weights[name] for name in half}, folder / file)
        places |= dict.fromkeys(half, file)
    index = {"metadata": {"total_size": 1}, "weight_map": places}
    (folder / "pytorch_model.bin.index.json").write_text(json.dumps(index))
    return folder


def cached(model: Path, cache: Path, name: str, commit: str = COMMIT) -> Path:
    """Put a model into a cache of the hub: blobs, links to them in a snapshot, and `main`."""
    place = cache / f"models--{name.replace('/', '--')}"
    snapshot = place / "snapshots" / commit
    for folder in (place / "blobs", place / "refs", snapshot):
        folder.mkdir(parents=True)
    (place / "refs" / "main").write_text(commit)
    for file in model.iterdir():
        blob = place / "blobs" / sha1(file.read_bytes()).hexdigest()
        shutil.copy2(file, blob)
        (snapshot / file.name).symlink_to(blob)
    return snapshot
