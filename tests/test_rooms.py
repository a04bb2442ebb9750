"""A room imports only from the storeys beneath it."""

from __future__ import annotations

import ast
import re
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
    {"search"},  # the playground searches too, and the cases have a page
    {"studies", "train", "play", "texts", "testing"},
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


def test_no_folder_is_a_heap() -> None:
    sizes = {
        folder.relative_to(ROOT).as_posix(): len(list(folder.glob("*.py")))
        for folder in (ROOT, *ROOT.rglob("*"))
        if folder.is_dir()
    }
    assert {folder: size for folder, size in sizes.items() if size > 22} == {}


def test_the_page_on_the_design_names_what_is_there() -> None:
    page = Path(__file__).parents[1] / "docs" / "design.md"
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`([a-z_]+(?:/[a-z_0-9]+)+(?:\.py)?)`", text)
    assert len(named) > 25
    here = {"src", "tests"}
    missing = [p for p in named if p.split("/")[0] not in here and not (ROOT / p).exists()]
    assert missing == []
    storeys = re.findall(r"^\| (\d) \| (.+?) \|", text, re.MULTILINE)
    shown = {room: int(number) for number, rooms in storeys for room in re.findall(r"\w+", rooms)}
    assert shown == {room: height + 1 for room, height in HEIGHT.items()}


def test_the_page_on_the_design_names_classes_where_they_are() -> None:
    page = Path(__file__).parents[1] / "docs" / "design.md"
    rows = [line for line in page.read_text(encoding="utf-8").splitlines() if line[:1] == "|"]
    checked = 0
    for row in rows:
        files = re.findall(r"`([\w/]+\.py)`", row)
        code = "".join((ROOT / file).read_text() for file in files)
        for name in re.findall(r"`([A-Z]\w+)`", row) if files else []:
            assert re.search(rf"^(class )?{name}\b", code, re.MULTILINE), name
            checked += 1
    assert checked > 9
