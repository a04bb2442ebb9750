"""Versions of what is installed, and the folders where libraries keep their models."""

from __future__ import annotations

import os
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

__all__ = ["installed_version", "stanza_folder", "udpipe_models"]


def installed_version(distribution: str) -> str:
    """The version of an installed distribution, empty when it is not installed."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


def stanza_folder(code: str) -> Path:
    """The folder of Stanza's that holds a language, or else the one it would be put into."""
    own = os.environ.get("STANZA_RESOURCES_DIR")
    if own:
        return Path(own).expanduser()
    places = [*_stanza_caches(), Path.home() / "stanza_resources"]
    return next((place for place in places if (place / code).is_dir()), places[0])


def _stanza_caches() -> list[Path]:
    """Newer versions of Stanza keep models in the user's cache folder, by version."""
    try:
        from platformdirs import user_cache_dir
    except ModuleNotFoundError:
        return []
    return sorted(Path(user_cache_dir("stanza", "StanfordNLP")).glob("*/resources"), reverse=True)


def udpipe_models() -> list[Path]:
    """The models in $UDPIPE_MODELS, a folder of the user's."""
    own = os.environ.get("UDPIPE_MODELS")
    return sorted(Path(own).expanduser().glob("*.udpipe")) if own else []
