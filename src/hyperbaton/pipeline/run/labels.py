"""Systems under names that fit beside a chart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

__all__ = ["system_labels"]

_PATH = re.compile(r"(\w+:)([^\s@()]*/)([^/\s@()]+)/?(\(.*\))?")
"""A system that is named by a path, with or without options."""


def system_labels(systems: Iterable[str]) -> dict[str, str]:
    """Each system without the folders of its path, where that still tells it from the others.

    A name of two parts stays whole: it may be a hub's.

    >>> names = system_labels(["ct2:/home/me/news(beam=1)", "hf:facebook/nllb", "cmd:sed s/a/b/"])
    >>> list(names.values())
    ['ct2:news(beam=1)', 'hf:facebook/nllb', 'cmd:sed s/a/b/']
    >>> list(system_labels(["ct2:/a/b/model", "ct2:/a/c/model"]).values())
    ['ct2:/a/b/model', 'ct2:/a/c/model']
    """
    short = {system: _short(system) for system in dict.fromkeys(systems)}
    owners = Counter(short.values())
    return {system: name if owners[name] == 1 else system for system, name in short.items()}


def _short(system: str) -> str:
    found = _PATH.fullmatch(system)
    if found is None or "//" in system:
        return system
    kind, folders, name, options = found.groups(default="")
    is_local = folders[0] in "/.~" or folders.count("/") > 1
    return f"{kind}{name}{options}" if is_local else system
