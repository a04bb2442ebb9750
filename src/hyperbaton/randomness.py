"""Random draws that depend on (seed, item, perturbation, draw) and on nothing else.

`random.Random` takes longer to seed than a sentence takes to shuffle, so a draw is one keyed
BLAKE2b digest, read as a large integer and divided up; a new digest is taken when it is used up.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from hashlib import blake2b
from typing import TypeVar

__all__ = ["Rng"]

T = TypeVar("T")

_POOL_BITS = 512
# A draw below n from b spare bits is biased by at most n / 2**b; this many stay unused.
_SPARE_BITS = 64


class Rng:
    """The generator of one draw.

    >>> Rng(0, "item-7", "wordShuffle", draw=0).below(1000)
    459
    >>> Rng(0, "item-7", "wordShuffle", draw=1).below(1000)
    586
    """

    __slots__ = ("_bits", "_blocks", "_key", "_pool")

    def __init__(self, seed: int, item: str, perturbation: str, draw: int = 0) -> None:
        self._key = f"{seed}\x1f{item}\x1f{perturbation}\x1f{draw}".encode()
        self._blocks = 0
        self._pool = 0
        self._bits = 0

    def _refill(self) -> None:
        digest = blake2b(self._key, salt=self._blocks.to_bytes(16, "little")).digest()
        self._pool = int.from_bytes(digest, "little")
        self._blocks += 1
        self._bits = _POOL_BITS

    def below(self, n: int) -> int:
        """A whole number in [0, n), uniform to within 2**-64; n at most 2**128."""
        cost = n.bit_length()
        if self._bits < cost + _SPARE_BITS:
            self._refill()
        self._bits -= cost
        self._pool, value = divmod(self._pool, n)
        return value

    def random(self) -> float:
        """A float in [0, 1) with 53 random bits."""
        return self.below(1 << 53) / (1 << 53)

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle in place (Fisher-Yates)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
