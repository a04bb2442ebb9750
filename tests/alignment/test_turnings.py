"""The kernels say the same as the rules they follow, written down plainly."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

from hyperbaton.alignment.aligner import Links, Words
from hyperbaton.alignment.gloss import Gloss, key, lexical
from hyperbaton.alignment.word_order import Varied, turnings
from hyperbaton.language.sentence import inverse

WORDS = """
    the dog house , The see TOM 7 seven goes nowhere red Tom tom's houses . -
    der die Hund Haus , tom Tom 7 sieben geht rote roter häuser . - sehen Das
"""
ENGLISH, GERMAN = (line.split() for line in WORDS.split("\n")[1:3])


def surest_first(source: Words, target: Words) -> Links:
    """Melamed's competitive linking, by sorting all that could be linked."""
    keys = [[key(word) for word in words] for words in (source, target)]
    strengths = lexical(set(keys[0]), set(keys[1]), ("en", "de"))
    candidates = [
        (abs((i + 0.5) / len(source) - (j + 0.5) / len(target)) - strengths[one, two], i, j)
        for i, one in enumerate(keys[0])
        for j, two in enumerate(keys[1])
        if (one, two) in strengths
    ]
    links: dict[int, int] = {}
    for _, i, j in sorted(candidates):
        if i not in links and j not in links.values():
            links[i] = j
    return tuple(sorted(links.items()))


def counted(row: Varied) -> list[float]:
    """What became of the words of a source, pair by pair."""
    links = surest_first([row.source[i] for i in row.order], row.translation)
    places, sizes = inverse(row.order), [sum(map(str.isalnum, word)) for word in row.source]
    here = {row.order[i]: j for i, j in links if sizes[row.order[i]]}
    turned = pairs = 0
    for clean in map(dict, row.clean):
        for one, two in combinations(sorted(here.keys() & clean.keys()), 2):
            if places[two] < places[one]:
                pairs += 1
                turned += (here[one] < here[two]) != (clean[one] < clean[two])
    translated = sum(
        sizes[i]
        for i, j in here.items()
        if row.source[i].isdigit() or key(row.source[i]) != key(row.translation[j])
    )
    return [turned, pairs, translated / max(sum(sizes), 1)]


def drawn(words: Sequence[str], draw: random.Random, longest: int = 14) -> list[str]:
    return draw.choices(words, k=draw.randint(0, longest))


def test_the_surest_links_come_first() -> None:
    draw = random.Random(1)
    pairs = [(drawn(ENGLISH, draw), drawn(GERMAN, draw)) for _ in range(300)]
    assert Gloss().align(pairs, "en", "de") == [surest_first(*pair) for pair in pairs]
    assert Gloss().align([], "en", "de") == []


def test_pairs_are_counted_as_the_rule_says() -> None:
    draw = random.Random(2)
    rows = []
    for _ in range(100):
        source = drawn(ENGLISH, draw)
        ends = [(draw.randrange(len(source)), draw.randrange(9)) for _ in source]
        # Several links of one word, as some aligners make them: the last one counts.
        clean = [tuple(sorted(draw.sample(ends, draw.randint(0, len(ends))))) for _ in range(2)]
        for _ in range(3):
            order = draw.sample(range(len(source)), len(source))
            rows.append(Varied(source, order, clean[: draw.randint(0, 2)], drawn(GERMAN, draw)))
    assert turnings(rows, ("en", "de")).tolist() == [counted(row) for row in rows]
    assert turnings([], ("en", "de")).tolist() == []
