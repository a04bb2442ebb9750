"""What translators find likely: is it the source that a translation says, or the varied source?

A translator of the other direction says how likely it finds each piece of a given sentence. It is
the shipped one that keeps the order of what it reads, so that a jumble is not held against a text.
Three of the same direction say how likely they find the translation itself.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics.outcomes import Read, SampleTexts
from hyperbaton.systems.ct2.system import CTranslate2Translator
from hyperbaton.systems.shipped.bundled import Bundled, Packaged, Steered, translates
from hyperbaton.systems.system import Mode

_HARDEST = 3
"""So many pieces tell whether something is missing."""
_CHUNK = 4096
"""Samples that are read at once; texts that several of them share are read once."""

Pieces = npt.NDArray[np.float64]
Reader = Literal["back", "faithful", "robust", "bundled"]
Asked = tuple[str, str]
"""What is read, and the translation of it whose log-probabilities are asked for."""


class Reading(NamedTuple):
    """What translators find likely of a sample: differences of log-probabilities for each piece.

    Of those that say "beside the clean translation", and of what is read back: below zero, not as
    likely as with the clean translation."""

    kept: float
    """The source, read back."""
    missing: float
    """The three pieces of the source that fall most."""
    gained: float
    """The varied source, read back."""
    followed: float
    """The translation of the varied source, by who keeps its order rather than by who repairs."""
    fitting: float
    """The translation as one of the source, beside the clean translation."""
    told: float
    """The source rather than the varied source, read back."""
    risen: float
    """The three pieces of the varied source that rise most."""
    meant: float
    """The translation as one of the source rather than of the varied source."""
    meant_strictly: float
    """The same by who keeps the order."""
    fitting_strictly: float
    """As fitting, by who keeps the order."""


class Translated(NamedTuple):
    """A sample: what was translated, the clean translation of the source, and what is judged."""

    source: str
    varied: str
    clean: str
    translation: str

    def asked(self) -> dict[Reader, list[Asked]]:
        """What each reader is asked for."""
        here, clean = self.translation, self.clean
        return {
            "back": [(text, wanted) for text in (here, clean) for wanted in self[:2]],
            "faithful": [(self.varied, here), (self.source, here), (self.source, clean)],
            "robust": [(self.varied, here)],
            "bundled": [(self.varied, here), (self.source, here), (self.source, clean)],
        }


def can_read(source: str, target: str) -> bool:
    """Whether translations from one language into the other can be read by shipped translators.

    >>> can_read("en", "de"), can_read("de", "fr")
    (True, False)
    """
    there = all((model.folder / "model.bin").is_file() for model in (Steered(), Bundled()))
    return there and translates(target, source) and translates(source, target)


def read_by(source: str, target: str) -> str:
    """The signatures of what reads translations from one language into the other."""
    readers: tuple[Reader, ...] = ("back", "faithful", "robust", "bundled")
    return ", ".join(_reader(name, source, target).signature for name in readers)


def reading_back(
    sources: Sequence[str], samples: SampleTexts, pair: tuple[str, str]
) -> Read | None:
    """The second look that `judge` takes at samples of these sources; None where nobody can."""
    varied = samples.varied
    if varied is None or not can_read(*pair):
        return None

    def read(places: Sequence[int]) -> list[Reading]:
        texts = [
            Translated(
                sources[at], varied[at] or "", samples.outputs[at], samples.varied_outputs[at]
            )
            for at in places
        ]
        return readings(texts, *pair)

    return read


def readings(samples: Sequence[Translated], source: str, target: str) -> list[Reading]:
    """What translators find likely of each sample; `can_read` says for which languages.

    >>> clean, moved = "Der Hund jagt die Katze.", "Die Katze jagt der Hund."
    >>> texts = ("The dog chases the cat.", "The cat chases the dog.", clean)
    >>> same, turned = readings([Translated(*texts, clean), Translated(*texts, moved)], "en", "de")
    >>> same.kept, same.gained, turned.kept < 0 < turned.gained
    (0.0, 0.0, True)
    """
    found: list[Reading] = []
    for start in range(0, len(samples), _CHUNK):
        chunk = samples[start : start + _CHUNK]
        asked: dict[Reader, set[Asked]] = {}
        for sample in chunk:
            for name, pairs in sample.asked().items():
                asked.setdefault(name, set()).update(pairs)
        known = {
            name: _scored(_reader(name, source, target), pairs) for name, pairs in asked.items()
        }
        found += [_reading(sample, known) for sample in chunk]
    return found


def _scored(reader: CTranslate2Translator, asked: Iterable[Asked]) -> dict[Asked, Pieces]:
    pairs = sorted(asked)
    scored = reader.score([text for text, _ in pairs], [wanted for _, wanted in pairs])
    return {pair: np.array(one.log_probs) for pair, one in zip(pairs, scored, strict=True)}


def _reading(sample: Translated, known: dict[Reader, dict[Asked, Pieces]]) -> Reading:
    source, varied, clean, translation = sample
    back = known["back"]
    kept = back[translation, source] - back[clean, source]
    gained = back[translation, varied] - back[clean, varied]
    here, there = (varied, translation), (source, translation)
    faithful, robust, bundled = known["faithful"], known["robust"], known["bundled"]
    return Reading(
        kept=float(kept.mean()),
        missing=float(np.sort(kept)[:_HARDEST].mean()),
        gained=float(gained.mean()),
        followed=float((faithful[here] - robust[here]).mean()),
        fitting=float(bundled[there].mean() - bundled[source, clean].mean()),
        told=float(back[translation, source].mean() - back[translation, varied].mean()),
        risen=float(np.sort(gained)[-_HARDEST:].mean()),
        meant=float((bundled[there] - bundled[here]).mean()),
        meant_strictly=float((faithful[there] - faithful[here]).mean()),
        fitting_strictly=float(faithful[there].mean() - faithful[source, clean].mean()),
    )


@lru_cache(maxsize=4)
def _reader(name: Reader, source: str, target: str) -> CTranslate2Translator:
    """A translator that reads; the processor's numbers do not depend on the batch, a GPU's do."""
    # The processes of a pool are as many as the processors already.
    workers = 1 if multiprocessing.parent_process() else 0
    mode: Mode = "robust" if name == "robust" else "faithful"
    system: Packaged = Steered(mode=mode, overlong="truncate", device="cpu", workers=workers)
    if name == "bundled":
        system = Bundled(overlong="truncate", device="cpu", workers=workers)
    try:
        return system.open(*((target, source) if name == "back" else (source, target)))
    except HyperbatonError as error:
        raise HyperbatonError(
            f"translations cannot be read back: {error}; install hyperbaton again, or do without "
            "(--no-second-look)"
        ) from None
