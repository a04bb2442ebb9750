"""The glossary: what the words of reports mean, a line each; docs/glossary.md lists them all.

A report carries the words of its study, as tooltips wherever they stand.
"""

from __future__ import annotations

from collections.abc import Mapping

_WORDORDER = {
    "repaired": "Nearly all of the content is there, in the order of a clean translation.",
    "carried": "The content is there, in the order of the perturbed source.",
    "lost": "The content is gone, or it never was a translation.",
    "mixed": "None of the three: a part of the content is missing, or the order is neither.",
    "untranslated": "No translation: the source copied, or another language than asked for.",
    "β": "Quality: how like the reference the translation of the clean source is.",
    "β moved": "β of the very samples that β1 is over: not every sentence suits them all.",
    "quality kept": "β1 over β moved: what is left of quality when the words are out of order.",
    "β1": "Robustness: how like the clean reference the translation of the perturbed source is.",
    "β2": "Faithfulness: how like the equally perturbed reference that translation is.",
    "β2 projected": (
        "The same against the reference with each word where its source word went, which is what "
        "a faithful translator could write."
    ),
    "α": "How much of the order a perturbation leaves: a text compared with its perturbed self.",
}
_ISOMETRY = {
    "isometric": "The two sentences mean the same before translation, and so do the translations.",
    "broken apart": "They mean the same before translation, their translations do not.",
    "made equal": "They do not mean the same before translation, their translations do.",
    "both different": "They do not mean the same before translation, nor do their translations.",
    "no majority": "The detectors do not agree on what they are before and after.",
    "detector": "A program that says how likely it is that two sentences mean the same.",
    "S": "1 where a detector takes two sentences for paraphrases, else 0.",
    "M": "The labels before and after translation that most detectors give: [1,1] is isometric.",
    "chrF̄2": "How like two sentences are spelt, the same in both directions.",
}
_GRAMMAR = {
    "RB": (
        "Robustness: of 100 sentences with errors, how many have the very translation of the "
        "corrected sentence."
    ),
    "f-BLEU": (
        "How like the translation of the sentence with errors is to that of the corrected one, by"
        " BLEU; f-chrF and f-METEOR say the same by other metrics."
    ),
    "NR": (
        "Noise ratio: how far the two translations lie apart, over how far the two sources do. "
        "Above 1 the translator magnifies errors."
    ),
    "noise": "What errors change: 1 minus how like two texts are.",
    "type of error": (
        "As ERRANT names them. M: a word is missing, R: it is wrong, U: it is not needed. Then "
        "its part of speech: ADJ adjective, ADV adverb, CONJ conjunction, DET determiner, NOUN, "
        "PART particle, PREP preposition, PRON pronoun, PUNCT punctuation, VERB; maybe with what "
        "is wrong: FORM form, INFL a form that does not exist, NUM number, POSS possessive, SVA "
        "agreement with the subject, TENSE tense. Or CONTR contraction, MORPH another word of the"
        " same stem, ORTH case and spaces, SPACE a space too many, SPELL spelling, WO word order,"
        " OTHER anything else."
    ),
}
_SURFACE = {
    "same": "The share of sources whose translation stays the same to the letter.",
    "similarity": "How alike the two translations are.",
    "loss": "How much lower the changed source's translation scores against the reference.",
}
_REPAIRS = {
    "false repair": (
        "A sound but unusual sentence whose translation is nearer to the reference of the usual "
        "sentence than to its own."
    ),
    "confused": (
        "A usual sentence whose translation is nearer to the reference of the unusual one: "
        "translator and metric mix the two up without any repair."
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
    "Comp": "Characters for each token of the vocabulary: fewer where frequent pieces are broken.",
    "Spearman's ρ": "How far two rankings agree: 1 fully, 0 not at all, −1 in reverse.",
}
_METRICS = {
    "noticed": "The metric scores the damaged text lower than the undamaged translation.",
    "tied": "The metric gives both texts the same score.",
    "strength": (
        "The mean drop of the score, over the drop that the translation of another sentence "
        "causes: 1 is as bad as that."
    ),
}
_ALL = {
    "perturbation": "A change of a source: of its order, its characters or its surface.",
    "variant": "A source as a perturbation leaves it.",
    "reference": "A translation made by people, with which others are compared.",
    "control": "A system with a known answer, which no ranking and no claim includes.",
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
