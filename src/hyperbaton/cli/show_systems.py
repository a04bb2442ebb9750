"""`hyperbaton show --system`: one sentence and its variants through translators, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hyperbaton.alignment.gloss import Gloss
from hyperbaton.alignment.projection import neighbour, project
from hyperbaton.alignment.turning import Turning, turning, varied_links
from hyperbaton.alignment.words import cut, spaced
from hyperbaton.errors import HyperbatonError
from hyperbaton.metrics import METRICS
from hyperbaton.metrics.outcomes import Samples, judge
from hyperbaton.perturb import Variant
from hyperbaton.sentence import Sentence
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.store import Store
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
) -> Answers:
    """Translate the sentence and its variants; a system that cannot says why in one sentence."""
    texts = [sentence.text, *(variant.text for variant in variants)]
    try:
        with SYSTEMS.parse(system).open(*pair) as translator:
            found = translate_all(translator, texts, store=store)
    except HyperbatonError as error:
        return Answers(system, fault=str(error))
    faults = [answer.fault or "no translation" for answer in found if answer.text is None]
    if faults:
        return Answers(system, fault=faults[0])
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
    """The outcome of each translation, by the reference or else by the system's clean output."""
    size = len(varied)
    right = clean if reference is None else reference.sentence.text
    theirs = [None] * size if reference is None else list(reference.variants)
    varied_references = [None if variant is None else variant.text for variant in theirs]
    own = spaced(clean, cut(clean, pair[1]), pair[1])
    sentences = [own] if reference is None else [reference.sentence, own]
    links = Gloss().align([(sentence.words, one.words) for one in sentences], *pair)
    orders = [variant.order if variant.unit == "word" else None for variant in variants]
    projected = [
        [None if order is None else _moved(one, order, found, pair[1]) for order in orders]
        for one, found in zip(sentences, links, strict=True)
    ]
    judgement = judge(
        Samples(
            references=[right] * size,
            outputs=[clean] * size,
            varied_references=varied_references,
            varied_outputs=varied,
            projected_references=projected[0],
            projected_outputs=projected[-1],
            varied=[variant.text for variant in variants],
            turning=[
                Turning(0, 0, 0.0)
                if order is None
                else _turning(sentence, order, links, text, pair)
                for order, text in zip(orders, varied, strict=True)
            ],
            changed=[variant.changed for variant in variants],
        ),
        pair[1],
    )
    outcomes = judgement.outcomes.tolist()
    if reference is None:
        return tuple(map(Answer, varied, outcomes))
    return tuple(
        Answer(text, outcome, _score(text, right, pair[1]), _score(text, other, pair[1]))
        for text, outcome, other in zip(varied, outcomes, varied_references, strict=True)
    )


def _moved(
    translation: Sentence, order: Sequence[int], links: Sequence[tuple[int, int]], language: str
) -> str:
    moved = project(order, translation.words, links, neighbour(language))
    return translation.arrange(moved)


def _turning(
    sentence: Sentence,
    order: Sequence[int],
    clean: Sequence[Sequence[tuple[int, int]]],
    text: str,
    pair: tuple[str, str],
) -> Turning:
    words = cut(text, pair[1])
    varied = varied_links(Gloss(), [(sentence.words, order, words)], pair)[0]
    return turning(sentence.words, order, [tuple(links) for links in clean], varied, words)


def _score(text: str, reference: str | None, language: str) -> float | None:
    if reference is None:
        return None
    return float(
        METRICS.parse(METRIC).for_language(language).sentence_scores([text], [reference])[0]
    )
