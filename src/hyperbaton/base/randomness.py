"""Random draws that depend on seed, item, perturbation and draw, and on nothing else.

`random.Random` takes longer to seed than a sentence takes to shuffle, so a draw is read from the
BLAKE2b digests of its key: the first block, the second block, and so on as it needs more.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")

# A block is one digest of 64 bytes; the byte order is named so that machines agree.
_PER_BLOCK = 16
_unpack = struct.Struct("<16I").unpack


class Rng:
    """The generator of one draw.

    >>> Rng(0, "item-7", "wordShuffle", draw=0).permutation(5)
    [0, 4, 2, 3, 1]
    >>> Rng(0, "item-7", "wordShuffle", draw=1).permutation(5)
    [3, 2, 1, 0, 4]
    """

    __slots__ = ("_blocks", "_key")

    def __init__(self, seed: int, item: str, perturbation: str, draw: int = 0) -> None:
        # An item's name may be any text, so it stands last: two keys are never the same by chance.
        self._key = f"{seed}\x1f{draw}\x1f{perturbation}\x1f{item}".encode()
        self._blocks = 0

    def numbers(self, count: int) -> tuple[int, ...]:
        """So many whole numbers in [0, 2**32), or some more: what is left of the last block.

        >>> Rng(0, "item-7", "wordShuffle").numbers(2)[:2]
        (946830101, 3446697188)
        """
        first = self._blocks
        if count <= _PER_BLOCK:
            self._blocks = first + 1
            return _unpack(blake2b(self._key, salt=first.to_bytes(8, "little")).digest())
        self._blocks = last = first - (-count // _PER_BLOCK)
        salts = [block.to_bytes(8, "little") for block in range(first, last)]
        data = b"".join([blake2b(self._key, salt=salt).digest() for salt in salts])
        return struct.unpack(f"<{len(data) // 4}I", data)

    def below(self, n: int) -> int:
        """A whole number in [0, n), uniform to within n / 2**128."""
        a, b, c, d = self.numbers(4)[:4]
        return (a | b << 32 | c << 64 | d << 96) % n

    def coins(self, p: float, count: int) -> list[bool]:
        """So many throws, each true with probability p.

        >>> Rng(0, "item-7", "PhraseShuffle").coins(0.5, 4)
        [True, False, True, False]
        """
        threshold = p * 2**32
        return [number < threshold for number in self.numbers(count)[:count]]

    def permutation(self, n: int) -> list[int]:
        """The numbers below n, shuffled.

        They are sorted by random keys. Two keys are equal in one of 2**32 cases and then keep
        their order, which is the only deviation from the uniform distribution.
        """
        return sorted(range(n), key=self.numbers(n).__getitem__)

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in a random order."""
        return [items[i] for i in self.permutation(len(items))]
