"""A million probes with a fast system: memory through the run, and throughput beside its stages.

    python -m benchmarks.scale --probes 1000000
    python -m benchmarks.scale --probes 1000000 --engine ray
    python -m benchmarks.scale --probes 20000 --pause 0.002      a system that takes 2 ms a text

The corpus is made of the sentences that are shipped, with their trees (no parser runs). Memory is
the proportional share (PSS) of all processes of the run, looked up twice a second; it is given by
tenths of the run, so that growth would show. Then each stage is run alone, with the same workers:
its parts are deleted and the run is resumed, which makes them again and nothing else. On few
processors the stages share them, so beside the slowest stage alone stands the sum of all stages
alone: a run that took as long would have no overlap at all.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.made_up import MadeUp
from hyperbaton.machine import memory_in_use
from hyperbaton.pipeline import Job, Pair, Run, execute
from hyperbaton.pipeline.engines import parse_engine
from hyperbaton.pipeline.translating import Desk
from hyperbaton.studies.wordorder import WordOrder

SYSTEM = "python:benchmarks.scale:translate(batch=512)"
PAIR = Pair("en", "de")
PROBES_OF_AN_ITEM = 12
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
            workers=args.workers,
            cache=folder / "cache",
            engine=parse_engine(args.engine),
        )
        samples: list[int] = []
        clock, work = timed(lambda: execute(job, folder / "run"), samples)
        run = Run(folder / "run")
        probes = sum(part.height for part in run.parts(PAIR, columns=["item"]))
        parts = run.record.progress[str(PAIR)].parts
        print(f"{probes:,} probes in {parts:,} parts, engine {args.engine}, {os.cpu_count()} cores")
        print(f"whole run {clock:.1f} s, processor {work:.1f} s, {probes / clock:,.0f} probes/s")
        print("memory by tenths of the run, MB:", *by_tenths(samples))
        size = sum(p.stat().st_size for p in (folder / "run").rglob("*.parquet"))
        print(f"on disk {size / 1e6:.1f} MB, {size / probes:.0f} bytes a probe")
        if args.stages:
            alone(job, folder, clock)


def alone(job: Job, folder: Path, clock: float) -> None:
    """Each stage by itself, and how the whole run compares."""
    found = {}
    for stage, kinds in (("probes", ["probes"]), ("scores", ["scores", "measures"])):
        for kind in kinds:
            shutil.rmtree(folder / "run" / kind)
        found[stage], _ = timed(lambda: execute(job, folder / "run"), [])
    found["translations"], _ = timed(lambda: translations(folder), [])
    nothing, _ = timed(lambda: execute(job, folder / "run"), [])
    print(f"a resumed run that finds everything done: {nothing:.1f} s (in each of the next two)")
    for stage, took in found.items():
        print(f"{stage} alone: {took:.1f} s")
    slowest, total = max(found.values()), sum(found.values())
    print(f"the whole run takes × {clock / slowest:.2f} of its slowest stage alone")
    print(f"and × {clock / total:.2f} of all stages one after the other")


def translations(folder: Path) -> None:
    """All parts through the translator and nothing else, without stored translations."""
    run = Run(folder / "run")
    with Desk(SYSTEM, "text", PAIR, None, False) as desk:
        for part in range(run.record.progress[str(PAIR)].parts):
            target = folder / "alone" / f"part-{part:05d}.parquet"
            desk.translate(run.layout.probes(PAIR, part), target, "", unseen)


def unseen(rows: int) -> Callable[..., None]:
    """No bar."""
    return lambda steps=1: None


def timed(work: Callable[[], object], samples: list[int]) -> tuple[float, float]:
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
    return time.monotonic() - began, processor() - before


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
