"""Files of a model fetched from the hub: those that are read, and no others."""

from __future__ import annotations

import os
from collections.abc import Sequence
from glob import escape
from pathlib import Path, PurePosixPath

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.hub.snapshot import MARKS, MODULE, UNREADABLE, Source, cached, module_folders
from hyperbaton.hub.weights import FORMATS, weight_files

_SMALL = {".json", ".txt", ".model", ".spm", ".vocab", ".jinja", ".bpe", ".codes", ".tiktoken"}
"""Configurations and vocabularies."""
_TEMPLATES = "additional_chat_templates"


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
