"""What it means that a change breaks a translation: values that judge pairs of translations.

A change is one that a reader looks through, so the translation should say the same after it. Case,
marks and spaces of the translations do not count.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import floor, inf, log
from typing import ClassVar, NamedTuple
from unicodedata import category

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import Registry, Spec
from hyperbaton.language.languages import base, name, writes_spaces
from hyperbaton.language.negation import DENYING, may_deny, surely_denies
from hyperbaton.systems.faults import EMPTY, RUNAWAY, is_blank
from hyperbaton.systems.system import Translation, Translator

_WORDS = re.compile(r"[^\W_]+")
_NUMBERS = re.compile(r"\d+")
_INNER = re.compile(r"(?<=\d)[.,' \u00a0\u202f](?=\d)")
"""What parts the digits of one number, otherwise in each language."""


_REMEMBERED = 10_000
"""Translations whose likelihood is kept: each sentence comes again in every round."""
Likelihood = Callable[[Sequence[str], Sequence[str]], Sequence[float]]
"""The mean log-probability of the pieces of each translation, given its source."""


class Pairs(NamedTuple):
    """Sentences before and after a change, and their translations, column by column."""

    sources: Sequence[str]
    varied: Sequence[str]
    outputs: Sequence[str]
    varied_outputs: Sequence[str]
    languages: tuple[str, str]
    likelihood: Likelihood | None = None
    """What the system thinks of given translations; None where it does not tell."""

    def some(self, places: Sequence[int]) -> Pairs:
        """The pairs at these places."""
        sources, varied, outputs, others = ([c[i] for i in places] for c in self[:4])
        return Pairs(sources, varied, outputs, others, self.languages, self.likelihood)

    def rows(self) -> Iterator[OnePair]:
        """Each pair by itself."""
        for texts in zip(*self[:4], strict=True):
            yield OnePair(*texts, self.languages)


class OnePair(NamedTuple):
    """One of them."""

    source: str
    varied: str
    output: str
    varied_output: str
    languages: tuple[str, str]


def answer_text(answer: Translation) -> str | None:
    """What is judged of an answer: its text, nothing for an empty one, None where it failed.

    >>> answer_text(Translation("Ja.")), answer_text(Translation(None, "timeout"))
    ('Ja.', None)
    """
    if answer.text is None:
        return {EMPTY: "", RUNAWAY: RUNAWAY}.get(answer.fault)
    return answer.text


def likelihood_of(translator: Translator) -> Likelihood | None:
    """What tells how likely a system finds given translations, where it can."""
    score = getattr(translator, "score", None)
    if score is None:
        return None

    known: dict[tuple[str, str], float] = {}

    def means(pairs: Sequence[tuple[str, str]]) -> list[float]:
        try:
            return [one.mean for one in score(*map(list, zip(*pairs, strict=True)))]
        except (RuntimeError, ValueError):  # one of them is longer than the system can score
            half = len(pairs) // 2
            return [*means(pairs[:half]), *means(pairs[half:])] if half else [-inf]

    def likelihood(sources: Sequence[str], targets: Sequence[str]) -> list[float]:
        asked = list(zip(sources, targets, strict=True))
        if len(known) > _REMEMBERED:
            known.clear()
        new = [pair for pair in dict.fromkeys(asked) if pair not in known]
        if new:
            known.update(zip(new, means(new), strict=True))
        return [known[pair] for pair in asked]

    return likelihood


class Break(Spec, ABC):
    """A way in which a translation may no longer say the same."""

    def refuse(self, languages: tuple[str, str]) -> None:
        """Raise where nothing can be said in these languages."""

    @abstractmethod
    def reasons(self, pairs: Pairs) -> list[str]:
        """Why each pair breaks, in a few words; empty where it does not."""


class _OneByOne(Break):
    """A break that looks at one pair at a time."""

    @abstractmethod
    def reason(self, pair: OnePair) -> str:
        """Why one pair breaks."""

    def reasons(self, pairs: Pairs) -> list[str]:
        return [self.reason(pair) for pair in pairs.rows()]


def words(text: str) -> list[str]:
    """The words of a text without case and marks.

    >>> words("Ach, DU bist's!")
    ['ach', 'du', 'bist', 's']
    """
    return _WORDS.findall(text.casefold())


def said(text: str) -> str:
    """What is compared of a text: its words; where it has none, all but marks and spaces.

    >>> said("Ach, DU bist's!"), said("😀 !"), said("…")
    ('ach du bist s', '😀', '')
    """
    return " ".join(words(text)) or "".join(c for c in text if category(c)[0] not in "PZC")


@dataclass(frozen=True)
class Similarity(Break):
    """The two translations are less alike than that, by any metric.

    Other words may say the same. Where the system tells how likely it finds a translation, the one
    of the varied sentence must also be an unlikely one of the sentence itself: each of its pieces
    less than `likely` times as probable as those of the other translation, on geometric average.

    >>> told = Pairs(["Hi."] * 2, ["Hj."] * 2, ["Hallo."] * 2, ["hallo", "Er hat"], ("en", "de"))
    >>> Similarity("chrF", below=0.4).reasons(told)
    ['', 'chrF 0.13 < 0.4']
    """

    name: ClassVar[str] = "similarity"
    positional: ClassVar[str | None] = "metric"
    metric: str = "chrF"
    below: float = 0.4
    likely: float | None = 0.4

    def __post_init__(self) -> None:
        if not self.below <= 1:
            raise HyperbatonError(
                f"{self.name}: below is at most 1, the likeness of two equal texts, "
                f"not {self.below:g}"
            )
        if self.likely is not None and not self.likely > 0:
            raise HyperbatonError(
                f"{self.name}: likely is more than 0, or none to ask only for likeness, "
                f"not {self.likely:g}"
            )

    def scores(self, pairs: Pairs) -> list[float]:
        """How alike the two translations are."""
        from hyperbaton.metrics import METRICS

        metric = METRICS.parse(self.metric).for_language(pairs.languages[1])
        if not metric.higher_is_better:
            raise HyperbatonError(
                f"'{self}': {self.metric} is a distance; name a metric that grows with likeness"
            )
        broken, whole = ([said(text) for text in column] for column in (pairs[3], pairs[2]))
        scores = metric.sentence_scores(broken, whole, list(pairs.varied))
        rows = zip(broken, whole, scores, strict=True)
        return [1.0 if one == other else float(score) for one, other, score in rows]

    def reasons(self, pairs: Pairs) -> list[str]:
        return self.told(self.scores(pairs), pairs)

    def told(self, scores: Sequence[float], pairs: Pairs) -> list[str]:
        """What scores of pairs say, rounded down: 0.399 is less than 0.4."""
        found, below = [""] * len(scores), f"< {self.below:g}"
        places = [i for i, score in enumerate(scores) if score < self.below]
        for i, likely in zip(places, self._likely(pairs.some(places)), strict=True):
            found[i] = "" if likely else f"{self.metric} {floor(100 * scores[i]) / 100:.2f} {below}"
        return found

    def _likely(self, pairs: Pairs) -> list[bool]:
        """Whether both are translations of the sentence, as far as the system can tell."""
        if self.likely is None or pairs.likelihood is None or not pairs.sources:
            return [False] * len(pairs.sources)
        ours = list(zip(pairs.sources, pairs.outputs, strict=True))
        others = list(zip(pairs.sources, pairs.varied_outputs, strict=True))
        means = pairs.likelihood(*zip(*ours, *others, strict=True))
        least = log(self.likely)
        return [b - a >= least for a, b in zip(means[: len(ours)], means[len(ours) :], strict=True)]


@dataclass(frozen=True)
class Lost(Break):
    """The content of the translation is gone, by the rule for outcomes (docs/outcomes.md)."""

    name: ClassVar[str] = "lost"

    def reasons(self, pairs: Pairs) -> list[str]:
        from hyperbaton.metrics.outcomes import SampleTexts, judge

        texts = SampleTexts(
            pairs.outputs,
            pairs.outputs,
            [None] * len(pairs.outputs),
            pairs.varied_outputs,
            varied=pairs.varied,
        )
        told = judge(texts, pairs.languages[1]).outcomes.tolist() if pairs.outputs else []
        return ["its content is lost" if outcome == "lost" else "" for outcome in told]


@dataclass(frozen=True)
class Number(_OneByOne):
    """A number that the source has in digits is no more in the translation.

    >>> Number().reason(OnePair("At 7:30 pm", "at 7:30 pm", "Um 7:30", "Um 7 Uhr", ("en", "de")))
    'the number 30 is gone'
    """

    name: ClassVar[str] = "number"

    def reason(self, pair: OnePair) -> str:
        if not _NUMBERS.search(pair.source):
            return ""
        kept, told, left = map(_numbers, pair[1:4])
        gone = [n for n, times in (_numbers(pair.source) & kept & told).items() if left[n] < times]
        return f"the number {gone[0]} is gone" if gone else ""


def _numbers(text: str) -> Counter[str]:
    return Counter(_NUMBERS.findall(_INNER.sub("", text)))


@dataclass(frozen=True)
class Name(_OneByOne):
    """A name that the translation had taken over is no more in it.

    >>> Name().reason(OnePair("Ask Mary!", "ask Mary!", "Frag Mary!", "Frag Mutter!", ("en", "de")))
    'the name Mary is gone'
    """

    name: ClassVar[str] = "name"

    def reason(self, pair: OnePair) -> str:
        varied, output, broken = (set(words(text)) for text in pair[1:4])
        kept = varied & output - broken
        named = (w for w in _WORDS.findall(pair.source)[1:] if w[:1].isupper() and len(w) > 1)
        gone = [word for word in named if word.casefold() in kept]
        return f"the name {gone[0]} is gone" if gone else ""


@dataclass(frozen=True)
class Negation(_OneByOne):
    """The translation denied, and denies no more, or the other way round.

    >>> Negation().reason(OnePair("", "", "Ich weiß es nicht.", "Ich weiß es.", ("en", "de")))
    'the negation is gone'
    """

    name: ClassVar[str] = "negation"

    def refuse(self, languages: tuple[str, str]) -> None:
        if base(languages[1]) not in DENYING:
            known = ", ".join(name(code) for code in sorted(DENYING))
            raise HyperbatonError(
                f"negation: no words that deny are known in {name(languages[1])} (in {known} "
                "they are): leave it out"
            )

    def reason(self, pair: OnePair) -> str:
        source, _, output, broken, (language, target) = pair
        if source.rstrip().endswith("?") and may_deny(source.split()[0], language):
            return ""  # "Don't you see?" and "Do you see?" ask the same
        if surely_denies(output, target) and not may_deny(broken, target):
            return "the negation is gone"
        if surely_denies(broken, target) and not may_deny(output, target):
            return "a negation came in"
        return ""


@dataclass(frozen=True)
class Empty(_OneByOne):
    """Nothing came back."""

    name: ClassVar[str] = "empty"

    def reason(self, pair: OnePair) -> str:
        gone = is_blank(pair.varied_output) and not is_blank(pair.output)
        return "the translation is empty" if gone else ""


@dataclass(frozen=True)
class Untranslated(_OneByOne):
    """The source came back, or another language than was asked for."""

    name: ClassVar[str] = "untranslated"

    def reason(self, pair: OnePair) -> str:
        from hyperbaton.systems.untranslated import untranslated, untranslated_said

        source, varied, output, broken, languages = pair
        there, said = set(words(output)), words(broken)
        if sum(word in there for word in said) > len(said) / 2:  # telling languages takes a while
            return ""
        what = untranslated(varied, broken, languages)
        if what is None or untranslated(source, output, languages) is not None:
            return ""
        return f"the translation is {untranslated_said(what)}"


@dataclass(frozen=True)
class Repetition(_OneByOne):
    """Words come again and again, so many times more often than they should.

    >>> Repetition().reason(OnePair("Go!", "Go !", "Geh!", "Geh, geh, geh, geh!", ("en", "de")))
    "'geh' comes 4 times in a row"
    """

    name: ClassVar[str] = "repetition"
    times: int = 4

    def __post_init__(self) -> None:
        if self.times < 2:
            raise HyperbatonError(f"{self.name}: times is at least 2, not {self.times}")

    def reason(self, pair: OnePair) -> str:
        _, varied, output, broken, languages = pair
        if broken == RUNAWAY:
            return broken
        spaced = writes_spaces(languages[1])
        units = words(broken) if spaced else list(broken)
        if max(Counter(units).values(), default=0) < self.times:
            return ""  # no word is there so often
        unit, times = longest_run(units)
        others = (longest_run(words(t) if spaced else list(t))[1] for t in (output, varied))
        if times < self.times or times <= max(others):
            return ""
        return f"'{(' ' if spaced else '').join(unit)}' comes {times} times in a row"


_LONGEST = 6


def longest_run(units: Sequence[str]) -> tuple[tuple[str, ...], int]:
    """What comes most often in a row, of up to six words, and how often.

    >>> longest_run("to be or to be or to be".split())
    (('to', 'be', 'or'), 2)
    """
    best: tuple[tuple[str, ...], int] = ((), 0)
    for size in range(1, _LONGEST + 1):
        run = 0
        for at in range(size, len(units)):
            run = run + 1 if units[at] == units[at - size] else 0
            if run // size + 1 > max(best[1], 1):
                best = tuple(units[at - size + 1 : at + 1]), run // size + 1
    return best


_ALL = (Similarity, Lost, Number, Name, Negation, Empty, Untranslated, Repetition)
BREAKS: Registry[Break] = Registry(
    "break", {cls.name: f"{__name__}:{cls.__name__}" for cls in _ALL}
)
DEFAULT: tuple[str, ...] = ("empty", "repetition", "untranslated", "number", "negation")
"""What breaks besides the similarity, where nothing is said."""


def default_breaks(languages: tuple[str, str]) -> list[Break]:
    """What breaks where nothing is said, as far as it is known in these languages."""
    chosen = []
    for text in (*DEFAULT, str(Similarity())):
        one = BREAKS.parse(text)
        try:
            one.refuse(languages)
        except HyperbatonError:
            continue
        chosen.append(one)
    return chosen


def reasons(breaks: Sequence[Break], pairs: Pairs) -> list[str]:
    """Why each pair breaks, by the first of these that says so; empty where none does.

    >>> pairs = Pairs(["Go!"], ["go!"], ["Geh!"], [""], ("en", "de"))
    >>> reasons(default_breaks(("en", "de")), pairs)
    ['the translation is empty']
    """
    found = [""] * len(pairs.sources)
    for one in breaks:
        open_ = [
            i
            for i, row in enumerate(pairs.rows())
            if not found[i] and row.output != row.varied_output
        ]
        for i, why in zip(open_, one.reasons(pairs.some(open_)), strict=True):
            found[i] = why
    return found
