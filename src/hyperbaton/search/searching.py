"""Many sentences searched at once, so that the translator always has full batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

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
    likelihood = likelihood_of(translator)
    waiting = iter(materials)
    active: list[_Active] = []
    while True:
        over: list[tuple[Material, Hunted]] = []
        for material in islice(waiting, AT_ONCE - len(active)):
            found = hunt(material, search.kinds, search.budget, search.shorten)
            try:
                active.append(_Active(material, found, next(found)))
            except StopIteration as end:  # nothing can be changed in it
                over.append((material, end.value))
        if not active:
            yield from over
            return
        _answer(active, translator, store, watch, retry_failed)
        answers = [(one.answers[s], one.answers[v]) for one in active for s, v in one.trials]
        trials = [trial for one in active for trial in one.trials]
        verdicts = iter(judged(trials, answers, search, likelihood))
        going: list[_Active] = []
        for one in active:
            told = list(islice(verdicts, len(one.trials)))
            if not one.broken and any(verdict and verdict.why for verdict in told):
                one.broken = True
                watch.broken += 1
            try:
                one.trials = one.hunt.send(told)
                going.append(one)
            except StopIteration as end:
                over.append((one.material, end.value))
                watch.advance(max(0, search.budget - end.value.trials))
        active = going
        yield from over if translator.batch_free else _sure(over, translator, search, store)


def _answer(
    active: Sequence[_Active],
    translator: Translator,
    store: Store | None,
    watch: Watch,
    retry_failed: bool,
) -> None:
    """Translate the trials of all sentences in one go."""
    asked = [
        text for one in active for trial in one.trials for text in trial if text not in one.answers
    ]
    answers = _translated(asked, translator, store, "", watch, retry_failed)
    for one in active:
        texts = (text for trial in one.trials for text in trial if text not in one.answers)
        one.answers |= {text: answers[text] for text in texts}


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
    told = _translated((text for trial in trials for text in trial), translator, store)
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
        texts = (text for trial in trials for text in trial)
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
) -> Verdicts:
    """What came of trials; nothing where a text failed or the source has no translation."""
    rows = {
        place: (*trial, output, varied_output)
        for place, (trial, (output, varied_output)) in enumerate(zip(trials, answers, strict=True))
        if output is not None and varied_output is not None and not is_blank(output)
    }
    told = dict(zip(rows, _verdicts(list(rows.values()), search, likelihood), strict=True))
    return [told.get(place) for place in range(len(trials))]


def _verdicts(
    rows: Sequence[tuple[str, str, str, str]], search: Search, likelihood: Likelihood | None
) -> list[Verdict]:
    """What came of pairs: source, varied source, and the translations of both."""
    if not rows:
        return []
    columns = [list(column) for column in zip(*rows, strict=True)]
    pairs = Pairs(columns[0], columns[1], columns[2], columns[3], search.languages, likelihood)
    first = next((one for one in search.breaks if isinstance(one, Similarity)), Similarity())
    scores = first.scores(pairs)
    others = reasons([one for one in search.breaks if one != first], pairs)
    alike = first.told(scores, pairs) if first in search.breaks else [""] * len(rows)
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
