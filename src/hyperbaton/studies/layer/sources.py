"""The systems of one or several runs under names that tell them apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hyperbaton.base.spec import split
from hyperbaton.pipeline import Pair, Run

CONTROLS = ("oracle", "literal", "projected", "copy", "gloss")
"""Systems that show what a number means: in no mean over systems, ranking, claim or bold cell."""
MODE = re.compile(r"\bmode=(robust|faithful)\b")
"""What tells a system to repair the order of words, or to carry it over."""


def is_control(system: str) -> bool:
    """Whether it is no translator to be judged.

    >>> is_control("gloss(order=1)"), is_control("bundled")
    (True, False)
    """
    return system.partition("(")[0] in CONTROLS


def is_recorded(system: str) -> bool:
    """Whether its translations were made elsewhere, so that it cannot be asked again.

    >>> is_recorded("file:out.de"), is_recorded("ct2:file")
    (True, False)
    """
    return system.partition(":")[0] in ("file", "recorded")


def systems_of_claims(systems: Iterable[str]) -> list[str]:
    """Those that the claims of papers are tested on: none that was told what to do, no controls.

    Where there are controls alone, they are what is asked about.

    >>> systems_of_claims(["copy", "bundled", "steered(mode=robust)"]), systems_of_claims(["copy"])
    (['bundled'], ['copy'])
    """
    named = list(systems)
    real = [system for system in named if not is_control(system)]
    return [system for system in real or named if not MODE.search(system)]


def with_claimed(sentence: str, systems: Iterable[str]) -> str:
    """A sentence on claims, and another where they are not tested on all of the systems.

    >>> with_claimed("", ["bundled", "steered(mode=robust)", "copy"])
    'No claim is tested on steered(mode=robust), which was told what to do, or on copy, a control.'
    """
    named = list(dict.fromkeys(systems))
    claimed = systems_of_claims(named)
    told = [system for system in named if MODE.search(system)]
    controls = [s for s in named if is_control(s) and s not in (*claimed, *told)]
    parts = []
    if told:
        were = "was" if len(told) == 1 else "were"
        parts.append(f"on {', '.join(told)}, which {were} told what to do")
    if controls:
        kind = "a control" if len(controls) == 1 else "controls"
        parts.append(f"on {', '.join(controls)}, {kind}")
    return f"{sentence} No claim is tested {', or '.join(parts)}.".strip() if parts else sentence


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
        return is_control(self.name)

    @property
    def corpus(self) -> tuple[str, str]:
        """The language pair, and the texts of it."""
        pair = str(self.pair)
        return pair, self.run.record.corpora.get(pair, self.run.folder.name)

    def __str__(self) -> str:
        return f"{self.system}, {self.pair}"


def sources(runs: Sequence[Run], with_runs: bool = True) -> list[Source]:
    """Every system on every pair, then the poles, each of which counts once.

    A system that two runs have is told apart by the run's name, `with_runs`.
    """
    owners = Counter(system for run in runs for system in run.systems)
    folders = Counter(run.folder.name for run in runs)
    short = system_labels(owners)
    found = []
    for run in runs:
        folder = run.folder.name if folders[run.folder.name] == 1 else str(run.folder)
        for system in run.systems:
            name = short[system]
            label = f"{name} in {folder}" if with_runs and owners[system] > 1 else name
            found += [Source(label, p, run, system, short=name) for p in run.pairs_of(system)]
    poles: dict[tuple[str, Pair], Source] = {}
    for run in runs:
        for pole in run.poles:
            for pair in run.pairs_of(pole) if pole not in run.systems else ():
                poles.setdefault((pole, pair), Source(pole, pair, run, pole, True, pole))
    return [*found, *poles.values()]


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


_PATH = re.compile(r"(\w+:)([^\s@()]*/)([^/\s@()]+)/?(\(.*\))?")
"""A system that is named by a path, with or without options."""


def system_labels(systems: Iterable[str]) -> dict[str, str]:
    """Each system without the folders of its path, where that still tells it from the others.

    A name of two parts stays whole: it may be a hub's.

    >>> names = system_labels(["ct2:/home/me/news(beam=1)", "hf:facebook/nllb", "cmd:sed s/a/b/"])
    >>> list(names.values())
    ['ct2:news(beam=1)', 'hf:facebook/nllb', 'cmd:sed s/a/b/']
    >>> list(system_labels(["file:/out/1.txt(name=GPT-4)"]).values())
    ['GPT-4']
    >>> list(system_labels(["ct2:/a/b/model", "ct2:/a/c/model"]).values())
    ['ct2:/a/b/model', 'ct2:/a/c/model']
    """
    short = {system: _named(system) or _short(system) for system in dict.fromkeys(systems)}
    owners = Counter(short.values())
    return {system: name if owners[name] == 1 else system for system, name in short.items()}


def _named(system: str) -> str:
    """The name that the user gave to a system: `file:out.txt(name=GPT-4)`."""
    return str(split(system).options.get("name", "")) if "name=" in system else ""


def _short(system: str) -> str:
    found = _PATH.fullmatch(system)
    if found is None or "//" in system:
        return system
    kind, folders, name, options = found.groups(default="")
    is_local = folders[0] in "/.~" or folders.count("/") > 1
    return f"{kind}{name}{options}" if is_local else system
