"""Capitals at the door: shouting and headlines are read in ordinary case, other text as it is."""

from __future__ import annotations

from functools import cache

import pytest

from hyperbaton.corpus.starter import starter
from hyperbaton.language.dictionary import FOLDER, read_lexicon
from hyperbaton.language.languages import PAPER_LANGUAGES, has_case
from hyperbaton.systems.ct2.system import CTranslate2, CTranslate2Translator
from hyperbaton.systems.shipped.bundled import Bundled, Packaged, Steered
from hyperbaton.systems.shipped.truecasing import Calmed, Truecaser

CASED = [code for code in PAPER_LANGUAGES if has_case(code)]
OTHERS = PAPER_LANGUAGES[1:]
shipped = pytest.mark.skipif(
    not all((folder / "model.bin").is_file() for folder in (Bundled.folder, Steered.folder)),
    reason="the models are not here",
)


@cache
def truecaser(language: str) -> Truecaser:
    pair = "en-de" if language == "en" else f"{language}-en"
    return Truecaser(read_lexicon(FOLDER / f"{pair}.tsv.xz").entries, language == "de")


@cache
def opened(system: Packaged, source: str, target: str) -> CTranslate2Translator:
    return system.open(source, target)


def translated(
    texts: list[str], source: str, target: str, system: Packaged | None = None
) -> list[str]:
    found = opened(system or Bundled(), source, target).translate(texts)
    return [answer.text or "" for answer in found]


def sources(language: str) -> list[str]:
    return [item.source_text for item in starter(language, None)]


@pytest.mark.parametrize("language", CASED)
def test_ordinary_text_is_left_alone(language: str) -> None:
    case = truecaser(language)
    for text in sources(language):
        assert case.calm(text) == Calmed(text)


@pytest.mark.parametrize("language", CASED)
def test_shouted_text_has_its_words_again_but_for_case(language: str) -> None:
    case = truecaser(language)
    exact = []
    for text in sources(language):
        calm = case.calm(text.upper())
        assert calm.text.casefold() == text.upper().casefold()
        assert all(calm.loud)
        exact.append(calm.text == text)
    assert sum(exact) > 0.75 * len(exact)


@pytest.mark.parametrize(
    ("language", "text", "calm"),
    [
        ("en", "PLEASE CALL ME TOMORROW MORNING.", "Please call me tomorrow morning."),
        ("en", "TOM AND I DON'T LIVE IN BOSTON.", "Tom and I don't live in Boston."),
        ("en", "HELP!", "Help!"),
        ("en", "I’M HERE AT 7 P.M.", "I’m here at 7 p.m."),
        ("en", "LOUIS XIV WAS A KING.", "Louis XIV was a king."),
        ("en", "He said: STOP THAT NOW!", "He said: Stop that now!"),
        ("en", "Do NOT touch this.", "Do not touch this."),
        ("en", "You NEVER listen to me.", "You never listen to me."),
        ("en", "Please Call Me Tomorrow Morning", "Please call me tomorrow morning"),
        ("en", "Tom Bought a Car in Boston Today", "Tom bought a car in Boston today"),
        ("de", "DIE STRASSE IST ZU GROSS.", "Die Straße ist zu groß."),
        ("de", "ICH MUSS NACH HAUSE GEHEN.", "Ich muss nach Hause gehen."),
        ("de", "TOM HAT EIN BLUDOGRAMM.", "Tom hat ein Bludogramm."),
        ("en", "TOM HAS A BLUDOGRAM.", "Tom has a bludogram."),
        ("fr", "L'ÉCOLE EST FERMÉE.", "L'école est fermée."),
        ("ru", "Я ХОЧУ ЕСТЬ.", "Я хочу есть."),
        ("es", "¡NO ME LLAMES!", "¡No me llames!"),
    ],
)
def test_capitals_are_taken_back(language: str, text: str, calm: str) -> None:
    assert truecaser(language).calm(text).text == calm


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "NATO"),
        ("en", "I"),
        ("en", "I."),
        ("en", "A, B and C"),
        ("en", "The WHO and NATO met in the US."),
        ("en", "The U.S. gun ownership rate is high."),
        ("en", "H2O, COVID-19 and B2B"),
        ("en", "Happy New Year!"),
        ("en", "Tom Jackson met Mary Smith in New York."),
        ("en", "USA NATO"),
        ("it", "La NATO ha detto di no."),
        ("es", "Viven en EE. UU."),
        ("de", "Tom Meier isst Brot, Butter, Milch und Käse."),
        ("en", "…"),
        ("en", ""),
        ("en", "3.14 !? \U0001f600"),
    ],
)
def test_acronyms_names_and_single_letters_stay(language: str, text: str) -> None:
    assert truecaser(language).calm(text) == Calmed(text)


def test_what_was_shouted_is_shouted_back_where_it_stands() -> None:
    both = Calmed("I am here. Where are you?", (True, False))
    assert both.shout("Ich bin hier. Wo bist du?") == "ICH BIN HIER. Wo bist du?"
    assert both.shout("Ich bin hier, wo bist du?") == "Ich bin hier, wo bist du?"
    assert Calmed("Big.", (True,)).shout("Die Straße. L'été.") == "DIE STRASSE. L'ÉTÉ."


@shipped
@pytest.mark.parametrize("system", [Bundled(), Steered(), Steered(mode="robust")], ids=str)
def test_shouting_is_translated_as_the_same_text_said_calmly(system: Packaged) -> None:
    texts = sources("en")[:40]
    calm = translated(texts, "en", "de", system)
    loud = translated([text.upper() for text in texts], "en", "de", system)
    same = [one.upper() == two for one, two in zip(calm, loud, strict=True)]
    assert sum(same) >= 0.8 * len(same)


@shipped
@pytest.mark.parametrize("other", OTHERS)
def test_every_direction_reads_capitals(other: str) -> None:
    loud, calm, titled = translated(
        ["I AM HUNGRY.", "I am hungry.", "I Am Very Hungry Today."], "en", other
    )
    assert loud == (calm.upper() if has_case(other) else calm)
    assert titled == translated(["I am very hungry today."], "en", other)[0]


@shipped
def test_scripts_without_case_are_left_alone() -> None:
    folder = CTranslate2(str(Bundled.folder), beam=1).open("ja", "en")
    texts = ["TOMはNATOとUSAを見た。", "彼はHELP MEと言った。"]
    assert translated(texts, "ja", "en") == [answer.text for answer in folder.translate(texts)]


@shipped
def test_scores_and_attention_of_ordinary_text_are_those_of_the_model() -> None:
    texts, targets = sources("en")[:8], sources("de")[:8]
    ours, folder = (
        opened(Bundled(), "en", "de"),
        CTranslate2(str(Bundled.folder), beam=1).open("en", "de"),
    )
    assert ours.score(texts, targets) == folder.score(texts, targets)
    hungry = ["I am very hungry."], ["Ich habe großen Hunger."]
    assert ours.score(*([one.upper()] for (one,) in hungry)) == ours.score(*hungry)
    attended, plain = ours.attend_to(texts, targets)[0], folder.attend_to(texts, targets)[0]
    assert attended is not None
    assert plain is not None
    assert attended.target == plain.target
    (shouted,) = ours.translate([texts[0].upper()])
    assert shouted.text == translated(texts[:1], "en", "de")[0].upper()


@shipped
def test_the_rules_are_in_the_signature() -> None:
    assert "|capitals:1-" in opened(Bundled(), "en", "de").signature
    assert "|capitals:1-" in opened(Steered(), "de", "en").signature
