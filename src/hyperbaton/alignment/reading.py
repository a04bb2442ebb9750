"""What translators find likely: is it the source that a translation says, or the varied source?

A translator of the other direction says how likely it finds each piece of a given sentence, and
one of the same direction how likely it finds the translation itself. Both are the shipped one that
keeps the order of what it reads, so that a jumble is not held against a text.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics.outcomes import Read, SampleTexts
from hyperbaton.systems.ct2.system import CTranslate2Translator
from hyperbaton.systems.shipped.bundled import Steered, translates

_HARDEST = 3
"""So many pieces tell whether something is missing."""
_CHUNK = 4096
"""Samples that are read at once; texts that several of them share are read once."""

Pieces = npt.NDArray[np.float64]
Asked = tuple[str, str]
"""What is read, and the sentence whose log-probabilities are asked for."""
Known = dict[Asked, Pieces]


class Reading(NamedTuple):
    """What translators find likely of a sample: differences of log-probabilities for each piece.

    All but `told` and `meant` are beside the clean translation: below zero, not as likely."""

    kept: float
    """The source, read back."""
    missing: float
    """The three pieces of the source that fall most."""
    gained: float
    """The varied source, read back."""
    told: float
    """The source rather than the varied source, read back."""
    risen: float
    """The three pieces of the varied source that rise most."""
    meant: float
    """The translation as one of the source rather than of the varied source."""
    fitting: float
    """The translation as one of the source."""


class Translated(NamedTuple):
    """A sample: what was translated, the clean translation of the source, and what is judged."""

    source: str
    varied: str
    clean: str
    translation: str

    def back(self) -> list[Asked]:
        """What is read back."""
        return [(text, wanted) for text in (self.translation, self.clean) for wanted in self[:2]]

    def there(self) -> list[Asked]:
        """Of what the translation is read as a translation."""
        here = self.translation
        return [(self.varied, here), (self.source, here), (self.source, self.clean)]


def can_read(source: str, target: str) -> bool:
    """Whether translations from one language into the other can be read by shipped translators.

    >>> can_read("en", "de"), can_read("de", "fr")
    (True, False)
    """
    there = (Steered().folder / "model.bin").is_file()
    return there and translates(target, source) and translates(source, target)


def read_by(source: str, target: str) -> str:
    """The signatures of what reads translations from one language into the other."""
    return ", ".join(_reader(*pair).signature for pair in ((target, source), (source, target)))


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
        back = _scored(target, source, {pair for sample in chunk for pair in sample.back()})
        there = _scored(source, target, {pair for sample in chunk for pair in sample.there()})
        found += [_reading(sample, back, there) for sample in chunk]
    return found


def _scored(source: str, target: str, asked: Iterable[Asked]) -> Known:
    pairs = sorted(asked)
    scored = _reader(source, target).score(
        [text for text, _ in pairs], [wanted for _, wanted in pairs]
    )
    return {pair: np.array(one.log_probs) for pair, one in zip(pairs, scored, strict=True)}


def _reading(sample: Translated, back: Known, there: Known) -> Reading:
    source, varied, clean, translation = sample
    kept = back[translation, source] - back[clean, source]
    gained = back[translation, varied] - back[clean, varied]
    return Reading(
        kept=float(kept.mean()),
        missing=float(np.sort(kept)[:_HARDEST].mean()),
        gained=float(gained.mean()),
        told=float(back[translation, source].mean() - back[translation, varied].mean()),
        risen=float(np.sort(gained)[-_HARDEST:].mean()),
        meant=float((there[source, translation] - there[varied, translation]).mean()),
        fitting=float(there[source, translation].mean() - there[source, clean].mean()),
    )


@lru_cache(maxsize=4)
def _reader(source: str, target: str) -> CTranslate2Translator:
    """Who reads; the processor's numbers do not depend on the batch, a GPU's do."""
    # The processes of a pool are as many as the processors already.
    workers = 1 if multiprocessing.parent_process() else 0
    system = Steered(mode="faithful", overlong="truncate", device="cpu", workers=workers)
    try:
        return system.open(source, target)
    except HyperbatonError as error:
        raise HyperbatonError(
            f"translations cannot be read back: {error}; reinstall hyperbaton, or turn this off "
            "with --no-second-look"
        ) from None
