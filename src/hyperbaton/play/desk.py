"""A desk for each system: a thread that answers the newest question of each page, and no older."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb import Variant
from hyperbaton.play.answers import Question, answered
from hyperbaton.systems.execution import WATCHED, translate_all
from hyperbaton.systems.faults import EMPTY
from hyperbaton.systems.store.store import Store, working_store
from hyperbaton.systems.system import SYSTEMS, Translation, Translator

Event = dict[str, object]
"""What a page is told: the system, its state (`running`, `answer`, `fault`, `stale`), and more."""
_OPEN = 3
"""Language pairs that a system is kept open for."""
_PAGES = 256
"""Pages whose last question is remembered."""


@dataclass
class Ticket:
    """A question of one page; whoever asked is told through `tell`, from another thread.

    A page numbers its questions: threads may bring them out of order.
    """

    page: str
    number: int
    question: Question
    tell: Callable[[Event], None]
    stale: threading.Event = field(default_factory=threading.Event)


@dataclass
class Job:
    """Texts that are translated between questions, a few at a time, until `cancelled`."""

    pair: tuple[str, str]
    batches: Iterator[Sequence[str]]
    take: Callable[[Sequence[Translation]], None]
    fail: Callable[[str], None]
    cancelled: threading.Event = field(default_factory=threading.Event)


class Judge:
    """Says whether outcomes can be told at once, and makes ready in a thread of its own."""

    def __init__(self) -> None:
        self._ready = threading.Event()
        self._begun = threading.Lock()

    def is_ready(self) -> bool:
        """Whether an outcome takes milliseconds now."""
        return self._ready.is_set()

    def begin(self) -> None:
        """Make ready, unless that was begun before."""
        if self._begun.acquire(blocking=False):
            threading.Thread(target=self._prepare, name="judge", daemon=True).start()

    def _prepare(self) -> None:
        try:
            sentence = Sentence.from_words(["We", "often", "walk", "to", "the", "river", "."], "en")
            order = (3, 0, 1, 2, 4, 5, 6)
            variant = Variant(sentence.arrange(order), order, "word", True)
            reference = Sentence.from_words(["Wir", "gehen", "oft", "zum", "Fluss", "."], "de")
            question = Question(("en", "de"), sentence, variant, reference, reference.text)
            # Not clear at once, so that the further looks are made ready too.
            answered(question, reference.text, "Wir gehen den Fluss.")
        finally:
            self._ready.set()


class Desk:
    """One system in a thread of its own: one question at work, one waiting for each page."""

    def __init__(self, system: str, stored: bool = True, judge: Judge | None = None) -> None:
        self.system = system
        self._judge = judge
        self._spec = SYSTEMS.parse(system)
        self._stored = stored
        self._waiting: dict[str, Ticket] = {}
        self._running: Ticket | None = None
        self._newest: OrderedDict[str, int] = OrderedDict()
        self._jobs: list[Job] = []
        self._signatures: dict[tuple[str, str], str] = {}
        self._translators: dict[tuple[str, str], Translator] = {}
        self._wake = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name=f"desk {system}", daemon=True)
        self._thread.start()

    def ask(self, ticket: Ticket) -> None:
        """Put a question; an older one of the same page is told that it is stale."""
        stored = self._stored_answers(ticket.question)
        with self._wake:
            if self._is_late(ticket):
                self._tell_stale(ticket)
                return
            older = self._waiting.pop(ticket.page, None)
            running = self._running
            if running is not None and running.page == ticket.page:
                running.stale.set()
            if stored is None:
                self._waiting[ticket.page] = ticket
                self._wake.notify()
        if older is not None:
            self._tell_stale(older)
        if stored is not None:
            self._answer(ticket, stored)

    def _is_late(self, ticket: Ticket) -> bool:
        """Whether a newer question of its page has come before it."""
        newest = self._newest.get(ticket.page, ticket.number)
        self._newest[ticket.page] = max(newest, ticket.number)
        self._newest.move_to_end(ticket.page)
        if len(self._newest) > _PAGES:
            self._newest.popitem(last=False)
        return ticket.number < newest

    def leave(self, ticket: Ticket) -> None:
        """Nobody waits for this answer any more."""
        with self._wake:
            ticket.stale.set()
            if self._waiting.get(ticket.page) is ticket:
                del self._waiting[ticket.page]

    def begin(self, job: Job) -> None:
        """Work on a job whenever no question waits."""
        with self._wake:
            self._jobs.append(job)
            self._wake.notify()

    def close(self) -> None:
        """Take no more work; a system that hangs is left behind with its thread."""
        with self._wake:
            self._closed = True
            for job in self._jobs:
                job.cancelled.set()
            self._wake.notify()

    def ended(self, seconds: float) -> bool:
        """Whether its thread ends within so many seconds of `close`."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _stored_answers(self, question: Question) -> dict[str, Translation] | None:
        """What the store has, while the system is at work on something else."""
        signature = self._signatures.get(question.pair)
        if not self._stored or self._running is None or signature is None:
            return None
        with working_store() as store:
            found = store.lookup(signature, question.texts)
        known = all(text in found and found[text].text is not None for text in question.texts)
        return found if known else None

    def _work(self) -> None:
        with ExitStack() as stack:
            store = stack.enter_context(working_store()) if self._stored else None
            while (work := self._next()) is not None:
                if isinstance(work, Ticket):
                    self._serve(work, store)
                    self._running = None
                else:
                    self._advance(work, store)
            for translator in self._translators.values():
                translator.close()

    def _next(self) -> Ticket | Job | None:
        """What is to be done now, questions first; None at the end."""
        with self._wake:
            self._wake.wait_for(lambda: self._waiting or self._jobs or self._closed)
            if self._closed:
                return None
            if not self._waiting:
                return self._jobs[0]
            self._running = self._waiting.pop(next(iter(self._waiting)))
            return self._running

    def _serve(self, ticket: Ticket, store: Store | None) -> None:
        if ticket.stale.is_set():
            self._tell_stale(ticket)
            return
        ticket.tell({"system": self.system, "state": "running"})
        try:
            found = self._translated(ticket.question.pair, ticket.question.texts, store)
            if ticket.stale.is_set():
                self._tell_stale(ticket)
            else:
                self._answer(ticket, dict(zip(ticket.question.texts, found, strict=True)))
        except Exception as error:
            ticket.tell({"system": self.system, "state": "fault", "fault": _fault_text(error)})

    def _answer(self, ticket: Ticket, found: dict[str, Translation]) -> None:
        question = ticket.question
        clean, varied = found[question.sentence.text], found[question.variant.text]
        if clean.text is None or (varied.text is None and varied.fault != EMPTY):
            fault = clean.fault or varied.fault or "no translation"
            ticket.tell({"system": self.system, "state": "fault", "fault": fault})
            return
        judging = self._judge is None or self._judge.is_ready()
        content = answered(question, clean.text, varied.text or "", judging)
        ticket.tell({"system": self.system, "state": "answer", **content})
        # Not before the page has its first translation: until then every second counts.
        if self._judge is not None and ticket.page:
            self._judge.begin()

    def _advance(self, job: Job, store: Store | None) -> None:
        """One batch of a job; the job goes when it is done, cancelled or at fault."""
        done = job.cancelled.is_set()
        try:
            texts = None if done else next(job.batches, None)
            if texts is not None:
                job.take(self._translated(job.pair, texts, store))
            done = texts is None
        except Exception as error:
            job.fail(_fault_text(error))
            done = True
        if done:
            with self._wake:
                self._jobs.remove(job)

    def _translated(
        self, pair: tuple[str, str], texts: Sequence[str], store: Store | None
    ) -> list[Translation]:
        translator = self.opened(pair)
        return translate_all(
            translator,
            texts,
            store=store,
            retry_failed=True,
            advance=_quietly,
            longest_wait=WATCHED,
        )

    def opened(self, pair: tuple[str, str]) -> Translator:
        """The translator of a pair; of several the one that was used last stays longest.

        For the thread of the desk, in which jobs run too.
        """
        translator = self._translators.pop(pair, None)
        if translator is None:
            translator = self._spec.open(*pair)
            self._signatures[pair] = translator.signature
        self._translators[pair] = translator
        if len(self._translators) > _OPEN:
            oldest = next(iter(self._translators))
            self._translators.pop(oldest).close()
        return translator

    def _tell_stale(self, ticket: Ticket) -> None:
        ticket.tell({"system": self.system, "state": "stale"})


def _quietly(steps: int = 1) -> None:
    """No bar in the terminal: the page shows who is at work."""


def _fault_text(error: Exception) -> str:
    """A fault in one sentence."""
    if isinstance(error, HyperbatonError):
        return str(error)
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
