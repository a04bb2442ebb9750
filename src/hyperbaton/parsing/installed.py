"""What is installed, told by files alone: versions, spaCy pipelines, models of Stanza and UDPipe.

No parsing library is imported for it.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hyperbaton.base.content import read_json
from hyperbaton.base.errors import HyperbatonError, installed_version
from hyperbaton.base.spec import offered

_STANZA_ALIASES = {"no": "nb", "zh": "zh-hans"}
"""Where there is no list."""


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


STUB_VERSION = "999."
"""Packages of the official names on PyPI carry this version and raise; they hold no model."""


@dataclass(frozen=True)
class PipelineFiles:
    """A pipeline that could be loaded: where it is and what its meta.json says."""

    name: str
    language: str
    version: str
    wants: str
    """The versions of spaCy that it was made for."""
    labels: tuple[str, ...]
    """The dependency labels of its parser, empty where it has none or does not say."""
    segmenter: str
    """What cuts words in a language without spaces, as a package name; else empty."""
    path: Path
    packaged: bool


def is_stub(name: str) -> bool:
    """Whether a package of that name is installed but holds no pipeline."""
    if installed_version(name).startswith(STUB_VERSION):
        return True
    return _package_folder(name) is not None and find(name) is None


def find(name: str) -> PipelineFiles | None:
    """A pipeline by package name or by path, or None when there is none."""
    if "/" in name or "\\" in name or _is_folder(Path(name)):
        folder = Path(name).expanduser()
        return _read(folder, str(folder), packaged=False) if _is_folder(folder) else None
    if installed_version(name).startswith(STUB_VERSION):
        return None
    package = _package_folder(name)
    return _read(package, name, packaged=True) if package else None


def installed() -> tuple[PipelineFiles, ...]:
    """Every pipeline that is installed as a package, by name."""
    names = sorted({point.name for point in offered("spacy_models")})
    return tuple(files for name in names if (files := find(name)) is not None)


def _package_folder(name: str) -> Path | None:
    if not name.isidentifier():
        return None
    package = importlib.util.find_spec(name)
    places = list(package.submodule_search_locations or ()) if package else []
    return Path(places[0]) if places else None


def _is_folder(path: Path) -> bool:
    """Whether there is such a folder; a name that no file can have names none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


@cache
def _read(folder: Path, name: str, packaged: bool) -> PipelineFiles | None:
    data = _data_folder(folder)
    if data is None:
        return None
    try:
        meta = json.loads((data / "meta.json").read_text(encoding="utf-8"))
        return PipelineFiles(
            name=name,
            language=meta["lang"],
            version=meta.get("version", ""),
            wants=meta.get("spacy_version", ""),
            labels=tuple(meta.get("labels", {}).get("parser", ())),
            segmenter=_segmenter(meta["lang"], (data / "config.cfg").read_text(encoding="utf-8")),
            path=data,
            packaged=packaged,
        )
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise HyperbatonError(
            f"{data}/meta.json does not describe a spaCy pipeline: {error}"
        ) from None


def _data_folder(folder: Path) -> Path | None:
    """The folder with config.cfg: the given one, or the versioned one inside a package."""
    for candidate in (folder, *sorted(folder.glob(f"{folder.name}-*"))):
        if (candidate / "config.cfg").is_file() and (candidate / "meta.json").is_file():
            return candidate
    return None


def _segmenter(language: str, config: str) -> str:
    """The library without which the pipeline's tokenizer does not load."""
    if language == "ja":
        return "sudachipy"
    match = re.search(r'^segmenter\s*=\s*"(\w+)"', config, re.MULTILINE)
    named = match[1] if match else ""
    return {"jieba": "jieba", "pkuseg": "spacy-pkuseg"}.get(named, "")
