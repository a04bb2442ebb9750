"""Word order across a translation: where words go if they move as their source's, where they went.

The projected reference is a translation whose words moved as the words of the source did;
`turnings` says what became of the source's words in real ones, by their links alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import chain, compress
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from hyperbaton.alignment.aligner import Link, Links, Words
from hyperbaton.alignment.gloss import linked
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.languages import base
from hyperbaton.language.sentence import Order, Sentence, is_punctuation

_PARTICLES_FOLLOW = frozenset(
    {"ja", "ko", "hi", "ur", "bn", "mr", "gu", "pa", "ne", "si", "ta", "te", "ml", "kn", "my"}
)
_BOUND = {
    "ja": "は が を に へ と で も の や か ね よ な ん ら し た て だ ば れ ず さ せ から まで "
    "より など だけ ほど くらい ずつ って です ます まし ませ だっ でし たら たり たい たく "
    "たかっ ない なかっ なけれ なく られ られる れる せる だろう でしょう ちゃ じゃ けど たち "
    "する した して している します しました 、 ，",
    "zh": "的 了 着 著 过 過 得 地 吗 嗎 呢 吧 啊 呀 们 們 里 裡 上 下 中 之前 以前 以后 以後 "
    "， 、",
}
"""Particles, endings and the marks between parts of a sentence."""


Floats = npt.NDArray[np.float64]


class Neighbour(NamedTuple):
    """With which neighbour a word goes that has no way of its own."""

    side: Literal["left", "right"] = "right"
    """Where a word without a link belongs."""
    bound: frozenset[str] = frozenset()
    """Particles and endings, which never leave the word on their left, linked or not."""


@cache
def neighbour(language: str) -> Neighbour:
    """How words of a language belong to each other: particles of some follow their word.

    >>> neighbour("de").side, neighbour("ja").side, "は" in neighbour("ja").bound
    ('right', 'left', True)
    """
    code = base(language)
    side: Literal["left", "right"] = "left" if code in _PARTICLES_FOLLOW else "right"
    return Neighbour(side, frozenset(_BOUND.get(code, "").split()))


def project(
    order: Sequence[int],
    target: Words,
    links: Iterable[Link],
    neighbour: Neighbour = Neighbour(),  # noqa: B008
) -> Order:
    """The order of the target words when the source words stand in `order`.

    Each target word goes where the stretch of its source word went; a stretch is what still
    stands together as it stood in the source. Inside a stretch, the target keeps its own order. A
    word without a link goes with the next one on its neighbour's side that has one, else on the
    other; a particle or ending with the word on its left. A final mark stays at the end.

    >>> links = [(0, 0), (1, 1), (2, 3), (3, 2), (4, 4)]  # I have seen him .
    >>> words = "Ich habe ihn gesehen .".split()
    >>> [words[i] for i in project((3, 2, 1, 0, 4), words, links)]
    ['ihn', 'gesehen', 'habe', 'Ich', '.']
    >>> [words[i] for i in project((0, 1, 2, 3, 4), words, links)]
    ['Ich', 'habe', 'ihn', 'gesehen', '.']
    """
    stretch = stretches(order)
    final_mark = bool(target) and is_punctuation(target[-1])
    moving = len(target) - final_mark
    votes: list[list[int]] = [[] for _ in target]
    for i, j in links:
        if not (0 <= i < len(stretch) and 0 <= j < len(target)):
            raise HyperbatonError(
                f"the link {i}-{j} does not fit {len(stretch)} source words and {len(target)} "
                "target words: align the same words that are put in order"
            )
        votes[j].append(stretch[i])
    chosen = [
        None if not some else some[0] if len(some) == 1 else _most(some) for some in votes[:moving]
    ]
    places = _filled(chosen, target, neighbour)
    moved = sorted(range(moving), key=places.__getitem__)
    return (*moved, *range(moving, len(target)))


def project_sentence(
    order: Sequence[int], translation: Sentence, links: Iterable[Link]
) -> tuple[str, Order]:
    """A translation with its words where those of its source went: its text, and their order."""
    found = project(order, translation.words, links, neighbour(translation.language))
    return translation.arrange(found), found


def stretches(order: Sequence[int]) -> list[int]:
    """For each source word, the number of its stretch in the new order.

    >>> stretches((3, 4, 0, 1, 2))
    [1, 1, 1, 0, 0]
    """
    found = [0] * len(order)
    number = 0
    for at, old in enumerate(order):
        if at and old != order[at - 1] + 1:
            number += 1
        found[old] = number
    return found


def _most(stretches: Sequence[int]) -> int:
    """The stretch that most of the source words are in, the first of equals."""
    counts = Counter(stretches)
    return min(counts, key=lambda stretch: (-counts[stretch], stretch))


def _filled(places: Sequence[int | None], target: Words, neighbour: Neighbour) -> list[int]:
    """Places in which a gap has that of its neighbour, and what is bound that on its left."""
    free: Sequence[int] = range(len(places))
    if neighbour.bound:
        free = [j for j in free if not (j and target[j] in neighbour.bound)]
    way = 1 if neighbour.side == "left" else -1
    last = next((places[j] for j in free[::way] if places[j] is not None), 0) or 0
    filled = [0] * len(places)
    for j in free[::way]:
        place = places[j]
        last = filled[j] = last if place is None else place
    if len(free) < len(places):
        for j in sorted(set(range(len(places))).difference(free)):
            filled[j] = filled[j - 1]
    return filled


class Varied(NamedTuple):
    """A translation of a source whose words stand in another order."""

    source: Words
    order: Sequence[int]
    clean: Sequence[Links]
    """The links of translations of the source as it was."""
    translation: Words


def turnings(rows: Sequence[Varied], languages: tuple[str, str]) -> Floats:
    """What varied translations made of the words of their sources, three numbers for each.

    Pairs of source words that stand the other way round than in a clean translation; pairs that the
    variation turned round and that both translations have, each once for each clean translation;
    and the share of the source, in letters, whose words have a translation. Marks do not count, and
    a word that was only copied is not translated. Links come from dictionaries.

    >>> source, order = "he left without speaking".split(), (0, 3, 2, 1)
    >>> clean = [((0, 0), (1, 1), (2, 2), (3, 3))]  # il partit sans parler
    >>> row = Varied(source, order, clean, "il parler sans partit".split())
    >>> turnings([row], ("en", "fr")).tolist()
    [[3.0, 3.0, 1.0]]
    """
    from hyperbaton.alignment.kernels import turn

    moved = [[row.source[i] for i in row.order] for row in rows]
    pairs = list(zip(moved, (row.translation for row in rows), strict=True))
    places, copied, starts = linked(pairs, languages)
    for at, word in compress(enumerate(chain.from_iterable(moved)), copied.tolist()):
        copied[at] = not word.isdigit()
    # Variants of one sentence share what is known of it.
    ids = [(id(row.source), id(row.clean)) for row in rows]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(ids))}
    known = dict(zip(ids, rows, strict=True))
    sentences = [known[key] for key in numbers]
    firsts = np.cumsum([0, *(len(row.source) for row in sentences)])
    clean = np.full((max((len(row.clean) for row in rows), default=0), firsts[-1]), -1)
    for first, row in zip(firsts.tolist(), sentences, strict=False):
        for translation, links in enumerate(row.clean):
            for i, j in links:
                clean[translation, first + i] = j
    letters = np.array([_letters(word) for row in sentences for word in row.source], np.int64)
    orders = np.fromiter(chain.from_iterable(row.order for row in rows), np.int64)
    which = np.array([numbers[key] for key in ids], np.int64)
    return turn(places, copied, orders, starts, which, firsts, letters, clean)


@lru_cache(maxsize=1 << 16)
def _letters(word: str) -> int:
    """How many letters and digits a word has."""
    return sum(map(str.isalnum, word))
