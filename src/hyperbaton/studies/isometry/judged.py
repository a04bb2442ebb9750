"""The rows that the whole study is made of: pairs, their translations, what detectors say."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hyperbaton.errors import HyperbatonError
from hyperbaton.studies.isometry.vote import Votes, vote

__all__ = ["SIDES", "Judged", "short_names"]

SIDES = ("source", "target")


@dataclass(frozen=True, eq=False)
class Judged:
    """One data set translated by one system: texts, probabilities, surface similarities."""

    system: str
    dataset: str
    detectors: tuple[str, ...]
    items: tuple[str, ...]
    source: tuple[str, ...]
    varied: tuple[str, ...]
    output: tuple[str, ...]
    varied_output: tuple[str, ...]
    probabilities: NDArray[np.float64]
    """P(paraphrase): items × detectors × the two sides."""
    chrf: NDArray[np.float64]
    """chrF̄2 in [0, 1]: items × the two sides."""
    bleu: NDArray[np.float64]
    """Symmetric BLEU in [0, 1]: items × the two sides."""
    gold: tuple[int | None, ...] = ()
    """Whether the sources are paraphrases in truth, where that is known."""
    epsilon: float = 0.5
    pair: str = ""
    """The languages, where they are known."""

    def __post_init__(self) -> None:
        shape = (len(self.items), len(self.detectors), 2)
        if self.probabilities.shape != shape:
            raise HyperbatonError(
                f"{self.system}, {self.dataset}: probabilities of shape "
                f"{self.probabilities.shape} where items × detectors × sides is {shape}"
            )

    def __len__(self) -> int:
        return len(self.items)

    @property
    def name(self) -> str:
        """System and data set in one line."""
        return f"{self.system}, {self.dataset}"

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """S: 1 where P ≥ ε; items × detectors × sides."""
        return np.asarray(self.probabilities >= self.epsilon, dtype=np.int64)

    @cached_property
    def votes(self) -> Votes:
        """M of every pair, and who agreed."""
        return vote(self.labels)

    def similarity(self, metric: str) -> NDArray[np.float64]:
        """The surface similarity by its name, chrF̄2 or BLEU: items × sides."""
        return self.chrf if metric == "chrF̄2" else self.bleu


def short_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names cut where they begin to tell nothing new, for tables and axes.

    >>> short_names(("xlm-roberta-large.pawsx.ML128.1", "xlm-roberta-base.pawsx.ML128.2"))
    ('xlm-roberta-large', 'xlm-roberta-base')
    >>> short_names(("hf-pair:/models/a.b/mbert(commutative=true)", "lexical"))
    ('hf-pair:mbert', 'lexical')
    """
    short = tuple(_stem(name) for name in names)
    return short if len(set(short)) == len(short) else names


def _stem(name: str) -> str:
    head, brackets, _ = name.partition("(")
    scheme, colon, place = head.partition(":")
    if colon and "/" in place:
        head = f"{scheme}:{place.rstrip('/').rsplit('/', 1)[-1]}"
    return head.partition(".pawsx")[0] if not brackets or colon else name
