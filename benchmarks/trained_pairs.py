"""Pairs that `bundled` was trained on, and pairs that were held out from it.

    python -m benchmarks.trained_pairs BITEXT/en-fr.tsv.xz fr 1000 pairs

writes trained.en, trained.fr, held-out.en and held-out.fr into the folder `pairs`, at most 1,000
pairs each. BITEXT is the training text as the translator's card names it; the pairs are told apart
as the training did it, by a hash of the English sentence, so that they differ by chance alone.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from hyperbaton.train.bitext import Pair, read_pairs, split

TAGS = (
    "tatoeba-anki",
    "tatoeba-tc-dev",
    "tatoeba-tc-newtest",
    "tatoeba-pivot1",
    "tatoeba-pivot2",
    "tatoeba-pivot-2hop",
    "tanaka",
)
"""The kinds of text that it was trained on."""
HELD_OUT = 0.002
"""The share that was held out."""


def drawn(pairs: Sequence[Pair], wanted: int) -> list[list[Pair]]:
    """Pairs that were trained on and pairs that were held out, of each as many or all there are.

    Of both only those whose second sentence stands beside one English sentence alone: where it
    stands beside two, the translation of what was held out may have been trained on.
    """
    once = sorted(set(pairs))
    beside = Counter(other for _, other in once)
    alone = [pair for pair in once if beside[pair[1]] == 1]
    return [
        random.Random(0).sample(kind, min(wanted, len(kind)))
        for kind in split(alone, HELD_OUT, anchor=0)
    ]


def main(bitext: Path, language: str, wanted: int, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    found = drawn(read_pairs(bitext, TAGS), wanted)
    for name, pairs in zip(("trained", "held-out"), found, strict=True):
        for code, side in (("en", 0), (language, 1)):
            text = "".join(f"{pair[side]}\n" for pair in pairs)
            (out / f"{name}.{code}").write_text(text, encoding="utf-8")
        print(f"{name}: {len(pairs):,} pairs")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]))
