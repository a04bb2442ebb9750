"""A translator at a task that is given tens of thousands of texts at once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from hyperbaton.base.errors import OutOfBudget
from hyperbaton.studies.structure.systems import TranslatingSystem
from hyperbaton.tasks.translation import Translation
from tests.systems.fakes import Streaming


def test_a_limit_ends_it_between_two_texts() -> None:
    made: list[str] = []
    system = TranslatingSystem(
        Translation(), lambda source, target: Streaming(lambda texts: made.extend(texts)), None
    )
    examples = Translation().examples(Path(), "de", limit=20)
    texts = [f"{n:02}" for n in range(20)]
    (judged,) = system.answer(examples, texts, None, [(0, 0)])
    assert judged.answers == tuple(text[::-1] for text in texts)
    made.clear()

    def check(_: Sequence[str]) -> None:
        if len(made) == 3:
            raise OutOfBudget("enough")

    system.before = check
    with pytest.raises(OutOfBudget, match="enough"):
        system.answer(examples, texts, None, [(0, 0)])
    assert made == texts[:3]
