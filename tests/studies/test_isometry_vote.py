"""The vote is on the pair; any odd number of detectors, any ε."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.studies.isometry.samples import OUTCOMES, vote
from hyperbaton.studies.layer.sources import short_names

LABELS = st.tuples(st.integers(1, 12), st.sampled_from([1, 3, 5, 7])).flatmap(
    lambda shape: arrays.arrays(np.int64, (*shape, 2), elements=st.integers(0, 1))
)


@given(LABELS)
def test_outcome_is_the_pair_of_a_strict_majority(labels: np.ndarray) -> None:
    votes = vote(labels)
    for row, outcome, agreeing in zip(labels, votes.outcomes, votes.agreeing, strict=True):
        (pair, count), *_ = Counter(map(tuple, row.tolist())).most_common()
        if 2 * count > len(row):
            assert OUTCOMES[outcome] == f"[{pair[0]},{pair[1]}]"
            assert agreeing.tolist() == [tuple(labels) == pair for labels in row.tolist()]
        else:
            assert OUTCOMES[outcome] == "∅"
            assert not agreeing.any()


@given(LABELS)
def test_counts_and_labels_agree(labels: np.ndarray) -> None:
    votes = vote(labels)
    assert sum(votes.counts().values()) == len(labels)
    assert len(votes.labels()) == len(labels) - votes.counts()["∅"]
    ones = votes.counts()["[1,1]"]
    assert votes.labels()[:, 0].sum() == ones + votes.counts()["[1,0]"]
    assert votes.labels()[:, 1].sum() == ones + votes.counts()["[0,1]"]


def test_even_numbers_of_detectors_are_refused() -> None:
    with pytest.raises(HyperbatonError, match="odd number"):
        vote(np.zeros((3, 2, 2)))


def test_names_that_would_collide_stay_whole() -> None:
    assert short_names(("a.pawsx.1", "a.pawsx.2")) == ("a.pawsx.1", "a.pawsx.2")
    assert short_names(("cosine:m/x(threshold=0.4)", "lexical(language=de)")) == (
        "cosine:x",
        "lexical(language=de)",
    )
