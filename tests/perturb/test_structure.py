"""The structure study's perturbations: the printed check, the reference values, the grid."""

from __future__ import annotations

from itertools import accumulate, pairwise
from pathlib import Path
from statistics import mean, stdev

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.cli.terminal.variant_rows import measured
from hyperbaton.language.sentence import Sentence, expand
from hyperbaton.metrics.structure import displacement, idc, moved
from hyperbaton.perturb import PERTURBATIONS, Draw, Reordering, parse_all, perturb
from hyperbaton.perturb.units import flip
from tests.perturb.reference import REFERENCE

SHARED = Path(__file__).parents[3] / "shared"
TATOEBA = SHARED / "data" / "laser-tatoeba-v1" / "tatoeba.deu-eng.deu"


def test_phrases_in_the_printed_order() -> None:
    phrases = ["The s", "chol", "ar ", "i", "s ty", "pesetti", "ng."]
    order = expand([6, 1, 0, 4, 2, 5, 3], [len(phrase) for phrase in phrases])
    text = "".join(phrases)
    assert "".join(text[i] for i in order) == "ng.cholThe ss tyar pesettii"


def test_phrase_shuffle_moves_whole_phrases() -> None:
    """With p a phrase ends: the number of phrases is what p says, and each is a run of units."""
    shuffle = PERTURBATIONS.parse("PhraseShuffle(p=0.25)")
    text = Sentence.from_words(["x" * 4001])
    variant = perturb(text, shuffle)
    assert variant is not None
    assert variant.order is not None
    breaks = sum(b != a + 1 for a, b in pairwise(variant.order))
    assert 900 < breaks < 1100


def test_flip_holds_a_unit() -> None:
    assert flip([True] * 3) == (1, 2, 3, 0)
    assert flip([False] * 3) == (0, 1, 2, 3)
    assert flip([True, False, True]) == (1, 0, 3, 2)


def test_flip_probability_is_that_of_the_flip() -> None:
    """A rare flip leaves most of the text: the printed pseudocode would destroy it."""
    text = Sentence.from_words(["abcdefghij" * 300])
    variant = perturb(text, PERTURBATIONS.parse("NeighbourFlip(p=0.01)"))
    assert variant is not None
    assert variant.order is not None
    assert moved([variant.order])[0] < 0.05


@pytest.mark.skipif(not TATOEBA.exists(), reason="needs ../shared")
@pytest.mark.parametrize("name", REFERENCE)
def test_reference_values(name: str) -> None:
    lines = TATOEBA.read_text(encoding="utf-8").splitlines()[:300]
    texts = [Sentence((line,), (False,), "de", id=str(i)) for i, line in enumerate(lines)]
    perturbation = PERTURBATIONS.parse(name)
    assert isinstance(perturbation, Reordering)
    runs = []
    for draw in range(20):
        made = [
            Draw(text, perturbation, draw, perturb(text, perturbation, draw=draw)) for text in texts
        ]
        found = [measures for measures in measured(made) if measures is not None]
        assert len(found) == 300
        runs.append((mean(m.bigram_f for m in found), mean(m.idc for m in found)))
    for values, reference in zip(zip(*runs, strict=True), REFERENCE[name], strict=True):
        # The reference is one run: it strays from the mean as our own runs do, by 0.01 at most
        # (long phrases) and mostly by far less.
        assert stdev(values) < 0.012
        assert mean(values) == pytest.approx(reference, abs=0.01 + stdev(values))


def test_measures_of_the_poles() -> None:
    size = 600
    identity = tuple(range(size))
    for measure in (idc, displacement, moved):
        assert measure([identity, ()]).tolist() == [0, 0]
    assert idc([identity[::-1]]) == pytest.approx([1 / 2])
    shuffled = perturb(Sentence.from_words(["x" * size]), PERTURBATIONS.parse("FullShuffle"))
    assert shuffled is not None
    assert idc([shuffled.order or ()]) == pytest.approx([1 / 3], abs=0.03)


def test_characters_are_measured_for_words_too() -> None:
    sentence = Sentence.from_words(["aa", "b", "cccc", "d", "e", "."])
    perturbation = PERTURBATIONS.parse("reversed")
    assert isinstance(perturbation, Reordering)
    variant = perturb(sentence, perturbation)
    assert variant is not None
    starts = [0, *accumulate(len(word) for word in sentence.words)]
    old = [c for i in variant.order or () for c in range(starts[i], starts[i + 1])]
    expected = mean(abs(i - c) for i, c in enumerate(old)) / len(old)
    rewritten = PERTURBATIONS.parse("upper")
    upper = Draw(sentence, rewritten, 0, perturb(sentence, rewritten))
    found, none = measured([Draw(sentence, perturbation, 0, variant), upper])
    assert found is not None
    assert found.idc == pytest.approx(expected)
    assert none is None


def test_grid(tmp_path: Path) -> None:
    grid = parse_all([f"structure-grid(tokenizer={tmp_path / 'x.model'})"])
    assert len(grid) == len(set(grid)) == 42
    reorderings = [p for p in grid if isinstance(p, Reordering)]
    assert sum(p.unit == "subword" for p in reorderings) == 15
    assert sum(p.unit == "char" for p in reorderings) == 26
    assert [PERTURBATIONS.parse(str(p)) for p in grid] == grid
    assert len(parse_all(["char-grid"])) == 27


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("structure-grid", "needs the model's tokenizer"),
        ("wordorder(p=1)", "no parameter 'p'"),
        ("NeighbourFlip(p=3)", "between 0 and 1"),
        ("PhraseShuffle(p=-0.1)", "between 0 and 1"),
        ("NeighbourFlip", "needs p"),
        ("FullShuffle(unit=subword)", "needs the tokenizer"),
        ("FullShuffle(tokenizer=a.model)", "tokenizer needs unit=subword"),
        ("whitespace(p=0)", "above 0"),
        ("treeMirorPre", "Did you mean 'treeMirrorPre'"),
        ("nounVerbSwap(pairing=closest)", "pairing is one of code, text"),
    ],
)
def test_mistakes_are_named(name: str, message: str) -> None:
    with pytest.raises(HyperbatonError, match=message):
        parse_all([name])
