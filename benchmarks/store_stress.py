"""`play`, two studies and `translate` on one cache, for minutes, with kill -9 at random moments.

    python -m benchmarks.store_stress --seconds 120

Each command is killed up to `--kills` times and begun again until it comes to its end; the page is
killed after five moves. Then SQLite's check of the store must find nothing, every row must have its
digest, and every text whose translation a command gave to its user must be there with it. Ends with
a traceback where one of these does not hold.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.systems.stress import Stress


def main() -> None:
    """Let the commands work, check the store, and print what was done."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--lines", type=int, default=200, help="texts of each turn of a command")
    parser.add_argument("--kills", type=int, default=3, help="of each command at most")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    with TemporaryDirectory(prefix="hyperbaton-stress-") as folder:
        stress = Stress(Path(folder), args.lines, args.kills, args.seed)
        began = time.monotonic()
        stress.run(lambda turn: time.monotonic() - began < args.seconds)
        spent = time.monotonic() - began
        print(", ".join(f"{count} {name}" for name, count in sorted(stress.counts.items())))
        print(f"{stress.check():,} answered texts in the store, which is sound; {spent:.0f} s")


if __name__ == "__main__":
    main()
