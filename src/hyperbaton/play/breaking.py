"""The smallest change that breaks a sentence, searched while the page looks on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from hyperbaton.language.sentence import Order, Sentence
from hyperbaton.play.desk import Desk, Event, Job
from hyperbaton.search.breaks import Likelihood, answer_text, likelihood_of
from hyperbaton.search.candidates import Material, known_words
from hyperbaton.search.hunt import Broken, Hunted, Trial, Verdict, hunt
from hyperbaton.search.searching import Search, judged
from hyperbaton.search.words import token_spans
from hyperbaton.systems.system import Translation

_BATCH = 8
"""Texts translated in one step: few, so that a question never waits long."""


def search_of(
    pair: tuple[str, str], sentence: Sentence
) -> Callable[[Desk, Callable[[Event], None]], Job]:
    """What starts the search in a sentence, with the words that its language has."""
    search = Search(pair, shorten=False)
    material = Material(sentence, known_words(pair[0]))

    def begin(desk: Desk, tell: Callable[[Event], None]) -> Job:
        watched = _Watched(material, search, tell, lambda: likelihood_of(desk.opened(pair)))
        job = Job(pair, watched.texts(), watched.take, watched.fail)
        desk.begin(job)
        return job

    return begin


class _Watched:
    """A search that tells each round of what it tries, and in the end what breaks the sentence."""

    def __init__(
        self,
        material: Material,
        search: Search,
        tell: Callable[[Event], None],
        likelihood: Callable[[], Likelihood | None],
    ) -> None:
        self._material = material
        self._search = search
        self._tell = tell
        self._likelihood = likelihood
        self._batch: list[str] = []
        self._answers: dict[str, Translation] = {}

    def texts(self) -> Iterator[Sequence[str]]:
        """What to translate, a few texts at a time, until the search is over."""
        search = self._search
        going = hunt(self._material, search.kinds, search.budget, search.shorten)
        self._tell({"state": "begun", "budget": search.budget})
        told: Sequence[Verdict | None] | None = None
        while True:
            try:
                trials = next(going) if told is None else going.send(told)
            except StopIteration as end:
                self._end(end.value)
                return
            asked = dict.fromkeys(text for trial in trials for text in trial.texts)
            left = [text for text in asked if text not in self._answers]
            for start in range(0, len(left), _BATCH):
                self._batch = left[start : start + _BATCH]
                yield self._batch
            told = self._told(trials)

    def take(self, translations: Sequence[Translation]) -> None:
        """The translations of the texts that were asked for last."""
        self._answers |= zip(self._batch, translations, strict=True)
        whole = self._answers[self._material.words.text]
        if answer_text(whole) is None:
            raise RuntimeError(whole.fault)

    def fail(self, fault: str) -> None:
        """Tell that the system could not go on."""
        self._tell({"state": "fault", "fault": fault})

    def _told(self, trials: Sequence[Trial]) -> Sequence[Verdict | None]:
        """What comes of a round of trials, which the page is told too."""
        answers = [
            (answer_text(self._answers[trial.source]), answer_text(self._answers[trial.varied]))
            for trial in trials
        ]
        verdicts = judged(trials, answers, self._search, self._likelihood())
        tried = [
            {
                "text": trial.varied,
                "output": verdict.varied_output,
                "why": verdict.why,
                "similarity": round(verdict.similarity, 3),
            }
            for trial, verdict in zip(trials, verdicts, strict=True)
            if verdict is not None
        ]
        self._tell({"state": "tried", "tried": tried, "done": len(self._answers)})
        return verdicts

    def _end(self, found: Hunted) -> None:
        cases = [self._case(broken) for broken in found.broken]
        self._tell(
            {
                "state": "done",
                "cases": cases,
                "done": len(self._answers),
                "translated": found.translated,
            }
        )

    def _case(self, broken: Broken) -> dict[str, object]:
        change = broken.change
        text = change.text(broken.words)
        order = token_order(self._material, change.order) if not change.edits else None
        if order is not None and self._material.sentence.arrange(order) != text:
            order = None  # marks stay where they are, and a capital moves with its word
        return {
            "kind": change.kind,
            "size": change.size,
            "why": broken.verdict.why,
            "text": text,
            "order": order,
            "output": broken.verdict.varied_output,
        }


def token_order(material: Material, order: Order) -> Order | None:
    """An order of words as one of the sentence's tokens; None where tokens and words differ.

    >>> sentence = Sentence(("Oh", ",", "go", "home", "!"), (False, True, True, False, False))
    >>> token_order(Material(sentence), (0, 2, 1))
    (0, 1, 3, 2, 4)
    """
    edges = [0]
    for piece in material.words.pieces:
        edges.append(edges[-1] + len(piece))
    words = {edges[2 * i + 1]: i for i in range(len(order))}
    spans = token_spans(material.sentence)
    starts = {words[start]: token for token, (start, _) in enumerate(spans) if start in words}
    whole = all(edges[2 * i + 2] == spans[token][1] for i, token in starts.items())
    if not whole or len(starts) != len(order):
        return None
    moved = list(range(len(spans)))
    for place, word in enumerate(order):
        moved[starts[place]] = starts[word]
    return tuple(moved)
