"""What translators find likely: is it the source that a translation says, or the varied source?

A translator of the other direction says how likely it finds each piece of a given sentence, and
one of the same direction how likely it finds the translation itself. Both are the shipped one that
keeps the order of what it reads, so that a jumble is not held against a text.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperbaton.base.batches import batched
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.languages import base
from hyperbaton.metrics.outcomes import Look, Looks, SampleTexts
from hyperbaton.systems.ct2.system import CTranslate2Translator
from hyperbaton.systems.shipped.bundled import Steered, translates

_HARDEST = 3
"""So many pieces tell whether something is missing."""
_CHUNK = 4096
"""Samples that are read at once; texts that several of them share are read once."""

_SCRIPTS = {
    "ru": frozenset({"CYRILLIC"}),
    "ja": frozenset({"CJK", "HIRAGANA", "KATAKANA"}),
    "zh": frozenset({"CJK"}),
}
"""What languages are written in beside Latin letters."""
Pieces = npt.NDArray[np.float64]
Asked = tuple[str, str]
"""What is read, and the sentence whose log-probabilities are asked for."""
Known = dict[Asked, Pieces]


class There(NamedTuple):
    """How likely a translation is, as differences of log-probabilities for each piece."""

    meant: float
    """As one of the source rather than of the varied source."""
    fitting: float
    """As one of the source, beside the clean translation: below zero, not as likely."""


class Back(NamedTuple):
    """What a translation says, read back; all but `told` beside the clean translation."""

    kept: float
    """The source."""
    missing: float
    """The three pieces of the source that fall most."""
    gained: float
    """The varied source."""
    told: float
    """The source rather than the varied source."""
    risen: float
    """The three pieces of the varied source that rise most."""


class Translated(NamedTuple):
    """A sample: what was translated, the clean translation of the source, and what is judged."""

    source: str
    varied: str
    clean: str
    translation: str

    def there(self) -> list[Asked]:
        """Of what the translation is read as a translation."""
        here = self.translation
        return [(self.varied, here), (self.source, here), (self.source, self.clean)]

    def back(self) -> list[Asked]:
        """What is read back."""
        return [(text, wanted) for text in (self.translation, self.clean) for wanted in self[:2]]


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
) -> Looks | None:
    """The further looks that `judge` takes at samples of these sources; None where nobody can."""
    varied = samples.varied
    if varied is None or not can_read(*pair):
        return None

    def texts(places: Sequence[int]) -> list[Translated]:
        return [
            Translated(
                sources[at], varied[at] or "", samples.outputs[at], samples.varied_outputs[at]
            )
            for at in places
        ]

    def look(read: Callable[..., Sequence[Sequence[float]]]) -> Look:
        return lambda places: read(texts(places), *pair)

    return Looks(look(read_there), look(read_back))


def read_there(samples: Sequence[Translated], source: str, target: str) -> list[There]:
    """How likely the translation of each sample is; `can_read` says for which languages.

    >>> clean, moved = "Der Hund jagt die Katze.", "Die Katze jagt der Hund."
    >>> texts = ("The dog chases the cat.", "The cat chases the dog.", clean)
    >>> both = [Translated(*texts, clean), Translated(*texts, moved)]
    >>> same, turned = read_there(both, "en", "de")
    >>> same.fitting, turned.fitting < 0, turned.meant < 0 < same.meant
    (0.0, True, True)
    """
    found: list[There] = []
    for chunk in batched(samples, _CHUNK):
        known = _scored(source, target, {pair for sample in chunk for pair in sample.there()})
        found += [_there(sample, known) for sample in chunk]
    return found


def read_back(samples: Sequence[Translated], source: str, target: str) -> list[Back]:
    """What the translation of each sample says; `can_read` says for which languages.

    >>> clean, moved = "Der Hund jagt die Katze.", "Die Katze jagt der Hund."
    >>> texts = ("The dog chases the cat.", "The cat chases the dog.", clean)
    >>> both = [Translated(*texts, clean), Translated(*texts, moved)]
    >>> same, turned = read_back(both, "en", "de")
    >>> same.kept, same.gained, turned.kept < 0 < turned.gained
    (0.0, 0.0, True)
    """
    found: list[Back] = []
    for chunk in batched(samples, _CHUNK):
        known = _scored(target, source, {pair for sample in chunk for pair in sample.back()})
        found += [_back(sample, known) for sample in chunk]
    return found


def _scored(source: str, target: str, asked: Iterable[Asked]) -> Known:
    pairs = sorted(asked)
    scored = _reader(source, target).score(
        [text for text, _ in pairs], [wanted for _, wanted in pairs]
    )
    return {pair: np.array(one.log_probs) for pair, one in zip(pairs, scored, strict=True)}


def _there(sample: Translated, known: Known) -> There:
    varied, own, clean = (known[pair] for pair in sample.there())
    return There(meant=float((own - varied).mean()), fitting=float(own.mean() - clean.mean()))


def _back(sample: Translated, known: Known) -> Back:
    own, moved, clean, clean_moved = (known[pair] for pair in sample.back())
    kept, gained = own - clean, moved - clean_moved
    return Back(
        kept=float(kept.mean()),
        missing=float(np.sort(kept)[:_HARDEST].mean()),
        gained=float(gained.mean()),
        told=float(own.mean() - moved.mean()),
        risen=float(np.sort(gained)[-_HARDEST:].mean()),
    )


@lru_cache(maxsize=4)
def _reader(source: str, target: str) -> CTranslate2Translator:
    """Who reads; the processor's numbers do not depend on the batch, a GPU's do."""
    # The processes of a pool are as many as the processors already.
    workers = 1 if multiprocessing.parent_process() else 0
    system = Steered(mode="faithful", overlong="truncate", device="cpu", workers=workers)
    others = frozenset[str]().union(*_SCRIPTS.values()) - _SCRIPTS.get(base(target), frozenset())
    try:
        # What it cannot write it need not weigh: that is a third of the work.
        return system.open_without(source, target, others)
    except HyperbatonError as error:
        raise HyperbatonError(
            f"translations cannot be read back: {error}; reinstall hyperbaton, or turn this off "
            "with --no-second-look"
        ) from None
