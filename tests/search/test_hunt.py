"""The search finds weak spots that were planted, and nothing of what it finds can be undone."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperbaton.language.sentence import Sentence
from hyperbaton.search import searching
from hyperbaton.search.candidates import KINDS, Material, candidates
from hyperbaton.search.changes import kind_text, read_steps, take
from hyperbaton.search.hunt import Hunted
from hyperbaton.search.searching import Search, case_from, search_all
from hyperbaton.systems.system import Translation
from tests.search.planted import Planted, Spot, material, spots

SEARCH = Search(("en", "de"))


def searched(one: Material, translator: Planted, search: Search = SEARCH) -> Hunted:
    ((_, found),) = search_all([one], translator, search)
    return found


def planted(number: int, other: bool = False) -> list[Spot]:
    """The weak spots of a sentence, around a word of four letters or more, before no comma.

    The other ones are around another word, so that a text can meet both.
    """
    words = material(number).words
    gaps = words.pieces[2::2]
    places = [i for i, w in enumerate(words.words[:-1]) if len(w) > 3 and i and gaps[i] == " "]
    first = places[number % len(places)]
    apart = [place for place in places if abs(place - first) > 1]
    return spots(words, (apart or [first])[0] if other else first)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.data())
def test_nothing_of_a_change_can_be_undone(number: int, data: st.DataObject) -> None:
    all_spots = planted(number)
    chosen = data.draw(st.lists(st.sampled_from(all_spots), min_size=1, max_size=3, unique=True))
    translator = Planted(*chosen)
    one = material(number)
    for broken in searched(one, translator).broken:
        text = broken.change.text(broken.words)
        assert translator.breaks(text)
        assert not translator.breaks(broken.words.text)
        for smaller in broken.change.smaller():
            assert not translator.breaks(smaller.text(broken.words)), (chosen, text)
        case = case_from(one, broken, SEARCH, "planted")
        assert take(read_steps(case.change), case.source) == case.varied == text
        assert case.why


@pytest.mark.parametrize("kind", ["final mark", "case", "space", "mark", "letter", "word", "order"])
def test_a_planted_weak_spot_is_found_within_the_budget(kind: str) -> None:
    found = 0
    for number in range(40):
        translator = Planted(next(spot for spot in planted(number) if spot.name == kind))
        hunted = searched(material(number), translator)
        found += any(kind_text(one.change.kind) == kind for one in hunted.broken)
        assert translator.asked <= SEARCH.budget + 10
    assert found >= 38


def test_two_weak_spots_that_must_meet_are_found_within_the_budget() -> None:
    found = tried = 0
    for number in range(49):
        one, two = planted(number)[number % 7], planted(number, other=True)[number // 7]
        if one.name == two.name in ("mark", "final mark"):  # there is but one of these
            continue
        tried += 1
        broken = searched(material(number), Planted(one, two)).broken
        found += any(one.change.size == 2 for one in broken)
    assert found >= 0.95 * tried, (found, tried)


def test_a_large_change_is_undone_to_as_few_steps_as_will_do() -> None:
    two = Spot("two words in capitals", lambda text: sum(map(str.isupper, text.split())) > 1)
    for number in range(10):
        found = searched(material(number), Planted(two), Search(("en", "de"), kinds=("case",)))
        assert [one.change.size for one in found.broken] == [2]


def test_a_translator_without_a_weak_spot_breaks_by_nothing() -> None:
    never = Spot("never", lambda text: False)
    assert not any(searched(material(number), Planted(never)).broken for number in range(10))


def test_a_sentence_that_cannot_be_translated_is_told() -> None:
    class Silent(Planted):
        def translate(self, texts: Sequence[str]) -> list[Translation]:
            return [Translation("") for _ in texts]

    found = searched(material(1), Silent(Spot("never", lambda text: False)))
    assert not found.translated
    assert not found.broken


def test_one_kind_alone_is_tried() -> None:
    found = searched(material(3), Planted(*planted(3)[:1]), Search(("en", "de"), kinds=("letter",)))
    assert not found.broken


@given(st.integers(0, 10**6))
def test_every_candidate_changes_the_text_as_its_steps_say(number: int) -> None:
    one = material(number)
    for kind, changes in candidates(one, KINDS).items():
        texts = [change.text(one.words) for change in changes]
        assert len({*texts, one.words.text}) == len(texts) + 1
        for change, text in zip(changes, texts, strict=True):
            assert change.kind == kind
            steps = change.steps(one.words)
            assert take(steps, one.words.text) == text
            assert read_steps(" + ".join(map(str, steps))) == steps


def test_no_word_changes_places_with_one_of_another_sentence() -> None:
    one = Material(Sentence.from_words(["I", "am", "cold.", "May", "I", "go?"], "en"))
    texts = {change.text(one.words) for change in KINDS["order"](one)}
    assert texts == {"am I cold. May I go?", "I cold am. May I go?"} | {
        *("I am cold. I May go?", "I am cold. May go I?")
    }


NUMBERS = "Call 555 1234 at 7 30 or 1000000 times before 2 3 and 10 o'clock"


def test_no_change_makes_other_numbers() -> None:
    one = Material(Sentence.from_words(NUMBERS.split(), "en"))
    there = re.findall(r"\d+", NUMBERS)
    for changes in candidates(one, KINDS).values():
        for change in changes:
            assert re.findall(r"\d+", change.text(one.words)) == there, change


def test_what_is_found_depends_on_no_other_sentence() -> None:
    translator = Planted(*planted(5)[2:3])
    found = search_all(map(material, range(8)), translator, SEARCH)
    together = {one.sentence.id: hunted for one, hunted in found}
    assert together["5"] == searched(material(5), translator)


def test_sentences_that_wait_for_others_are_searched_too(monkeypatch: pytest.MonkeyPatch) -> None:
    translator = Planted(*planted(5)[2:3])
    alone = {str(number): searched(material(number), translator) for number in range(7)}
    monkeypatch.setattr(searching, "AT_ONCE", 2)
    found = search_all(map(material, range(7)), translator, SEARCH)
    assert {one.sentence.id: hunted for one, hunted in found} == alone
    assert not list(search_all([], translator, SEARCH))
