"""What became of the variants of one sentence, where there is no run but only its translations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hyperbaton.alignment.gloss import Gloss
from hyperbaton.alignment.reading import reading_back
from hyperbaton.alignment.word_order import Varied, project_sentence, turnings
from hyperbaton.alignment.words import cut, spaced
from hyperbaton.language.sentence import Order, Sentence
from hyperbaton.metrics.outcomes import SampleTexts, judge
from hyperbaton.perturb import Variant
from hyperbaton.systems.faults import has_words, is_blank
from hyperbaton.systems.untranslated import untranslated_answers

EMPTY = "empty"
"""What became of a variant whose translation is empty; in a study such a row has failed."""


class KnownReference(NamedTuple):
    """What is known of a right translation: one by hand, and its own variants where there are."""

    sentence: Sentence
    varied: tuple[str | None, ...]


class VariantOutcome(NamedTuple):
    """What became of one variant, and the translation as it would be if all were carried over."""

    outcome: str
    """One of `OUTCOMES`, or `EMPTY`."""
    projected: str | None
    """The reference, or else the clean translation, with its words moved as the source's were."""
    untranslated: str | None = None
    """Why it is no translation, where the outcome is that: `copied`, or its language."""


def word_order(variant: Variant) -> Order | None:
    """The order that the words were put in; None where something else than words was changed."""
    return variant.order if variant.unit == "word" else None


def variant_outcomes(
    pair: tuple[str, str],
    sentence: Sentence,
    variants: Sequence[Variant],
    clean: str,
    varied: Sequence[str],
    reference: KnownReference | None = None,
) -> list[VariantOutcome]:
    """The outcome of each translation, by the reference or else by the system's clean output."""
    if not variants:
        return []
    size = len(varied)
    own = spaced(clean, cut(clean, pair[1]), pair[1])
    right = [own] if reference is None else [reference.sentence, own]
    links = Gloss().align([(sentence.words, one.words) for one in right], *pair)
    orders = [word_order(variant) for variant in variants]
    projected = [
        [None if order is None else project_sentence(order, one, found)[0] for order in orders]
        for one, found in zip(right, links, strict=True)
    ]
    outputs = [cut(text, pair[1]) for text in varied]
    rows = {
        place: Varied(sentence.words, order, links, words)
        for place, (order, words) in enumerate(zip(orders, outputs, strict=True))
        if order is not None
    }
    turned = np.zeros((size, 3))
    turned[list(rows)] = turnings(list(rows.values()), pair)
    samples = SampleTexts(
        references=[clean if reference is None else reference.sentence.text] * size,
        outputs=[clean] * size,
        varied_references=[None] * size if reference is None else reference.varied,
        varied_outputs=varied,
        projected_references=projected[0],
        projected_outputs=projected[-1],
        varied=[variant.text for variant in variants],
        turning=turned,
        changed=[variant.changed for variant in variants],
    )
    read = reading_back([sentence.text] * size, samples, pair)
    judgement = judge(samples, pair[1], read)
    sources = [variant.text for variant in variants]
    doubts = untranslated_answers(sources, varied, pair)
    found = zip(judgement.outcomes.tolist(), sources, varied, projected[0], doubts, strict=True)
    return [_told(*one) for one in found]


def _told(
    outcome: str, source: str, text: str, projected: str | None, doubt: str | None
) -> VariantOutcome:
    """An outcome, unless there is no translation to judge."""
    if is_blank(text) and has_words(source):
        return VariantOutcome(EMPTY, projected)
    if doubt is None or outcome == "unchanged":
        return VariantOutcome(outcome, projected)
    return VariantOutcome("untranslated", projected, doubt)
