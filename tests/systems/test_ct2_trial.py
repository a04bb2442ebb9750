"""The trial model that lies beside the repository: a real vocabulary, real sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.ct2.system import CTranslate2

TRIAL = Path(__file__).parents[3] / "shared" / "models" / "trial"
pytestmark = pytest.mark.skipif(not TRIAL.is_dir(), reason="needs ../shared")


def test_translates_and_prefers_what_fits() -> None:
    translator = CTranslate2(str(TRIAL)).open("en", "de")
    assert translator.translate(["This is a book."])[0].text == "Das ist ein Buch."
    fits, other = translator.score(["This is a book."] * 2, ["Das ist ein Buch.", "Es regnet oft."])
    assert fits.mean > other.mean + 1


def test_long_lines_do_not_break_it() -> None:
    found = CTranslate2(str(TRIAL)).open("en", "fr").translate(["A tree. " * 5000, "A tree."])
    assert found[0].text is None
    assert found[1].text


def test_says_what_it_knows() -> None:
    with pytest.raises(HyperbatonError, match="it knows: de, en, es, fr, it, ja, ru, zh"):
        CTranslate2(str(TRIAL)).open("en", "fi")
