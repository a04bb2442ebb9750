"""What can be read back from a translation: its source, or the source with its words moved?

A translator of the other direction says how likely it finds each piece of a given sentence. It is
the shipped one that keeps the order of what it reads, so that a jumble is not held against a text.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperbaton.errors import HyperbatonError
from hyperbaton.metrics.outcomes import Read, Samples
from hyperbaton.systems.ct2 import CTranslate2Translator
from hyperbaton.systems.packaged import translates
from hyperbaton.systems.steered import Steered

__all__ = ["Reading", "Translated", "can_read", "read_by", "reading_back", "readings"]

_HARDEST = 3
"""So many pieces tell whether something is missing."""
_CHUNK = 4096
"""Samples that are read at once; texts that several of them share are read once."""

Pieces = npt.NDArray[np.float64]


class Reading(NamedTuple):
    """How well sentences can be read back, beside clean translations: log-probabilities of pieces.

    Below zero: not as well as from a clean translation. Above: better."""

    kept: float
    """The source, on average; beside the clean translation that lets it be read worst."""
    missing: float
    """The three pieces of the source that fall most; beside whichever is best for each."""
    gained: float
    """The varied source, on average; beside the clean translation that lets it be read worst."""


class Translated(NamedTuple):
    """A sample: what was translated, clean translations of the source, and what is judged."""

    source: str
    varied: str
    clean: tuple[str, ...]
    translation: str


def can_read(source: str, target: str) -> bool:
    """Whether translations from one language into the other can be read back.

    >>> can_read("en", "de"), can_read("de", "fr")
    (True, False)
    """
    return translates(target, source) and (Steered().folder / "model.bin").is_file()


def read_by(source: str, target: str) -> str:
    """The signature of what reads translations from one language into the other back."""
    return _reader(source, target).signature


def reading_back(sources: Sequence[str], samples: Samples, pair: tuple[str, str]) -> Read | None:
    """The second look that `judge` takes at samples of these sources; None where nobody can."""
    varied = samples.varied
    if varied is None or not can_read(*pair):
        return None

    def read(places: Sequence[int]) -> list[Reading]:
        texts = [
            Translated(
                sources[at],
                varied[at] or "",
                (samples.references[at], samples.outputs[at]),
                samples.varied_outputs[at],
            )
            for at in places
        ]
        return readings(texts, *pair)

    return read


def readings(samples: Sequence[Translated], source: str, target: str) -> list[Reading]:
    """What can be read back from each sample; `can_read` says for which languages.

    >>> clean, moved = "Der Hund jagt die Katze.", "Die Katze jagt der Hund."
    >>> texts = ("The dog chases the cat.", "The cat chases the dog.", (clean,))
    >>> same, turned = readings([Translated(*texts, clean), Translated(*texts, moved)], "en", "de")
    >>> same, turned.kept < 0 < turned.gained
    (Reading(kept=0.0, missing=0.0, gained=0.0), True)
    """
    found: list[Reading] = []
    for start in range(0, len(samples), _CHUNK):
        chunk = samples[start : start + _CHUNK]
        asked = {
            (text, wanted)
            for one in chunk
            for text in (one.translation, *one.clean)
            for wanted in (one.source, one.varied)
        }
        pairs = sorted(asked)
        scored = _reader(source, target).score([text for text, _ in pairs], [w for _, w in pairs])
        known = {pair: np.array(one.log_probs) for pair, one in zip(pairs, scored, strict=True)}
        found += [_reading(one, known) for one in chunk]
    return found


def _reading(sample: Translated, known: dict[tuple[str, str], Pieces]) -> Reading:
    source, varied = (
        known[sample.translation, text] - np.array([known[clean, text] for clean in sample.clean])
        for text in (sample.source, sample.varied)
    )
    worst = np.sort(source.min(axis=0))[:_HARDEST]
    kept, gained = (float(beside.mean(axis=1).max()) for beside in (source, varied))
    return Reading(kept, float(worst.mean()), gained)


@lru_cache(maxsize=2)
def _reader(source: str, target: str) -> CTranslate2Translator:
    """The translator back; the processor's numbers do not depend on the batch, a GPU's do."""
    # The processes of a pool are as many as the processors already.
    workers = 1 if multiprocessing.parent_process() else 0
    system = Steered(mode="faithful", overlong="truncate", device="cpu", workers=workers)
    try:
        return system.open(target, source)
    except HyperbatonError as error:
        raise HyperbatonError(
            f"translations cannot be read back: {error}; install hyperbaton again, or do without "
            "(--no-second-look)"
        ) from None
