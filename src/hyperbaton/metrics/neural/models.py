"""Models in the hub's format: found on this machine, read as safetensors, known by their hash."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from hyperbaton.errors import HyperbatonError
from hyperbaton.extras import need
from hyperbaton.fingerprint import fingerprint

__all__ = ["Source", "device_of", "folder_of", "identity", "refuse_without_safetensors"]

_PARTS = (".json", ".safetensors", ".txt", ".model", ".spm", ".vocab")


@dataclass(frozen=True)
class Source:
    """Where a model comes from: a folder, or a name on the hub with a revision."""

    model: str
    revision: str | None = None
    download: bool = False


def folder_of(source: Source) -> Path:
    """The folder that holds the model; a name on the hub is looked up among those fetched before.

    Nothing is fetched unless `download` asks for it, and only files that hold no code.
    """
    path = Path(source.model).expanduser()
    if not path.is_dir():
        if source.model.startswith((".", "/", "~")) or source.model.count("/") > 1:
            raise HyperbatonError(f"there is no model folder {source.model}")
        path = _fetched(source)
    if not (path / "config.json").is_file() and not (path / "modules.json").is_file():
        raise HyperbatonError(f"{source.model} holds no model in the hub's format (no config.json)")
    return path


def _fetched(source: Source) -> Path:
    hub = need("huggingface_hub", extra="neural")
    try:
        return Path(
            hub.snapshot_download(
                source.model,
                revision=source.revision,
                local_files_only=not source.download,
                allow_patterns=[f"*{ending}" for ending in _PARTS],
                ignore_patterns=["onnx/*", "openvino/*"],
            )
        )
    except Exception as error:  # the hub's errors share no class; each means: it is not here
        if not source.download:
            advice = "it is not on this machine; fetch it once with download=true"
        elif os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"}:
            advice = "it is not on this machine and HF_HUB_OFFLINE forbids downloading it"
        else:
            advice = f"it could not be downloaded: {_first_sentence(error)}"
        raise HyperbatonError(f"the model {source.model} cannot be loaded: {advice}") from None


def _first_sentence(error: Exception) -> str:
    return " ".join(str(error).split()).split(". ")[0].rstrip(".")


def refuse_without_safetensors(folder: Path, name: str) -> None:
    """An error where the weights are in a format that can run code when it is read."""
    if not any(folder.glob("*.safetensors")):
        raise HyperbatonError(
            f"{name} holds no safetensors weights, and other formats can run code when they are "
            "loaded: convert them with python -m hyperbaton.metrics.neural.convert FOLDER"
        )


def identity(source: Source) -> str:
    """The revision for a signature: the hub's commit, or a hash of the files in a folder."""
    folder = folder_of(source)
    if folder.parent.name == "snapshots":
        return folder.name[:12]
    return fingerprint(p for p in sorted(folder.rglob("*")) if p.suffix in _PARTS and p.is_file())


def device_of(asked: str) -> str:
    """The device that `auto` stands for, or the one asked for if it is there."""
    torch = need("torch", extra="neural")
    cuda = torch.cuda.is_available()
    if asked == "auto":
        return "cuda" if cuda else "cpu"
    if asked.startswith("cuda") and not cuda:
        raise HyperbatonError(f"device={asked}: torch sees no GPU here; leave device out")
    return asked
