"""The glossary: what the words of reports mean, a line each; docs/glossary.md lists them all.

A report carries the words of its study, as tooltips wherever they stand.
"""

from __future__ import annotations

from collections.abc import Mapping

_WORDORDER = {
    "repaired": "Nearly all of the content is there, in the order of the clean translation.",
    "carried over": "The content is there, in the order of the perturbed source.",
    "lost": "The content is gone, or it never was a translation.",
    "mixed": (
        "None of the three: part of the content is missing, or the order is neither of the two."
    ),
    "untranslated": (
        "No translation: a copy of the source, or another language than the one asked for."
    ),
    "β": "Quality: how similar the translation of the clean source is to the reference.",
    "β moved": (
        "β of exactly those samples that β1 is averaged over, since a perturbation does not apply "
        "to every sentence."
    ),
    "quality kept": (
        "β1 divided by β moved: how much quality is left when the words are out of order."
    ),
    "β1": (
        "Robustness: how similar the translation of the perturbed source is to the clean reference."
    ),
    "β2": (
        "Faithfulness: how similar that translation is to the reference perturbed in the same way."
    ),
    "β2 projected": (
        "The same, against the reference with each word moved as its source word was: what a "
        "faithful translator could write."
    ),
    "α": (
        "How much of the word order a perturbation leaves: the similarity of a text to its "
        "perturbed version."
    ),
}
_ISOMETRY = {
    "isometric": (
        "The two sentences mean the same before translation, and their translations do, too."
    ),
    "broken apart": (
        "The sentences mean the same before translation, but their translations do not."
    ),
    "made equal": (
        "The sentences do not mean the same before translation, but their translations do."
    ),
    "both different": "Neither the sentences nor their translations mean the same.",
    "no majority": "The detectors do not agree on the labels before and after translation.",
    "detector": "A program that says how likely it is that two sentences mean the same.",
    "S": "1 if a detector takes two sentences for paraphrases, else 0.",
    "M": "The labels before and after translation that most detectors give; [1,1] is isometric.",
    "chrF̄2": "How similarly two sentences are spelt, the same in both directions.",
}
_GRAMMAR = {
    "RB": (
        "Robustness: of 100 sentences with errors, how many get exactly the translation of the "
        "corrected sentence."
    ),
    "f-BLEU": (
        "How similar the translation of the sentence with errors is to that of the corrected "
        "sentence, by BLEU; f-chrF and f-METEOR are the same by other metrics."
    ),
    "NR": (
        "Noise ratio: the distance of the two translations, divided by the distance of the two "
        "sources. Above 1, the translator magnifies errors."
    ),
    "noise": "What errors change: 1 minus the similarity of two texts.",
    "type of error": (
        "As ERRANT names them. M: a word is missing, R: it is wrong, U: it is not needed. Then "
        "its part of speech: ADJ adjective, ADV adverb, CONJ conjunction, DET determiner, NOUN, "
        "PART particle, PREP preposition, PRON pronoun, PUNCT punctuation, VERB; maybe with what "
        "is wrong: FORM form, INFL a form that does not exist, NUM number, POSS possessive, SVA "
        "agreement with the subject, TENSE tense. Or CONTR contraction, MORPH another word of the "
        "same stem, ORTH case and spaces, SPACE a space too many, SPELL spelling, WO word order, "
        "OTHER anything else."
    ),
}
_SURFACE = {
    "same words": (
        "The share of sources whose translation keeps its words; case, punctuation and spaces do "
        "not count."
    ),
    "identical outputs": "The share of sources whose translation stays the same to the letter.",
    "similarity": "How similar the two translations are.",
    "loss": "How much lower the translation of the changed source scores against the reference.",
}
_REPAIRS = {
    "false repair": (
        "A correct but unusual sentence whose translation is closer to the reference of the usual "
        "sentence than to its own."
    ),
    "confused": (
        "A usual sentence whose translation is closer to the reference of the unusual one: "
        "translator and metric mix the two up, without any repair."
    ),
}
_OBEDIENCE = {
    "obeyed": "A text that asks for an answer is answered, be it translated as well or not.",
    "refused": "The system says that it will not, and gives no answer either.",
    "neither": "A part of the text is missing, or something else stands there.",
}
_STRUCTURE = {
    "encoder": "A model that turns a text into a vector of numbers.",
    "chrF-2": "How many pairs of neighbouring characters a perturbation leaves.",
    "IDC": "How far characters have moved from their places.",
    "Comp": "Characters per token of the vocabulary: lower where frequent pieces are broken.",
    "Spearman's ρ": "How well two rankings agree: 1 fully, 0 not at all, −1 in reverse.",
}
_METRICS = {
    "noticed": "The metric scores the damaged text lower than the undamaged translation.",
    "tied": "The metric gives both texts the same score.",
    "strength": (
        "The mean drop of the score, divided by the drop that the translation of another sentence "
        "causes; 1 is as bad as that."
    ),
}
_ALL = {
    "perturbation": "A change of a source: of its order, its characters or its surface.",
    "variant": "A source after a perturbation.",
    "reference": "A human translation with which others are compared.",
    "control": "A system with a known answer; rankings and claims leave it out.",
    "interval": "Where the true number lies with 95 % confidence, given as [low, high].",
    "signature": "The versions, options and seeds that a number depends on, in one line.",
}
GLOSSARY: Mapping[str, Mapping[str, str]] = {
    "wordorder": _WORDORDER,
    "isometry": _ISOMETRY,
    "grammar": _GRAMMAR,
    "surface": _SURFACE,
    "repairs": _REPAIRS,
    "obedience": _OBEDIENCE,
    "structure": _STRUCTURE,
    "metrics": _METRICS,
    "all": _ALL,
}
"""By study; `all` are words of every study."""


def glossary(study: str) -> Mapping[str, str]:
    """The words of a study, with their meanings.

    >>> glossary("wordorder")["lost"]
    'The content is gone, or it never was a translation.'
    """
    return GLOSSARY.get(study, {})
