"""What holds of every perturbation on every sentence: a permutation, and the same one anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import replace
from multiprocessing import get_context

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.sentence import Sentence, is_permutation
from hyperbaton.perturb import (
    PERTURBATIONS,
    Perturbation,
    Reordering,
    Variant,
    parse_all,
    perturb,
    perturb_all,
)

from .strategies import sentences

OPTIONS = [
    "nounVerbSwap(pairing=text)",
    "nounVerbMismatched(pairing=text)",
    "adverbVerbSwap(pairing=text)",
    "nounAdjSwap(pairing=text)",
    "functionalShuffle(words=text)",
    "verbAtBeginning(verbs=text)",
    "shuffleHalvesLast(convention=paper)",
]
WORD_ORDERS = parse_all(["wordorder", *OPTIONS])


def _registered() -> Iterator[Reordering]:
    """Every registered order of words that needs no option, in whatever group it is."""
    for name in PERTURBATIONS.names():
        with suppress(HyperbatonError):
            made = PERTURBATIONS.parse(name)
            if isinstance(made, Reordering) and made.unit == "word" and made.category != "control":
                yield made


EVERY = [*_registered(), *parse_all(OPTIONS)]
UNITS = parse_all(
    ["FullShuffle", "PhraseShuffle(p=0.3)", "NeighbourFlip(p=0.3)", "identity"]
    + [f"{name}, unit=word)" for name in ("PhraseShuffle(p=0.5", "NeighbourFlip(p=0.5")]
)
SURFACE = parse_all(["surface", "whitespace(kind=tab, p=0.3)"])
PER_SENTENCE = {
    "treeMirrorPre",
    "treeMirrorPost",
    "treeMirrorIn",
    "rotateAroundRoot",
    "verbAtBeginning",
}


@given(sentences(), st.integers(0, 3))
@settings(max_examples=300, deadline=None)
def test_word_order_is_a_permutation_that_keeps_the_final_mark(
    sentence: Sentence, seed: int
) -> None:
    size = len(sentence)
    for perturbation in EVERY:
        variant = perturb(sentence, perturbation, seed=seed)
        if variant is None:
            continue
        assert variant.unit == "word"
        assert variant.order is not None
        assert is_permutation(variant.order, size)
        assert variant.order[-1] == size - 1
        assert variant.changed == (variant.text != sentence.text)
        assert sorted(variant.text.replace(" ", "")) == sorted(sentence.text.replace(" ", ""))
        if perturbation.name in PER_SENTENCE:
            for start, end in sentence.spans:
                assert sorted(variant.order[start:end]) == list(range(start, end))
                assert variant.order[end - 1] == end - 1


@given(sentences(), st.integers(0, 3))
@settings(max_examples=150, deadline=None)
def test_unit_order_is_a_permutation_and_spells_the_text(sentence: Sentence, seed: int) -> None:
    for perturbation in UNITS:
        assert isinstance(perturbation, Reordering)
        variant = perturb(sentence, perturbation, seed=seed)
        units = perturbation.units(sentence)
        if variant is None:
            assert len(units) < 2
            continue
        assert variant.order is not None
        assert is_permutation(variant.order, len(units))
        if perturbation.unit == "char":
            assert variant.text == "".join(units[i] for i in variant.order)


@given(sentences())
@settings(max_examples=150, deadline=None)
def test_surface_changes_something_or_does_not_apply(sentence: Sentence) -> None:
    for perturbation in SURFACE:
        variant = perturb(sentence, perturbation)
        assert variant is None or (variant.changed and variant.order is None)


@given(st.integers(6, 30))
def test_what_a_perturbation_needs_is_missing(size: int) -> None:
    """Bare words have no parts of speech and no tree: those families do not apply, none fails."""
    bare = Sentence.from_words(["word"] * size)
    for perturbation in WORD_ORDERS:
        applies = perturb(bare, perturbation) is not None
        assert applies == (perturbation.category == "random")


@pytest.mark.parametrize("size", range(6))
def test_short_sentences(size: int) -> None:
    """More than five tokens are needed, except for nounSwaps and verbAtBeginning."""
    tags = ("NOUN", "VERB", "NOUN", "ADJ", "ADV")[:size]
    heads = (0,) * size
    short = replace(Sentence.from_words("abcde"[:size]), upos=tags, heads=heads)
    applied = {p.name for p in WORD_ORDERS if perturb(short, p) is not None}
    free = {"nounSwaps"} if size > 3 else set()
    assert applied == free | ({"verbAtBeginning"} if size > 2 else set())


def test_heads_in_a_circle_do_not_apply() -> None:
    broken = replace(Sentence.from_words("abcdefg"), heads=(1, 0, 3, 3, 3, 3, 3))
    for perturbation in parse_all(["treeMirrorPre", "treeMirrorPost", "treeMirrorIn"]):
        assert perturb(broken, perturbation) is None


def test_deep_tree() -> None:
    """A chain of 20,000 words is deeper than Python's recursion allows."""
    size = 20_000
    heads = tuple(max(i - 1, 0) for i in range(size))
    chain = replace(Sentence.from_words(["w"] * size), heads=heads)
    variant = perturb(chain, parse_all(["treeMirrorPost"])[0])
    assert variant is not None
    assert variant.order == (*range(size - 2, -1, -1), size - 1)


