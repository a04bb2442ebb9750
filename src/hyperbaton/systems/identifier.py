"""In which language a text is, as py3langid says it: many texts walk side by side.

What py3langid ships takes .3 s to unpack in each process, so it is unpacked once: the copy (68 MB)
is mapped, not read, and all processes share it.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.batches import batched
from hyperbaton.base.errors import HyperbatonError, installed_version
from hyperbaton.base.files import cache_folder, write_bytes

Numbers = NDArray[Any]
Scores = NDArray[np.float32]
_AT_ONCE = 512
"""Texts that walk side by side."""
_FLOOR = np.finfo(np.float32).min
"""The score of every language for a text of which nothing is known."""


@lru_cache(maxsize=1)
def identifier_version() -> str:
    """The identifier with its version; nothing where it is not installed."""
    version = installed_version("py3langid")
    return version and f"py3langid {version}"


class _Model(NamedTuple):
    """What the identifier knows, as py3langid loads it; the large parts stay on disk."""

    likelihoods: Numbers
    """A row for each feature, a column for each class."""
    priors: Numbers
    classes: Numbers
    """The language of each class; one with several scripts has several."""
    moves: Numbers
    rows: Numbers
    found: Numbers
    """The automaton: the next state by row and byte, the row and the feature of each state."""


@lru_cache(maxsize=1)
def _model() -> _Model | None:
    """The model; None where the identifier is not installed."""
    if not identifier_version():
        return None
    model = next(filter(None, map(_kept, _folders())), None)
    if model is None:
        from py3langid.langid import MODEL_DIR, MODEL_FILE
        from py3langid.modelio import load_model

        model = _Model(*map(np.asarray, load_model(MODEL_DIR / MODEL_FILE)))
        _keep(model)
    return model


@lru_cache(maxsize=1)
def identified() -> tuple[str, ...]:
    """The codes of the languages that are told apart; none without the identifier."""
    model = _model()
    return () if model is None else tuple(dict.fromkeys(model.classes.tolist()))


def likelihoods(texts: Sequence[str], languages: Sequence[str]) -> Scores:
    """The log-likelihood of each language, but for a constant: a row for each text.

    They are those by which py3langid ranks languages; here many texts walk side by side.
    """
    found = np.full((len(texts), len(languages)), _FLOOR, dtype=np.float32)
    model = _model()
    if model is None:
        return found
    letters = [_bytes(text) for text in texts]
    longest_first = sorted(range(len(texts)), key=lambda at: -len(letters[at]))
    classes = model.classes.tolist()
    columns = [at for at, label in enumerate(classes) if label in languages]
    for some in batched(longest_first, _AT_ONCE):
        scores = _scores(model, [letters[at] for at in some], columns)
        for column, score in zip(columns, scores.T, strict=True):
            # A language with several scripts has the best of their scores.
            best = found[some, place := languages.index(classes[column])]
            found[some, place] = np.maximum(best, score)
    return found


def _bytes(text: str) -> bytes:
    """A text as py3langid reads it."""
    text = unicodedata.normalize("NFC", text.lower() if text.isupper() else text)
    return text.encode(errors="surrogatepass")


def _scores(model: _Model, texts: Sequence[bytes], columns: Sequence[int]) -> Scores:
    """The scores of some classes for texts, of which the longest come first."""
    longest = max(1, len(texts[0]))
    letters = np.frombuffer(b"".join(text.ljust(longest) for text in texts), np.uint8)
    lengths = np.array(list(map(len, texts)))
    features = np.full((longest, len(texts)), -1, dtype=np.int64)
    states = np.zeros(len(texts), dtype=np.int64)
    for at, column in enumerate(letters.reshape(len(texts), longest).T):
        left = int((lengths > at).sum())
        rows = model.rows[states[:left]].astype(np.int64)
        states = model.moves[(rows << 8) + column[:left]]
        features[at, :left] = model.found[states]
    steps, walkers = np.nonzero(features >= 0)
    size = len(model.found)
    visits, counts = np.unique(walkers * size + features[steps, walkers], return_counts=True)
    scores = np.full((len(texts), len(columns)), _FLOOR, dtype=np.float32)
    if len(visits):
        known, rows = np.unique(visits % size, return_inverse=True)
        table = model.likelihoods[known][:, columns].astype(np.float32)
        weights = np.log1p(counts.astype(np.float32))
        some, starts = np.unique(visits // size, return_index=True)
        scores[some] = np.add.reduceat(weights[:, None] * table[rows], starts)
        scores[some] += model.priors[columns]
    return scores


def _folders() -> Iterator[Path]:
    """Where the copy may be: beside what Python compiles, as kernels are, or in the cache."""
    name = identifier_version().replace(" ", "-")
    yield Path(cache_from_source(__file__)).parent / name
    yield cache_folder() / "languages" / name


def _keep(model: _Model) -> None:
    """Write the copy where that can be; where it cannot, nothing is lost but time."""
    for folder in _folders():
        with suppress(OSError, HyperbatonError):
            for name, part in model._asdict().items():
                written = io.BytesIO()
                np.save(written, part, allow_pickle=False)
                write_bytes(folder / f"{name}.npy", written.getvalue())
            return


def _kept(folder: Path) -> _Model | None:
    """The model as it was kept, or None."""
    try:
        files = (folder / f"{name}.npy" for name in _Model._fields)
        # Each piece that is taken of a memmap would be one again.
        model = _Model(*(np.load(file, mmap_mode="r").view(np.ndarray) for file in files))
        fits = (
            model.likelihoods.shape[1:] == model.priors.shape == model.classes.shape
            and len(model.rows) == len(model.found)
            and int(model.rows.max()) * 256 + 255 < len(model.moves)
            and int(model.found.max()) < len(model.likelihoods)
        )
    except (OSError, ValueError, EOFError):  # not there, or damaged
        return None
    return model if fits else None
