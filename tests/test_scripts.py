"""What `scripts/` takes from hyperbaton is there: nothing else runs or checks these files."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPTS = sorted((ROOT / "scripts").rglob("*.py"))


def taken(path: Path) -> list[tuple[str, str]]:
    """The modules of hyperbaton that a file imports from, each with a name."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return [
        (node.module, alias.name)
        for node in found
        if node.module and node.module.split(".")[0] == "hyperbaton"
        for alias in node.names
    ]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT / "scripts")))
def test_every_name_that_is_imported_exists(path: Path) -> None:
    for module, name in taken(path):
        try:
            room = import_module(module)
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("hyperbaton"):
                raise
            pytest.skip(f"{error.name} is not installed")
        assert hasattr(room, name) or import_module(f"{module}.{name}")
