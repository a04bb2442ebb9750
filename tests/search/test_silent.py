"""A search says what it does not know: failures, answers that change, answers that never do."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from hyperbaton.cli.main import main
from hyperbaton.search.breaks import BREAKS, Pairs
from hyperbaton.search.folder import DONE
from hyperbaton.search.searching import Search, search_all
from hyperbaton.systems.system import Translation
from hyperbaton.testing import assert_stable
from tests.search.planted import BAD, GOOD, Planted, Spot, material

MODULE = '''
import os

def down(texts):
    """Reached for some texts, then no more; as soon as there is a file, it is back."""
    if not os.path.exists("back") and any(text.isupper() for text in texts):
        raise OSError("no connection")
    return ["Das ist " + text.lower() for text in texts]

def same(texts):
    return ["Ich komme nicht."] * len(texts)
'''
TEXTS = "We go home today.\nShe reads an old book.\n"
NEVER = Spot("never", lambda text: False)


class Moody(Planted):
    """Answers some of the times with something else, whatever the text is."""

    batch_free = False

    def __init__(self, share: float) -> None:
        super().__init__(NEVER)
        self._share = share
        self._drawn = random.Random(1)

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        bad = (self._drawn.random() < self._share for _ in texts)
        return [Translation(BAD if one else GOOD) for one in bad]


class Fading(Planted):
    """Fails for all texts in which a word stands twice."""

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        said = [text.lower().replace(".", "").split() for text in texts]
        twice = [any(a == b for a, b in pairwise(one)) for one in said]
        return [Translation(None, "broken") if one else Translation(GOOD) for one in twice]


class Halting(Planted):
    """Says something else of three words in capitals, and fails of two."""

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        loud = [sum(map(str.isupper, text.split())) for text in texts]
        said = {2: Translation(None, "broken")}
        return [said.get(n, Translation(BAD if n > 2 else GOOD)) for n in loud]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "fading.py").write_text(MODULE)
    (tmp_path / "some.en").write_text(TEXTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _break(*more: str) -> int:
    common = ("-l", "en-de", "--parser", "plain", "--budget", "40", "--cache", "cache")
    return main(["break", *common, *more, "some.en"])


def test_failures_are_told_and_tried_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = ("--system", "python:fading:down", "--under", "case", "--out", "run")
    assert _break(*run) == 1
    first = capsys.readouterr()
    assert "changed sentences could not be translated, so more may break" in first.out
    assert "the last text without a translation: OSError: no connection" in first.err
    assert _break(*run) == 1  # nothing has changed
    (folder / "back").touch()
    assert _break(*run) == 0
    assert "could not" not in capsys.readouterr().out.splitlines()[-1]
    rows = [json.loads(line) for line in (folder / "run" / DONE).read_text().splitlines()]
    assert [bool(row["failed"]) for row in rows] == [True] * 4 + [False] * 2


def test_a_system_that_always_says_the_same_is_not_called_sound(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _break("--system", "python:fading:same", "--out", "run") == 1
    said = capsys.readouterr().out
    assert "all 2 sentences have the same translation" in said
    assert "sentences break" not in said
    assert "nothing can be said" in (folder / "run" / "report.html").read_text()


def test_answers_that_change_by_themselves_are_no_cases() -> None:
    search = Search(("en", "de"))
    rare = [hunted for _, hunted in search_all(map(material, range(20)), Moody(0.05), search)]
    assert sum(len(hunted.broken) for hunted in rare) <= 1
    often = [hunted for _, hunted in search_all(map(material, range(20)), Moody(0.5), search)]
    assert sum(not hunted.steady for hunted in often) >= 10
    assert not any(hunted.broken for hunted in often if not hunted.steady)


def test_texts_without_a_translation_are_kept() -> None:
    ((_, hunted),) = search_all([material(1)], Fading(NEVER), Search(("en", "de")))
    assert hunted.output == GOOD
    assert hunted.failed
    assert not hunted.broken


def test_no_change_is_reported_of_which_nobody_knows_whether_less_would_do() -> None:
    loud = Spot("three words in capitals", lambda text: sum(map(str.isupper, text.split())) > 2)
    search = Search(("en", "de"), kinds=("case",))
    ((_, hunted),) = search_all([material(3)], Planted(loud), search)
    assert [found.change.size for found in hunted.broken] == [3]
    ((_, hunted),) = search_all([material(3)], Halting(loud), search)
    assert hunted.failed
    assert not hunted.broken


def test_a_test_of_a_translator_that_fails_is_no_pass() -> None:
    def capitals(texts: Sequence[str]) -> list[str]:
        if any(text.isupper() for text in texts):
            raise ValueError("too loud")
        return [text.lower() for text in texts]

    with pytest.raises(AssertionError, match=r"has no translation of 'WE GO HOME\.': .*too loud"):
        assert_stable(capitals, "We go home.", "en-de", under=["case"])
    texts = ["We go home.", "She reads."]
    with pytest.raises(AssertionError, match="gives all 2 texts the same translation"):
        assert_stable(lambda texts: ["Ja."] * len(texts), texts, "en-de", under=["case"])


@pytest.mark.parametrize(
    ("one", "other", "breaks"),
    [("😀", "😀.", False), ("…", "", False), ("😀", "😎", True), ("??", "Nein, nichts.", True)],
)
def test_answers_without_a_word_are_compared_too(one: str, other: str, breaks: bool) -> None:
    pairs = Pairs(["a"], ["b"], [one], [other], ("en", "de"))
    assert bool(BREAKS.parse("similarity:chrF").reasons(pairs)[0]) == breaks
