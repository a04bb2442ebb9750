"""Look into a built wheel and sdist: what must be inside is, nothing else is, and both are small.

    python scripts/wheel_contents.py dist/*.whl dist/*.tar.gz

Prints each file's size; ends with status 1 and a line for each fault.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LARGEST = 56_000_000
"""Bytes of a file. 52.1 million in November 2026; PyPI takes 100 MiB."""
STRANGE = re.compile(
    r"(^|/)(tests?|benchmarks|__pycache__|\.[^/]+)/|\.(py[co]|nb[ci]|log|tmp|orig)$"
)
"""What no package has: tests, caches, hidden folders, leftovers."""


def packaged(root: Path = ROOT) -> set[str]:
    """The files of the package that git knows, below `src`."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "src"], cwd=root, check=True, capture_output=True, text=True
    )
    files = [name for name in listed.stdout.split("\0") if name and (root / name).is_file()]
    return {name.removeprefix("src/") for name in files}


def inside(archive: Path) -> set[str]:
    """The names of a wheel's files, or those of an sdist without its first folder."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return {name for name in wheel.namelist() if not name.endswith("/")}
    with tarfile.open(archive) as sdist:
        names = [member.name for member in sdist.getmembers() if member.isfile()]
    return {name.partition("/")[2] for name in names}


def faults(archive: Path, package: set[str]) -> list[str]:
    """One sentence for each thing that is wrong with a built file."""
    names = inside(archive)
    if archive.suffix == ".whl":
        info = "-".join(archive.name.split("-")[:2]) + ".dist-info"
        meta = ("METADATA", "RECORD", "WHEEL", "entry_points.txt")
        licences = ("licenses/LICENSE", "licenses/NOTICE")
        wanted = package | {f"{info}/{name}" for name in (*meta, *licences)}
    else:
        beside = ("CHANGELOG.md", "CITATION.cff", "LICENSE", "NOTICE", "README.md")
        made = (".gitignore", "PKG-INFO", "pyproject.toml")
        wanted = {f"src/{name}" for name in package} | {*beside, *made}
    found = [f"{name} is missing" for name in sorted(wanted - names)]
    found += [f"{name} does not belong there" for name in sorted(names - wanted)]
    found += [f"{name} looks like a leftover" for name in sorted(names) if STRANGE.search(name)]
    size = archive.stat().st_size
    if size > LARGEST:
        found.append(f"{size:,} bytes are more than the {LARGEST:,} that LARGEST allows")
    return [f"{archive.name}: {fault}" for fault in found]


def main(archives: list[str]) -> int:
    """Look into each file; the number of faults decides the status."""
    package = packaged()
    found = []
    for archive in map(Path, archives):
        print(f"{archive.name}: {archive.stat().st_size / 1e6:.1f} MB")
        found += faults(archive, package)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
