"""Limits on time, memory and money: a run that reaches one stops, and can be resumed."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from hyperbaton.base.content import read_object
from hyperbaton.base.errors import HyperbatonError, OutOfBudget
from hyperbaton.base.files import write_text
from hyperbaton.base.processes import memory_in_use
from hyperbaton.base.wording import counted
from hyperbaton.pipeline.options import RunOptions
from hyperbaton.pipeline.run.layout import Layout

_RESUME = "run the same command again, which resumes the run"
_SECONDS_BETWEEN_LOOKS = 1.0
MILLION = 1_000_000
_AHEAD = 16
"""Texts that are entered as spent before they are sent; a kill leaves so many too much."""


class Watch:
    """Looks at the clock and at the memory of this process; begins when it is made."""

    def __init__(self, options: RunOptions) -> None:
        self._options = options
        self._began = time.monotonic()
        self._looked = -_SECONDS_BETWEEN_LOOKS

    @property
    def left(self) -> float | None:
        """Seconds that are left, None for as many as there may be."""
        if self._options.time_limit is None:
            return None
        return self._options.time_limit - (time.monotonic() - self._began)

    def check(self) -> None:
        """Raise OutOfBudget where time is up or memory is short."""
        if self.left is not None and self.left <= 0:
            raise OutOfBudget(
                f"--time-limit is reached, after {time.monotonic() - self._began:.0f} seconds: "
                f"{_RESUME}"
            )
        if self._options.max_memory is None or self._began_to_look():
            return
        used = memory_in_use() or 0
        if used > self._options.max_memory:
            raise OutOfBudget(
                f"--max-memory {self._options.max_memory / 1e9:.4g}G is reached: the run takes "
                f"{used / 1e9:.4g} GB; with fewer --workers or more memory, {_RESUME}"
            )

    def _began_to_look(self) -> bool:
        """Whether memory was looked at a moment ago: a look takes milliseconds."""
        now = time.monotonic()
        if now - self._looked < _SECONDS_BETWEEN_LOOKS:
            return True
        self._looked = now
        return False


class Purse:
    """What a run has spent, on disk before anything is sent, so that a kill hides nothing."""

    def __init__(self, path: Path, options: RunOptions) -> None:
        self._path = path
        self._options = options
        self._spent = _read(path) if path.exists() else {}
        self._written = dict(self._spent)
        self._lock = threading.Lock()

    @property
    def spent(self) -> float:
        """All of it."""
        return sum(self._spent.values())

    def pay(self, system: str, texts: int, characters: int) -> str | None:
        """Enter what texts will cost; or the sentence that there is not enough left."""
        cost = characters * self._options.prices[system] / MILLION
        most = self._options.max_cost
        with self._lock:
            if most is not None and self.spent + cost > most:
                return (
                    f"--max-cost {most:g} is reached: {self.spent:.4g} is spent, and the next "
                    f"{counted(texts, 'text')} for {system} would cost {cost:.4g}; nothing was "
                    "sent. Run the same command with a larger --max-cost, which resumes the run"
                )
            self._spent[system] = self._spent.get(system, 0.0) + cost
            if self._spent[system] > self._written.get(system, 0.0):
                # A disk takes longer than many a request, so a few more are entered with it.
                ahead = _AHEAD * cost / texts
                ahead = ahead if most is None else min(ahead, most - self.spent)
                self._write({**self._spent, system: self._spent[system] + ahead})
            return None

    def settle(self) -> None:
        """Enter what was spent, neither more nor less."""
        with self._lock:
            if self._written != self._spent:
                self._write(self._spent)

    def _write(self, spent: Mapping[str, float]) -> None:
        write_text(self._path, json.dumps(spent, indent=2) + "\n")
        self._written = dict(spent)


class Till:
    """The watch and the purse of a run in one process."""

    def __init__(self, layout: Layout, options: RunOptions, watch: Watch) -> None:
        self.watch = watch
        self._prices = options.prices
        self._purse = Purse(layout.costs, options) if options.prices else None

    def before(self, system: str, texts: Sequence[str]) -> None:
        """Raise OutOfBudget unless these texts may be sent to a system, or work may go on."""
        self.watch.check()
        if texts and self._purse is not None and system in self._prices:
            complaint = self._purse.pay(system, len(texts), sum(map(len, texts)))
            if complaint is not None:
                raise OutOfBudget(complaint)

    def close(self) -> None:
        """Enter what was spent."""
        if self._purse is not None:
            self._purse.settle()


def _read(path: Path) -> dict[str, float]:
    try:
        spent = {name: float(value) for name, value in read_object(path).items()}
        # What is no number is more than no limit.
        if not all(0 <= value < math.inf for value in spent.values()):
            raise ValueError("no sum")
        return spent
    except (HyperbatonError, ValueError, TypeError, OverflowError):
        raise HyperbatonError(
            f"{path} is damaged and no longer says what was spent: write the sum into it, as "
            '{"system": 1.25}, or choose another folder with --out'
        ) from None
