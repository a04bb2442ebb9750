"""A million probes with a fast system: memory through the run, and throughput beside its stages.

    python -m benchmarks.scale --probes 1000000 --pause 0.0005    2,000 texts a second
    python -m benchmarks.scale --probes 1000000                   a system that takes no time
    python -m benchmarks.scale --probes 1000000 --engine ray

The corpus is made of the sentences that are shipped, with their trees (no parser runs). Memory is
the proportional share (PSS) of all processes of the run, looked up twice a second; it is given by
tenths of the run, so that growth would show. Then the numbers and the report are made, with their
own memory, and each stage is run alone, with the same workers:
its parts are deleted and the run is resumed, which makes them again and nothing else. On few
processors the stages share them, so beside the slowest stage alone stands the sum of all stages
alone: a run that took as long would have no overlap at all. The start (workers, their libraries and
parsers) is that of a run on 16 items; it is in the time of every stage.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from benchmarks.made_up import MadeUp
from hyperbaton.base.processes import cores, memory_in_use
from hyperbaton.pipeline import Job, Pair, Run, RunOptions, execute
from hyperbaton.pipeline.options import PART, parse_engine
from hyperbaton.pipeline.stages.translating import Desk, Outputs
from hyperbaton.studies.wordorder import WordOrder
from hyperbaton.systems.store.store import working_store

SYSTEM = "python:benchmarks.scale:translate(batch=512)"
PAIR = Pair("en", "de")
PROBES_OF_AN_ITEM = 14
"""About as many as apply, for the size of the corpus; what is printed is counted."""


def translate(texts: list[str]) -> list[str]:
    """A fast system: the words in capital letters."""
    time.sleep(float(os.environ.get("PAUSE", "0")) * len(texts))
    return [text.upper() for text in texts]


def main() -> None:
    """The whole run, then its stages."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--probes", type=int, default=1_000_000)
    parser.add_argument("--engine", default="local")
    parser.add_argument("--workers", type=int, help="default: as a run chooses")
    parser.add_argument("--pause", type=float, default=0.0, help="seconds for each text")
    parser.add_argument("-m", "--metric", action="append", help="default: those of the study")
    parser.add_argument("--poles", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--stages", action=argparse.BooleanOptionalAction, default=True)
    args = parser.parse_args()
    os.environ["PAUSE"] = str(args.pause)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        job = Job(
            WordOrder(),
            (MadeUp(PAIR, max(1, args.probes // PROBES_OF_AN_ITEM)),),
            (SYSTEM,),
            tuple(args.metric or ()),
            options=RunOptions(
                poles=args.poles,
                workers=args.workers,
                cache=folder / "cache",
                engine=parse_engine(args.engine),
            ),
        )
        workers = job.options.workers_for(args.probes // PROBES_OF_AN_ITEM // PART)
        few = replace(
            job, corpora=(MadeUp(PAIR, 16),), options=replace(job.options, workers=workers)
        )
        execute(few, folder / "first")  # fills the machine's file cache
        start = timed(lambda: execute(few, folder / "start"), [])
        samples: list[int] = []
        whole = timed(lambda: execute(job, folder / "run"), samples)
        run = Run(folder / "run")
        probes = sum(part.height for part in run.parts(PAIR, columns=["item"]))
        parts = run.record.progress[str(PAIR)].parts
        print(f"{probes:,} probes in {parts:,} parts, engine {args.engine}, {cores()} cores")
        print(f"{len(run.record.systems)} systems, {', '.join(run.metrics)}, {workers} workers")
        print(f"whole run {whole.told()}, of it the start {start.told()}")
        print(f"after the start {probes / (whole.clock - start.clock):,.0f} probes/s")
        print("memory by tenths of the run, MB:", *by_tenths(samples))
        print("bytes a probe on disk:", told_sizes(folder, probes))
        peaks: list[int] = []
        numbers = timed(lambda: peaks.append(report(run, folder)), [])
        print(f"numbers and report {numbers.told()}, at most {peaks[0] / 1e6:.0f} MB", flush=True)
        if args.stages:
            alone(job, folder, whole)


REPORT = """
import resource, sys
from pathlib import Path
from hyperbaton.pipeline import Run
from hyperbaton.report import write_report
from hyperbaton.studies.wordorder import WordOrder

write_report(WordOrder().contents([Run(Path(sys.argv[1]))]), Path(sys.argv[2]))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def report(run: Run, folder: Path) -> int:
    """Means, intervals, findings and the page in a process of its own; its largest memory."""
    command = [sys.executable, "-c", REPORT, str(run.folder), str(folder / "report.html")]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return int(done.stdout)


class Took(NamedTuple):
    """Seconds by the clock, and of processor time of all processes."""

    clock: float
    work: float

    def told(self) -> str:
        """In words."""
        return f"{self.clock:.1f} s (processor {self.work:.1f} s)"


def told_sizes(folder: Path, probes: int) -> str:
    """What each kind of parts takes, for the cost model."""
    run = folder / "run"
    sizes = {
        kind: sum(p.stat().st_size for p in (run / kind).rglob("*.parquet")) / probes
        for kind in ("probes", "measures", "outputs", "scores", "whole")
    }
    store = sum(p.stat().st_size for p in (folder / "cache").glob("translations*")) / probes
    return ", ".join(f"{kind} {size:.0f}" for kind, size in {**sizes, "store": store}.items())


def alone(job: Job, folder: Path, whole: Took) -> None:
    """Each stage by itself, and how the whole run compares."""
    found = {}
    stages = {
        "probes": ["probes"],
        "scores": ["scores", "measures"],
        "outcomes": ["whole"],
    }
    for stage, kinds in stages.items():
        for kind in kinds:
            shutil.rmtree(folder / "run" / kind)
        found[stage] = timed(lambda: execute(job, folder / "run"), [])
    found["translations"] = timed(lambda: translations(folder), [])
    nothing = timed(lambda: execute(job, folder / "run"), [])
    print(f"a resumed run that finds everything done: {nothing.told()}")
    for stage, took in found.items():
        print(f"{stage} alone: {took.told()}")
    clocks = [took.clock for took in found.values()]
    print(f"the whole run takes × {whole.clock / max(clocks):.2f} of its slowest stage alone")
    print(f"and × {whole.clock / sum(clocks):.2f} of all stages one after the other")


def translations(folder: Path) -> None:
    """All parts through the translator and nothing else, into a new store, as the run does it."""
    run = Run(folder / "run")
    with working_store(folder / "alone") as store, closing(Desk(SYSTEM, PAIR)) as desk:
        desk.sign(store, lambda texts: None)
        for part in range(run.record.progress[str(PAIR)].parts):
            target = folder / "alone" / f"part-{part:05d}.parquet"
            desk.make(Outputs(run.layout.probes(PAIR, part), target, "", ()), unseen)


def unseen(texts: int) -> Callable[..., None]:
    """No bar."""
    return lambda steps=1: None


def timed(work: Callable[[], object], samples: list[int]) -> Took:
    """Seconds by the clock and of processor time; memory is noted meanwhile."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.5):
            samples.append(memory_in_use() or 0)

    watcher = threading.Thread(target=look)
    watcher.start()
    before, began = processor(), time.monotonic()
    try:
        work()
    finally:
        over.set()
        watcher.join()
    return Took(time.monotonic() - began, processor() - before)


def processor() -> float:
    """Seconds of processor time of this process and of those that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def by_tenths(samples: list[int]) -> list[str]:
    """The largest sample of each tenth of the run."""
    if len(samples) < 10:
        return [f"{max(samples, default=0) / 1e6:.0f} (the run was short)"]
    step = len(samples) / 10
    cuts = [samples[int(n * step) : int((n + 1) * step)] for n in range(10)]
    return [f"{max(cut) / 1e6:.0f}" for cut in cuts]


if __name__ == "__main__":
    main()
