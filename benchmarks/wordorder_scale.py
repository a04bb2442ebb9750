"""The word-order study on corpora of two lengths: seconds an item, and peak memory.

    python benchmarks/wordorder_scale.py SOURCE REFERENCE en-es [--items 1000 --items 50000]

The lines of the files are repeated, each time with another number in front, until there are
enough items. Every length is a run of its own in a fresh process with empty caches: corpus,
parsers, 16 perturbations, a translator behind a pipe (`cmd:cat`, stored as any other), three
metrics, two poles; then the means with their intervals. `first` is the time until the first part
is scored (imports, models, workers); `an item` is what each item takes after that, by the clock
and in processor time of all processes; memory is the peak of the main process before and after the
means, and that of the largest worker.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from itertools import cycle, islice
from pathlib import Path

PART = 256


def main() -> None:
    """One row a length."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path)
    parser.add_argument("reference", type=Path)
    parser.add_argument("languages")
    parser.add_argument("--items", type=int, action="append", help="default: 1000 and 50000")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.folder:
        print(json.dumps(measure(args.folder, args.languages, args.workers)))
        return
    print("  items   first   an item  processor    whole    main   means  worker")
    for items in args.items or [1000, 50_000]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write(folder / "source", args.source, items)
            write(folder / "reference", args.reference, items)
            command = [sys.executable, __file__, *sys.argv[1:], "--folder", name]
            environment = {**os.environ, "HYPERBATON_CACHE": str(folder / "cache")}
            done = subprocess.run(
                command, check=True, stdout=subprocess.PIPE, text=True, env=environment
            )
            found = json.loads(done.stdout)
        rest = max(1, items - PART)
        each = (found["whole"] - found["first"]) / rest
        work = (found["work"] - found["first work"]) / rest
        print(
            f"{items:>7,} {found['first']:>6.1f}s {1000 * each:>7.2f}ms {1000 * work:>8.2f}ms "
            f"{found['whole']:>7.1f}s {found['main']:>4.0f} MB {found['means']:>4.0f} MB "
            f"{found['worker']:>4.0f} MB",
            flush=True,
        )


def write(target: Path, origin: Path, items: int) -> None:
    """So many different lines, made of those of a file."""
    lines = origin.read_text(encoding="utf-8").splitlines()
    with target.open("w", encoding="utf-8") as file:
        for number, line in enumerate(islice(cycle(lines), items)):
            turn = number // len(lines)
            file.write(f"{turn}: {line}\n" if turn else f"{line}\n")


def measure(folder: Path, languages: str, workers: int) -> dict[str, float]:
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
    first: list[tuple[float, float]] = []
    watch = threading.Thread(target=wait_for_scores, args=(folder / "run", first), daemon=True)
    watch.start()
    run = execute(job, folder / "run")
    whole, work = time.monotonic() - began, processor_time()
    main_peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    summarise([run], design.variants)
    return {
        "first": first[0][0] - began,
        "first work": first[0][1],
        "whole": whole,
        "work": work,
        "main": main_peak,
        "means": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "worker": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
    }


def processor_time() -> float:
    """Seconds of processor time of this process, those it ended, and its workers."""
    times = os.times()
    total = times.user + times.system + times.children_user + times.children_system
    for worker in multiprocessing.active_children():
        fields = Path(f"/proc/{worker.pid}/stat").read_text().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def wait_for_scores(folder: Path, first: list[tuple[float, float]]) -> None:
    """Note when the first part of scores is there, and the work until then."""
    while not any(folder.glob("scores/*/*/*/*.parquet")):
        time.sleep(0.05)
    first.append((time.monotonic(), processor_time()))


if __name__ == "__main__":
    main()
