"""The projected reference: a permutation that follows the source and keeps what kept together."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.alignment import Link, neighbour, project
from hyperbaton.alignment.gloss import Gloss
from hyperbaton.alignment.word_order import stretches
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.sentence import is_permutation
from hyperbaton.parsing.plain import Plain

TATOEBA = Path(__file__).parents[3] / "shared" / "data" / "tatoeba"


@st.composite
def cases(draw: st.DrawFn) -> tuple[tuple[int, ...], list[str], list[Link]]:
    """An order of source words, target words with or without a final mark, and any links."""
    size = draw(st.integers(1, 9))
    order = tuple(draw(st.permutations(range(size))))
    words = [f"w{i}" for i in range(draw(st.integers(0, 9)))] + draw(st.sampled_from([[], ["."]]))
    places = st.tuples(st.integers(0, size - 1), st.integers(0, max(len(words) - 1, 0)))
    return order, words, draw(st.lists(places, max_size=15)) if words else []


@given(cases())
def test_it_is_a_permutation(case: tuple[tuple[int, ...], list[str], list[Link]]) -> None:
    order, words, links = case
    assert is_permutation(project(order, words, links), len(words))
    assert is_permutation(project(order, words, links, neighbour("ja")), len(words))
    assert is_permutation(project(order, ["は", *words], links, neighbour("ja")), len(words) + 1)


@given(cases())
def test_the_order_that_changes_nothing_gives_the_reference(
    case: tuple[tuple[int, ...], list[str], list[Link]],
) -> None:
    order, words, links = case
    assert project(sorted(order), words, links) == tuple(range(len(words)))


@given(cases())
def test_a_final_mark_stays_last(case: tuple[tuple[int, ...], list[str], list[Link]]) -> None:
    order, words, links = case
    if words and words[-1] == ".":
        assert project(order, words, links)[-1] == len(words) - 1


@given(cases())
def test_the_order_in_which_links_are_given_does_not_count(
    case: tuple[tuple[int, ...], list[str], list[Link]],
) -> None:
    order, words, links = case
    assert project(order, words, links) == project(order, words, links[::-1])


@given(cases())
def test_words_of_one_source_word_keep_their_order(
    case: tuple[tuple[int, ...], list[str], list[Link]],
) -> None:
    order, words, _ = case
    only = [(0, j) for j in range(len(words))]
    assert project(order, words, only) == tuple(range(len(words)))
    assert project(order, words, []) == tuple(range(len(words)))


@given(st.permutations(range(8)))
def test_a_monotone_pair_moves_as_its_source(order: list[int]) -> None:
    links = [(i, i) for i in range(8)]
    assert project(order, list("abcdefgh"), links) == tuple(order)


@pytest.mark.parametrize(
    ("order", "reference", "links", "expected"),
    [
        # Two words exchange their places; what stands between them keeps its own.
        (
            (4, 1, 2, 3, 0, 5),
            "Hunde jagen die alte Katze .",
            "0-0 1-1 2-2 3-3 4-4 5-5",
            "Katze jagen die alte Hunde .",
        ),
        # An unaligned article goes with its noun, to the right; a prefix at the end to the left.
        ((1, 0, 2), "Er kommt an .", "0-0 1-1 2-3", "kommt an Er ."),
        ((2, 1, 0, 3), "Der Hund mag Katzen .", "0-1 1-2 2-3 3-4", "Katzen mag Der Hund ."),
        # Most of its source words decide; of equals the stretch that comes first.
        ((2, 0, 1, 3), "wurde gern .", "0-0 1-0 2-0 2-1 3-2", "gern wurde ."),
        ((2, 0, 1, 3), "wurde gern .", "1-0 2-0 0-1 3-2", "wurde gern ."),
        # No final mark: the last word moves as any other.
        ((1, 0), "guten Tag", "0-0 1-1", "Tag guten"),
    ],
)
def test_examples(order: tuple[int, ...], reference: str, links: str, expected: str) -> None:
    words = reference.split()
    pairs = [(int(a), int(b)) for a, b in (link.split("-") for link in links.split())]
    found = " ".join(words[i] for i in project(order, words, pairs))
    assert found == expected


def test_particles_go_with_the_word_that_they_follow() -> None:
    words = ["彼女", "は", "手袋", "を", "探す", "。"]
    links = [(0, 0), (1, 4), (2, 2), (3, 5)]  # She seeks gloves .
    moved = project((2, 1, 0, 3), words, links, neighbour("ja"))
    assert "".join(words[i] for i in moved) == "手袋を探す彼女は。"


def test_particles_stay_whatever_they_are_linked_to() -> None:
    words = ["彼", "は", "刑務所", "に", "い", "た", "。"]
    links = [(0, 0), (1, 5), (2, 3), (3, 2), (4, 6)]  # He was in prison .
    moved = project((3, 1, 2, 0, 4), words, links, neighbour("ja"))
    assert "".join(words[i] for i in moved) == "刑務所にいた彼は。"
    words = ["我", "吃", "了", "苹果", "。"]
    links = [(0, 0), (1, 1), (2, 3), (3, 4)]  # I ate apples .
    moved = project((2, 1, 0, 3), words, links, neighbour("zh"))
    assert "".join(words[i] for i in moved) == "苹果吃了我。"


def test_a_link_outside_the_words_is_named() -> None:
    with pytest.raises(HyperbatonError, match="link 0-5 does not fit 2 source words and 1 target"):
        project((0, 1), ["eins"], [(0, 5)])


@given(st.permutations(range(7)))
def test_stretches_are_numbered_as_they_stand(order: list[int]) -> None:
    found = stretches(order)
    numbers = [found[old] for old in order]
    assert numbers == sorted(numbers)
    together = [b == a + 1 for a, b in pairwise(order)]
    assert [b == a for a, b in pairwise(numbers)] == together


@pytest.mark.skipif(not TATOEBA.is_dir(), reason="no Tatoeba beside the checkout")
def test_500_real_pairs() -> None:
    pairs = []
    for side in ("en", "de"):
        lines = (TATOEBA / f"en-de.{side}").read_text(encoding="utf-8").splitlines()[:500]
        pairs.append([sentence.words for sentence in Plain().open(side).parse(lines)])
    both = list(zip(*pairs, strict=True))
    rng = random.Random(0)
    monotone = 0
    for (source, target), links in zip(both, Gloss().align(both, "en", "de"), strict=True):
        size = len(source)
        assert project(range(size), target, links) == tuple(range(len(target)))
        shuffled = rng.sample(range(size), size)
        assert is_permutation(project(shuffled, target, links), len(target))
        if links == tuple((i, i) for i in range(size)) and size == len(target):
            monotone += 1
            reverse = (*reversed(range(size - 1)), size - 1)
            assert project(reverse, target, links) == reverse
    assert monotone >= 20
