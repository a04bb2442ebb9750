"""Many sentences searched at once, so that the translator always has full batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.search.breaks import (
    Break,
    Pairs,
    Similarity,
    answer_text,
    default_breaks,
    reasons,
)
from hyperbaton.search.candidates import KINDS, Material
from hyperbaton.search.cases import Case
from hyperbaton.search.changes import kind_text
from hyperbaton.search.hunt import Broken, Hunt, Hunted, Trial, Verdict, hunt
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.faults import is_blank
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import Translator

AT_ONCE = 512
"""Sentences that are searched at the same time."""
BUDGET = 200
"""Translations of a sentence, where nothing is said."""


@dataclass(frozen=True)
class Search:
    """What is tried, how often, and what counts as broken."""

    languages: tuple[str, str]
    breaks: tuple[Break, ...] = ()
    kinds: tuple[str, ...] = tuple(KINDS)
    budget: int = BUDGET
    seed: int = 0
    shorten: bool = True

    def __post_init__(self) -> None:
        if not self.breaks:
            object.__setattr__(self, "breaks", tuple(default_breaks(self.languages)))
        if self.budget < 2:
            raise HyperbatonError(f"the budget is at least 2 translations, not {self.budget}")

    def settings(self) -> dict[str, object]:
        """All of it in words and numbers."""
        return {
            "pair": "-".join(self.languages),
            "breaks": [str(one) for one in self.breaks],
            "kinds": list(self.kinds),
            "budget": self.budget,
            "seed": self.seed,
            "shorten": self.shorten,
        }


def kind_named(text: str) -> str:
    """The kind of change that a name means, written with a space or a hyphen.

    >>> kind_named("final mark")
    'final-mark'
    """
    name = text.strip().replace(" ", "-")
    if name not in KINDS:
        known = ", ".join(map(kind_text, KINDS))
        raise HyperbatonError(
            f"there is no kind of change '{text}' (there are: {known}).{did_you_mean(name, KINDS)}"
        )
    return name


@dataclass
class _Active:
    """A sentence in the middle of its search."""

    material: Material
    hunt: Hunt
    trials: list[Trial]
    answers: dict[str, str | None] = field(default_factory=dict)


def search_all(
    materials: Iterable[Material],
    translator: Translator,
    search: Search,
    store: Store | None = None,
) -> Iterator[tuple[Material, Hunted]]:
    """Each sentence with what was found, as soon as its search is over."""
    if not translator.repeatable:
        raise HyperbatonError("recorded answers cannot be searched: name a system that translates")
    waiting = iter(materials)
    active: list[_Active] = []
    while True:
        for material in islice(waiting, AT_ONCE - len(active)):
            found = hunt(material, search.kinds, search.budget, search.shorten)
            try:
                active.append(_Active(material, found, next(found)))
            except StopIteration as end:  # nothing can be changed in it
                yield material, end.value
        if not active:
            return
        _translate(active, translator, store)
        verdicts = iter(_judged(active, search))
        going: list[_Active] = []
        for one in active:
            told = list(islice(verdicts, len(one.trials)))
            try:
                one.trials = one.hunt.send(told)
                going.append(one)
            except StopIteration as end:
                yield one.material, end.value
        active = going


def _translate(active: Sequence[_Active], translator: Translator, store: Store | None) -> None:
    """Answer the trials of all sentences in one go."""
    asked: dict[str, None] = {}
    for one in active:
        for text in (text for trial in one.trials for text in trial):
            if text not in one.answers:
                asked[text] = None
    answers = translate_all(translator, list(asked), store=store, advance=lambda steps=1: None)
    told = dict(zip(asked, map(answer_text, answers), strict=True))
    for one in active:
        texts = (text for trial in one.trials for text in trial if text not in one.answers)
        one.answers |= {text: told[text] for text in texts}


def _judged(active: Sequence[_Active], search: Search) -> list[Verdict | None]:
    """What came of all trials; nothing where a text failed or the source has no translation."""
    rows: list[tuple[str, str, str, str]] = []
    places: list[int | None] = []
    for one in active:
        for source, varied in one.trials:
            output, other = one.answers[source], one.answers[varied]
            if output is None or other is None or is_blank(output):
                places.append(None)
            else:
                places.append(len(rows))
                rows.append((source, varied, output, other))
    verdicts = verdicts_of(rows, search)
    return [None if place is None else verdicts[place] for place in places]


def verdicts_of(rows: Sequence[tuple[str, str, str, str]], search: Search) -> list[Verdict]:
    """What came of pairs: source, varied source, and the translations of both."""
    if not rows:
        return []
    columns = [list(column) for column in zip(*rows, strict=True)]
    pairs = Pairs(columns[0], columns[1], columns[2], columns[3], search.languages)
    first = next((one for one in search.breaks if isinstance(one, Similarity)), Similarity())
    scores = first.scores(pairs)
    others = reasons([one for one in search.breaks if one != first], pairs)
    alike = first.told(scores) if first in search.breaks else [""] * len(rows)
    return [
        Verdict(row[2], row[3], other or less, score)
        for row, other, less, score in zip(rows, others, alike, scores, strict=True)
    ]


def case_from(material: Material, broken: Broken, search: Search, system: str) -> Case:
    """What was found, as it is written down."""
    whole = material.words.text
    return Case(
        item=material.sentence.id,
        pair="-".join(search.languages),
        system=system,
        kind=kind_text(broken.change.kind),
        size=broken.change.size,
        change=" + ".join(map(str, broken.change.steps(broken.words))),
        why=broken.verdict.why,
        source=broken.words.text,
        varied=broken.change.text(broken.words),
        output=broken.verdict.output,
        varied_output=broken.verdict.varied_output,
        sentence="" if broken.words.text == whole else whole,
    )
