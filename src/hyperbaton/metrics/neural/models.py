"""What a signature says of a metric's model, and batches of like length for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hyperbaton.hub import Source, resolve

__all__ = ["by_length", "identity"]

_PARTS = (".json", ".safetensors", ".txt", ".model", ".spm", ".vocab")


def identity(source: Source) -> str:
    """The revision for a signature: the hub's commit, or a hash of the files in a folder."""
    snapshot = resolve(source)
    if snapshot.commit:
        return snapshot.revision(12)
    return snapshot.fingerprint(snapshot.folder.rglob("*"), _PARTS)


def by_length(lengths: Sequence[int], tokens: int) -> Iterator[list[int]]:
    """Positions in batches, longest first, each of at most `tokens` tokens when padded.

    The longest come first, so that a batch too large for the memory fails at once.

    >>> list(by_length([2, 9, 3, 8], tokens=18))
    [[1, 3], [2, 0]]
    """
    order = sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)
    start = 0
    while start < len(order):
        size = max(1, tokens // max(1, lengths[order[start]]))
        yield order[start : start + size]
        start += size
