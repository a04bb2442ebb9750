"""Texts laid end to end are varied as they are one by one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.language.sentence import Sentence, expand
from hyperbaton.metrics.structure import Originals, bigramF, idc
from hyperbaton.perturb import Reordering, perturb
from hyperbaton.perturb.units import FullShuffle, NeighbourFlip, PhraseShuffle, Units
from hyperbaton.studies.structure.varying import Laid
from hyperbaton.systems.shipped.bundled import Bundled

PIECES = Bundled.folder / "source.spm"
UNITS: list[Units] = [
    FullShuffle(),
    PhraseShuffle(p=0.3),
    NeighbourFlip(p=0.5),
    FullShuffle("subword", str(PIECES)),
    PhraseShuffle(0.5, "subword", str(PIECES)),
    NeighbourFlip(0.2, "subword", str(PIECES)),
]


def _one_by_one(
    texts: list[str], perturbation: Reordering, seed: int
) -> list[tuple[str, tuple[int, ...]]]:
    """Each varied text, with the order of its characters."""
    found = []
    for number, text in enumerate(texts):
        sentence = Sentence((text,), (False,), "de", id=str(number))
        variant = perturb(sentence, perturbation, seed=seed)
        lengths = [len(unit) for unit in perturbation.units(sentence)]
        order = range(len(lengths)) if variant is None else variant.order or ()
        found.append((text if variant is None else variant.text, expand(tuple(order), lengths)))
    return found


@pytest.mark.skipif(not PIECES.exists(), reason="needs the bundled translator")
@pytest.mark.parametrize("perturbation", UNITS, ids=str)
@given(texts=st.lists(st.text("abAB é.語😀", max_size=40), max_size=6), seed=st.integers(0, 3))
def test_laid_texts_are_varied_as_single_ones(
    perturbation: Units, texts: list[str], seed: int
) -> None:
    laid = Laid(texts, perturbation.tokenizer)
    places = laid.vary(perturbation, [str(number) for number in range(len(texts))], seed)
    singles = _one_by_one(texts, perturbation, seed)
    assert laid.write(places) == [text for text, _ in singles]
    originals = Originals(laid.codes, laid.lengths)
    assert originals.idc(places) == pytest.approx(idc([order for _, order in singles]))
    expected = bigramF().sentence_scores([text for text, _ in singles], texts)
    assert originals.bigram_f(places) == pytest.approx(expected)


@pytest.mark.skipif(not PIECES.exists(), reason="needs the bundled translator")
def test_the_name_of_the_tokenizer_decides_the_draw_and_its_path_does_not() -> None:
    """A study calls the tokenizer `model`, so that a draw is the same on every machine."""
    named = replace(UNITS[4], tokenizer="model")  # type: ignore[type-var]
    text = "Das ist ein Satz, der in Stücke zerfällt."
    places = Laid([text], str(PIECES)).vary(named, ["1"], seed=0)
    assert sorted(places.tolist()) == list(range(len(text)))
    assert not np.array_equal(places, Laid([text], str(PIECES)).vary(UNITS[4], ["1"], seed=0))


def test_a_folder_of_pieces_and_characters(tmp_path: Path) -> None:
    """What a character becomes may have another length; the pieces still tile the text."""
    import json
    import shutil

    from hyperbaton.metrics.compression import token_counts
    from hyperbaton.perturb.subwords import subwords

    if not PIECES.exists():
        pytest.skip("needs the bundled translator")
    shutil.copy(PIECES, tmp_path / "sentencepiece.model")
    become = {ord("ﬁ"): "fi", ord("\u200b"): "", ord("，"): ","}
    (tmp_path / "characters.json").write_text(json.dumps(become), encoding="utf-8")
    plain = "find the house, please"
    odd = "ﬁnd the\u200b house， please"
    cut = subwords(odd, str(tmp_path))
    assert "".join(cut) == odd
    assert len(cut) == len(subwords(plain, str(PIECES)))
    tokens = token_counts([odd], str(tmp_path))[0]
    assert tokens == token_counts([plain], str(PIECES))[0] + 2
