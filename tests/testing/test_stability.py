"""Tests of a translator fail where its weak spot is, show the smallest change, and can fail."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hyperbaton.testing as public
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.search.candidates import KINDS
from hyperbaton.search.cases import Case, write_cases
from hyperbaton.testing import assert_holds, assert_stable, each_case, open_system, variants

PAGE = Path(__file__).parents[2] / "docs" / "ci.md"
TEXT = "We go home, and you must think about the 3 cats."
CASE = Case("7", "en-de", "x", "final mark", 1, "", "", "We go home.", "We go home", "a", "b")


def sound(text: str) -> str:
    """Case, marks, spaces and letters do not matter to it."""
    return text.lower()


def weak(when: Callable[[str], bool]) -> Callable[[list[str]], list[str]]:
    """A translator that loses its mind where something is so."""
    return lambda texts: ["Unsinn und noch mehr" if when(t) else t.lower() for t in texts]


WEAK = {
    "final mark": weak(lambda text: text[-1:].isalpha()),
    "case": weak(lambda text: any(word.isupper() for word in text.split() if len(word) > 1)),
    "space": weak(lambda text: "  " in text),
    "mark": weak(lambda text: "," not in text),
}


@pytest.mark.parametrize("kind", WEAK)
def test_the_smallest_change_of_a_planted_weak_spot_is_shown(kind: str) -> None:
    with pytest.raises(AssertionError) as raised:
        assert_stable(WEAK[kind], TEXT, "en-de", under=[kind])
    message = str(raised.value)
    assert f"breaks under a small change ({kind}): " in message
    lines = dict(re.findall(r"^  ([\w ]+?): +(.*)$", message, re.MULTILINE))
    source, changed = lines["source"], lines["changed"]
    assert WEAK[kind]([source]) == [source.lower()] == [lines["translation"]]
    assert WEAK[kind]([changed]) == ["Unsinn und noch mehr"] == [lines["of the changed"]]
    assert lines["change"].count("(") == 1  # a single step
    # A sound translator passes, and so does the weak one under other changes.
    assert_stable(sound, TEXT, "en-de", under=[kind])
    others = [other for other in WEAK if other != kind]
    assert_stable(WEAK[kind], TEXT, "en-de", under=others)


def test_how_far_translations_may_differ() -> None:
    drops = weak(lambda text: False)

    def last_word_lost(texts: Sequence[str]) -> list[str]:
        return [t if t.endswith(".") else t.rsplit(" ", 1)[0] for t in drops(list(texts))]

    assert_stable(last_word_lost, TEXT, "en-de", under=["final mark"])
    with pytest.raises(AssertionError, match=r"chrF 0\.\d+ < 0\.98"):
        assert_stable(last_word_lost, TEXT, "en-de", under=["final mark"], within=0.02)
    with pytest.raises(AssertionError, match="the number 3 is gone"):
        assert_stable(
            lambda texts: [t if t.endswith(".") else t.replace("3", "") for t in texts],
            TEXT,
            "en-de",
            under=["final mark"],
            breaks=["number"],
        )


def test_one_text_or_many_one_function_or_another() -> None:
    untyped = lambda text: text.lower()  # noqa: E731 - as people write it
    texts = ["We go home.", TEXT]
    for translate in (sound, str.lower, untyped, lambda ts: [t.lower() for t in ts]):
        assert_stable(translate, texts, "en-de", under=["case"])
    with pytest.raises(AssertionError, match=r"\(1 other text of 2 broke too\)"):
        assert_stable(WEAK["final mark"], texts, "en-de", under=["final mark"])


def test_a_system_that_is_open_knows_its_languages() -> None:
    with open_system(sound, "en-de") as translate:
        assert translate("Go!") == "go!"
        assert translate(["Go!", "Come!"]) == ["go!", "come!"]
        assert_stable(translate, TEXT, under=["case"])
        with pytest.raises(HyperbatonError, match="is open for en-de, not for en-fr"):
            assert_stable(translate, TEXT, "en-fr")
    with open_system(lambda texts: [None for _ in texts], "en-de") as broken:
        with pytest.raises(HyperbatonError, match="has no translation of 'Go!'"):
            broken("Go!")
        with pytest.raises(AssertionError, match="has no translation of 'We go"):
            assert_stable(broken, TEXT, under=["case"])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: assert_stable(sound, TEXT), "name the languages"),
        (lambda: assert_stable(sound, "Go home", "en-de", under=["mark"]), "nothing to change"),
        (lambda: assert_stable(sound, [], "en-de"), "the test is empty"),
        (lambda: assert_stable(sound, TEXT, "en-de", under=["comma"]), "no kind of change"),
        (lambda: assert_stable(sound, TEXT, "en-de", within=1.5), "0 to 1, not 1.5"),
        (lambda: assert_stable(sound, TEXT, "en-de", breaks=["x"]), "unknown break"),
        (lambda: variants("Go home", under=["mark"]), "nothing to change"),
        (lambda: variants("Go home.", most=0), "at least 1, not 0"),
        (lambda: each_case("none.jsonl"), "there is no none.jsonl"),
    ],
)
def test_a_test_that_cannot_fail_is_refused(call: Callable[[], object], said: str) -> None:
    with pytest.raises(HyperbatonError, match=said):
        call()


def test_a_case_holds_or_shows_its_texts_of_today() -> None:
    assert_holds(sound, CASE)
    with pytest.raises(AssertionError, match=r"(?s)chrF 0.*of the changed: +Unsinn und noch mehr"):
        assert_holds(WEAK["final mark"], CASE)
    assert_holds(WEAK["final mark"], CASE, breaks=["number"])
    with pytest.raises(AssertionError, match="has no translation"):
        assert_holds(lambda texts: [None for _ in texts], CASE)
    with (
        open_system(sound, "en-fr") as french,
        pytest.raises(HyperbatonError, match="is open for en-fr, the case is of en-de"),
    ):
        assert_holds(french, CASE)


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(sorted(KINDS)), st.data())
def test_variants_are_other_texts_with_the_same_number(kind: str, data: st.DataObject) -> None:
    varied = data.draw(variants(TEXT, under=[kind]))
    assert varied != TEXT
    assert "3" in varied
    assert abs(len(varied) - len(TEXT)) < 20


def test_the_page_on_pipelines_is_a_test_file_that_runs(tmp_path: Path) -> None:
    """As it is printed; then with a translator that the case still breaks."""
    if not PAGE.is_file():
        pytest.skip("not in a checkout")
    (code,) = re.findall(
        r"^```python\n# (test_\w+\.py)\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL
    )
    (tmp_path / code[0]).write_text(code[1])
    write_cases(tmp_path / "cases.jsonl", [CASE, replace(CASE, item="8")])

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", code[0]],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )

    done = run()
    assert done.returncode == 0, done.stdout
    assert "5 passed" in done.stdout
    broken = code[1].replace("text.lower()", 'text.lower() if text[-1] == "." else "Unsinn ist es"')
    (tmp_path / code[0]).write_text(broken)
    done = run()
    assert done.returncode == 1
    assert "3 failed" in done.stdout
    assert "of the changed: Unsinn ist es" in done.stdout
    assert "stability.py" not in done.stdout  # the traceback ends at the test
    shutil.rmtree(tmp_path / ".hypothesis", ignore_errors=True)


def test_all_public_names_are_on_the_page() -> None:
    text = PAGE.read_text() if PAGE.is_file() else ""
    told = {name for name in public.__all__ if re.search(rf"\b{name}\b", text)}
    assert not text or set(public.__all__) - told == {"OpenSystem", "open_system"}
