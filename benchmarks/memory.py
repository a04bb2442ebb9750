"""Sentence pairs that `bundled` was trained on, beside like ones that were held out from it.

    python -m benchmarks.memory BITEXT en-fr FOLDER

BITEXT is the folder of the training text (en-fr.tsv.xz: English, other language, tag). What was
held out is known by a hash of the English side, as it was in training (see the model card). Each
pair that was held out is matched with one that was trained on, of the same tag and of as many
words on the English side. Writes trained.en, trained.fr, held-out.en and held-out.fr to FOLDER.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from hashlib import blake2b
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
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
HELD_OUT = 0.002
"""The share of the pairs that training held out."""


def main() -> None:
    bitext, languages, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    trained, held_out = matched(bitext / f"{languages}.tsv.xz")
    folder.mkdir(parents=True, exist_ok=True)
    for name, pairs in (("trained", trained), ("held-out", held_out)):
        for side, language in enumerate(languages.split("-")):
            lines = "".join(f"{pair[side]}\n" for pair in pairs)
            (folder / f"{name}.{language}").write_text(lines, encoding="utf-8")
    print(f"{len(held_out)} pairs that were held out, and as many that were trained on")


def matched(path: Path) -> tuple[list[Pair], list[Pair]]:
    """Pairs that were trained on, and those held out, of the same tags and lengths."""
    both: tuple[list[Pair], list[Pair]] = ([], [])
    for tag in TAGS:
        try:
            pairs = read_pairs(path, [tag])
        except HyperbatonError:  # no pair has this tag
            continue
        trained, held_out = split(pairs, HELD_OUT, anchor=0)
        like: dict[int, list[Pair]] = defaultdict(list)
        for pair in sorted(trained, key=_order, reverse=True):
            like[len(pair[0].split())].append(pair)
        for pair in dict(held_out).items():
            match = like[len(pair[0].split())]
            if match:
                both[0].append(match.pop())
                both[1].append(pair)
    return both


def _order(pair: Pair) -> bytes:
    """An order that has nothing to do with the text."""
    return blake2b(b"memory" + pair[0].encode(), digest_size=8).digest()


if __name__ == "__main__":
    main()
