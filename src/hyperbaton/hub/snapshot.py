"""Where the files of a model are: in a folder, the hub's cache, or fetched from it if asked for."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from glob import escape
from pathlib import Path, PurePosixPath

from hyperbaton.base.content import fingerprint, read_object
from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.hub.weights import FORMATS, Weights, weight_files

MARKS = ("config.json", "modules.json")
"""One of them is in every model's folder; the second in those of sentence-transformers."""
UNREADABLE = (".h5", ".msgpack", ".ot", ".gguf", ".onnx", ".npz", ".pth", ".pt", ".safetensors")
"""Endings of weights that are not read; safetensors under another name than the model's own."""
MODULE = re.compile(r"\d+_\w+")
"""The name of a folder that holds one module of a sentence-transformers model."""
_SMALL = {".json", ".txt", ".model", ".spm", ".vocab", ".jinja", ".bpe", ".codes", ".tiktoken"}
"""Configurations and vocabularies."""
_TEMPLATES = "additional_chat_templates"


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
    from hyperbaton.hub.snapshot import fetch

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


def wanted(names: Sequence[str], code: bool = False) -> list[str]:
    """Which files of a repository to fetch: weights in one format, what goes with them, no others.

    >>> wanted(["config.json", "pytorch_model.bin", "tf_model.h5", "README.md"])
    ['config.json', 'pytorch_model.bin']
    >>> wanted(["pytorch_model.bin", "model.safetensors", "model.fp16.safetensors"])
    ['model.safetensors']
    """
    folders: dict[str, list[PurePosixPath]] = {}
    for path in map(PurePosixPath, names):
        folders.setdefault(str(path.parent), []).append(path)
    kept = []
    for folder, paths in folders.items():
        if folder == "." or folder == _TEMPLATES or MODULE.fullmatch(folder):
            endings = _SMALL | {".py"} if code else _SMALL
            kept += [path for path in paths if path.suffix in endings]
            kept += _weights(paths)
    return sorted(map(str, kept))


def _weights(paths: Sequence[PurePosixPath]) -> list[PurePosixPath]:
    for stem, ending in FORMATS:
        whole = [path for path in paths if path.name == f"{stem}.{ending}"]
        parts = [path for path in paths if path.match(f"{stem}-*-of-*.{ending}")]
        if whole or parts:
            return whole or parts
    return []


def fetch(source: Source) -> Path:
    """The folder of one commit, fetched; what is in the cache where the hub cannot be asked."""
    hub = need("huggingface_hub", extra="hf")
    revision = source.revision or "main"
    try:
        info = hub.HfApi().model_info(source.model, revision=revision)
    except Exception as error:  # the hub's errors share no class
        if (reason := _refusal(error, source.model, revision)) is not None:
            raise HyperbatonError(reason) from None
        kept = cached(source)
        if kept is None or not any(weight_files(folder) for folder in module_folders(kept)):
            raise HyperbatonError(_not_downloaded(source.model, error, kept)) from None
        return kept
    files = [file.rfilename for file in info.siblings or ()]
    names = wanted(files, source.code)
    if not set(names) & set(MARKS):
        raise HyperbatonError(f"the hub has no model under {source.model} (no config.json)")
    if not any(name.endswith((".safetensors", ".bin")) for name in names):
        others = [name for name in files if name.endswith(UNREADABLE)]
        raise HyperbatonError(
            f"the hub has no weights of {source.model} that can be read: model.safetensors or "
            f"pytorch_model.bin is needed, and there is {', '.join(others[:3]) or 'neither'}"
        )
    try:
        # The revision once more, not the commit: it is then found in the cache under that name.
        return Path(
            hub.snapshot_download(
                source.model, revision=revision, allow_patterns=[escape(name) for name in names]
            )
        )
    except Exception as error:
        raise HyperbatonError(_not_downloaded(source.model, error, None)) from None


def _refusal(error: Exception, model: str, revision: str) -> str | None:
    """What the hub said, or None where it said nothing."""
    kinds = need("huggingface_hub.utils", extra="hf")
    if isinstance(error, kinds.GatedRepoError):
        return (
            f"the model {model} cannot be fetched: accept its terms on its page of the hub, "
            "then log in with hf auth login"
        )
    if isinstance(error, kinds.RevisionNotFoundError):
        return f"the hub has no revision {revision} of {model}"
    if isinstance(error, kinds.RepositoryNotFoundError):
        return (
            f"the hub has no model {model}, or does not show it to you: check the name, "
            "or log in with hf auth login"
        )
    return None


def _not_downloaded(model: str, error: Exception, kept: Path | None) -> str:
    if os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"}:
        here = "on this machine without its weights" if kept else "not on this machine"
        reason = f"it is {here} and HF_HUB_OFFLINE forbids downloading it"
    else:
        first = " ".join(str(error).split()).split(". ")[0].rstrip(".")
        reason = f"it could not be downloaded: {first or type(error).__name__}"
    return f"the model {model} cannot be loaded: {reason}"
