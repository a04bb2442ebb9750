"""Cosine of sentence vectors: of any encoder, or of a model of sentence-transformers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.errors import need
from hyperbaton.encoders import ENCODERS, OpenEncoder
from hyperbaton.hub import Source, explained, identity, load_model, quiet, resolve
from hyperbaton.hub.snapshot import module_folders
from hyperbaton.hub.weights import check_pickled, weight_files
from hyperbaton.metrics.metric import Level, Scores, Segments, SentenceMetric, versions

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Vectors = NDArray[np.float32]
Encode = Callable[[list[str]], Vectors]

COPIED = 0.6
"""Cosine of the character n-grams of a source and of what counts as its copy."""


@dataclass(frozen=True)
class Cosine(SentenceMetric):
    """Cosine of the vectors that an encoder gives for two texts.

    A multilingual encoder sees the meaning and not the language: the source itself scores nearly as
    high as its translation. Where the hypothesis is a translation, use `TranslatedCosine`.

    >>> print(Cosine(encoder="e5(compute=int8)"))
    Cosine(encoder="e5(compute=int8)")
    >>> Cosine(encoder="ngrams").sentence_scores(["a b"], ["a b"]).round(3).tolist()
    [1.0]
    """

    name: ClassVar[str] = "Cosine"
    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    symmetric = True

    encoder: str = "e5"

    def score_each(self, segments: Segments) -> Scores:
        """One cosine a pair; equal texts are read once."""
        return _cosines(_encode(self.encoder), segments.hypotheses, segments.references)

    def fields(self, level: Level) -> dict[str, str]:
        """The encoder as it was loaded."""
        return {"vectors": _opened(self.encoder).signature.replace("|", ";")}


@dataclass(frozen=True)
class TranslatedCosine(SentenceMetric):
    """`Cosine`, and 0 where the source was copied and not translated.

    A copy shares its character n-grams with the source, and more of them than with the reference;
    or it has the letters of the source where the reference has those of another script.

    >>> metric = TranslatedCosine(encoder="ngrams")
    >>> metric.sentence_scores(["die Katze"], ["the cat"], ["die Katze"]).tolist()
    [0.0]
    """

    name: ClassVar[str] = "TranslatedCosine"
    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    needs_sources: ClassVar[bool] = True

    encoder: str = "e5"

    def score_each(self, segments: Segments) -> Scores:
        """One cosine a pair, or 0 for a copy."""
        scores = _cosines(_encode(self.encoder), segments.hypotheses, segments.references)
        sources, letters = segments.sources or [], _encode("ngrams")
        to_source = _cosines(letters, segments.hypotheses, sources)
        to_reference = _cosines(letters, segments.hypotheses, segments.references)
        copied = (to_source >= COPIED) & (to_source > to_reference + 1e-9)
        triples = zip(segments.hypotheses, sources, segments.references, strict=True)
        return np.where(copied | [_same_script(*triple) for triple in triples], 0.0, scores)

    def fields(self, level: Level) -> dict[str, str]:
        """The encoder as it was loaded, and from where on a text is a copy."""
        return {**Cosine(self.encoder).fields(level), "copied": str(COPIED)}


@dataclass(frozen=True)
class SentenceCosine(SentenceMetric):
    """Cosine of two sentence embeddings, by sentence-transformers.

    A folder with modules.json says how tokens become a sentence; any other encoder has the mean of
    its last layer's states.

    >>> print(SentenceCosine(model="sentence-transformers/LaBSE"))
    SentenceCosine
    """

    name: ClassVar[str] = "SentenceCosine"
    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    symmetric = True

    model: str = "sentence-transformers/LaBSE"
    revision: str | None = None
    download: bool = False
    device: str = "auto"
    batch_size: int = 32

    @property
    def _source(self) -> Source:
        return Source(self.model, self.revision, self.download)

    def score_each(self, segments: Segments) -> Scores:
        """One cosine a pair; equal texts are read once."""

        def encode(texts: list[str]) -> Vectors:
            model = _load(self._source, self.device)
            return model.encode(texts, batch_size=self.batch_size, show_progress_bar=False)

        return _cosines(encode, segments.hypotheses, segments.references)

    def fields(self, level: Level) -> dict[str, str]:
        """The model as it was read, and the versions of what ran it."""
        packages = versions("sentence-transformers", "torch", "transformers")
        return {"revision": identity(self._source), **packages}


@lru_cache(maxsize=2)
def _load(source: Source, device: str) -> SentenceTransformer:
    """A model of sentence-transformers, none of whose files runs code or lacks weights."""
    library = need("sentence_transformers", extra="neural", package="sentence-transformers")
    from hyperbaton.hub import device_of

    snapshot = resolve(source)
    for folder in module_folders(snapshot.folder):
        if (weights := weight_files(folder)) is not None:
            check_pickled(weights)
    # sentence-transformers would leave what is missing at random; this says so.
    inner = "" if (snapshot.folder / "config.json").is_file() else "0_Transformer"
    load_model("AutoModel", snapshot.module(inner), head="unused")
    with explained(source), quiet():
        model: SentenceTransformer = library.SentenceTransformer(
            str(snapshot.folder),
            device=str(device_of(device)),
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs={"dtype": "float32"},
        )
    return model


def _same_script(hypothesis: str, source: str, reference: str) -> bool:
    """Whether nearly all letters are those of the source and nearly none those of the reference."""
    letters = [letter for letter in hypothesis if letter.isalpha()]
    known = [sum(letter in text for letter in letters) for text in (source, reference)]
    return bool(letters) and known[0] >= 0.8 * len(letters) and known[1] <= 0.2 * len(letters)


@lru_cache(maxsize=3)
def _opened(encoder: str) -> OpenEncoder:
    return ENCODERS.parse(encoder).open()


def _encode(encoder: str) -> Encode:
    return lambda texts: _opened(encoder).encode(texts)


def _cosines(encode: Encode, one: Sequence[str], two: Sequence[str]) -> Scores:
    place = {text: at for at, text in enumerate(dict.fromkeys([*one, *two]))}
    if not place:
        return np.empty(0)
    vectors = encode(list(place)).astype(np.float64)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.where(norms == 0, 1, norms)
    left, right = ([place[text] for text in texts] for texts in (one, two))
    return np.asarray(np.clip(np.einsum("ij,ij->i", vectors[left], vectors[right]), -1, 1))
