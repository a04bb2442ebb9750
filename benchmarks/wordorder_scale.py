"""The word-order study on corpora of two lengths: seconds an item, and peak memory.

    python benchmarks/wordorder_scale.py SOURCE REFERENCE en-es [--items 1000 --items 50000]

The lines of the files are repeated, each time with another number in front, until there are
enough items. Every length is a run of its own in a fresh process with empty caches: corpus,
parsers, 16 perturbations, a translator behind a pipe (`cmd:cat`, stored as any other), three
metrics, two poles, the same number of workers. `start` is the time until the first part of 256
items is scored (imports, models, workers), and `an item` what each further one takes, by the clock
and in processor time of all processes. A short run is made several times, and its median counts;
one more before the others fills the machine's file cache. Memory is the sum of the peaks that the
system notes of each process, and that of the main one and of the largest worker alone; then that
of the means with their intervals, which are made when the workers are gone. The last lines are
the ratios.
"""

from __future__ import annotations

import argparse
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

PART = 256
SHORT, REPEATS = 5000, 3
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
    if lengths[0] < 2 * PART:
        parser.error(f"--items must be at least {2 * PART}: the first {PART} are the start")
    timed(args, PART)
    print("  items   whole   start   an item  processor  memory    main  worker   means")
    found = []
    for items in lengths:
        runs = [timed(args, items) for _ in range(REPEATS if items <= SHORT else 1)]
        found.append({name: statistics.median(run[name] for run in runs) for name in runs[0]})
        print(row(found[-1]), flush=True)
    compare(found[0], found[-1])


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
    more = max(1, items - PART)
    found["clock each"] = 1000 * (found["clock"] - found["start"]) / more
    found["work each"] = 1000 * (found["work"] - found["start work"]) / more
    return {"items": items, **found}


def row(found: Measures) -> str:
    """The measures of one length in columns."""
    memory = " ".join(f"{found[name]:4.0f} MB" for name in ("memory", "main", "worker", "means"))
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
        ("memory", "peak memory of all processes", MEMORY),
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
    from hyperbaton.pipeline import Files, Job, Pair, execute
    from hyperbaton.studies.wordorder import WordOrder
    from hyperbaton.studies.wordorder_summary import summarise

    design = WordOrder()
    paths = (str(folder / "source"), str(folder / "reference"))
    job = Job(
        design,
        (Files(Pair.parse(languages), paths),),
        ("cmd:cat",),
        part=PART,
        workers=workers,
        cache=folder / "cache",
    )
    first: list[float] = []
    parts = threading.Thread(target=wait_for_scores, args=(folder / "run", first), daemon=True)
    parts.start()
    run = execute(job, folder / "run")
    clock, work = time.monotonic() - began, processor_time()
    main_peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    worker_peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    summarise([run], design.variants)
    return {
        "start": first[0] - began,
        "start work": first[1],
        "clock": clock,
        "work": work,
        "memory": main_peak + workers * worker_peak,
        "main": main_peak,
        "worker": worker_peak,
        "means": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def processor_time() -> float:
    """Seconds of processor time of this process, those it ended, and its workers."""
    times = os.times()
    total = times.user + times.system + times.children_user + times.children_system
    for worker in multiprocessing.active_children():
        fields = Path(f"/proc/{worker.pid}/stat").read_text().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def wait_for_scores(folder: Path, first: list[float]) -> None:
    """Note when the first part of scores is there, and the work until then."""
    while not any(folder.glob("scores/*/*/*/*.parquet")):
        time.sleep(0.05)
    first += [time.monotonic(), processor_time()]


if __name__ == "__main__":
    main()
