"""Copies and answers in another language: found where they are clear, and nothing else is."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from hyperbaton.corpus.starter import starter
from hyperbaton.language.languages import PAPER_LANGUAGES
from hyperbaton.systems.untranslated import (
    COPIED,
    foreign_languages,
    untranslated,
    untranslated_answers,
    untranslated_said,
)

SHARED = Path(__file__).parents[2].parent / "shared" / "data"
identified = pytest.mark.skipif(find_spec("py3langid") is None, reason="needs py3langid")


@pytest.mark.parametrize(
    ("source", "output", "languages"),
    [
        ("It is raining again.", "It is raining again.", ("en", "de")),
        ("It is raining again.", "  it is RAINING again ", ("en", "de")),
        ("« Il pleut, mon ami ! »", "Il pleut mon ami", ("fr", "en")),
        ("IT IS RAINING AGAIN TODAY.", "it is raining again today.", ("en", "de")),
        ("He’s on the phone.", "He’s on the phone.", ("en", "ru")),
        ("昨日は雨が降りました。", "昨日は雨が降りました", ("ja", "en")),
        ("Завтра будет дождь.", "Завтра будет дождь.", ("ru", "en")),
        ("غدا سوف تمطر السماء", "غدا سوف تمطر السماء", ("ar", "en")),
    ],
)
def test_a_copy_is_found_whatever_its_case_marks_and_spaces(
    source: str, output: str, languages: tuple[str, str]
) -> None:
    assert untranslated(source, output, languages) == COPIED


@pytest.mark.parametrize(
    ("source", "output", "languages"),
    [
        ("New York Times", "New York Times", ("en", "de")),
        ("Elite League: Dundee Stars 5-3 Belfast Giants",) * 2 + (("en", "de"),),
        ("NBC NEWS", "NBC NEWS", ("en", "de")),
        ("iPhone 15 Pro Max", "iPhone 15 Pro Max", ("en", "fr")),
        ("https://example.org/a/b.html", "https://example.org/a/b.html", ("en", "de")),
        ("12:30 - 14:00", "12:30 - 14:00", ("en", "de")),
        ("Taxi!", "Taxi!", ("en", "de")),
        ("", "", ("en", "de")),
        ("?!", "?!", ("en", "de")),
        ("the colour of the sky today", "the colour of the sky today", ("en-GB", "en-US")),
        ("It is raining again.", "Es regnet schon wieder.", ("en", "de")),
        ("東京", "東京", ("ja", "zh")),
    ],
)
def test_what_may_be_right_is_no_copy(source: str, output: str, languages: tuple[str, str]) -> None:
    assert untranslated(source, output, languages) is None


@identified
def test_what_was_in_the_target_language_already_is_rightly_copied() -> None:
    text = "Il faut bien le faire tout de suite."
    assert untranslated(text, text, ("en", "fr")) is None
    assert untranslated(text, text, ("fr", "en")) == COPIED


@identified
@pytest.mark.parametrize("target", PAPER_LANGUAGES[1:])
def test_no_reference_that_ships_is_accused_and_every_other_language_is(target: str) -> None:
    items = list(starter("en", target))
    english = [item.source_text for item in items]
    right = [item.reference_text or "" for item in items]
    assert untranslated_answers(english, right, ("en", target)) == [None] * len(items)
    for other in PAPER_LANGUAGES:
        if other == target:
            continue
        wrong = english if other == "en" else [i.reference_text or "" for i in starter("en", other)]
        found = untranslated_answers(english, wrong, ("en", target))
        assert sum(what in (other, COPIED) for what in found) >= 0.9 * len(found), other


@identified
def test_languages_are_known_by_any_of_their_codes() -> None:
    text = "Wir gehen heute Abend alle zusammen ins Kino."
    for target in ("fr", "fra", "fr-CA", "fra_Latn", "zh", "zho_Hans", "cmn", "nb"):
        assert foreign_languages([text], "en", target) == ["de"]
    for target in ("de", "deu", "de-AT", "deu_Latn", "xx", "ckb_Arab", "ku"):
        assert foreign_languages([text], "en", target) == [None]


@identified
@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("Jeg vet ikke hvor han bor, men jeg kan spørre ham.", "da"),
        ("Ja ne znam gdje on živi, ali mogu ga pitati.", "sr"),
        ("佢話佢識得嗰個出名嘅女演員，但係佢講緊大話。", "zh"),
        ("Saya tidak tahu di mana dia tinggal sekarang.", "ms"),
    ],
)
def test_languages_that_are_near_are_not_told_apart(text: str, target: str) -> None:
    assert foreign_languages([text], "en", target) == [None]


@identified
def test_letters_that_are_held_say_nothing() -> None:
    assert foreign_languages(["¡PAAAAAAAAAAAAAARA!"], "en", "es") == [None]


def test_without_the_identifier_copies_are_still_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hyperbaton.systems.untranslated.identified", lambda: ())
    monkeypatch.setattr("hyperbaton.systems.untranslated._known", lambda language: None)
    assert untranslated("It is raining again.", "It is raining again.", ("en", "de")) == COPIED
    assert untranslated("It is raining.", "Il pleut encore une fois.", ("en", "de")) is None


def test_what_failed_is_not_judged() -> None:
    assert untranslated_answers(["a b c", "a b c"], [None, ""], ("en", "de")) == [None, None]


def test_what_is_wrong_in_words() -> None:
    assert [untranslated_said(what) for what in (COPIED, "fr", "xx")] == [
        "copied", "in French", "in xx",
    ]  # fmt: skip


@identified
@pytest.mark.skipif(not SHARED.exists(), reason="needs ../shared")
@pytest.mark.parametrize("target", PAPER_LANGUAGES[1:])
def test_real_translations_are_hardly_ever_accused(target: str) -> None:
    sides = [SHARED / "tatoeba" / f"en-{target}.{side}" for side in ("en", target)]
    sources, right = (path.read_text("utf-8").splitlines() for path in sides)
    accused = [what for what in untranslated_answers(sources, right, ("en", target)) if what]
    assert len(accused) <= 0.001 * len(right)
