"""Print what CHANGELOG.md says of a version, or say why its tag cannot be released.

python scripts/release_notes.py v0.1.0 > notes.md
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def notes(tag: str, root: Path = ROOT) -> str:
    """The changes of the tag's version; a fault names the file that says something else."""
    version = tag.removeprefix("v")
    code = (root / "src/hyperbaton/__init__.py").read_text(encoding="utf-8")
    stated = {
        "src/hyperbaton/__init__.py": re.search(r'^__version__ = "(.+)"', code, re.M),
        "CITATION.cff": re.search(
            r"^version: (.+)$", (root / "CITATION.cff").read_text(encoding="utf-8"), re.M
        ),
    }
    for name, found in stated.items():
        if found is None or found[1] != version:
            raise SystemExit(f"{name} says {found and found[1]}, the tag says {version}")
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = rf"^## {re.escape(version)} \(\d{{4}}-\d{{2}}-\d{{2}}\)\n(.*?)(?=^## |\Z)"
    section = re.search(heading, changes, re.M | re.S)
    if section is None:
        raise SystemExit(f"CHANGELOG.md has no heading '## {version} (YYYY-MM-DD)'")
    return section[1].strip() + "\n"


if __name__ == "__main__":
    sys.stdout.write(notes(sys.argv[1]))
