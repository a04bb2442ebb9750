"""axe-core finds nothing: light and dark, English and German, desk and phone."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from tests.play.conftest import Look, Serve
from tests.play.test_page import TEXT, state


@pytest.mark.parametrize(
    ("width", "scheme", "locale"),
    [
        (1280, "light", "en-GB"),
        (390, "dark", "de-DE"),
    ],
)
def test_nothing_is_out_of_reach(
    serve: Serve, look: Look, width: int, scheme: str, locale: str
) -> None:
    pytest.importorskip("axe_playwright_python")
    link = serve("gloss", "python:tests.play.systems:fails").link
    fragment = state(TEXT, r="Der alte Hund schläft beim Haus.", o="3.0.1.2.4.5.6.7")
    looked = look(link + fragment, width=width, scheme=scheme, locale=locale)
    page = looked.page
    looked.state("gloss", "answer")
    page.locator('[data-group="words"] summary').click()
    page.locator("#break-start").click()
    page.locator("#break-start:enabled").wait_for()
    page.locator("#break-found li").first.wait_for()
    looked.state("gloss", "answer")
    page.locator("#orders-start").click()
    page.locator("#orders-start:enabled").wait_for()
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run({resultTypes: ['violations']})")
    wrong = {
        violation["id"]: [node["html"][:200] for node in violation["nodes"]][:3]
        for violation in found["violations"]
    }
    assert wrong == {}, json.dumps(wrong, indent=1)
    assert len(found["passes"]) > 20
    assert page.evaluate("document.documentElement.lang") == locale[:2]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing overflows"
