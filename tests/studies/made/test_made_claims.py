"""Each claim of the register holds on data that was made so, and fails on data made against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from hyperbaton.studies.grammar.claims import TESTS as GRAMMAR
from hyperbaton.studies.isometry.claims import TESTS as ISOMETRY
from hyperbaton.studies.layer.evidence import weighed
from hyperbaton.studies.layer.register import claims
from hyperbaton.studies.structure.claims import TESTS as STRUCTURE
from hyperbaton.studies.wordorder.claims import TESTS as WORDORDER
from tests.studies.made.grammar import MADE as MADE_GRAMMAR
from tests.studies.made.isometry import MADE as MADE_ISOMETRY
from tests.studies.made.structure import MADE as MADE_STRUCTURE
from tests.studies.made.wordorder import MADE as MADE_WORDORDER

TESTS: Mapping[str, Callable[[Any], Any]] = {**WORDORDER, **STRUCTURE, **GRAMMAR, **ISOMETRY}
MADE: Mapping[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    **MADE_WORDORDER,
    **MADE_STRUCTURE,
    **MADE_GRAMMAR,
    **MADE_ISOMETRY,
}


def test_there_are_data_for_every_claim() -> None:
    assert set(MADE) == {name for name, claim in claims().items() if not claim.shown}


@pytest.mark.parametrize("name", MADE)
def test_a_claim_holds_where_data_were_made_for_it(name: str) -> None:
    for make, told in zip(MADE[name], ("holds", "does not hold"), strict=True):
        tested = TESTS[name](make())
        assert not isinstance(tested, str), tested
        found = weighed(name, tested)
        assert found.verdict == told, f"{found.value} [{found.low}, {found.high}]: {found.detail}"
