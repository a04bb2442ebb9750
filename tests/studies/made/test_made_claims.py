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
from tests.studies.made.structure import PARTS
from tests.studies.made.wordorder import MADE as MADE_WORDORDER
from tests.studies.made.wordorder import asked, level

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


@pytest.mark.parametrize("part", PARTS, ids=": ".join)
def test_a_claim_needs_the_settings_that_it_names(part: tuple[str, str]) -> None:
    """A number of some settings holds where the others fail, and its failure decides the claim."""
    name, label = part
    held, failed = (TESTS[name](make()) for make in PARTS[part])
    alone = weighed(name, held._replace(numbers={"": held.numbers[label]}))
    assert alone.verdict == "holds", f"{alone.value} [{alone.low}, {alone.high}]"
    alone = weighed(name, failed._replace(numbers={"": failed.numbers[label]}))
    assert alone.verdict == "does not hold", f"{alone.value} [{alone.low}, {alone.high}]"
    assert weighed(name, failed).verdict == "does not hold"
    # Where flips keep less and full shuffles more, the lead of the one over the other falls too.
    tied = {label, "lead under flips over full shuffle"} if label.startswith("flips") else {label}
    rest = {key: one for key, one in failed.numbers.items() if key not in tied}
    assert weighed(name, failed._replace(numbers=rest)).verdict != "does not hold"


def test_a_claim_about_metrics_that_were_not_asked_is_not_decided_by_another() -> None:
    beta1, beta2 = level(0.6, Levenshtein=0.5), level(0.2, Levenshtein=0.5)
    claim = TESTS["W17"]
    told = claim(asked(beta1=beta1, beta2=beta2))
    assert isinstance(told, str)
    assert "BERTScore or BLEURT, which it is about" in told
    assert "edit distance alone" in told
    told = claim(asked(metrics=("BLEU", "BERTScore"), beta1=beta1, beta2=beta2))
    assert told.detail == "BLEURT and Levenshtein were not asked"
