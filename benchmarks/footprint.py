"""What an installation brings, beside its peers: packages, megabytes, and the time to start.

    python -m benchmarks.footprint

Each is installed into a new environment of its own (pip and its index are needed): Hyperbaton from
this folder, the others as PyPI has them. Megabytes are those of the installed files without
bytecode. Starting is processor time of a second run, `python -c "import …"` and `COMMAND --help`,
the median of seven. Beneath stands what each dependency of Hyperbaton
weighs, alone and with what only it brings.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
RUNS = 7

LISTING = """
import json, re
from importlib.metadata import distributions
rows = {}
for found in distributions():
    files = [found.locate_file(file) for file in found.files or () if file.suffix != ".pyc"]
    size = sum(file.stat().st_size for file in files if file.is_file())
    needs = [need for need in found.requires or () if "extra ==" not in need]
    names = [re.match(r"[\\w.-]+", need)[0] for need in needs]
    plain = lambda name: re.sub(r"[-_.]+", "-", name).lower()
    rows[plain(found.name)] = (size, [plain(name) for name in names])
print(json.dumps(rows))
"""


@dataclass(frozen=True)
class Peer:
    """Something to install, the module it brings, and its command."""

    what: str
    module: str
    command: str


PEERS = (
    Peer(str(ROOT), "hyperbaton", "hyperbaton"),
    Peer("sacrebleu", "sacrebleu", "sacrebleu"),
    Peer("lm_eval", "lm_eval", "lm_eval"),
    Peer("inspect_ai", "inspect_ai", "inspect"),
)


def installed(what: str, folder: Path) -> Path:
    """The `bin` of a new environment with this in it, and nothing else."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    subprocess.run([folder / "bin/pip", "install", "-q", what], check=True, stderr=subprocess.PIPE)
    return folder / "bin"


def packages(folder: Path) -> dict[str, tuple[int, list[str]]]:
    """The bytes and the needs of each package, pip and its like left out."""
    listed = subprocess.run(
        [folder / "python", "-c", LISTING], check=True, capture_output=True, text=True
    )
    rows: dict[str, tuple[int, list[str]]] = json.loads(listed.stdout)
    return {name: row for name, row in rows.items() if name not in ("pip", "setuptools")}


def processor_seconds(command: list[str]) -> float:
    """The median processor time of a command that has run once before."""
    times = []
    for _ in range(RUNS + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return median(times[1:])


def brought(name: str, rows: dict[str, tuple[int, list[str]]], without: str = "") -> set[str]:
    """The packages that one needs, itself included."""
    reached, queue = set[str](), [name]
    while queue:
        now = queue.pop()
        if now in rows and now not in reached and now != without:
            reached.add(now)
            queue += rows[now][1]
    return reached


def main() -> None:
    """Print both tables."""
    with TemporaryDirectory() as work:
        print("| | packages | MB | import | `--help` |\n|---|---|---|---|---|")
        for peer in PEERS:
            folder = installed(peer.what, Path(work) / peer.module)
            rows = packages(folder)
            size = sum(size for size, _ in rows.values()) / 1e6
            start = processor_seconds([str(folder / "python"), "-c", f"import {peer.module}"])
            shown = processor_seconds([str(folder / peer.command), "--help"])
            print(f"| {peer.module} | {len(rows)} | {size:.0f} | {start:.2f} s | {shown:.2f} s |")
        rows = packages(Path(work) / "hyperbaton/bin")
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        print("\n| dependency | MB | with what only it brings |\n|---|---|---|")
        everything = brought("hyperbaton", rows)
        names = [need.partition(">=")[0] for need in project["dependencies"]]
        for name in sorted(names, key=lambda name: -rows[name][0]):
            only = everything - brought("hyperbaton", rows, without=name)
            total = sum(rows[package][0] for package in only) / 1e6
            print(f"| {name} | {rows[name][0] / 1e6:.1f} | {total:.1f} ({len(only)} packages) |")
        print(f"| hyperbaton itself | {rows['hyperbaton'][0] / 1e6:.1f} | |")


if __name__ == "__main__":
    main()
