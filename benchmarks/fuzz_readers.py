"""A long run of damaged inputs through every reader: no fault but HyperbatonError, no hang.

    python benchmarks/fuzz_readers.py --inputs 100000
    python benchmarks/fuzz_readers.py --engine atheris --reader CoNLL-U --inputs 100000

The inputs are those of the tests (tests/fuzzing), made from good ones by mutation; the same number
makes the same inputs. `--engine atheris` lets libFuzzer look for inputs that reach new code
(pip install atheris). A fault is printed with the input that caused it, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from types import FrameType

sys.path.insert(0, str(Path(__file__).parents[1]))

HANG = 10
"""Seconds after which an input counts as a hang."""
MEMORY = Path("/dev/shm")


class Hang(Exception):
    """An input took too long."""


def main(argv: Sequence[str] | None = None) -> int:
    """Fuzz the readers that were named, or all of them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--inputs", type=int, default=100_000, help="inputs for each reader")
    parser.add_argument("--reader", action="append", help="only this one (repeat)")
    parser.add_argument("--engine", choices=("mutation", "atheris"), default="mutation")
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    args = parser.parse_args(argv)
    if args.engine == "atheris" and len(args.reader or ()) == 1:
        _atheris(args.reader[0], args.inputs)
    from tests.fuzzing.readers import READERS

    chosen = [r.name for r in READERS if not args.reader or r.name in args.reader]
    print(f"{'reader':20} {'inputs':>8} {'accepted':>8} {'faults':>6} {'slowest':>8} {'time':>7}")
    faults = 0
    for name in chosen:
        if args.engine == "atheris":
            own = ["--engine", "atheris", "--reader", name, "--inputs", str(args.inputs)]
            failed = subprocess.run([sys.executable, __file__, *own], check=False).returncode != 0
            print(f"{name:20} {args.inputs:8,} {'a fault' if failed else 'no fault'}", flush=True)
            faults += failed
        else:
            faults += _mutations(name, args.first, args.inputs)
    return 1 if faults else 0


def _hang(number: int, frame: FrameType | None) -> None:
    raise Hang(f"no end after {HANG} s")


def _mutations(name: str, first: int, inputs: int) -> int:
    from tests.fuzzing.mutation import mutated
    from tests.fuzzing.readers import READERS

    reader = next(r for r in READERS if r.name == name)
    signal.signal(signal.SIGALRM, _hang)
    accepted = faults = 0
    slowest = 0.0
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as place:
        # Libraries are loaded by the first input, which would count as the slowest.
        reader(reader.seeds[0], Path(place))
        start = time.perf_counter()
        for number in range(first, first + inputs):
            data = mutated(random.Random(f"{name}/{number}"), reader.seeds)
            begin = time.perf_counter()
            signal.alarm(HANG)
            try:
                accepted += reader(data, Path(place))
            except Exception:
                faults += 1
                if faults <= 5:
                    print(f"{name}, input {number}: {data[:200]!r}", file=sys.stderr)
                    traceback.print_exc()
            finally:
                signal.alarm(0)
            slowest = max(slowest, time.perf_counter() - begin)
    spent = time.perf_counter() - start
    print(
        f"{name:20} {inputs:8,} {accepted:8,} {faults:6,} {slowest:6.2f} s {spent:5.0f} s",
        flush=True,
    )
    return faults


def _atheris(name: str, inputs: int) -> None:
    """Hand over to libFuzzer, which ends the process itself."""
    import atheris

    with atheris.instrument_imports(include=["hyperbaton"]):
        from tests.fuzzing.readers import READERS
    reader = next(r for r in READERS if r.name == name)
    place = Path(mkdtemp(dir=MEMORY if MEMORY.is_dir() else None))
    seeds = place / "seeds"
    seeds.mkdir()
    for number, seed in enumerate(reader.seeds):
        (seeds / str(number)).write_bytes(seed)

    def read(data: bytes) -> None:
        reader(data, place)

    options = [f"-runs={inputs}", f"-timeout={HANG}", "-max_len=4096", "-verbosity=0"]
    prefix = f"-artifact_prefix={place}/fault-"
    atheris.Setup([sys.argv[0], *options, prefix, str(seeds)], read)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
