"""The kinds of damage: what is lost when a text is cut, and to which family a damage belongs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from hyperbaton.language.languages import writes_spaces
from hyperbaton.language.letters import letters
from hyperbaton.perturb import Perturbation

ORDER, CHARACTERS, CASE, MARKS = "order of words", "characters", "case", "marks and spaces"
MISSING, ADDED, REPLACED = "words missing", "words added", "words replaced"
FORMS, OTHER, NONE = "forms of words", "other damage", "no translation"
CONTROL = "the reference itself"
FAMILIES = (ORDER, MISSING, REPLACED, ADDED, FORMS, CHARACTERS, CASE, MARKS, OTHER, NONE, CONTROL)
"""The families in the order shown; the last one is no damage."""
DAMAGES = FAMILIES[:-2]
"""What happens to translations; a text that is none at all is asked about apart."""

ANOTHER, EMPTY, COPIED = "anotherSentence", "emptyText", "copiedSource"
HUB, DOUBLED = "typicalSentence", "doubledText"
FAKES = (COPIED, EMPTY, HUB, ANOTHER)
"""Texts that say nothing of what the source says."""
HALF = "cut(share=0.5)"
CUTS = {"cut(share=0.25)": 0.25, HALF: 0.5, "cut(share=0.75)": 0.75}
"""What is cut off the end of a text, the least severe first."""
EXPLAINED = {
    ANOTHER: "the translation of the next sentence of the corpus",
    EMPTY: "no text at all",
    COPIED: "the source, not translated",
    HUB: "the sentence of the corpus that shares most pairs of letters with all others",
    DOUBLED: "the translation, twice",
    **{
        name: f"the translation without the last {share:.0%} of its words"
        for name, share in CUTS.items()
    },
}
_FEWEST = 4
"""Words (letters, where no spaces are written) of a text that can be cut into quarters."""


class Damage(NamedTuple):
    """A damaged text, its family, and how severe the damage is among those of its scale."""

    variant: str
    text: str
    family: str
    severity: int | None = None


def losses(text: str, language: str, source: str, beside: Mapping[str, str]) -> Iterator[Damage]:
    """The text cut, doubled, or with nothing of it left, wherever that differs from the text.

    >>> [(d.variant, d.text) for d in losses("a b c d", "en", "e", {"anotherSentence": "f"})][1:4]
    [('cut(share=0.5)', 'a b'), ('cut(share=0.75)', 'a'), ('doubledText', 'a b c d a b c d')]
    """
    gap = " " if writes_spaces(language) else ""
    units = text.split() if gap else letters(text)
    if len(units) >= _FEWEST:
        for severity, (name, share) in enumerate(CUTS.items(), 1):
            yield Damage(
                name, gap.join(units[: round(len(units) * (1 - share))]), MISSING, severity
            )
    yield Damage(DOUBLED, f"{text}{gap}{text}", ADDED)
    fakes = {COPIED: source, EMPTY: "", **beside}
    for name in FAKES:
        if name in fakes and fakes[name] != text:
            yield Damage(name, fakes[name], NONE)


def family_of(perturbation: Perturbation) -> str:
    """The family of a perturbation.

    >>> from hyperbaton.perturb import parse_all
    >>> [family_of(one) for one in parse_all(["reversed", "upper", "quotes", "errors"])]
    ['order of words', 'case', 'marks and spaces', 'forms of words']
    """
    if perturbation.name == "errors":
        return FORMS
    if perturbation.category == "surface":
        return CASE if perturbation.name in _OF_CASE else MARKS
    return CHARACTERS if getattr(perturbation, "unit", "word") != "word" else ORDER


_OF_CASE = ("upper", "lower", "title", "firstUpper", "firstLower")
_BY_NAME = {
    "full_lower": CASE,
    "first_lower": CASE,
    "empty": NONE,
    "shuffle_trans": NONE,
    "reference": CONTROL,
    "shuffled": ORDER,
    "word_swap": ORDER,
    "char_removed": CHARACTERS,
    "misspelled": CHARACTERS,
    "punc": MARKS,
    "tokenized": MARKS,
    "removed": MISSING,
    "repeat": ADDED,
    "addition": ADDED,
    **dict.fromkeys(("hypernym", "codemix", "antonym", "negation", "replaced"), REPLACED),
    **dict.fromkeys(("gender",), REPLACED),
    **dict.fromkeys(("pos_shift", "case", "function_word", "tense", "aspect", "question"), FORMS),
}


def family_named(variant: str) -> str:
    """The family of a damage that comes with a data set, told by its name in DEMETR.

    >>> family_named("critical_id20_shuffled"), family_named("minor_id28_final_punc_removed")
    ('order of words', 'marks and spaces')
    """
    return next((family for part, family in _BY_NAME.items() if part in variant), OTHER)
