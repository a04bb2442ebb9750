"""The wordorder paper's way with halves, and with a sentence that has no final mark."""

from __future__ import annotations

from dataclasses import replace

from hyperbaton.language.sentence import Sentence, is_punctuation
from hyperbaton.perturb.perturbation import Perturbation
from hyperbaton.perturb.shuffle import ShuffleHalvesLast


def as_in_paper(perturbation: Perturbation) -> Perturbation:
    """The perturbation under the paper's convention, where it has one."""
    if isinstance(perturbation, ShuffleHalvesLast):
        return replace(perturbation, convention="paper")
    return perturbation


def with_final_mark(sentence: Sentence) -> Sentence:
    """The sentence with " ." appended when its last token is no punctuation, as the authors do.

    It adds a token, so it belongs to the paper's convention only, before anything is perturbed.

    >>> with_final_mark(Sentence.from_words(["Go", "on"], "en")).text
    'Go on .'
    >>> with_final_mark(Sentence.from_words(["好", "。"], "zh")).text
    '好。'
    """
    words = sentence.words
    if not words or is_punctuation(words[-1]) or (sentence.upos and sentence.upos[-1] == "PUNCT"):
        return sentence
    start = sentence.starts[-1]
    heads = sentence.heads
    if heads is not None:
        roots = [i for i in range(start, len(words)) if heads[i] == i]
        heads = (*heads, roots[0] if roots else len(words) - 1)
    return replace(
        sentence,
        words=(*words, "."),
        spaces=(*sentence.spaces[:-1], True, False),
        upos=None if sentence.upos is None else (*sentence.upos, "PUNCT"),
        heads=heads,
        deps=None if sentence.deps is None else (*sentence.deps, "punct"),
    )
