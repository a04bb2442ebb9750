"""A room imports only from the storeys beneath it."""

from __future__ import annotations

import ast
from pathlib import Path

import hyperbaton

ROOT = Path(hyperbaton.__file__).parent
STOREYS = [
    {"base"},
    {"language", "hub"},
    {"encoders"},  # metrics and detectors read with them
    {"corpus", "parsing", "perturb", "systems", "metrics", "stats"},
    {"alignment", "detectors", "tasks"},  # made of translators and metrics, so above them
    {"pipeline", "report"},
    {"studies", "train", "play"},
    {"cli"},
]
HEIGHT = {room: height for height, rooms in enumerate(STOREYS) for room in rooms}


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            if node.module == "hyperbaton":
                names = [f"hyperbaton.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("hyperbaton.")}
    return found


def test_rooms_import_downwards() -> None:
    wrong = []
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        room = parts[0]
        if room in ("__init__", "__main__"):
            continue
        for other in _imports(path):
            if other == room or other.startswith("__"):
                continue
            if HEIGHT[other] >= HEIGHT[room]:
                wrong.append(f"{'/'.join(parts)} imports {other}")
    assert not wrong


def test_every_room_has_a_storey() -> None:
    rooms = {
        p.stem if p.is_file() else p.name for p in ROOT.iterdir() if not p.name.startswith("_")
    }
    assert rooms - {"py"} <= set(HEIGHT) | {"data"}
