"""Many sentences searched at once, so that the translator always has full batches."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import NamedTuple

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.base.progress import Advance
from hyperbaton.search.breaks import (
    Break,
    Likelihood,
    Pairs,
    Similarity,
    answer_text,
    default_breaks,
    likelihood_of,
    reasons,
)
from hyperbaton.search.candidates import KINDS, Material
from hyperbaton.search.cases import Case
from hyperbaton.search.changes import kind_text
from hyperbaton.search.hunt import Broken, Hunt, Hunted, Trial, Verdict, Verdicts, hunt
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.faults import is_blank
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import Translator

AT_ONCE = 512
"""Sentences that are searched at the same time."""
TIMES_AGAIN = 2
"""How often a break must come again where a system may answer the same text in several ways."""
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
class Watch:
    """What somebody is told who waits: translations done, sentences broken, what went wrong."""

    advance: Advance = lambda steps=1: None
    broken: int = 0
    fault: str = ""
    """Why the last text that has no translation has none."""


@dataclass
class _Active:
    """A sentence in the middle of its search."""

    material: Material
    hunt: Hunt
    trials: list[Trial]
    answers: dict[str, str | None] = field(default_factory=dict)
    broken: bool = False


def search_all(
    materials: Iterable[Material],
    translator: Translator,
    search: Search,
    store: Store | None = None,
    watch: Watch | None = None,
    retry_failed: bool = False,
) -> Iterator[tuple[Material, Hunted]]:
    """Each sentence with what was found, as soon as its search is over."""
    watch = watch or Watch()
    if not translator.repeatable:
        raise HyperbatonError("recorded answers cannot be searched: name a system that translates")
    # Half of the sentences are judged while the other half is translated: the short ones and the
    # long ones, since batches hold texts of one length. Others have noise, and may be no good at
    # two things at once.
    waiting = iter(materials)
    sides = 2 if translator.batch_free else 1
    first = sorted(islice(waiting, AT_ONCE), key=lambda one: len(one.words.text))
    size = max(1, -(-len(first) // sides))
    rounds = _Rounds(search, waiting, AT_ONCE // sides, likelihood_of(translator))
    with ThreadPoolExecutor(1) as aside:
        turns = deque(
            aside.submit(rounds.begin, first[at : at + size]) for at in range(0, len(first), size)
        )
        while turns:
            active, over, broken = turns.popleft().result()
            watch.broken += broken
            watch.advance(sum(max(0, search.budget - hunted.trials) for _, hunted in over))
            yield from over if translator.batch_free else _sure(over, translator, search, store)
            if active:
                _answer(active, translator, store, watch, retry_failed)
                turns.append(aside.submit(rounds.go_on, active))


class _Round(NamedTuple):
    """What came of the trials of some sentences."""

    active: list[_Active]
    over: list[tuple[Material, Hunted]]
    broken: int = 0
    """Sentences that broke for the first time."""


@dataclass(frozen=True)
class _Rounds:
    """The searches in sentences between two calls of the translator."""

    search: Search
    waiting: Iterator[Material]
    at_once: int
    likelihood: Likelihood | None

    def begin(self, materials: Iterable[Material]) -> _Round:
        """Start searches, each with its first trials."""
        search, begun = self.search, _Round([], [])
        for material in materials:
            found = hunt(material, search.kinds, search.budget, search.shorten)
            try:
                begun.active.append(_Active(material, found, next(found)))
            except StopIteration as end:  # nothing can be changed in it
                begun.over.append((material, end.value))
        return begun

    def go_on(self, active: Sequence[_Active]) -> _Round:
        """Judge what came back; sentences that wait take the places of those that are over."""
        answers = [
            (one.answers[t.source], one.answers[t.varied]) for one in active for t in one.trials
        ]
        trials = [trial for one in active for trial in one.trials]
        rivals = [(place, t.rivals or t) for place, one in enumerate(active) for t in one.trials]
        verdicts = iter(judged(trials, answers, self.search, self.likelihood, rivals))
        going: list[_Active] = []
        over: list[tuple[Material, Hunted]] = []
        broken = 0
        for one in active:
            told = list(islice(verdicts, len(one.trials)))
            if not one.broken and any(verdict and verdict.why for verdict in told):
                one.broken = True
                broken += 1
            try:
                one.trials = one.hunt.send(told)
                going.append(one)
            except StopIteration as end:
                over.append((one.material, end.value))
        begun = self.begin(islice(self.waiting, self.at_once - len(going)))
        return _Round(going + begun.active, over + begun.over, broken)


def _answer(
    active: Sequence[_Active],
    translator: Translator,
    store: Store | None,
    watch: Watch,
    retry_failed: bool,
) -> None:
    """Translate the trials of all sentences in one go."""
    texts = [[text for trial in one.trials for text in trial.texts] for one in active]
    new = [[t for t in own if t not in one.answers] for own, one in zip(texts, active, strict=True)]
    answers = _translated(chain.from_iterable(new), translator, store, "", watch, retry_failed)
    for one, own in zip(active, new, strict=True):
        one.answers |= {text: answers[text] for text in own}


def _translated(
    texts: Iterable[str],
    translator: Translator,
    store: Store | None,
    apart: str = "",
    watch: Watch | None = None,
    retry_failed: bool = False,
) -> dict[str, str | None]:
    """Each text with its translation."""
    asked, watch = list(dict.fromkeys(texts)), watch or Watch()
    answers = translate_all(
        *(translator, asked),
        store=store,
        retry_failed=retry_failed,
        advance=watch.advance,
        apart=apart,
    )
    told = dict(zip(asked, map(answer_text, answers), strict=True))
    faults = (one.fault for one in reversed(answers) if answer_text(one) is None)
    watch.fault = next(faults, watch.fault)
    return told


def tried(
    trials: Sequence[Trial], translator: Translator, search: Search, store: Store | None = None
) -> Verdicts:
    """What comes of some changes."""
    told = _translated((text for trial in trials for text in trial.texts), translator, store)
    answers = [(told[trial.source], told[trial.varied]) for trial in trials]
    return judged(trials, answers, search, likelihood_of(translator))


def _sure(
    over: Sequence[tuple[Material, Hunted]],
    translator: Translator,
    search: Search,
    store: Store | None,
) -> Iterator[tuple[Material, Hunted]]:
    """The same without what breaks no more when all is translated again, among other texts.

    A system may answer the same text in several ways. Where one of them breaks the sentence without
    any change, nothing is said of the sentence.
    """
    left = [(place, broken) for place, (_, h) in enumerate(over) for broken in h.broken]
    asked, unsteady = [0] * len(over), set[int]()
    likelihood = likelihood_of(translator)
    for time in range(1, TIMES_AGAIN + 1):
        trials = [Trial(one.words.text, one.change.text(one.words)) for _, one in left]
        texts = (text for trial in trials for text in trial.texts)
        told = _translated(texts, translator, store, f"|again {time}")
        answers = [(told[t.source], told[t.varied]) for t in trials]
        still = judged(trials, answers, search, likelihood)
        outputs = [(one.verdict.output, told[one.words.text]) for _, one in left]
        unchanged = judged([Trial(t.source, t.source) for t in trials], outputs, search)
        rows, left = zip(left, still, unchanged, strict=True), []
        for (place, one), varied, same in rows:
            asked[place] += 2
            if same is not None and same.why:
                unsteady.add(place)
            elif varied is not None and varied.why:
                left.append((place, one))
    for place, (material, hunted) in enumerate(over):
        steady = place not in unsteady
        yield (
            material,
            hunted._replace(
                broken=tuple(one for where, one in left if steady and where == place),
                trials=hunted.trials + asked[place],
                steady=steady,
            ),
        )


def judged(
    trials: Sequence[Trial],
    answers: Sequence[tuple[str | None, str | None]],
    search: Search,
    likelihood: Likelihood | None = None,
    rivals: Sequence[Hashable] = (),
) -> Verdicts:
    """What came of trials; nothing where a text failed or the source has no translation.

    Of trials with the same entry in `rivals` only the first that breaks is sure to be told: to ask
    how likely a translation is takes as long as to translate.
    """
    rows = {
        place: (*trial.texts, output, varied_output)
        for place, (trial, (output, varied_output)) in enumerate(zip(trials, answers, strict=True))
        if output is not None and varied_output is not None and not is_blank(output)
    }
    groups = {place: (rivals[place] if rivals else place, trials[place].size) for place in rows}
    verdicts = _verdicts(list(rows.values()), list(groups.values()), search, likelihood)
    told = dict(zip(rows, verdicts, strict=True))
    return [told.get(place) for place in range(len(trials))]


def _verdicts(
    rows: Sequence[tuple[str, str, str, str]],
    groups: Sequence[tuple[Hashable, int]],
    search: Search,
    likelihood: Likelihood | None,
) -> list[Verdict]:
    """What came of pairs: source, varied source, and the translations of both.

    `groups` names the rivals of each and tells its size.
    """
    if not rows:
        return []
    columns = [list(column) for column in zip(*rows, strict=True)]
    pairs = Pairs(columns[0], columns[1], columns[2], columns[3], search.languages, likelihood)
    first = next((one for one in search.breaks if isinstance(one, Similarity)), Similarity())
    scores = first.scores(pairs)
    others = reasons([one for one in search.breaks if one != first], pairs)
    if first in search.breaks:
        _compare(others, first, scores, pairs, groups)
    return [
        Verdict(row[2], row[3], why, score)
        for row, why, score in zip(rows, others, scores, strict=True)
    ]


def _compare(
    whys: list[str],
    similarity: Similarity,
    scores: Sequence[float],
    pairs: Pairs,
    groups: Sequence[tuple[Hashable, int]],
) -> None:
    """Add that translations are not alike; of rivals until one breaks, the first ones first."""
    left: dict[Hashable, list[int]] = {}
    for at in sorted(range(len(scores)), key=lambda at: (groups[at][1], scores[at])):
        if whys[at] or scores[at] < similarity.below:
            left.setdefault(groups[at][0], []).append(at)
    while left:
        open_ = [places[0] for places in left.values() if not whys[places[0]]]
        told = similarity.told([scores[at] for at in open_], pairs.some(open_))
        for at, why in zip(open_, told, strict=True):
            whys[at] = why
        left = {name: p[1:] for name, p in left.items() if p[1:] and not whys[p[0]]}


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
