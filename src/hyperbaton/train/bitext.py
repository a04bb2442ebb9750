"""Parallel text for training: read, held out by source sentence, joined into longer rows."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.lines import read_lines
from hyperbaton.corpus.opening import markup_format, open_corpus
from hyperbaton.language.languages import writes_spaces

Pair = tuple[str, str]


@dataclass(frozen=True)
class Direction:
    """The pairs of one translation direction, and how they ask to be translated."""

    source: str
    target: str
    pairs: Sequence[tuple[str, str]]
    mode: str = ""
    """`robust`, `faithful`, or nothing: as a plain translator does it."""


def read_pairs(
    path: Path, tags: Collection[str] = (), languages: tuple[str, str] = ("", "")
) -> list[Pair]:
    """The first two columns of a tab-separated file; with tags, only rows whose third is one.

    A file that has its texts by language (TMX, XLIFF) gives those of the two.
    """
    form = markup_format(path)
    if form not in (None, "sgm"):
        if tags:
            raise HyperbatonError(f"{path} has no third column: leave out --tags")
        read = open_corpus(path, format=form, languages=languages)
        return [(item.source_text, item.reference_text or "") for item in read]
    pairs = []
    for line in read_lines(path):
        columns = line.text.split("\t")
        if len(columns) < 2:
            raise HyperbatonError(f"{path}: line {line.number}: expected source, tab, target")
        if tags and (len(columns) < 3 or columns[2] not in tags):
            continue
        source, target = columns[0].strip(), columns[1].strip()
        if source and target:
            pairs.append((source, target))
    if not pairs:
        wanted = f" with the tags {', '.join(sorted(tags))}" if tags else ""
        raise HyperbatonError(f"{path} holds no pair of sentences{wanted}")
    return pairs


def split(pairs: Sequence[Pair], share: float, anchor: int) -> tuple[list[Pair], list[Pair]]:
    """Training and held-out pairs, by a hash of the `anchor` side (0 or 1).

    The same sentence is held out in every file and direction that it occurs in.
    """
    limit = int(share * 2**32)
    train: list[Pair] = []
    held_out: list[Pair] = []
    for pair in pairs:
        digest = blake2b(pair[anchor].encode(), digest_size=4).digest()
        held = int.from_bytes(digest, "little") < limit
        (held_out if held else train).append(pair)
    return train, held_out


def joined(direction: Direction, share: float, seed: int) -> Direction:
    """The direction with a share of rows added that hold two or three pairs in a row."""
    pairs = direction.pairs
    generator = random.Random(" ".join(map(str, (seed, *_key(direction)))).rstrip())
    gaps = [" " if writes_spaces(code) else "" for code in (direction.source, direction.target)]
    extra = []
    for _ in range(int(share * len(pairs))):
        chosen = [generator.choice(pairs) for _ in range(generator.choice((2, 2, 3)))]
        extra.append((gaps[0].join(s for s, _ in chosen), gaps[1].join(t for _, t in chosen)))
    return replace(direction, pairs=[*pairs, *extra])


def merge(directions: Iterable[Direction]) -> list[Direction]:
    """One entry per direction and mode, its pairs from all the files that hold some."""
    found: dict[tuple[str, str, str], list[Pair]] = {}
    for direction in directions:
        found.setdefault(_key(direction), []).extend(direction.pairs)
    return [
        Direction(source, target, pairs, mode) for (source, target, mode), pairs in found.items()
    ]


def _key(direction: Direction) -> tuple[str, str, str]:
    return direction.source, direction.target, direction.mode
