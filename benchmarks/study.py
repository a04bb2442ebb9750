"""What a whole study costs beside the translations in it, and beside a script after the paper.

    python -m benchmarks.study FILE.en FILE.de [--items 1000] [--system bundled] [--rounds 1]

Each round runs these as new processes, in an order drawn anew, and notes processor time (of the
process and all that it starts) and time by the clock, start and models included:

- `script`: the plain reading of the paper with a system that copies, without any translation
  (`benchmarks.wordorder`): spaCy one by one, nltk's sentence BLEU and edit distance, its means;
- `copy, cold`: `hyperbaton wordorder FILES --system copy` as anyone types it, with an empty cache;
- `copy, warm`: the same again in another folder, with the parses of the run before;
- each system, `whole`: the same command with the system, with an empty cache;
- each system, `translations`: the texts of that study through the same translator, each once, and
  nothing else. `without start` leaves out imports and the loading of the model.

Then, for each system, a run in one process with its processor time by stage, which says where it
goes; its threads are counted with the stage that waits for them. Languages are read from the ends
of the files' names unless -l says them. Kernels are compiled before the clock starts, as they are
after the first use of an installation.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.paper_script import Timed, timed

SYSTEM = "bundled(beam=1)"


def main() -> None:
    """Time everything in turns, then print medians, ratios and stages."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path)
    parser.add_argument("reference", type=Path)
    parser.add_argument("-l", "--languages", help="default: the ends of the files' names")
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--system", action="append", help=f"repeat for more; default: {SYSTEM}")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--no-script", action="store_true", help="leave the plain script out")
    parser.add_argument("--no-systems", action="store_true", help="only the script and `copy`")
    parser.add_argument("--only", choices=("translations", "stages"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    ends = (path.suffix.lstrip(".") for path in (args.source, args.reference))
    args.languages = args.languages or "-".join(ends)
    systems = [] if args.no_systems else args.system or [SYSTEM]
    if args.only:
        tasks = {"translations": translations, "stages": stages}
        print(json.dumps(tasks[args.only](args, systems[0])))
        return
    found: dict[str, list[Timed]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for system in ("copy", *systems):
            timed(command(args, system, folder / "first" / system, 20))
        for _ in range(args.rounds):
            for contest in contests(args, systems, folder):
                for title, took in contest():
                    found[title].append(took)
        print_medians(args, found, systems)
        for system in systems:
            with fresh_cache(folder):
                inside = json.loads(timed(again(args, system, "stages")).printed)
            told = ", ".join(f"{stage} {took:.1f}" for stage, took in inside.items())
            print(f"{system} in one process, processor seconds by stage: {told}")


def contests(
    args: argparse.Namespace, systems: list[str], folder: Path
) -> list[Callable[[], Iterator[tuple[str, Timed]]]]:
    """What is timed in one round, in an order of chance."""

    def script() -> Iterator[tuple[str, Timed]]:
        loop = (sys.executable, "-m", "benchmarks.wordorder", args.source, args.reference)
        given = (args.languages, "--items", args.items, "--only", "loop")
        yield "script", timed([str(word) for word in (*loop, *given)])

    def copy() -> Iterator[tuple[str, Timed]]:
        with fresh_cache(folder) as out:
            yield "copy, cold", timed(command(args, "copy", out / "cold", args.items))
            yield "copy, warm", timed(command(args, "copy", out / "warm", args.items))

    def whole(system: str) -> Iterator[tuple[str, Timed]]:
        with fresh_cache(folder) as out:
            run = out / "whole"
            yield f"{system}, whole", timed(command(args, system, run, args.items))
            # The same texts, with nothing stored.
            os.environ["STUDY"] = str(run)
            alone = timed(again(args, system, "translations"))
            yield f"{system}, translations", alone
            inside = Timed(**json.loads(alone.printed), printed="")
            yield f"{system}, translations without start", inside

    def of(system: str) -> Callable[[], Iterator[tuple[str, Timed]]]:
        return lambda: whole(system)

    drawn = [copy, *map(of, systems)] + ([] if args.no_script else [script])
    random.shuffle(drawn)
    return drawn


@contextmanager
def fresh_cache(folder: Path) -> Iterator[Path]:
    """A folder for runs, and an empty cache for the processes that are started."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        before = os.environ.get("HYPERBATON_CACHE")
        os.environ["HYPERBATON_CACHE"] = str(Path(name) / "cache")
        try:
            yield Path(name)
        finally:
            del os.environ["HYPERBATON_CACHE"]
            if before is not None:
                os.environ["HYPERBATON_CACHE"] = before


def command(args: argparse.Namespace, system: str, out: Path, items: int) -> list[str]:
    """The study as it is typed, with its report."""
    return [
        *(sys.executable, "-m", "hyperbaton", "wordorder", str(args.source), str(args.reference)),
        *("-l", args.languages, "--limit", str(items), "--system", system, "--out", str(out)),
    ]


def again(args: argparse.Namespace, system: str, only: str) -> list[str]:
    """This script with one task."""
    return [
        *(sys.executable, "-m", "benchmarks.study", str(args.source), str(args.reference)),
        *("-l", args.languages, "--items", str(args.items), "--system", system, "--only", only),
    ]


def translations(args: argparse.Namespace, system: str) -> dict[str, float]:
    """The texts of a study through its translator, each once, and what that took."""
    from hyperbaton.pipeline import Pair, Run
    from hyperbaton.systems.execution import translate_all
    from hyperbaton.systems.system import SYSTEMS

    pair, run = Pair.parse(args.languages), Run(Path(os.environ["STUDY"]))
    texts: dict[str, None] = {}
    for part in run.parts(pair, columns=["source", "varied"]):
        texts |= dict.fromkeys([*part["source"], *part["varied"]])
    with SYSTEMS.parse(system).open(pair.source, pair.target) as translator:
        clock, work = time.perf_counter(), time.process_time()
        translate_all(translator, list(texts))
        return {"wall": time.perf_counter() - clock, "processor": time.process_time() - work}


def stages(args: argparse.Namespace, system: str) -> dict[str, float]:
    """The command in this process, its processor time by stage."""
    took: dict[str, float] = {}
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command, before NumPy is loaded
    began = time.process_time()
    from hyperbaton import report
    from hyperbaton.alignment import reading
    from hyperbaton.cli import main as command_line
    from hyperbaton.pipeline.stages import probing, scoring
    from hyperbaton.pipeline.stages.translating import Desk
    from hyperbaton.studies.layer import session

    def watch(place: Any, name: str, title: str, inside_of: str = "") -> None:
        work = getattr(place, name)

        def timed_work(*arguments: Any, **named: Any) -> Any:
            start = time.process_time()
            value = work(*arguments, **named)
            spent = time.process_time() - start
            took[title] = took.get(title, 0.0) + spent
            if inside_of:
                took[inside_of] = took.get(inside_of, 0.0) - spent
            return value

        setattr(place, name, timed_work)

    watch(probing, "make_probes", "parse and vary")
    watch(scoring, "score_part", "score")
    watch(scoring, "judge", "outcomes")
    watch(reading, "read_there", "second look", inside_of="outcomes")
    watch(reading, "read_back", "third look", inside_of="outcomes")
    watch(Desk, "make", "translate")
    watch(session, "contents_of", "contents")
    watch(report, "write_report", "page")
    out = tempfile.mkdtemp()
    given = command(args, system, Path(out) / "run", args.items)[3:]
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    command_line.main([*given, "--workers", "0"])
    sys.stdout = sys.__stdout__
    whole = time.process_time() - began
    return {**took, "start and all else": whole - sum(took.values()), "whole": whole}


def print_medians(
    args: argparse.Namespace, found: dict[str, list[Timed]], systems: list[str]
) -> None:
    """A row for each contestant, then the ratios."""

    def median(title: str, clock: str) -> float:
        return float(statistics.median(getattr(took, clock) for took in found[title]))

    print(f"{args.items} items, {args.languages}, {args.rounds} rounds      processor   clock")
    for title in sorted(found):
        print(f"{title:<44} {median(title, 'processor'):7.1f} s {median(title, 'wall'):7.1f} s")

    def ratio(one: str, other: str) -> None:
        by = [median(one, clock) / median(other, clock) for clock in ("processor", "wall")]
        print(f"{one} / {other}: × {by[0]:.2f} (by the clock × {by[1]:.2f})")

    for system in systems:
        ratio(f"{system}, whole", f"{system}, translations")
        ratio(f"{system}, whole", f"{system}, translations without start")
    if not args.no_script:
        ratio("script", "copy, cold")
        ratio("script", "copy, warm")


if __name__ == "__main__":
    main()
