"""Getting the judge ready: its compiled loops take seconds once after installing, and a model is
loaded."""

from __future__ import annotations

import threading

from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb import Variant
from hyperbaton.play.answers import Question, answered

__all__ = ["Judge"]


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
            # Not clear at once, so that the second look is made ready too.
            answered(question, reference.text, "Wir gehen oft.")
        finally:
            self._ready.set()
