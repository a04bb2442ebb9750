"""axe-core finds nothing serious: contrast, names, roles, what the keyboard reaches."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from tests.report.conftest import Open, Opened


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (1440, "dark"), (390, "light")])
def test_nothing_serious(compared_file: Path, open_page: Open, width: int, scheme: str) -> None:
    opened = open_page(compared_file, width=width, scheme=scheme)
    for number in range(3):
        opened.figure(number)
    opened.explorer()
    opened.page.locator('.views [data-view="system"]').click()
    assert serious(opened) == {}


def serious(opened: Opened) -> dict[str, list[str]]:
    """The serious violations by name, each with the first three places."""
    pytest.importorskip("axe_playwright_python")
    opened.page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    found = opened.page.evaluate("axe.run({resultTypes: ['violations']})")
    assert len(found["passes"]) > 20
    return {
        violation["id"]: [node["html"][:200] for node in violation["nodes"]][:3]
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
    }
