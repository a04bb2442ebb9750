"""A matrix of systems and language pairs for any study, from a TOML file and the command line."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.base.options import options_of
from hyperbaton.cli.options.study import Matrix
from hyperbaton.pipeline import Corpus, Pair, RunOptions
from hyperbaton.studies.layer.experiment import Experiment
from hyperbaton.studies.registry import STUDIES, make_study

GATE = "check"
"""The table that `hyperbaton check` reads."""
_SETTINGS = ("systems", "metrics", "corpus", GATE)
_CORPUS = ("languages", "source", "reference", "files", "shipped", "limit", "systems")


def read_matrix(
    path: Path,
    study: str,
    limit: int | None = None,
    given: Mapping[str, object] = MappingProxyType({}),
) -> Matrix:
    """The matrix of a TOML file; the files that it names lie beside it.

    Its corpora are opened with the study's options that were given beside the file, which go
    before those in it.
    """
    content = toml_content(path)
    cls = STUDIES.get(study)
    names = [option.name for option in options_of(cls)]
    run = [option.name for option in options_of(RunOptions)]
    refuse_unknown(path, content, (*_SETTINGS, *run, *names))
    rows = content.get("corpus", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise HyperbatonError(f"{path}: write each corpus under a line [[corpus]]")
    options = {key: content[key] for key in names if key in content}
    made = make_study(study, {**options, **given}, str(path))
    pairs = [_pair(path, row, cls) for row in rows]
    return Matrix(
        corpora=tuple(
            _corpus(path, row, pair, made, limit) for row, pair in zip(rows, pairs, strict=True)
        ),
        systems=strings(path, "systems", content.get("systems", [])),
        only={
            str(pair): strings(path, "systems", row["systems"])
            for row, pair in zip(rows, pairs, strict=True)
            if "systems" in row
        },
        metrics=strings(path, "metrics", content.get("metrics", [])),
        options=options,
        run={
            key: beside(path, str(value)) if key == "cache" else value
            for key, value in content.items()
            if key in run
        },
    )


def toml_content(path: Path) -> dict[str, object]:
    """What a TOML file holds."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise HyperbatonError(f"{path} cannot be read: {error.strerror}") from None
    except RecursionError:
        raise HyperbatonError(f"{path} is nested too deeply") from None
    except ValueError as error:  # TOML, UTF-8, or a number with thousands of digits
        raise HyperbatonError(f"{path} is not TOML: {error}") from None


def _pair(path: Path, row: Mapping[str, object], study: type[Experiment]) -> Pair:
    refuse_unknown(path, row, (*_CORPUS, *_own(study)))
    languages = row.get("languages")
    if not isinstance(languages, str):
        raise HyperbatonError(f'{path}: a corpus needs languages, e.g. languages = "en-de"')
    return Pair.parse(languages)


def _corpus(
    path: Path, row: Mapping[str, object], pair: Pair, study: Experiment, limit: int | None
) -> Corpus:
    own = row.get("limit", limit)
    if own is not None and (not isinstance(own, int) or isinstance(own, bool) or own < 1):
        raise HyperbatonError(f"{path}: limit must be a whole number of at least 1, not {own}")
    shipped = row.get("shipped", False)
    if not isinstance(shipped, bool):
        raise HyperbatonError(f"{path}: shipped must be true or false, not {shipped}")
    if shipped:
        return study.demo_corpus(pair, own)
    names = (
        strings(path, "files", row["files"])
        if "files" in row
        else _named(path, row, pair, type(study))
    )
    return study.corpus([beside(path, name) for name in names], pair, own)


def _own(study: type[Experiment]) -> tuple[str, ...]:
    """The study's own names for source and reference."""
    return tuple(flag.lstrip("-") for flag in study.command.files)


def _named(path: Path, row: Mapping[str, object], pair: Pair, study: type[Experiment]) -> list[str]:
    """The files of source and reference, or of the study's own names; several of the second."""
    own = _own(study)
    first, second = own if own and own[0] in row else ("source", "reference")
    further = row.get(second, [])
    several = further if own and isinstance(further, list) else [further]
    names = [row.get(first), *several] if second in row else [row.get(first)]
    if not all(isinstance(name, str) for name in names):
        needed = " or ".join(f'{name} = "FILE"' for name in (*own[:1], "source"))
        raise HyperbatonError(f"{path}: the corpus of {pair} needs {needed}, or shipped = true")
    return list(map(str, names))


def beside(path: Path, name: str) -> str:
    """A file beside the TOML file; the name of a test set (`wmt20:en-de`) as it is."""
    file = path.parent / name
    return name if ":" in name and not file.exists() else str(file)


def refuse_unknown(path: Path, row: Mapping[str, object], known: Iterable[str]) -> None:
    """A setting that nobody reads is a mistake."""
    names = sorted(known)
    for key in row:
        if key not in names:
            raise HyperbatonError(
                f"{path}: unknown setting '{key}' (known: {', '.join(names)})."
                f"{did_you_mean(key, names)}"
            )


def strings(path: Path, name: str, value: object) -> tuple[str, ...]:
    """A list of names."""
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise HyperbatonError(f'{path}: {name} must be a list of names, e.g. ["a", "b"]')
    return tuple(value)
