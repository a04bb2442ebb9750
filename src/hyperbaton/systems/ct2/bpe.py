"""Byte-pair encoding as subword-nmt writes it: Moses' words, cut by a list of merges."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.extras import need

__all__ = ["BytePairs"]

_END = "</w>"
_GOES_ON = re.compile(r"@@( |$)")


class BytePairs:
    """Words of the Moses tokenizer in pieces; `@@` marks a piece that goes on."""

    package = "sacremoses"

    def __init__(self, codes: Path, source: str, target: str) -> None:
        self.files: tuple[Path, ...] = (codes,)
        self._ranks = _ranks(codes)
        library = need("sacremoses", extra="hf")
        self._normalizers = [library.MosesPunctNormalizer(lang) for lang in (source, target)]
        self._tokenizers = [library.MosesTokenizer(lang) for lang in (source, target)]
        self._detokenizer = library.MosesDetokenizer(target)
        self._cut = lru_cache(maxsize=65536)(self._merged)

    def encode(self, texts: Sequence[str], target: bool = False) -> list[list[str]]:
        """The pieces of each text, whose marks are first brought to one form, as in training."""
        usual, words = self._normalizers[target].normalize, self._tokenizers[target].tokenize
        return [[p for word in words(usual(text)) for p in self._cut(word)] for text in texts]

    def decode(self, pieces: Sequence[Sequence[str]]) -> list[str]:
        """The text that target pieces stand for."""
        words = (_GOES_ON.sub("", " ".join(line)).split() for line in pieces)
        return [str(self._detokenizer.detokenize(line)) for line in words]

    def _merged(self, word: str) -> tuple[str, ...]:
        """A word in pieces: the earliest merge of the list that applies is made, until none does.

        The algorithm is that of Sennrich, Haddow and Birch (2016), arXiv:1508.07909.
        """
        parts = [*word[:-1], word[-1:] + _END]
        while len(parts) > 1:
            best = min(pairwise(parts), key=lambda pair: self._ranks.get(pair, len(self._ranks)))
            if best not in self._ranks:
                break
            merged: list[str] = []
            for part in parts:
                if merged and (merged[-1], part) == best:
                    merged[-1] += part
                else:
                    merged.append(part)
            parts = merged
        parts[-1] = parts[-1].removesuffix(_END)
        return (*(f"{part}@@" for part in parts[:-1]), *parts[-1:])


def _ranks(codes: Path) -> dict[tuple[str, str], int]:
    try:
        lines = codes.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise HyperbatonError(f"{codes} cannot be read as a list of merges: {error}") from None
    pairs = [tuple(line.split()) for line in lines if line and not line.startswith("#version")]
    if not pairs or any(len(pair) != 2 for pair in pairs):
        raise HyperbatonError(f"{codes} is not a list of merges, two pieces a line")
    return {(pair[0], pair[1]): rank for rank, pair in reversed([*enumerate(pairs)])}
