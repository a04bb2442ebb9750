"""Does `check --baseline` find a planted loss, and is it silent where there is none?

    python -m benchmarks.gate [COPIES]

A system is `bundled` whose every word is exchanged for another one with a chance of 2 %, each copy
by its own draws: as good as every other copy, but never the same. Its worse version also loses
3 % of its words. All copies are compared with one another, and each with a worse one.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

from hyperbaton.pipeline import Pair, RunOptions, Starter
from hyperbaton.studies.layer.gate.runs import compare_runs
from hyperbaton.studies.layer.gate.scores import Change
from hyperbaton.studies.layer.running import run_study
from hyperbaton.studies.layer.session import Session
from hyperbaton.studies.surface import Surface
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.shipped.bundled import Bundled

PAIR = Pair("en", "de")
STUDY = Surface()
SIZES = (50, 100, 200)
EXCHANGED, DROPPED = 0.02, 0.03
_known: dict[str, str] = {}
_how: tuple[int, float] = (0, 0.0)


def answer(texts: Sequence[str]) -> list[str]:
    """The translations of `bundled`, as this copy spoils them."""
    new = [text for text in dict.fromkeys(texts) if text not in _known]
    found = translate_all(_bundled(), new) if new else []
    _known.update((text, one.text or text) for text, one in zip(new, found, strict=True))
    words = sorted({word for text in _known.values() for word in text.split()})[:500]
    seed, dropped = _how
    answers = []
    for text in texts:
        drawn = random.Random(f"{seed} {text}")
        said = [
            drawn.choice(words) if drawn.random() < EXCHANGED else word
            for word in _known[text].split()
        ]
        kept = [word for word in said if drawn.random() >= dropped]
        answers.append(" ".join(kept) or said[0])
    return answers


@cache
def _bundled():  # type: ignore[no-untyped-def]
    return Bundled().open("en", "de")


def _run(folder: Path, size: int, seed: int, dropped: float) -> Session:
    global _how
    _how = seed, dropped
    return run_study(
        STUDY,
        [Starter(PAIR, size)],
        ["python:benchmarks.gate:answer"],
        folder / f"{size} {seed} {dropped}",
        metrics=["chrF"],
        options=RunOptions(workers=0, cached=False),
    )


def _verdicts(changes: Sequence[Change]) -> set[str]:
    return {change.verdict for change in changes}


def main() -> None:
    """Print both shares for each number of sentences."""
    copies = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    print("sentences  pairs  worse by chance  too few  found  by score")
    with TemporaryDirectory() as folder:
        for size in SIZES:
            same = [_run(Path(folder), size, seed, 0.0).run for seed in range(copies)]
            bad = [_run(Path(folder), size, copies + seed, DROPPED).run for seed in range(copies)]
            pairs = list(combinations(same, 2))
            null = [_verdicts(compare_runs(STUDY, new, old)) for new, old in pairs]
            # Better in one direction is worse in the other.
            cries = sum(("worse" in one) + ("better" in one) for one in null)
            few = sum("undecided" in one for one in null)
            found = [compare_runs(STUDY, new, old) for new, old in zip(bad, same, strict=True)]
            hits = sum("worse" in _verdicts(one) for one in found)
            scores = Counter(c.new.name for one in found for c in one if c.verdict == "worse")
            print(
                f"{size:9}  {len(pairs):5}  {cries:3} of {2 * len(pairs):3}       "
                f"{few:7}  {hits} of {copies}  {dict(scores)}",
                flush=True,
            )


if __name__ == "__main__":
    sys.modules["benchmarks.gate"] = sys.modules["__main__"]
    main()
