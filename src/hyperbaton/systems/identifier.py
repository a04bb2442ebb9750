"""py3langid's model, unpacked once: what it ships takes .3 s to unpack in each process.

The unpacked copy stands in the cache in a form that is read in a sixth of the time, with a checksum
and under the version of py3langid; where it cannot be read or written, nothing is lost but time.
"""

from __future__ import annotations

import hashlib
import io
from array import array
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hyperbaton.base.errors import HyperbatonError, installed_version
from hyperbaton.base.files import cache_folder, write_bytes

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_DIGEST = hashlib.sha256().digest_size


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

    path = cache_folder() / "languages" / f"{identifier_version().replace(' ', '-')}.ipc"
    model = _kept(path)
    if model is None:
        from py3langid.modelio import load_model

        model = load_model(MODEL_DIR / MODEL_FILE)
        with suppress(OSError, HyperbatonError):  # nothing is lost where nothing can be kept
            _keep(path, model)
    likelihoods, priors, classes, moves, rows, found = model
    return LanguageIdentifier(likelihoods, priors, classes, moves, found, tk_row=rows)


@lru_cache(maxsize=1)
def label_places() -> Mapping[str, int]:
    """Each language by its code, and where its score stands; none without the identifier."""
    engine = identifier()
    return {} if engine is None else {label: at for at, label in enumerate(engine.labels)}


def likelihoods(text: str) -> Sequence[float]:
    """The log-likelihood of each language, but for a constant, in the order of `label_places`."""
    engine = identifier()
    if engine is None:
        return ()
    # `rank` says the same, sorted, which takes longer than to find it.
    scores = engine._decide(text).tolist()
    first = _first_places(tuple(engine.nb_classes))
    return [scores[at] for at in first] if len(first) < len(scores) else scores


@lru_cache(maxsize=1)
def _first_places(classes: tuple[str, ...]) -> Sequence[int]:
    """Where each label comes first: one with several scripts has its score there."""
    return [at for at, label in enumerate(classes) if label not in classes[:at]]


def _keep(path: Path, model: Sequence[Any]) -> None:
    import polars as pl

    arrays = [np.asarray(part) for part in model]
    table = pl.DataFrame(
        {
            "type": [part.dtype.str for part in arrays],
            "shape": [list(part.shape) for part in arrays],
            "bytes": [part.tobytes() for part in arrays],
        }
    )
    written = io.BytesIO()
    table.write_ipc(written, compression="lz4")
    data = written.getvalue()
    write_bytes(path, hashlib.sha256(data).digest() + data)


def _kept(path: Path) -> tuple[Any, ...] | None:
    """The six parts of the model as py3langid loads them, or None."""
    try:
        data = memoryview(path.read_bytes())
    except OSError:
        return None
    if hashlib.sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
        return None
    import polars as pl

    arrays = [
        np.frombuffer(held, kind).reshape(shape)
        for kind, shape, held in pl.read_ipc(io.BytesIO(data[_DIGEST:])).iter_rows()
    ]
    likelihoods, priors, classes, moves, rows, found = arrays
    # Single numbers are read faster from what Python has than from NumPy's arrays.
    steps = array(moves.dtype.char)
    steps.frombytes(moves.tobytes())
    return likelihoods, priors, classes.tolist(), steps, rows.tolist(), found.tolist()
