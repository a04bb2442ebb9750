"""The search in one sentence: small changes first, then several, then as few as will do.

It asks for trials and is told what came of them, so many sentences can be searched at once. What it
finds depends on the sentence, the seed and the translator alone.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from hyperbaton.base.randomness import Rng
from hyperbaton.search.breaks import words as said_words
from hyperbaton.search.candidates import Material, candidates
from hyperbaton.search.changes import Change, both
from hyperbaton.search.words import Words

ROUND = 24
"""Trials of a sentence between two looks at what came of them."""
_KEPT_FOR_SHORTENING = 4
"""One in so many translations is kept for shortening the sentence."""
_FOR_SEVERAL = 3
"""One in so many of the others is kept for several changes at once, until one alone breaks."""
_CUTS = 5
"""Shorter sentences that are tried on each side."""
_FEWEST_WORDS = 3
"""A shorter rest of a sentence says nothing."""
_PART = 0.8
"""The share of words of a shortened translation that the whole one must have."""
_WORST = 7
"""Single changes that are combined."""
_UNTRIED = 0.6
"""The similarity that is expected of a word that no change has touched yet."""


class Trial(NamedTuple):
    """A text and the same after a change, both to be translated."""

    source: str
    varied: str
    rivals: str = ""
    """Of the trials of a round with the same name here, only the first that breaks counts."""
    size: int = 0
    """Of the change: of rivals the smallest comes first, then the one that does most damage."""

    @property
    def texts(self) -> tuple[str, str]:
        """What is to be translated."""
        return self.source, self.varied


class Verdict(NamedTuple):
    """What came of a trial."""

    output: str
    varied_output: str
    why: str
    """Why it breaks; empty where it does not."""
    similarity: float


Verdicts = Sequence[Verdict | None]
"""One for each trial; None where a text failed."""


@dataclass(frozen=True)
class Broken:
    """A change that breaks a translation: nothing of it can be undone."""

    words: Words
    change: Change
    verdict: Verdict


class Hunted(NamedTuple):
    """What the search in a sentence came to."""

    broken: tuple[Broken, ...]
    """For each kind at most one, the smallest change first."""
    trials: int
    output: str | None
    """The translation of the sentence itself; None where there is none."""
    failed: tuple[str, ...] = ()
    """Texts of which nothing is known, since the system failed."""
    steady: bool = True
    """Whether the sentence was translated alike each time."""

    @property
    def translated(self) -> bool:
        """Whether the sentence itself could be translated."""
        return self.output is not None


Hunt = Generator[list[Trial], Verdicts, Hunted]


def hunt(material: Material, kinds: Iterable[str], budget: int, shorten: bool = True) -> Hunt:
    """Search one sentence with at most so many translations; undoing steps comes on top."""
    return (yield from _Hunt(material, budget, shorten).run(candidates(material, kinds)))


class _Hunt:
    """What is known of a sentence so far."""

    def __init__(self, material: Material, budget: int, shorten: bool) -> None:
        self._material = material
        self._words = material.words
        self._shorten = shorten
        self._left = budget - 1 - (budget // _KEPT_FOR_SHORTENING if shorten else 0)
        self._to_shorten = budget // _KEPT_FOR_SHORTENING if shorten else 0
        self._tried: dict[Change, Verdict | None] = {}
        self._damage: dict[int, float] = {}
        self._failed: dict[str, None] = {}
        self.trials = 1  # the sentence itself

    def run(self, queues: Mapping[str, list[Change]]) -> Hunt:
        """Each kind in turn; where none breaks, several together."""
        found: dict[str, Broken] = {}
        spared = self._left // _FOR_SEVERAL
        while chosen := self._drawn(queues, found, self._left - (0 if found else spared)):
            for change in (yield from self._broken_of(chosen)):
                found.setdefault(change.change.kind, change)
        output = next((one.output for one in self._tried.values() if one), None)
        if output is None:
            return Hunted((), self.trials, None, tuple(self._failed))
        while not found and self._left > 0 and (chosen := self._together()):
            if hits := (yield from self._broken_of(chosen, "together")):
                found[hits[0].change.kind] = hits[0]
        least: list[Broken] = []
        for broken in found.values():
            if fewest := (yield from self._undone(broken)):
                least.append(fewest)
        by_kind: dict[str, Broken] = {}
        for broken in sorted(least, key=_rank):
            by_kind.setdefault(broken.change.kind, broken)
        least = sorted(by_kind.values(), key=_rank)
        if self._shorten and least:
            least[0] = yield from self._shortened(least[0])
        return Hunted(tuple(least), self.trials, output, tuple(self._failed))

    def _drawn(
        self, queues: Mapping[str, list[Change]], found: Mapping[str, Broken], most: int
    ) -> list[Change]:
        """The next trials: each kind that has not broken it yet in turn, the likeliest first."""
        waiting = [kind for kind in queues if kind not in found and queues[kind]]
        for kind in waiting:
            queues[kind].sort(key=self._expected)
        chosen: list[Change] = []
        while waiting and len(chosen) < min(ROUND, most):
            kind = waiting.pop(0)
            chosen.append(queues[kind].pop(0))
            if queues[kind]:
                waiting.append(kind)
        return chosen

    def _expected(self, change: Change) -> tuple[int, float]:
        """Small changes first, and of as large ones those of words that were easily damaged."""
        worst = min(
            (self._damage.get(place, _UNTRIED) for place in change.places), default=_UNTRIED
        )
        return change.size, worst

    def _asked(
        self, words: Words, changes: Sequence[Change], rivals: str = ""
    ) -> Generator[list[Trial], Verdicts, Verdicts]:
        """Try changes of a text, those of the whole sentence only once.

        They are rivals by that name, or where there is none those of each kind.
        """
        whole = words == self._words
        new = [c for c in changes if not (whole and c in self._tried)]
        told: dict[Change, Verdict | None] = dict(self._tried) if whole else {}
        if new:
            trials = [
                Trial(words.text, change.text(words), rivals or change.kind, change.size)
                for change in new
            ]
            verdicts = yield trials
            self.trials += len(new)
            answered = zip(trials, verdicts, strict=True)
            self._failed |= dict.fromkeys(one.varied for one, told in answered if told is None)
            told |= dict(zip(new, verdicts, strict=True))
        if whole:
            for change in new:
                self._remember(change, told[change])
        return [told[change] for change in changes]

    def _remember(self, change: Change, verdict: Verdict | None) -> None:
        self._tried[change] = verdict
        if verdict is not None:
            for place in change.places:
                known = self._damage.get(place, 1.0)
                self._damage[place] = min(known, verdict.similarity)

    def _broken_of(
        self, changes: Sequence[Change], rivals: str = ""
    ) -> Generator[list[Trial], Verdicts, list[Broken]]:
        """Those of these changes that break the sentence, the smallest first."""
        self._left -= len(changes)
        verdicts = yield from self._asked(self._words, changes, rivals)
        broken = [
            Broken(self._words, change, verdict)
            for change, verdict in zip(changes, verdicts, strict=True)
            if verdict is not None and verdict.why
        ]
        return sorted(broken, key=_rank)

    def _together(self) -> list[Change]:
        """Several of the single changes at once: few that did most damage, and all of two kinds.

        Many break most surely, and undoing makes them few.
        """
        single = [c for c, verdict in self._tried.items() if verdict and c.size == 1]
        damage = {c: verdict.similarity for c, verdict in self._tried.items() if verdict}
        worst: list[Change] = []
        for change in sorted(single, key=damage.__getitem__):
            if len(worst) < _WORST and not any(change.places & other.places for other in worst):
                worst.append(change)
        few = (
            joined
            for count in range(2, len(worst) + 1)
            for group in combinations(worst, count)
            if (joined := _joined(group)).size >= count and joined not in self._tried
        )
        size = min(ROUND, self._left)
        chosen: dict[Change, None] = {}
        for change in few:
            if len(chosen) == size // 3:
                break
            chosen[change] = None
        rng = Rng(
            self._material.seed, self._material.sentence.id, "break several", len(self._tried)
        )
        kinds = list(dict.fromkeys(change.kind for change in single))
        for one, other in rng.shuffled(
            [*combinations(kinds, 2), *((kind, kind) for kind in kinds)]
        ):
            if len(chosen) >= size:
                break
            many = _joined(rng.shuffled([c for c in single if c.kind in (one, other)]))
            if many.size > 1 and many not in self._tried:
                chosen[many] = None
        return list(chosen)

    def _undone(self, broken: Broken) -> Generator[list[Trial], Verdicts, Broken | None]:
        """The same with steps undone until each that is left is needed.

        None where the system fails without one of them: nobody knows whether it is needed.
        """
        while broken.change.size > 1:
            fewer = list(dict.fromkeys((*broken.change.halves(), *broken.change.smaller())))
            verdicts = yield from self._asked(broken.words, fewer, "undone")
            still = [
                Broken(broken.words, change, verdict)
                for change, verdict in zip(fewer, verdicts, strict=True)
                if verdict is not None and verdict.why
            ]
            if not still:
                return None if None in verdicts else broken
            broken = min(still, key=_rank)
        return broken

    def _shortened(self, broken: Broken) -> Generator[list[Trial], Verdicts, Broken]:
        """The same change of a part of the sentence, as short as it still breaks."""
        whole = broken
        span = (0, len(whole.words.words))
        for spans in (_ends, _starts):
            parts: list[tuple[tuple[int, int], Words, Change]] = []
            for start, end in spans(*span):
                change = whole.change.within(whole.words, start, end)
                if change and self._material.is_whole(start, end):
                    parts.append(((start, end), whole.words.kept(start, end), change))
            parts = parts[: min(_CUTS, self._to_shorten // 2)]
            if not parts:
                continue
            self._to_shorten -= 2 * len(parts)
            self.trials += 2 * len(parts)
            verdicts = yield [Trial(words.text, change.text(words)) for _, words, change in parts]
            for (part, words, change), verdict in zip(parts, verdicts, strict=True):
                if verdict and verdict.why and _is_part(verdict.output, broken.verdict.output):
                    span, broken = part, Broken(words, change, verdict)
                    break
        return (yield from self._undone(broken)) or whole


def _ends(start: int, end: int) -> list[tuple[int, int]]:
    """The spans that begin there and end earlier, the shortest first."""
    return [(start, other) for other in range(start + _FEWEST_WORDS, end)]


def _starts(start: int, end: int) -> list[tuple[int, int]]:
    """The spans that end there and begin later, the shortest first."""
    return [(other, end) for other in range(end - _FEWEST_WORDS, start, -1)]


def _joined(changes: Iterable[Change]) -> Change:
    """As many of these changes as touch different pieces, the first ones rather."""
    joined = Change()
    for change in changes:
        joined = both(joined, change) or joined
    return joined


def _rank(broken: Broken) -> tuple[int, float]:
    return broken.change.size, broken.verdict.similarity


def _is_part(output: str, whole: str) -> bool:
    """Whether a part of the sentence is translated as it was within the whole."""
    part, there = said_words(output), set(said_words(whole))
    return bool(part) and sum(word in there for word in part) >= _PART * len(part)
