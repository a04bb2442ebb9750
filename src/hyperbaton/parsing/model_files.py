"""Versions of what is installed, and the folders where libraries keep their models."""

from __future__ import annotations

import os
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.json_text import read_json

__all__ = ["installed_version", "stanza_code", "stanza_folder", "udpipe_models"]

_STANZA_ALIASES = {"no": "nb", "zh": "zh-hans"}
"""Where there is no list."""


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
    kept = (place for place in places if (place / stanza_code(place, code)).is_dir())
    return next(kept, places[0])


def stanza_code(folder: Path, code: str) -> str:
    """The code under which Stanza keeps a language in a folder: what it calls `zh` is `zh-hans`."""
    aliases = _stanza_aliases(folder / "resources.json")
    return aliases.get(code, _STANZA_ALIASES.get(code, code))


def _stanza_aliases(resources: Path) -> dict[str, str]:
    """What the list says that Stanza downloads with every model."""
    try:
        known = read_json(resources) if resources.is_file() else {}
    except HyperbatonError:  # Stanza says so itself when it reads the list
        known = {}
    if not isinstance(known, dict):
        return {}
    return {
        code: str(entry["alias"])
        for code, entry in known.items()
        if isinstance(entry, dict) and "alias" in entry
    }


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
