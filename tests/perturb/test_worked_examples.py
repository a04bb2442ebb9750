"""The printed examples of the wordorder paper come out, word for word."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from hyperbaton.corpus.conllu_writer import to_conllu
from hyperbaton.language.noun_units import noun_rule, noun_units
from hyperbaton.language.sentence import Order, Sentence
from hyperbaton.perturb import PERTURBATIONS, Reordering, perturb
from hyperbaton.perturb.groups import WORDORDER

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
def test_the_rule_finds_the_hand_made_chunks(example: Example) -> None:
    """Without chunks the labels are recognised as English spaCy's, and give them again."""
    bare = replace(example.sentence, noun_chunks=None)
    assert noun_rule(bare) in ("clear", "ud")  # four sentences have labels that fit both
    assert noun_units(bare) == example.sentence.noun_chunks


BARE = """
import sys
from pathlib import Path
sys.modules["spacy"] = None
from hyperbaton.cli.main import main
for path, name in zip(sys.argv[1::2], sys.argv[2::2]):
    assert main(["perturb", "-l", "en", "--with", name, "--format", "jsonl", path]) == 0
"""


@pytest.mark.parametrize("alone", [False, True], ids=["one file", "a file each"])
def test_they_come_out_of_the_bare_core(alone: bool, tmp_path: Path) -> None:
    """From CoNLL-U without noun chunks, with spaCy blocked."""
    fixed = [example for example in EXAMPLES if not example.random]
    assert len(fixed) == 40
    blocks = {
        example.sentence.id: to_conllu(replace(example.sentence, noun_chunks=None, scheme=""))
        for example in fixed
    }
    assert not any("noun_chunks" in block for block in blocks.values())
    arguments: list[str] = []
    for example in fixed:
        own = blocks[example.sentence.id]
        path = tmp_path / f"{example.sentence.id if alone else 'all'}.conllu"
        path.write_text(own if alone else "".join(blocks.values()))
        name = example.perturbation
        name += "(convention=paper)" if name == "shuffleHalvesLast" else ""
        arguments += [str(path), name]
    command = [sys.executable, "-c", BARE, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    made = {
        (row["item"], row["variant"].split("(")[0]): row["order"]
        for row in map(json.loads, done.stdout.splitlines())
    }
    for example in fixed:
        order = made[example.sentence.id, example.perturbation]
        assert tuple(example.sentence.words[i] for i in order) == example.output


def test_text_of_the_paper_is_an_option() -> None:
    """Nearest pairs and the first verb alone, on the sentence of Figure 3."""
    tom = next(e.sentence for e in EXAMPLES if e.sentence.id == "tom")
    assert _text(tom, "verbAtBeginning(verbs=text)") == (
        "said Tom he could n't find a decent place to live ."
    )
    assert _text(tom, "nounVerbSwap(pairing=text)") == (
        "said Tom could he n't a decent place find to live ."
    )
    assert _text(tom, "nounVerbMismatched(pairing=text)") == (
        "live a decent place find could n't he said to Tom ."
    )


def _text(sentence: Sentence, name: str) -> str:
    perturbation = PERTURBATIONS.parse(name)
    assert isinstance(perturbation, Reordering)
    variant = perturb(sentence, perturbation)
    assert variant is not None
    return variant.text
