"""Memory of a whole study as its corpus grows: the sum over all its processes.

    python -m benchmarks.study_memory FILE.en FILE.fr --items 1000 --items 10000 --items 50000
    python -m benchmarks.study_memory FILE.en FILE.fr --items 50000 -- --no-poles -m BLEU

The command is typed as ever, by default with the system that copies, and has an empty cache; what
stands after `--` is added to it. The
proportional share (PSS) of all its processes, pages that they share counted once, is looked up
twice a second. What is printed is the largest sample of each tenth of the run, until its last part
is written, then the largest one while numbers and report are made. The 20 MB of this script are in
it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.scale import by_tenths
from benchmarks.study import command, fresh_cache
from hyperbaton.base.processes import memory_in_use


def main() -> None:
    """Each size in turn."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path)
    parser.add_argument("reference", type=Path)
    parser.add_argument("-l", "--languages", help="default: the ends of the files' names")
    parser.add_argument("--items", type=int, action="append", required=True)
    parser.add_argument("--system", default="copy")
    typed = sys.argv[1:]
    end = typed.index("--") if "--" in typed else len(typed)
    args, further = parser.parse_args(typed[:end]), typed[end + 1 :]
    ends = (path.suffix.lstrip(".") for path in (args.source, args.reference))
    args.languages = args.languages or "-".join(ends)
    with tempfile.TemporaryDirectory() as name:
        for items in args.items:
            with fresh_cache(Path(name)) as out:
                whole = [*command(args, args.system, out / "run", items), *further]
                run, report = watched(whole, out / "run")
            print(f"{items:,} items, MB by tenths of the run: {', '.join(by_tenths(run))}")
            print(f"   numbers and report: {max(report, default=0) / 1e6:.0f} MB", flush=True)


def watched(arguments: list[str], folder: Path) -> tuple[list[int], list[int]]:
    """The memory of a command while it makes parts, and after the last one."""
    samples: list[tuple[float, int]] = []
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            samples.append((time.time(), memory_in_use() or 0))
            time.sleep(0.5)
    if process.returncode:
        raise SystemExit(f"the study ended with status {process.returncode}")
    last = max(path.stat().st_mtime for path in folder.rglob("*.parquet"))
    return (
        [memory for when, memory in samples if when <= last],
        [memory for when, memory in samples if when > last],
    )


if __name__ == "__main__":
    main()
