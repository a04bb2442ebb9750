"""A long run of damaged inputs through every reader: no fault but HyperbatonError, no hang.

    python benchmarks/fuzz_readers.py --inputs 100000
    python benchmarks/fuzz_readers.py --inputs 10000 --reader Parquet --reader npz
    python benchmarks/fuzz_readers.py --engine atheris --reader CoNLL-U --inputs 100000

The inputs are those of the tests (tests/fuzzing), made from good ones by mutation; the same number
makes the same inputs. They are read by a process of its own, since some would end it: that is a
fault too, as is a panic on standard error. `--engine atheris` lets libFuzzer look for inputs that
reach new code (pip install atheris). A fault is printed with the number and the input that caused
it, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import os
import random
import select
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile, mkdtemp
from types import FrameType
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

if TYPE_CHECKING:
    from tests.fuzzing.damaged_files import DamagedFile
    from tests.fuzzing.readers import Reader

HANG = 10
"""Seconds after which an input counts as a hang."""
DEAD = 60
"""Seconds after which a process that says nothing is ended: a library hangs where no alarm goes."""
NOISE = (b"panicked at", b"memory allocation of")
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
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.engine == "atheris" and len(args.reader or ()) == 1:
        _atheris(args.reader[0], args.inputs)
    from tests.fuzzing.damaged_files import FILES
    from tests.fuzzing.readers import READERS

    if args.child:
        return _child(next(r for r in (*READERS, *FILES) if r.name == args.reader[0]), args)
    known = READERS if args.engine == "atheris" else (*READERS, *FILES)
    chosen = [r.name for r in known if not args.reader or r.name in args.reader]
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


@dataclass
class Tally:
    """What came of the inputs of one reader."""

    number: int
    """The input under way."""
    accepted: int = 0
    slowest: float = 0.0
    faults: list[str] = field(default_factory=list)

    def note(self, line: str) -> None:
        """Take in a line of the child: `begin N`, `fault …`, or `end ACCEPTED SECONDS`."""
        kind, _, rest = line.partition(" ")
        if kind == "begin":
            self.number = int(rest)
        elif kind == "fault":
            self.faults.append(f"input {self.number}: {rest}")
        elif kind == "end":
            accepted, seconds = rest.split()
            self.accepted += int(accepted)
            self.slowest = max(self.slowest, float(seconds))


def _mutations(name: str, first: int, inputs: int) -> int:
    """Have the inputs read by a process, and by the next one from where one died."""
    tally, start, begin = Tally(first - 1), time.perf_counter(), first
    while begin < first + inputs:
        own = ["--child", "--reader", name, "--first", str(begin)]
        own += ["--inputs", str(first + inputs - begin)]
        with TemporaryFile() as noise:
            died = _watched([sys.executable, __file__, *own], noise.fileno(), tally)
            noise.seek(0)
            said = noise.read()
        if died:
            tally.faults.append(f"input {tally.number}: {died}")
        if any(word in said for word in NOISE):
            tally.faults.append(f"up to input {tally.number}: a panic on standard error")
        for line in said.splitlines()[-40:] if died or any(word in said for word in NOISE) else []:
            print(line.decode(errors="replace"), file=sys.stderr)
        if tally.number < begin:
            tally.faults.append(f"input {begin}: the process ended before it read anything")
            break
        begin = tally.number + 1
    spent = time.perf_counter() - start
    for fault in tally.faults[:5]:
        print(f"{name}, {fault}", file=sys.stderr)
    print(
        f"{name:20} {inputs:8,} {tally.accepted:8,} {len(tally.faults):6,} {tally.slowest:6.2f} s "
        f"{spent:5.0f} s",
        flush=True,
    )
    return len(tally.faults)


def _watched(command: Sequence[str], noise: int, tally: Tally) -> str:
    """Why a child did not come to its end; empty if it did."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=noise) as child:
        assert child.stdout is not None
        left = b""
        while select.select([child.stdout], [], [], DEAD)[0]:
            said = os.read(child.stdout.fileno(), 1 << 16)
            if not said:
                break
            *lines, left = (left + said).split(b"\n")
            for line in lines:
                tally.note(line.decode())
        else:
            child.kill()
            return f"no sign of life for {DEAD} s"
    return f"it ended the process ({child.returncode})" if child.returncode else ""


def _child(reader: Reader | DamagedFile, args: argparse.Namespace) -> int:
    """Read inputs, and say on standard output which one is begun."""
    signal.signal(signal.SIGALRM, _hang)
    say, sys.stdout = sys.stdout, sys.stderr
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as place:
        # Libraries are loaded by the first input, which would count as the slowest.
        reader(reader.seeds[0], Path(place))
        for number in range(args.first, args.first + args.inputs):
            print(f"begin {number}", file=say, flush=True)
            data = reader.input(random.Random(f"{reader.name}/{number}"))
            begin, accepted = time.perf_counter(), False
            signal.alarm(HANG)
            try:
                accepted = reader(data, Path(place))
            except BaseException as error:  # a panic of a library is no Exception
                if isinstance(error, KeyboardInterrupt):
                    raise
                where = traceback.extract_tb(error.__traceback__)[-1]
                cause = " ".join(f"{type(error).__name__}: {error}".split())[:200]
                at = f"{Path(where.filename).name}:{where.lineno}"
                print(f"fault {cause} ({at}) {data[:100]!r}", file=say, flush=True)
            finally:
                signal.alarm(0)
            print(f"end {int(accepted)} {time.perf_counter() - begin}", file=say, flush=True)
    return 0


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
