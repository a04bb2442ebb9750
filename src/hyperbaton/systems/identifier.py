"""py3langid's model, unpacked once: what it ships takes .3 s to unpack in each process.

The copy (68 MB) is mapped, not read: a process touches little of it, and all share it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError, installed_version
from hyperbaton.base.files import cache_folder, write_bytes

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_PARTS = ("likelihoods", "priors", "classes", "moves", "rows", "found")


@lru_cache(maxsize=1)
def identifier_version() -> str:
    """The identifier with its version; nothing where it is not installed."""
    version = installed_version("py3langid")
    return version and f"py3langid {version}"


@lru_cache(maxsize=1)
def identifier() -> LanguageIdentifier | None:
    """The identifier with all that it knows; None where it is not installed."""
    if not identifier_version():
        return None
    from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier

    model = next(filter(None, map(_kept, _folders())), None)
    if model is None:
        from py3langid.modelio import load_model

        model = load_model(MODEL_DIR / MODEL_FILE)
        _keep(model)
    likelihoods, priors, classes, moves, rows, found = model
    return LanguageIdentifier(likelihoods, priors, classes, moves, found, tk_row=rows)


@lru_cache(maxsize=1)
def label_places() -> Mapping[str, int]:
    """Each language by its code, and where its score stands; none without the identifier."""
    engine = identifier()
    return {} if engine is None else {label: at for at, label in enumerate(engine.labels)}


def likelihoods(text: str) -> NDArray[np.float64]:
    """The log-likelihood of each language, but for a constant, in the order of `label_places`."""
    engine = identifier()
    if engine is None:
        return np.empty(0)
    # `rank` says the same, sorted, which takes longer than to find it.
    scores: NDArray[np.float64] = engine._decide(text).astype(np.float64)
    return scores[_first_places(tuple(engine.nb_classes))]


@lru_cache(maxsize=1)
def _first_places(classes: tuple[str, ...]) -> list[int]:
    """Where each label comes first: one with several scripts has its score there."""
    return [at for at, label in enumerate(classes) if label not in classes[:at]]


def _folders() -> Iterator[Path]:
    """Where the copy may be: beside what Python compiles, as kernels are, or in the cache."""
    name = identifier_version().replace(" ", "-")
    yield Path(cache_from_source(__file__)).parent / name
    yield cache_folder() / "languages" / name


def _keep(model: Sequence[Any]) -> None:
    """Write the copy where that can be; where it cannot, nothing is lost but time."""
    for folder in _folders():
        with suppress(OSError, HyperbatonError):
            for name, part in zip(_PARTS, model, strict=True):
                written = io.BytesIO()
                np.save(written, np.asarray(part), allow_pickle=False)
                write_bytes(folder / f"{name}.npy", written.getvalue())
            return


def _kept(folder: Path) -> tuple[Any, ...] | None:
    """The six parts of the model as py3langid loads them, or None; the large ones stay on disk."""
    try:
        loaded = [np.load(folder / f"{name}.npy", mmap_mode="r") for name in _PARTS]
        likelihoods, priors, classes, moves, rows, found = loaded
        fits = (
            likelihoods.shape[1:] == priors.shape == classes.shape
            and len(rows) == len(found)
            and int(rows.max()) * 256 < len(moves)
            and int(found.max()) < len(likelihoods)
        )
    except (OSError, ValueError, EOFError):  # not there, or damaged
        return None
    if not fits:
        return None
    # Single numbers are read faster through a view than from an array.
    return likelihoods, priors, classes.tolist(), memoryview(moves), rows.tolist(), found.tolist()
