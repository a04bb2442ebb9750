"""The choice of a checkpoint, with planted ones: on equally perturbed validation data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hyperbaton.perturb.units import FullShuffle, Identity
from hyperbaton.studies.structure.tuned import TunedModel
from hyperbaton.tasks.pairs import PawsX
from hyperbaton.tasks.task import Examples

CLEAN = Examples(
    tuple(map(str, range(6))),
    tuple((f"abcdefgh{n}", "ijklmnop") for n in range(6)),
    (0, 1, 0, 1, 0, 1),
    ("0", "1"),
    "en",
)
SETTINGS = (Identity(), FullShuffle())


class Planted:
    """Right on texts that are in order, or on those that are not; always says 0 elsewhere."""

    def __init__(self, name: str, ordered: bool) -> None:
        self.name, self._ordered = name, ordered
        self.asked = 0

    def predict(self, texts: Sequence[tuple[str, ...]]) -> NDArray[np.intp]:
        self.asked += 1
        return np.array(
            [
                _number(first) % 2 if (second == "ijklmnop") == self._ordered else 0
                for first, second in texts
            ],
            np.intp,
        )


def _number(text: str) -> int:
    return int("".join(character for character in text if character.isdigit()))


def _model(checkpoints: Sequence[Planted], seeds: int = 2) -> tuple[TunedModel, list[int]]:
    trained: list[int] = []

    def train(number: int) -> Sequence[Planted]:
        trained.append(number)
        return checkpoints

    return TunedModel(PawsX(), {"en": CLEAN}, SETTINGS, seeds, train, "planted", None), trained


def test_each_perturbation_gets_the_checkpoint_that_is_best_for_it() -> None:
    clean, shuffled = Planted("epoch-01", True), Planted("epoch-02", False)
    model, trained = _model([clean, shuffled])
    assert model.chosen("en", 0, 0) is clean
    assert model.chosen("en", 0, 1) is shuffled
    assert model.chosen("en", 1, 1) is shuffled
    assert trained == [0]
    assert model.chosen("en", 2, 0) is clean  # the second training
    assert trained == [0, 1]


def test_of_equal_checkpoints_the_earliest_is_taken() -> None:
    first, second = Planted("epoch-01", True), Planted("epoch-02", True)
    model, _ = _model([first, second])
    assert model.chosen("en", 0, 0) is first


def test_the_chosen_checkpoint_answers_for_its_cells(tmp_path: Path) -> None:
    clean, shuffled = Planted("epoch-01", True), Planted("epoch-02", False)
    model, _ = _model([clean, shuffled])
    mixed = [text[::-1] for row in CLEAN.texts for text in row]
    texts = [text for row in CLEAN.texts for text in row] + mixed
    cells = [(0, 0), (0, 1)]
    judged = model.answer(CLEAN, texts, None, cells)
    assert [one.scores.tolist() for one in judged] == [[1.0] * 6, [1.0] * 6]
    before = clean.asked
    model.answer(CLEAN, texts, None, cells)
    assert clean.asked == before + 1  # validation is not repeated
