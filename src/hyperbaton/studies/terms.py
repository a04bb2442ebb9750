"""What the words of reports mean: a line each, for glossaries and tooltips."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["ERRORS", "MOVED"]

MOVED: Mapping[str, str] = {
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
        "The same against the reference with each word where its source word went, which is what a "
        "faithful translator could write."
    ),
    "α": "How much of the order a perturbation leaves: a text compared with its perturbed self.",
}
"""Studies that move words."""

ERRORS: Mapping[str, str] = {
    "RB": (
        "Robustness: of 100 sentences with errors, how many have the very translation of the "
        "corrected sentence."
    ),
    "f-BLEU": (
        "How like the translation of the sentence with errors is to that of the corrected one, by "
        "BLEU; f-chrF and f-METEOR say the same by other metrics."
    ),
    "NR": (
        "Noise ratio: how far the two translations lie apart, over how far the two sources do. "
        "Above 1 the translator magnifies errors."
    ),
    "noise": "What errors change: 1 minus how like two texts are.",
    "type of error": (
        "As ERRANT names them. M: a word is missing, R: it is wrong, U: it is not needed. Then its "
        "part of speech: ADJ adjective, ADV adverb, CONJ conjunction, DET determiner, NOUN, PART "
        "particle, PREP preposition, PRON pronoun, PUNCT punctuation, VERB; maybe with what is "
        "wrong: FORM form, INFL a form that does not exist, NUM number, POSS possessive, SVA "
        "agreement with the subject, TENSE tense. Or CONTR contraction, MORPH another word of the "
        "same stem, ORTH case and spaces, SPACE a space too many, SPELL spelling, WO word order, "
        "OTHER anything else."
    ),
}
"""Studies of errors in the source."""
