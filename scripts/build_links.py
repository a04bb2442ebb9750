"""Learn which words may be linked, for the aligner `gloss`, from parallel text.

    python scripts/build_links.py BITEXT_FOLDER [LANGUAGE …]

BITEXT_FOLDER is that of build_gloss.py, and only its rows from Tatoeba are read. Both sides are cut
into words as aligners meet them: without a parser, and in Japanese and Chinese also as parsers cut
them. fast_align links them; two words that are linked often, for how often they occur, are kept.
The dictionaries of the system `gloss` have one translation for a word; these tables have what else
may stand for it. Needs: pip install systran-align jieba opencc-python-reimplemented sudachipy
sudachidict-core
"""

from __future__ import annotations

import lzma
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from build_gloss import (
    LANGUAGES,
    Segmenter,
    Words,
    chinese,
    japanese,
    learnt_links,
    read_rows,
)

from hyperbaton.alignment.gloss import key
from hyperbaton.base.files import write_bytes
from hyperbaton.language.dictionary import FOLDER
from hyperbaton.train.steering import sentence

SEEN = 3
"""How often two words must be linked."""
SHARE = 0.03
"""Their links, divided by the geometric mean of how often the two words occur."""
LIFT = 10
"""How much more often than by chance: an article and a particle meet in every sentence."""
EACH = 8
"""So many of each word, the best."""

Counts = Counter[tuple[str, str]]


def segmenters(language: str) -> list[Segmenter]:
    """The ways in which texts of a language are cut."""
    ways: list[Segmenter] = [lambda text: list(sentence(text, language).words)]
    if language == "ja":
        ways.append(japanese(merged=False))
    if language == "zh":
        ways.append(chinese)
    return ways


def keys(words: Iterable[str]) -> Words:
    """Words as aligners compare them."""
    return [key(word) for word in words if word.strip()]


def count(sources: Sequence[Words], targets: Sequence[Words], links: Counts) -> None:
    """Add how many pairs of sentences link two words."""
    found = learnt_links(sources, targets)
    for s, t, pairs in zip(sources, targets, found, strict=True):
        links.update({(s[i], t[j]) for i, j in pairs})


def chosen(links: Counts, left: Counter[str], right: Counter[str]) -> dict[tuple[str, str], float]:
    """The pairs of words that are kept, with their share."""
    # The words of the other side may be counted in several cuts, and so are its links.
    words = left.total()
    shares = {}
    for (one, two), n in links.items():
        share = n / math.sqrt(left[one] * right[two])
        if n >= SEEN and share >= SHARE and n * words >= LIFT * left[one] * right[two]:
            shares[one, two] = share
    kept: set[tuple[str, str]] = set()
    for side in (0, 1):
        found: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for pair in sorted(shares, key=lambda pair: (-shares[pair], pair)):
            found[pair[side]].append(pair)
        kept.update(pair for pairs in found.values() for pair in pairs[:EACH])
    return {pair: shares[pair] for pair in kept}


def write(language: str, shares: dict[tuple[str, str], float]) -> None:
    """Write a table: an English word, then words of the other language with their percentages."""
    rows: dict[str, list[str]] = defaultdict(list)
    best = sorted(shares.items(), key=lambda item: (item[0][0], -item[1], item[0][1]))
    for (one, two), share in best:
        rows[one] += [two, str(min(99, max(1, round(100 * share))))]
    text = "".join("\t".join([word, *found]) + "\n" for word, found in rows.items())
    data = lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)
    write_bytes(FOLDER / f"en-{language}.links.xz", data)
    print(f"{language}: {len(shares)} pairs of words, {len(data)} bytes", flush=True)


def main(bitext: Path, languages: Sequence[str]) -> None:
    """Write the tables of these languages with English."""
    for language in languages or LANGUAGES:
        rows = read_rows(bitext / f"en-{language}.tsv.xz")
        print(f"{language}: {len(rows)} sentence pairs", flush=True)
        english = [keys(sentence(row[0], "en").words) for row in rows]
        links: Counts = Counter()
        left: Counter[str] = Counter()
        right: Counter[str] = Counter()
        for segmenter in segmenters(language):
            other = [keys(segmenter(row[1])) for row in rows]
            count(english, other, links)
            left.update(word for words in english for word in words)
            right.update(word for words in other for word in words)
        write(language, chosen(links, left, right))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
