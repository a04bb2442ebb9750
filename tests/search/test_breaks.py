"""What counts as broken: each value says it of what it is about, and of nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.search.breaks import (
    BREAKS,
    Pairs,
    answer_text,
    default_breaks,
    likelihood_of,
    longest_run,
    reasons,
)
from hyperbaton.systems.ct2.system import Scored
from hyperbaton.systems.faults import EMPTY, RUNAWAY
from hyperbaton.systems.system import Translation
from tests.search.planted import Planted

SOURCE = "Tom did not pay the 1,500 euros for Mary's car."
VARIED = "Tom did not apy the 1,500 euros for Mary's car."
OUTPUT = "Tom hat die 1.500 Euro für Marys Auto nicht bezahlt."


def broken(output: str, spec: str, source: str = SOURCE, clean: str = OUTPUT) -> str:
    pairs = Pairs([source], [VARIED], [clean], [output], ("en", "de"))
    return BREAKS.parse(spec).reasons(pairs)[0]


SIMILAR = ("similarity:chrF", "similarity:chrF(below=0.3)", "similarity:chrF(beta=3)(below=0.3)")
OTHERS = (*(name for name in BREAKS.names() if name != "similarity"), "repetition(times=5)")


@pytest.mark.parametrize("spec", [*SIMILAR, *OTHERS])
def test_a_break_prints_as_it_parses(spec: str) -> None:
    one = BREAKS.parse(spec)
    assert BREAKS.parse(str(one)) == one


@pytest.mark.parametrize("spec", [*SIMILAR, *OTHERS])
def test_what_is_said_the_same_breaks_nothing(spec: str) -> None:
    assert broken(OUTPUT, spec) == ""
    assert broken(OUTPUT.upper().rstrip("."), spec) == ""
    assert BREAKS.parse(spec).reasons(Pairs([], [], [], [], ("en", "de"))) == []


@pytest.mark.parametrize(
    ("spec", "output", "why"),
    [
        ("similarity:chrF", "Wir gehen morgen ins Kino.", "< 0.4"),
        ("lost", "Wir gehen morgen ins Kino.", "content"),
        ("number", "Tom hat die 150 Euro für Marys Auto nicht bezahlt.", "1500"),
        ("negation", "Tom hat die 1.500 Euro für Marys Auto bezahlt.", "gone"),
        ("empty", "", "empty"),
        ("untranslated", VARIED, "copied"),
        ("untranslated", "Tom n'a pas payé les 1500 euros pour la voiture.", "in French"),
        ("repetition", "Tom hat die 1.500 die 1.500 die 1.500 die 1.500 nicht bezahlt.", "4 times"),
        ("repetition", RUNAWAY, "characters"),
    ],
)
def test_each_says_what_is_wrong(spec: str, output: str, why: str) -> None:
    assert why in broken(output, spec)


class Telling(Planted):
    """Finds a translation as likely as is written down, and breaks down over long ones."""

    def __init__(self, likely: float) -> None:
        super().__init__()
        self._told = {"Bleib hier.": 0.5, "Rühr dich nicht.": 0.5 * likely}

    def score(self, sources: Sequence[str], targets: Sequence[str]) -> list[Scored]:
        if any(len(target) > 100 for target in targets):
            raise RuntimeError("no position encodings")
        return [Scored(("x",) * 3, (log(self._told[text]),) * 3) for text in targets]


@pytest.mark.parametrize(
    ("spec", "likely", "breaks"),
    [
        ("similarity", 0.39, True),
        ("similarity", 0.41, False),
        ("similarity(likely=0.5)", 0.41, True),
        ("similarity(likely=none)", 2.0, True),
        ("similarity(below=0.01)", 0.01, False),
    ],
)
def test_other_words_that_the_system_finds_as_likely_say_the_same(
    spec: str, likely: float, breaks: bool
) -> None:
    likelihood = likelihood_of(Telling(likely))
    texts = ["Stay here."], ["Stay ehre."], ["Bleib hier."], ["Rühr dich nicht."]
    pairs = Pairs(*texts, ("en", "de"), likelihood)
    assert bool(BREAKS.parse(spec).reasons(pairs)[0]) == breaks
    one = BREAKS.parse(spec)
    assert BREAKS.parse(str(one)) == one


def test_a_translation_too_long_to_be_scored_is_unlikely() -> None:
    likelihood = likelihood_of(Telling(0.5))
    assert likelihood is not None
    told = likelihood(["Stay."] * 2, ["Bleib hier.", "da " * 50])
    assert told == [pytest.approx(log(0.5)), -inf]
    assert likelihood_of(Planted()) is None


@pytest.mark.parametrize(
    ("text", "asks"), [("Don't you see?", True), ("Why don't you see?", False)]
)
def test_a_question_asks_the_same_with_a_denial_at_its_front(text: str, asks: bool) -> None:
    why = broken("Siehst du das?", "negation", source=text, clean="Siehst du das nicht?")
    assert why == ("" if asks else "the negation is gone")


def test_a_number_written_otherwise_is_no_other_number() -> None:
    assert broken("Für 1 500 Euro, nicht 1.500.", "number") == ""
    assert broken("Nein.", "number", clean="Nein, nicht tausend.") == ""


def test_a_name_that_was_translated_is_not_missed() -> None:
    assert broken("Tom hat das Auto nicht bezahlt.", "name") == ""
    tom = "Yesterday Tom came."
    pairs = Pairs([tom], [tom], ["Tom kam gestern."], ["Er kam gestern."], ("en", "de"))
    assert BREAKS.parse("name").reasons(pairs) == ["the name Tom is gone"]


def test_another_word_that_denies_denies_too() -> None:
    assert broken("Tom bezahlte keinen Euro.", "negation") == ""
    assert broken("Tom kam nicht.", "negation", clean="Tom blieb weg.") == "a negation came in"


def test_a_language_whose_negation_is_not_known_is_named() -> None:
    with pytest.raises(HyperbatonError, match="no words that deny are known in Turkish"):
        BREAKS.parse("negation").refuse(("en", "tr"))
    assert "negation" not in map(str, default_breaks(("en", "tr")))
    assert "negation" in map(str, default_breaks(("en", "de")))


def test_likely_is_more_than_nothing() -> None:
    with pytest.raises(HyperbatonError, match="likely is more than 0"):
        BREAKS.parse("similarity(likely=0)")


def test_a_distance_is_refused() -> None:
    with pytest.raises(HyperbatonError, match="TER is a distance"):
        broken(OUTPUT, "similarity:TER")


def test_the_first_that_says_so_is_the_reason() -> None:
    pairs = Pairs([SOURCE] * 2, [VARIED] * 2, [OUTPUT] * 2, ["", OUTPUT], ("en", "de"))
    assert reasons(default_breaks(("en", "de")), pairs) == ["the translation is empty", ""]


def test_a_fault_of_the_server_is_no_answer() -> None:
    answers = [Translation("Ja."), Translation(None, EMPTY), Translation(None, "timeout")]
    assert [answer_text(answer) for answer in answers] == ["Ja.", "", None]


@pytest.mark.parametrize(
    ("text", "times"), [("", 0), ("a b c", 0), ("a a", 2), ("a b a b a", 2), ("x a b a b a b", 3)]
)
def test_runs_are_counted(text: str, times: int) -> None:
    assert longest_run(text.split())[1] == times
