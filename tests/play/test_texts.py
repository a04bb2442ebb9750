"""Every text of the page is there in both languages, and every text that is there is used."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest

from hyperbaton.play.sentences import OFFERED
from hyperbaton.search.candidates import KINDS
from hyperbaton.search.changes import MIXED

ASSETS = files("hyperbaton.play").joinpath("assets")
TEXTS = {
    code: json.loads(ASSETS.joinpath(f"texts.{code}.json").read_text("utf-8"))
    for code in ("en", "de")
}
CODE = "".join(
    entry.read_text("utf-8") for entry in ASSETS.iterdir() if entry.name.endswith((".js", ".html"))
)
SERVER = "".join(
    entry.read_text("utf-8")
    for entry in files("hyperbaton.play").iterdir()
    if entry.name.endswith(".py")
)


def gaps(text: str) -> list[str]:
    return sorted(re.findall(r"\{(\w+)\}", text))


def test_both_languages_say_the_same_things() -> None:
    assert list(TEXTS["en"]) == list(TEXTS["de"])
    for key, text in TEXTS["en"].items():
        assert gaps(text) == gaps(TEXTS["de"][key]), key


@pytest.mark.parametrize("code", ["en", "de"])
def test_every_text_that_the_page_names_is_there(code: str) -> None:
    named = set(re.findall(r'data-t="(\w+)"', CODE)) | set(re.findall(r'\bt\("(\w+)"', CODE))
    assert len(named) > 40
    assert named <= set(TEXTS[code])


def test_every_perturbation_has_a_name() -> None:
    for names in OFFERED.values():
        for name in names:
            key = "p_" + re.sub(r"\W+", "_", name).rstrip("_")
            assert key in TEXTS["en"], name


def test_every_kind_of_change_has_a_name() -> None:
    kinds = {key for key in TEXTS["en"] if key.startswith("kind_")}
    assert kinds == {f"kind_{kind}" for kind in (*KINDS, MIXED)}


def test_no_text_is_left_over() -> None:
    for key in TEXTS["en"]:
        stems = ("p_", "group_", "outcome_", "run_", "kind_", "beta", "wrong_long_")
        assert key in CODE + SERVER or key.startswith(stems), key


def test_every_mistake_that_the_server_names_has_a_text() -> None:
    named = re.findall(r'Mistake\(\s*"(\w+)"', SERVER)
    assert len(named) > 10
    assert set(named) <= set(TEXTS["en"])


def test_the_page_brings_everything_along() -> None:
    assert "http://" not in CODE.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in CODE
    assert "innerHTML" not in CODE
