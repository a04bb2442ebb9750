"""axe-core finds nothing serious: contrast, names, roles, what the keyboard reaches."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

from tests.report.conftest import Open


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (1440, "dark"), (390, "light")])
def test_nothing_serious(compared_file: Path, open_page: Open, width: int, scheme: str) -> None:
    pytest.importorskip("axe_playwright_python")
    opened = open_page(compared_file, width=width, scheme=scheme)
    for number in range(3):
        opened.figure(number)
    opened.explorer()
    opened.page.locator('.views [data-view="system"]').click()
    opened.page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    found = opened.page.evaluate("axe.run({resultTypes: ['violations']})")
    serious = {
        violation["id"]: [node["html"][:200] for node in violation["nodes"]][:3]
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
    }
    assert serious == {}, json.dumps(serious, indent=1)
    assert len(found["passes"]) > 20
