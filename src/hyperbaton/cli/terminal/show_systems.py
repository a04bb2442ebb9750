"""`hyperbaton show --system`: one sentence and its variants through translators, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hyperbaton.alignment.judging import Known, judged
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.sentence import Sentence
from hyperbaton.metrics import METRICS
from hyperbaton.perturb import Variant
from hyperbaton.systems.execution import WATCHED, translate_all
from hyperbaton.systems.faults import EMPTY as BLANK
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import SYSTEMS

__all__ = ["METRIC", "Answer", "Answers", "Reference", "ask"]

METRIC = "BLEU"
"""What β1 and β2 are measured with, as in the word-order study."""


class Reference(NamedTuple):
    """A translation by hand, and its own variants; None where a perturbation does not apply."""

    sentence: Sentence
    variants: tuple[Variant | None, ...]


class Answer(NamedTuple):
    """The translation of one variant, and what became of it; None without a reference."""

    text: str
    outcome: str
    untranslated: str | None = None
    """Why it is no translation, where that is the outcome."""
    beta1: float | None = None
    beta2: float | None = None


@dataclass(frozen=True)
class Answers:
    """What a system made of a sentence and its variants, or why it made nothing."""

    system: str
    clean: str = ""
    answers: tuple[Answer, ...] = ()
    fault: str = ""


def ask(
    system: str,
    pair: tuple[str, str],
    sentence: Sentence,
    variants: Sequence[Variant],
    reference: Reference | None = None,
    store: Store | None = None,
    written: str | None = None,
) -> Answers:
    """Translate the sentence and its variants; a system that cannot says why in one sentence.

    The sentence is given to it as it was `written`, where that is known.
    """
    texts = [written or sentence.text, *(variant.text for variant in variants)]
    try:
        with SYSTEMS.parse(system).open(*pair) as translator:
            found = translate_all(translator, texts, store=store, longest_wait=WATCHED)
    except HyperbatonError as error:
        return Answers(system, fault=str(error))
    # A variant may come back empty, which is its outcome; the sentence itself may not.
    failed = [a for a in found if a.text is None and (a.fault != BLANK or a is found[0])]
    if failed:
        return Answers(system, fault=failed[0].fault or "no translation")
    clean, *varied = [answer.text or "" for answer in found]
    return Answers(system, clean, _judged(pair, sentence, variants, clean, varied, reference))


def _judged(
    pair: tuple[str, str],
    sentence: Sentence,
    variants: Sequence[Variant],
    clean: str,
    varied: Sequence[str],
    reference: Reference | None,
) -> tuple[Answer, ...]:
    """The outcome of each translation, with its scores where there is a reference."""
    known = None
    if reference is not None:
        theirs = [None if variant is None else variant.text for variant in reference.variants]
        known = Known(reference.sentence, tuple(theirs))
    outcomes = judged(pair, sentence, variants, clean, varied, known)
    told = [
        Answer(text, one.outcome, one.untranslated)
        for text, one in zip(varied, outcomes, strict=True)
    ]
    if known is None:
        return tuple(told)
    right = known.sentence.text
    return tuple(
        one._replace(beta1=_score(one.text, right, pair[1]), beta2=_score(one.text, other, pair[1]))
        for one, other in zip(told, known.varied, strict=True)
    )


def _score(text: str, reference: str | None, language: str) -> float | None:
    if reference is None:
        return None
    return float(
        METRICS.parse(METRIC).for_language(language).sentence_scores([text], [reference])[0]
    )
