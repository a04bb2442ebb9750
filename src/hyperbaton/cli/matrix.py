"""A matrix of systems, pairs and settings, from a TOML file and the command line."""

from __future__ import annotations

import shlex
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from hyperbaton.errors import HyperbatonError, did_you_mean
from hyperbaton.pipeline import Corpus, Files, Pair, Starter
from hyperbaton.studies.study import STUDIES, Study

__all__ = ["Matrix", "command", "read_matrix"]

_CORPUS = ("languages", "source", "reference", "starter", "limit", "systems")


@dataclass(frozen=True)
class Matrix:
    """What is put to which test; what is not given is left to the study."""

    corpora: tuple[Corpus, ...] = ()
    systems: tuple[str, ...] = ()
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    metrics: tuple[str, ...] = ()
    perturbations: tuple[str, ...] = ()
    parsers: Mapping[str, str] = field(default_factory=dict)
    draws: int | None = None
    seed: int | None = None
    convention: str | None = None

    def plus(
        self,
        corpora: tuple[Corpus, ...] = (),
        systems: tuple[str, ...] = (),
        metrics: tuple[str, ...] = (),
        perturbations: tuple[str, ...] = (),
        parsers: Mapping[str, str] | None = None,
        draws: int | None = None,
        seed: int | None = None,
        convention: str | None = None,
    ) -> Matrix:
        """With more corpora and systems, and other settings where they are given."""
        return replace(
            self,
            corpora=(*self.corpora, *corpora),
            systems=(*self.systems, *systems),
            metrics=metrics or self.metrics,
            perturbations=perturbations or self.perturbations,
            parsers={**self.parsers, **(parsers or {})},
            draws=self.draws if draws is None else draws,
            seed=self.seed if seed is None else seed,
            convention=convention or self.convention,
        )

    def design(self) -> Study:
        """The study as these settings make it."""
        settings = {"draws": self.draws, "seed": self.seed, "convention": self.convention}
        options = [f"{key}={value}" for key, value in settings.items() if value is not None]
        if self.perturbations:
            joined = "; ".join(self.perturbations).replace('"', '\\"')
            options.insert(0, f'perturbations="{joined}"')
        return STUDIES.parse(f"wordorder({', '.join(options)})")


def read_matrix(path: Path, limit: int | None = None) -> Matrix:
    """The matrix of a TOML file; its corpora lie beside it."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise HyperbatonError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise HyperbatonError(f"{path} is not TOML: {error}") from None
    known = {f.name for f in fields(Matrix)} - {"corpora", "only"} | {"corpus"}
    _refuse_unknown(path, content, known)
    rows = content.pop("corpus", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise HyperbatonError(f"{path}: write each corpus under a line [[corpus]]")
    for name in ("systems", "metrics", "perturbations"):
        if name in content:
            content[name] = _strings(path, name, content[name])
    for name, kind in (("draws", int), ("seed", int), ("convention", str), ("parsers", dict)):
        if name in content and not isinstance(content[name], kind):
            raise HyperbatonError(f"{path}: {name} must be {kind.__name__}")
    corpora = tuple(_corpus(path, row, limit) for row in rows)
    only = {
        row["languages"]: _strings(path, "systems", row["systems"])
        for row in rows
        if "systems" in row
    }
    return Matrix(corpora=corpora, only=only, **content)


def _corpus(path: Path, row: Mapping[str, object], limit: int | None) -> Corpus:
    _refuse_unknown(path, row, _CORPUS)
    languages, source, reference = (row.get(k) for k in ("languages", "source", "reference"))
    own = row.get("limit", limit)
    if not isinstance(languages, str):
        raise HyperbatonError(f'{path}: a corpus needs languages = "en-de"')
    if own is not None and not isinstance(own, int):
        raise HyperbatonError(f"{path}: limit must be a whole number")
    pair = Pair.parse(languages)
    if row.get("starter"):
        return Starter(pair, own)
    if not isinstance(source, str) or not isinstance(reference, str | None):
        raise HyperbatonError(f'{path}: the corpus of {pair} needs source = "FILE"')
    names = [source] if reference is None else [source, reference]
    return Files(pair, tuple(str(path.parent / name) for name in names), own)


def _refuse_unknown(path: Path, row: Mapping[str, object], known: Iterable[str]) -> None:
    names = sorted(known)
    for key in row:
        if key not in names:
            raise HyperbatonError(
                f"{path}: unknown setting '{key}' (known: {', '.join(names)})."
                f"{did_you_mean(key, names)}"
            )


def _strings(path: Path, name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise HyperbatonError(f'{path}: {name} must be a list of names, as ["a", "b"]')
    return tuple(value)


def command() -> str:
    """The command line as it was typed."""
    return shlex.join(["hyperbaton", *sys.argv[1:]])
