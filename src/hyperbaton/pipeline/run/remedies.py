"""What helps a run in which systems failed on some rows."""

from __future__ import annotations

from collections.abc import Mapping

from hyperbaton.base.spec import split
from hyperbaton.pipeline.design import Pair
from hyperbaton.pipeline.run.completeness import Failures
from hyperbaton.systems.faults import NO_TRANSLATION
from hyperbaton.systems.system import SYSTEMS

__all__ = ["remedies", "remedy"]

_SHOWN = 3


def remedy(system: str, failures: Failures, command: str = "the same command") -> str:
    """What to do about the rows of a system, or nothing where nothing helps.

    A system that answers with nothing, or without end, would do so again, and the store knows it.
    """
    if NO_TRANSLATION.issuperset(failures.reasons):
        return ""
    if split(system).name in SYSTEMS.names():
        return SYSTEMS.parse(system).remedy(command)
    return f"run {command} again to ask for them"


def remedies(found: Mapping[tuple[str, Pair], Failures]) -> str:
    """What to do about all rows that failed, in one sentence."""
    said: dict[str, list[str]] = {}
    for (system, _), failures in found.items():
        named = said.setdefault(remedy(system, failures), [])
        named.extend([system] if system not in named else [])
    helping = {text: systems for text, systems in said.items() if text}
    if len(said) == 1:
        return next(iter(helping), "")
    told = [f"for {', '.join(some)}, {text}" for text, some in helping.items()]
    more = ["and so on for the others"] if len(told) > _SHOWN else []
    return "; ".join([*told[:_SHOWN], *more])
