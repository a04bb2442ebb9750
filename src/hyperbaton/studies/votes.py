"""The pair of labels, before translation and after it, that a strict majority of judges gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hyperbaton.base.errors import HyperbatonError

__all__ = ["OUTCOMES", "SHORT", "Votes", "majorities", "vote"]

OUTCOMES = ("[1,1]", "[0,0]", "[0,1]", "[1,0]", "∅")
"""Every pair of labels, and none: the outcome M of a vote."""
SHORT = {
    "[1,1]": "isometric",
    "[0,0]": "both different",
    "[0,1]": "made equal",
    "[1,0]": "broken apart",
    "∅": "no majority",
}
"""Each M as a reader calls it."""
NO_MAJORITY = OUTCOMES.index("∅")
_OUTCOME_OF_PAIR = np.array([OUTCOMES.index(f"[{s},{t}]") for s in (0, 1) for t in (0, 1)])


@dataclass(frozen=True, eq=False)
class Votes:
    """The outcome of each pair as a position in OUTCOMES, and the judges that gave it."""

    outcomes: NDArray[np.int64]
    agreeing: NDArray[np.bool_]
    """Items × judges; nobody where there is no majority."""

    @property
    def decided(self) -> NDArray[np.bool_]:
        """Where there is a majority."""
        return np.asarray(self.outcomes != NO_MAJORITY)

    def labels(self) -> NDArray[np.int64]:
        """The majority's labels of both sides, of the decided pairs only."""
        pairs = np.array([[1, 1], [0, 0], [0, 1], [1, 0]])
        return np.asarray(pairs[self.outcomes[self.decided]])

    def counts(self) -> dict[str, int]:
        """How often each outcome came."""
        found = np.bincount(self.outcomes, minlength=len(OUTCOMES))
        return {name: int(n) for name, n in zip(OUTCOMES, found, strict=True)}


def vote(labels: ArrayLike) -> Votes:
    """Votes on the pair (source label, target label), not on each side apart.

    `labels` are items × judges × sides, the judges odd in number.

    >>> one = [[1, 1], [1, 1], [1, 0]]  # each side has a majority here, and so has the pair
    >>> two = [[1, 0], [0, 1], [1, 1]]  # here each side has one, but the pair has none
    >>> vote([one, two]).counts()
    {'[1,1]': 1, '[0,0]': 0, '[0,1]': 0, '[1,0]': 0, '∅': 1}
    """
    given = np.asarray(labels, dtype=np.int64)
    if given.ndim != 3 or given.shape[2] != 2:
        raise HyperbatonError(f"labels are items × detectors × 2 sides, not {given.shape}")
    detectors = given.shape[1]
    if detectors % 2 == 0:
        raise HyperbatonError(
            f"{detectors} detectors cannot always give a majority: take an odd number of them"
        )
    pairs = 2 * given[:, :, 0] + given[:, :, 1]
    counts = np.stack([(pairs == pair).sum(axis=1) for pair in range(4)], axis=1)
    leading = counts.argmax(axis=1)
    decided = 2 * counts.max(axis=1) > detectors
    outcomes = np.where(decided, _OUTCOME_OF_PAIR[leading], NO_MAJORITY)
    agreeing = (pairs == leading[:, None]) & decided[:, None]
    return Votes(outcomes, agreeing)


def majorities(names: Sequence[str]) -> dict[str, NDArray[np.bool_]]:
    """Every majority that there can be and who is in it, the whole first, none last.

    >>> list(majorities(["a", "b", "c"]))
    ['full', 'a & b', 'a & c', 'b & c', 'none']
    """
    total = len(names)
    kinds = {}
    for size in range(total, total // 2, -1):
        for group in combinations(range(total), size):
            name = "full" if size == total else " & ".join(names[i] for i in group)
            kinds[name] = np.isin(np.arange(total), group)
    return {**kinds, "none": np.zeros(total, dtype=np.bool_)}
