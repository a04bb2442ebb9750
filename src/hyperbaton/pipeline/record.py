"""run.json: what a run is made of, so that it can go on, grow, and be told from another one."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import version
from pathlib import Path

from hyperbaton import __version__
from hyperbaton.errors import HyperbatonError
from hyperbaton.files import write_text

__all__ = ["Progress", "Record", "read_record", "versions"]

FORMAT = 1
_PACKAGES = ("numpy", "polars", "sacrebleu", "rapidfuzz", "ctranslate2", "sentencepiece")


@dataclass(frozen=True)
class Progress:
    """How far one language pair is: items and parts are known when its corpus was read through."""

    items: int
    parts: int


@dataclass(frozen=True)
class Record:
    """The whole of run.json; the order of keys is the order in which they were added."""

    study: str
    part: int
    """Items in one part."""
    corpora: Mapping[str, str]
    """The corpus of each pair, with a hash."""
    parsers: Mapping[str, str]
    """Where the trees come from: `en-de source` to a parser's signature."""
    systems: Mapping[str, Mapping[str, str]]
    """Each system with its signature in each pair."""
    metrics: Mapping[str, Mapping[str, str]]
    """Each metric with its signature in each language."""
    poles: tuple[str, ...] = ()
    """The systems that come with every run."""
    progress: Mapping[str, Progress] = field(default_factory=dict)
    command: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)

    def joined(self, new: Record, folder: Path) -> Record:
        """This record with what a new run adds, or one sentence on why they do not go together."""
        for what, old, asked in (
            ("study", self.study, new.study),
            ("size of a part", str(self.part), str(new.part)),
        ):
            if old != asked:
                raise HyperbatonError(_refusal(folder, what, old, asked))
        return replace(
            self,
            corpora=_merged("corpus", self.corpora, new.corpora, folder),
            parsers=_merged("parser", self.parsers, new.parsers, folder),
            systems=_merged_twice("system", self.systems, new.systems, folder),
            metrics=_merged_twice("metric", self.metrics, new.metrics, folder),
            poles=tuple(dict.fromkeys((*self.poles, *new.poles))),
            command=new.command or self.command,
            versions=new.versions,
        )

    def write(self, path: Path) -> None:
        """Write it whole."""
        content = {"format": FORMAT, **asdict(self)}
        write_text(path, json.dumps(content, ensure_ascii=False, indent=2) + "\n")


def read_record(path: Path) -> Record:
    """Read run.json, or say that there is no run here."""
    if not path.is_file():
        raise HyperbatonError(f"{path.parent} holds no run of hyperbaton (no {path.name})")
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content.pop("format") != FORMAT:
            raise HyperbatonError(
                f"{path} was written by another version of hyperbaton: use that one, or run anew"
            )
        content["progress"] = {k: Progress(**v) for k, v in content["progress"].items()}
        return Record(**{**content, "poles": tuple(content["poles"])})
    except (ValueError, KeyError, TypeError) as error:
        raise HyperbatonError(f"{path} is damaged ({error}): delete it and run anew") from None


def versions() -> dict[str, str]:
    """The versions of what the numbers depend on."""
    packages = {package: version(package) for package in _PACKAGES}
    return {"hyperbaton": __version__, "python": platform.python_version(), **packages}


def _refusal(folder: Path, what: str, old: str, new: str) -> str:
    return (
        f"{folder} is a run of another configuration ({what}: {old}, not {new}): "
        "choose another folder with --out, or delete this one"
    )


def _merged(
    what: str, old: Mapping[str, str], new: Mapping[str, str], folder: Path
) -> dict[str, str]:
    for key in old.keys() & new.keys():
        if old[key] != new[key]:
            raise HyperbatonError(_refusal(folder, f"{what} of {key}", old[key], new[key]))
    return {**old, **new}


def _merged_twice(
    what: str,
    old: Mapping[str, Mapping[str, str]],
    new: Mapping[str, Mapping[str, str]],
    folder: Path,
) -> dict[str, Mapping[str, str]]:
    merged = {
        key: _merged(f"{what} {key}", old[key], new[key], folder) for key in old.keys() & new.keys()
    }
    return {**old, **new, **merged}
