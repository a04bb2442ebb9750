"""kill -9 at random moments of a study with two pairs and two systems, `check` after each.

    python -m benchmarks.kills --kills 50
    python -m benchmarks.kills --kills 50 --engine ray

`check` must end with status 2 until the run is whole; then every file of it, report and record
too, must hold the same bytes as those of a run that nobody killed. A run that comes to its end
early is followed by a new one. Ends with a traceback where one of these does not hold.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from hyperbaton.pipeline.options import PART
from tests.cli.killing import killed


def main() -> None:
    """Kill, and print what was seen."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--items", type=int, default=PART + 12, help="default: two parts")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--engine", default="local")
    args = parser.parse_args()
    how = {"seed": args.seed, "items": args.items, "workers": args.workers}
    with TemporaryDirectory(prefix="hyperbaton-kills-") as folder:
        for seen in killed(Path(folder), args.kills, **how, engine=args.engine):
            print(f"{seen.kills} kills", end="\r", flush=True)
    print(f"{seen.kills} kills; runs brought to their end, all with the same bytes: {seen.whole}")
    print(f"exit status of check: {_counted(seen.statuses)}")
    print(f"what the kill left: {_counted(seen.states)}")


def _counted(counts: Counter[int] | Counter[str]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in sorted(counts.items()))


if __name__ == "__main__":
    main()
