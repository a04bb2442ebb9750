"""Why tests were skipped: a line a reason, with its count, in place of a line a test."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import pytest

__all__ = ["pytest_terminal_summary", "reason_counts"]

_MISSING = re.compile(r"(?:could not import|No module named) '(\w+)")
_EXAMPLES = "unable to import module "
"""Begins what pytest says of a file whose examples it cannot run without an optional package."""


def reason_counts(reasons: Iterable[str]) -> list[tuple[str, int]]:
    """Each reason with its count, the most frequent first; modules of one package are one reason.

    >>> reason_counts(["Skipped: could not import 'errant': …", "Skipped: no chromium"])
    [('errant is not installed', 1), ('no chromium', 1)]
    """
    counts: Counter[str] = Counter()
    for reason in reasons:
        missing = _MISSING.search(reason)
        plain = reason.removeprefix("Skipped: ")
        if plain.startswith(_EXAMPLES):
            plain = "examples of a module that needs an optional package"
        counts[f"{missing[1]} is not installed" if missing else plain] += 1
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    return report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the reasons beneath the results."""
    skipped = terminalreporter.stats.get("skipped", [])
    if not skipped:
        return
    terminalreporter.section("skipped, by reason")
    for reason, count in reason_counts(map(_reason, skipped)):
        terminalreporter.write_line(f"{count:5}  {reason}")
