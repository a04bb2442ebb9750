"""Cells of few items: they weigh less among others, and the page names them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.corpus.item import Item
from hyperbaton.language.sentence import Sentence
from hyperbaton.pipeline import Items, Job, Pair, Run, RunOptions, execute
from hyperbaton.studies.layer.experiment import ALL
from hyperbaton.studies.wordorder import WordOrder

EN_DE = Pair("en", "de")
STUDY = WordOrder(perturbations="reversed; verbSwaps")


def _item(number: int, verbs: bool) -> Item:
    words = ["a", f"b{number}", "c", "d", "e", "f", "."]
    upos = tuple("VERB" if verbs and word in "df" else "X" for word in words)
    source, reference = (
        Sentence(tuple(words), (True,) * 7, code, upos=upos) for code in ("en", "de")
    )
    return Item(str(number), source, reference)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    items = [_item(number, verbs=number < 6) for number in range(60)]
    job = Job(
        STUDY,
        (Items(EN_DE, items),),
        ("copy",),
        ("chrF",),
        options=RunOptions(workers=0, cached=False),
    )
    return execute(job, tmp_path)


def test_a_starved_cell_weighs_in_proportion_to_its_items(run: Run) -> None:
    found = {(s.variant, s.name): s for s in STUDY.scores([run])}
    many, few, both = (found[name, "beta1"] for name in ("reversed", "verbSwaps", ALL))
    assert (many.n, few.n) == (60, 6)
    assert both.value == pytest.approx((many.value + 0.2 * few.value) / 1.2)
    assert few.value != pytest.approx(many.value)


def test_the_page_names_starved_cells_and_says_how_they_weigh(run: Run) -> None:
    notes = STUDY.contents([run]).notes
    few = [note for note in notes if note.startswith("Few samples")]
    assert few == ["Few samples (under 30), whose means say little: verbSwaps en-de (6)."]
    assert any("a cell of fewer than 30 items weighs less" in note for note in notes)
