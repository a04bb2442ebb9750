"""n-gram counts of pairs: what the kernels give to BLEU, chrF and bigram-F."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from hyperbaton.metrics.kernels.texts import Pairs, Sequences

__all__ = ["Counts", "counts"]

Numbers = npt.NDArray[np.float64]


class Counts(NamedTuple):
    """n-grams of pairs × orders, and the lengths of the sequences."""

    matches: Numbers
    hypothesis: Numbers
    reference: Numbers
    hypothesis_length: Numbers
    reference_length: Numbers

    def swapped(self) -> Counts:
        """The counts with the roles exchanged: what both have stays the same."""
        return Counts(
            self.matches,
            self.reference,
            self.hypothesis,
            self.reference_length,
            self.hypothesis_length,
        )


def counts(pairs: Pairs, sequences: Sequences, order: int) -> Counts:
    """What hypothesis and reference have in common, and what each has."""
    from hyperbaton.metrics.kernels.match import matches

    found = matches(sequences, pairs.hypotheses, pairs.references, order)
    lengths = sequences.lengths.astype(np.float64)
    hypothesis, reference = lengths[pairs.hypotheses], lengths[pairs.references]
    shorter = np.arange(order)
    return Counts(
        found.astype(np.float64),
        np.maximum(hypothesis[:, None] - shorter, 0),
        np.maximum(reference[:, None] - shorter, 0),
        hypothesis,
        reference,
    )