ROWS = """\
the DET 2 det
old ADJ 2 amod
man NOUN 4 nsubj
never ADV 4 advmod
saw VERB 4 root
a DET 6 det
dog NOUN 4 obj
and CCONJ 8 cc
found VERB 4 conj
it PRON 8 obj
near ADP 12 case
the DET 12 det
river NOUN 8 obl
. PUNCT 4 punct"""


def _corpus(size: int) -> list[Sentence]:
    words, tags, heads, deps = zip(*map(str.split, ROWS.splitlines()), strict=True)
    sentence = Sentence.from_words(words, "en")
    full = replace(sentence, upos=tags, heads=tuple(map(int, heads)), deps=deps)
    return [replace(full, id=f"item-{i}") for i in range(size)]


Key = tuple[str, str, int]


def _all(corpus: list[Sentence]) -> dict[Key, Variant | None]:
    perturbations = [*WORD_ORDERS, *UNITS, *SURFACE]
    return {
        (draw.sentence.id, str(draw.perturbation), draw.draw): draw.variant
        for draw in perturb_all(corpus, perturbations, seed=7, draws=2)
    }


def test_draws_depend_on_seed_item_perturbation_and_draw_alone() -> None:
    """The same in one batch of 1000 and in batches of one, backwards, and in two processes."""
    corpus = _corpus(1000)
    whole = _all(corpus)
    assert _all(corpus[::-1]) == whole
    one_by_one: dict[Key, Variant | None] = {}
    for sentence in corpus[:100]:
        one_by_one |= _all([sentence])
    assert one_by_one == {key: whole[key] for key in one_by_one}
    context = get_context("spawn")  # other interpreters, with other hash seeds
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        first, second = pool.map(_all, [corpus[:100], corpus[100:200]])
    both = first | second
    assert both == {key: whole[key] for key in both}
    assert len(both) == len(whole) // 5
    for sentence in corpus[:50]:
        for perturbation in WORD_ORDERS:
            variant = perturb(sentence, perturbation, seed=7)
            assert variant == whole[sentence.id, str(perturbation), 0]


@pytest.mark.parametrize("perturbation", parse_all(["wordorder", "FullShuffle"]), ids=str)
def test_random_ones_vary_and_others_do_not(perturbation: Perturbation) -> None:
    texts = {
        variant.text
        for sentence in _corpus(60)
        for draw in range(2)
        if (variant := perturb(sentence, perturbation, draw=draw)) is not None
    }
    assert (len(texts) > 1) == perturbation.random
