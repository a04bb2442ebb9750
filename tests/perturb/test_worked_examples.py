"""The printed examples of the wordorder paper come out, word for word."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from hyperbaton.nouns import noun_rule, noun_units
from hyperbaton.perturb import PERTURBATIONS, Reordering, perturb
from hyperbaton.perturb.groups import WORDORDER
from hyperbaton.sentence import Order, Sentence

from .worked import Example, examples

EXAMPLES = examples()
DRAWS = 200


def _identify(example: Example) -> str:
    return f"{example.perturbation}-{example.sentence.id}"


def _orders(example: Example) -> list[Order]:
    perturbation = PERTURBATIONS.parse(example.perturbation)
    found = []
    for draw in range(DRAWS):
        variant = perturb(example.sentence, perturbation, draw=draw)
        assert variant is not None
        assert variant.order is not None
        found.append(variant.order)
    return found


def test_all_sixteen_are_printed_somewhere() -> None:
    assert {example.perturbation for example in EXAMPLES} == set(WORDORDER)
    assert len(EXAMPLES) == 56


@pytest.mark.parametrize("example", [e for e in EXAMPLES if not e.random], ids=_identify)
def test_deterministic_example(example: Example) -> None:
    name = example.perturbation
    if name == "shuffleHalvesLast":
        name += "(convention=paper)"
    perturbation = PERTURBATIONS.parse(name)
    assert not perturbation.random
    variant = perturb(example.sentence, perturbation)
    assert variant is not None
    assert variant.order is not None
    assert tuple(example.sentence.words[i] for i in variant.order) == example.output


@pytest.mark.parametrize("example", [e for e in EXAMPLES if e.random], ids=_identify)
def test_random_example_keeps_its_slots(example: Example) -> None:
    """What never moves in our draws stands still in print; what may move is what was printed."""
    words = example.sentence.words
    orders = _orders(example)
    assert PERTURBATIONS.parse(example.perturbation).random
    assert Counter(example.output) == Counter(words)
    if example.perturbation != "nounSwaps":  # there the slots have several lengths
        still = [i for i in range(len(words)) if all(order[i] == i for order in orders)]
        assert all(example.output[i] == words[i] for i in still)
        assert len(set(orders)) > 1
    made = {tuple(words[i] for i in order) for order in orders}
    if len(set(orders)) <= 24:  # few enough results that the printed one must be among them
        assert example.output in made


@pytest.mark.parametrize("example", EXAMPLES, ids=_identify)
def test_spacy_rule_finds_the_hand_made_chunks(example: Example) -> None:
    """Without chunks the labels are recognised as English spaCy's and its rule gives them again."""
    pytest.importorskip("spacy")
    bare = replace(example.sentence, noun_chunks=None)
    if noun_rule(bare) == "spacy":
        assert set(noun_units(bare)) == set(example.sentence.noun_chunks or ())


def test_text_of_the_paper_is_an_option() -> None:
    """Nearest pairs and the first verb alone, on the sentence of Figure 3."""
    tom = next(e.sentence for e in EXAMPLES if e.sentence.id == "tom")
    assert _text(tom, "verbAtBeginning(verbs=first)") == (
        "said Tom he could n't find a decent place to live ."
    )
    assert _text(tom, "nounVerbSwap(pairing=nearest)") == (
        "said Tom could he n't a decent place find to live ."
    )
    assert _text(tom, "nounVerbMismatched(pairing=nearest)") == (
        "live a decent place find could n't he said to Tom ."
    )


def _text(sentence: Sentence, name: str) -> str:
    perturbation = PERTURBATIONS.parse(name)
    assert isinstance(perturbation, Reordering)
    variant = perturb(sentence, perturbation)
    assert variant is not None
    return variant.text
