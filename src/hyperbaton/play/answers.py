"""What a translator made of a sentence and of its variant, as the page shows it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hyperbaton.alignment.gloss import Gloss
from hyperbaton.alignment.variant_outcomes import (
    KnownReference,
    VariantOutcome,
    variant_outcomes,
    word_order,
)
from hyperbaton.alignment.words import cut
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.conllu_writer import to_conllu
from hyperbaton.language.sentence import Sentence
from hyperbaton.metrics import METRICS
from hyperbaton.perturb import Variant
from hyperbaton.systems.faults import has_words

METRIC = "BLEU"
"""What β1, β2 and β2 projected are measured with, as in the word-order study."""


@dataclass(frozen=True)
class Question:
    """What systems are asked: a sentence and its variant, with a translation by hand or none."""

    pair: tuple[str, str]
    sentence: Sentence
    variant: Variant
    reference: Sentence | None = None
    varied_reference: str | None = None
    """The reference changed by the same perturbation, where it is one and applies."""

    @property
    def texts(self) -> tuple[str, ...]:
        """What is to be translated."""
        return tuple(dict.fromkeys((self.sentence.text, self.variant.text)))


def answered(
    question: Question, clean: str, varied: str, judging: bool = True
) -> dict[str, object]:
    """Both translations with their words and links, the outcome, and scores by the reference.

    Without `judging` they are told at once, and what is to be judged is `pending`.
    """
    pair, sentence, variant = question.pair, question.sentence, question.variant
    order = word_order(variant)
    here, there = cut(varied, pair[1]), cut(clean, pair[1])
    if order is None:
        words: Sequence[str] = cut(variant.text, pair[0])
        (links,) = Gloss().align([(words, here)], *pair)
    else:
        words = sentence.words
        (moved,) = Gloss().align([([words[i] for i in order], here)], *pair)
        links = tuple(sorted((order[i], j) for i, j in moved))
    (clean_links,) = Gloss().align([(sentence.words, there)], *pair)
    outcome, doubt, scores = None if variant.changed else "unchanged", None, None
    if judging:
        found = _judged(question, clean, varied)
        outcome, doubt = found.outcome, found.untranslated
        scores = _scores(question, varied, found.projected)
    return {
        "source": {"text": variant.text, "words": words, "order": order},
        "clean": {"text": clean, "words": there, "links": clean_links},
        "varied": {"text": varied, "words": here, "links": links},
        "lost": _lost(sentence.words, clean_links, links) if order is not None else (),
        "outcome": outcome,
        "untranslated": doubt,
        "scores": scores,
        "pending": not judging and (variant.changed or question.reference is not None),
    }


def _judged(question: Question, clean: str, varied: str) -> VariantOutcome:
    known = None
    if question.reference is not None:
        known = KnownReference(question.reference, (question.varied_reference,))
    (found,) = variant_outcomes(
        question.pair, question.sentence, [question.variant], clean, [varied], known
    )
    return found


def _lost(
    words: Sequence[str], clean: Sequence[tuple[int, int]], varied: Sequence[tuple[int, int]]
) -> tuple[int, ...]:
    """The words of the source that the clean translation has and the varied one has not.

    >>> _lost(["We", "sing", "."], [(0, 0), (1, 1), (2, 2)], [(0, 0)])
    (1,)
    """
    gone = {i for i, _ in clean} - {i for i, _ in varied}
    return tuple(i for i in sorted(gone) if has_words(words[i]))


def _scores(question: Question, text: str, projected: str | None) -> dict[str, float | None] | None:
    """β1, β2 and β2 projected; None where there is no reference."""
    if question.reference is None:
        return None
    references = {
        "beta1": question.reference.text,
        "beta2": question.varied_reference,
        "beta2_projected": projected,
    }
    metric = METRICS.parse(METRIC).for_language(question.pair[1])
    return {
        name: None if other is None else float(metric.sentence_scores([text], [other])[0])
        for name, other in references.items()
    }


FORMATS = ("conllu", "tsv")
_SPACE = re.compile(r"\s+")


def example(question: Question, form: object) -> str:
    """CoNLL-U with the tree and the rest in comments, or a table of two lines."""
    texts = {
        "source": question.sentence.text,
        "varied": question.variant.text,
        "reference": question.reference.text if question.reference else "",
    }
    if form == "conllu":
        more = {name: text for name, text in texts.items() if name != "source" and text}
        return to_conllu(question.sentence, more)
    if form == "tsv":
        cells = [_SPACE.sub(" ", text) for text in texts.values()]
        return "\t".join(texts) + "\n" + "\t".join(cells) + "\n"
    raise HyperbatonError(f"an example is saved as one of: {', '.join(FORMATS)}")
