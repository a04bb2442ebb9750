"""The systems of one or several runs under names that tell them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hyperbaton.pipeline import Pair, Run
from hyperbaton.pipeline.labels import system_labels

__all__ = ["CONTROLS", "Source", "short_names", "sources"]

CONTROLS = ("oracle", "literal", "projected", "copy", "gloss")
"""Systems that show what a number means; no mean over systems includes one."""


class Source(NamedTuple):
    """One system on one language pair: what it is called in a report, and where it lies."""

    system: str
    pair: Pair
    run: Run
    name: str
    """Its name in the run."""
    pole: bool = False
    short: str = ""
    """What it is called where the run need not be named."""

    @property
    def control(self) -> bool:
        """Whether it is no translator to be judged, though it was asked for."""
        return self.name.partition("(")[0] in CONTROLS

    def __str__(self) -> str:
        return f"{self.system}, {self.pair}"


def sources(runs: Sequence[Run], with_runs: bool = True) -> list[Source]:
    """Every system on every pair, then the poles, each of which counts once.

    A system that two runs have is told apart by the run's name, `with_runs`.
    """
    found = [
        Source(label, pair, run, system, short=short)
        for label, short, run, system in _labels(runs, with_runs)
        for pair in run.pairs_of(system)
    ]
    seen: set[tuple[str, Pair]] = set()
    for run in runs:
        for pole in run.poles:
            for pair in run.pairs_of(pole):
                if (pole, pair) not in seen and pole not in run.systems:
                    seen.add((pole, pair))
                    found.append(Source(pole, pair, run, pole, pole=True, short=pole))
    return found


def _labels(runs: Sequence[Run], with_runs: bool) -> Iterator[tuple[str, str, Run, str]]:
    owners = Counter(system for run in runs for system in run.systems)
    names = Counter(run.folder.name for run in runs)
    short = system_labels(owners)
    for run in runs:
        folder = run.folder.name if names[run.folder.name] == 1 else str(run.folder)
        for system in run.systems:
            shared = with_runs and owners[system] > 1
            plain = short[system]
            yield f"{plain} in {folder}" if shared else plain, plain, run, system


def short_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names cut where they begin to tell nothing new, for tables and axes.

    >>> short_names(("xlm-roberta-large.pawsx.ML128.1", "xlm-roberta-base.pawsx.ML128.2"))
    ('xlm-roberta-large', 'xlm-roberta-base')
    >>> short_names(("hf-pair:/models/a.b/mbert(commutative=true)", "lexical"))
    ('hf-pair:mbert', 'lexical')
    """
    short = tuple(_stem(name) for name in names)
    return short if len(set(short)) == len(short) else names


def _stem(name: str) -> str:
    head, brackets, _ = name.partition("(")
    scheme, colon, place = head.partition(":")
    if colon and "/" in place:
        head = f"{scheme}:{place.rstrip('/').rsplit('/', 1)[-1]}"
    return head.partition(".pawsx")[0] if not brackets or colon else name
