"""Words as numbers without a vocabulary: hashed character n-grams."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

from hyperbaton.detectors.features import tokens

__all__ = ["bucket_rows"]


def bucket_rows(text: str, language: str, buckets: int) -> list[tuple[int, ...]]:
    """The buckets of each word: the word itself and its n-grams of 3 and 4 characters.

    An empty text has one word without letters, so that there is always something to compare.

    >>> one, two = bucket_rows("Hallo Welt", "de", 1000)
    >>> len(one), len(two), bucket_rows("hallo", "de", 1000)[0] == one
    (10, 8, True)
    """
    return [_word(word.casefold(), buckets) for word in tokens(text, language) or [""]]


@lru_cache(maxsize=1 << 16)
def _word(word: str, buckets: int) -> tuple[int, ...]:
    padded = f"<{word}>"
    grams = [padded]
    for size in (3, 4):
        grams += [padded[i : i + size] for i in range(len(padded) - size + 1)]
    return tuple(_bucket(gram, buckets) for gram in _distinct(grams))


def _distinct(grams: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(grams))


def _bucket(gram: str, buckets: int) -> int:
    return int.from_bytes(blake2b(gram.encode(), digest_size=8).digest(), "little") % buckets
