"""Where the files of a model are: in a folder, in the hub's cache, or on the hub if asked for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hyperbaton.base.content import fingerprint, read_object
from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.hub.weights import FORMATS, Weights, weight_files

MARKS = ("config.json", "modules.json")
"""One of them is in every model's folder; the second in those of sentence-transformers."""
UNREADABLE = (".h5", ".msgpack", ".ot", ".gguf", ".onnx", ".npz", ".pth", ".pt", ".safetensors")
"""Endings of weights that are not read; safetensors under another name than the model's own."""
MODULE = re.compile(r"\d+_\w+")
"""The name of a folder that holds one module of a sentence-transformers model."""


@dataclass(frozen=True)
class Source:
    """Where a model comes from: a folder, or a name on the hub with a revision."""

    model: str
    revision: str | None = None
    download: bool = False
    code: bool = False
    """Whether code that comes with the model may run."""
    to_fetch: str = "download=true"
    """What the user writes to have it fetched."""
    to_trust: str = ""
    """What the user writes to have its own code run, where that can be."""


@dataclass(frozen=True)
class Snapshot:
    """The files of a model on this machine."""

    source: Source
    folder: Path
    commit: str = ""
    """The hub's commit of these files; empty for a folder that the user named."""

    def weights(self) -> Weights:
        """The files of weights, or one sentence that says what is there instead."""
        name = self.source.model
        if (self.folder / "adapter_config.json").is_file():
            raise HyperbatonError(
                f"{name} is an adapter to another model: merge both and save the whole model"
            )
        found = weight_files(self.folder)
        if found is not None:
            self._refuse_others(found)
            return found
        others = sorted(p.name for p in self.folder.iterdir() if p.suffix in UNREADABLE)
        if (self.folder / "model.bin").is_file():
            raise HyperbatonError(
                f"{name} holds a CTranslate2 model, not one of transformers: use ct2:{name}"
            )
        if self.commit and not others:
            raise HyperbatonError(
                f"{name} is on this machine without its weights, or with a part of them; "
                f"fetch them once with {self.source.to_fetch}"
            )
        beside = f" ({', '.join(others[:3])} cannot be read)" if others else ""
        raise HyperbatonError(
            f"{name} holds no weights{beside}: model.safetensors or pytorch_model.bin is needed, "
            "or all parts that their index names"
        )

    def _refuse_others(self, found: Weights) -> None:
        """transformers follows a configuration that names a file of its own choice."""
        config = self.folder / "config.json"
        named = read_object(config).get("transformers_weights") if config.is_file() else None
        indices = {f"{stem}.{ending}.index.json" for stem, ending in FORMATS}
        if named and named not in {file.name for file in found.files} | indices:
            raise HyperbatonError(
                f"{self.source.model} cannot be loaded: its config.json names other weights "
                f"({named}) than {found.files[0].name}, and only these are read"
            )

    def pickled_files(self) -> list[Path]:
        """The files of weights in torch's own format that are read, those of modules among them."""
        found = (weight_files(folder) for folder in module_folders(self.folder))
        return [file for one in found if one and one.pickled for file in one.files]

    def revision(self, digits: int | None = None) -> str:
        """The commit for a signature; it tells files of weights in torch's own format apart."""
        return self.commit[:digits] + ("/pytorch_model.bin" if self.pickled_files() else "")

    def fingerprint(self, files: Iterable[Path], endings: Collection[str]) -> str:
        """A hash of those files that have one of these endings, and of the weights."""
        kept = {path for path in files if path.suffix in endings and path.is_file()}
        return fingerprint(sorted(kept.union(self.pickled_files())))

    def module(self, path: str) -> Snapshot:
        """The same model's folder of one module."""
        return Snapshot(self.source, self.folder / path, self.commit)


def resolve(source: Source) -> Snapshot:
    """Find the files of a model; nothing is fetched unless `download` asks for it."""
    path = Path(source.model).expanduser()
    if path.is_dir():
        if not any((path / mark).is_file() for mark in MARKS):
            raise HyperbatonError(f"{source.model} holds no transformers model (no config.json)")
        return Snapshot(source, path)
    if source.model.startswith((".", "/", "~")) or source.model.count("/") > 1:
        raise HyperbatonError(f"there is no model folder {source.model}")
    cache = need("huggingface_hub.constants", extra="hf").HF_HUB_CACHE
    return _of_hub(source, Path(cache))


@lru_cache(maxsize=64)
def _of_hub(source: Source, cache: Path) -> Snapshot:
    """One commit a process: what is loaded and what is signed are the same."""
    from hyperbaton.hub.fetching import fetch

    folder = fetch(source) if source.download else cached(source)
    if folder is None:
        raise HyperbatonError(_absent(source, cache))
    return Snapshot(source, folder, folder.name)


def module_folders(folder: Path) -> list[Path]:
    """A model's folder and those of its modules."""
    inside = (path for path in folder.iterdir() if MODULE.fullmatch(path.name) and path.is_dir())
    return [folder, *sorted(inside)]


def cached(source: Source) -> Path | None:
    """The folder of a model in the hub's cache, whole or not."""
    hub = need("huggingface_hub", extra="hf")
    for mark in MARKS:
        try:
            found = hub.try_to_load_from_cache(source.model, mark, revision=source.revision or None)
        except ValueError:
            raise HyperbatonError(
                f"there is no model folder {source.model}, and the hub has no such names"
            ) from None
        if isinstance(found, str):
            return Path(found).parent
    return None


def _absent(source: Source, cache: Path) -> str:
    kept = cache / f"models--{source.model.replace('/', '--')}" / "snapshots"
    if source.revision or (kept.is_dir() and any(kept.iterdir())):
        what = f"revision {source.revision or 'main'} of {source.model}"
    else:
        what = "it"
    return (
        f"the model {source.model} cannot be loaded: {what} is not on this machine; "
        f"fetch it once with {source.to_fetch}"
    )


_PARTS = (".json", ".safetensors", ".txt", ".model", ".spm", ".vocab")


def identity(source: Source) -> str:
    """The revision for a signature: the hub's commit, or a hash of the files in a folder."""
    snapshot = resolve(source)
    if snapshot.commit:
        return snapshot.revision(12)
    return snapshot.fingerprint(snapshot.folder.rglob("*"), _PARTS)
