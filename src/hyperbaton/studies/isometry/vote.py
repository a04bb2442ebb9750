"""M: the pair of labels that a strict majority of the detectors gives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hyperbaton.errors import HyperbatonError

__all__ = ["MEANINGS", "NO_MAJORITY", "OUTCOMES", "Votes", "vote"]

OUTCOMES = ("[1,1]", "[0,0]", "[0,1]", "[1,0]", "∅")
"""Every M, in the order of the paper's table."""
MEANINGS = {
    "[1,1]": "isometric",
    "[0,0]": "ambiguous",
    "[0,1]": "type-1 anisometric: translation made them equal",
    "[1,0]": "type-2 anisometric: translation broke them apart",
    "∅": "ambiguous: no majority",
}
NO_MAJORITY = OUTCOMES.index("∅")
_OUTCOME_OF_PAIR = np.array([OUTCOMES.index(f"[{s},{t}]") for s in (0, 1) for t in (0, 1)])


@dataclass(frozen=True, eq=False)
class Votes:
    """The outcome of each pair as a position in OUTCOMES, and the detectors that gave it."""

    outcomes: NDArray[np.int64]
    agreeing: NDArray[np.bool_]
    """Items × detectors; nobody where there is no majority."""

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

    `labels` are items × detectors × sides, the detectors odd in number.

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
