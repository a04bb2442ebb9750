"""The word-order study on corpora of two lengths: seconds an item, and peak memory.

    python benchmarks/wordorder_scale.py SOURCE REFERENCE en-es [--items 1000 --items 50000]

The lines of the files are repeated, each time with another number in front, until there are
enough items. Every length is a run of its own in a fresh process with empty caches: corpus,
parsers, 16 perturbations, a translator behind a pipe (`cmd:cat`, stored as any other), three
metrics, two poles, the same number of workers. `start` is a whole run on 16 items (imports,
models, workers), and `an item` what each further one takes: the difference of two whole runs
divided by the difference of their items, by the clock and in processor time of all processes.
Short runs are made several times, and their median counts; one before the others fills the
machine's file cache. Memory is measured in two ways: the sum of the peaks that the system notes of
each process, which counts shared pages more than once, and the largest sum of the proportional
shares (PSS) at any moment of the run, looked up twice a second; beside them the peak of the main
process, of the largest worker, and of the means with their intervals, which are made when the
workers are gone. The last lines are the ratios.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from itertools import cycle, islice
from pathlib import Path

START = 16
SHORT, REPEATS = 5000, 5
"""How often a run of at most so many items is made; what it measures is smaller than the noise."""
TIME, MEMORY = 0.10, 0.20
"""By how much a long run may differ from a short one."""

Measures = dict[str, float]


def main() -> None:
    """One row a length, then how they compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path)
    parser.add_argument("reference", type=Path)
    parser.add_argument("languages")
    parser.add_argument("--items", type=int, action="append", help="default: 1000 and 50000")
    parser.add_argument("--workers", type=int, default=1, help="default: 1")
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.folder:
        print(json.dumps(measure(args.folder, args.languages, args.workers)))
        return
    lengths = sorted(args.items or [1000, 50_000])
    if lengths[0] <= START:
        parser.error(f"--items must be more than {START}, which are the start")
    timed(args, START)
    start = repeated(args, START)
    print("  items   whole   start   an item  processor   peaks     PSS    main  worker   means")
    found = []
    for items in lengths:
        run = repeated(args, items)
        more = (items - START) / 1000
        for name in ("clock", "work"):
            run[f"{name} each"] = (run[name] - start[name]) / more
        found.append({**run, "start": start["clock"]})
        print(row(found[-1]), flush=True)
    compare(found[0], found[-1])


def repeated(args: argparse.Namespace, items: int) -> Measures:
    """The medians of several runs, if they are short."""
    runs = [timed(args, items) for _ in range(REPEATS if items <= SHORT else 1)]
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def timed(args: argparse.Namespace, items: int) -> Measures:
    """A run on so many items, in a process of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "source", args.source, items)
        write(folder / "reference", args.reference, items)
        command = [sys.executable, __file__, str(args.source), str(args.reference), args.languages]
        done = subprocess.run(
            [*command, "--workers", str(args.workers), "--folder", name],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "HYPERBATON_CACHE": str(folder / "cache")},
        )
    found: Measures = json.loads(done.stdout)
    return {"items": items, **found}


def row(found: Measures) -> str:
    """The measures of one length in columns."""
    names = ("memory", "shares", "main", "worker", "means")
    memory = " ".join(f"{found[name]:4.0f} MB" for name in names)
    return (
        f"{found['items']:7,.0f} {found['clock']:6.1f}s {found['start']:6.1f}s "
        f"{found['clock each']:7.2f}ms {found['work each']:8.2f}ms {memory}"
    )


def compare(short: Measures, long: Measures) -> None:
    """The ratios of the longest run to the shortest, beside what they may be."""
    print(f"{long['items']:,.0f} items against {short['items']:,.0f}:")
    for name, words, most in (
        ("clock each", "time of an item by the clock", TIME),
        ("work each", "processor time of an item", TIME),
        ("memory", "sum of the peaks of memory", MEMORY),
        ("shares", "peak of the sum of PSS", MEMORY),
    ):
        ratio = long[name] / short[name]
        verdict = "yes" if abs(ratio - 1) <= most else "NO"
        print(f"  {words:30} × {ratio:.3f} (within {most:.0%}: {verdict})")


def write(target: Path, origin: Path, items: int) -> None:
    """So many different lines, made of those of a file."""
    lines = origin.read_text(encoding="utf-8").splitlines()
    with target.open("w", encoding="utf-8") as file:
        for number, line in enumerate(islice(cycle(lines), items)):
            turn = number // len(lines)
            file.write(f"{turn}: {line}\n" if turn else f"{line}\n")


def measure(folder: Path, languages: str, workers: int) -> Measures:
    """Run the study on the two files of a folder."""
    began = time.monotonic()
    from hyperbaton.pipeline import Files, Job, Pair, RunOptions, execute
    from hyperbaton.studies.wordorder import WordOrder

    design = WordOrder()
    paths = (str(folder / "source"), str(folder / "reference"))
    job = Job(
        design,
        (Files(Pair.parse(languages), paths),),
        ("cmd:cat",),
        options=RunOptions(workers=workers, cache=folder / "cache"),
    )
    shares = [0.0]
    threading.Thread(target=watch_shares, args=(shares,), daemon=True).start()
    run = execute(job, folder / "run")
    clock, work = time.monotonic() - began, processor_time()
    most = max(shares)
    main_peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    worker_peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    design.scores([run])
    return {
        "clock": clock,
        "work": work,
        "memory": main_peak + workers * worker_peak,
        "shares": most,
        "main": main_peak,
        "worker": worker_peak,
        "means": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def processor_time() -> float:
    """Seconds of processor time of this process and of the workers, which have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def watch_shares(shares: list[float]) -> None:
    """Note, twice a second, the memory of all processes, shared pages counted once."""
    while True:
        workers = [str(worker.pid) for worker in multiprocessing.active_children()]
        with contextlib.suppress(OSError):
            shares.append(sum(share(process) for process in ("self", *workers)))
        time.sleep(0.5)


def share(process: str) -> float:
    """The proportional share of memory of a process, in megabytes."""
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0


if __name__ == "__main__":
    main()
