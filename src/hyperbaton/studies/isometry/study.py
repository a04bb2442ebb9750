"""The study: paraphrases in, translations out, and detectors that judge both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from hyperbaton.corpus.item import Item
from hyperbaton.errors import HyperbatonError
from hyperbaton.pipeline import IDENTITY, Comparison, Pair, Parse, Probe, Run
from hyperbaton.studies.study import Study

if TYPE_CHECKING:
    from hyperbaton.report.contents import Contents

__all__ = ["BLEU", "CHRF", "DETECTOR", "PARAPHRASE", "Isometry"]

PARAPHRASE = "paraphrase"
"""The variant that the second sentence of a pair is."""
CHRF = "chrF(symmetric=true)"
BLEU = "BLEU(smooth=none, symmetric=true)"
DETECTOR = "Paraphrase:"
"""How a detector begins when it is named as a metric."""
COMPARISONS = (
    Comparison("before", hypothesis="source", reference="varied", side="source"),
    Comparison("after", hypothesis="output", reference="varied_output"),
)


@dataclass(frozen=True)
class Isometry(Study):
    """Does meaning equivalence survive translation? Detectors are among the metrics of a run.

    >>> print(Isometry(), Isometry(epsilon=0.7))
    isometry isometry(epsilon=0.7)
    """

    name: ClassVar[str] = "isometry"
    columns = ("tag", "label")

    epsilon: float = 0.5
    """From which probability on two sentences count as paraphrases."""

    def __post_init__(self) -> None:
        if not 0 < self.epsilon <= 1:
            raise HyperbatonError(f"ε lies above 0 and is at most 1, not {self.epsilon}")

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """The two sentences before translation, and after."""
        return COMPARISONS

    @property
    def metrics(self) -> tuple[str, ...]:
        """Surface similarity, and the one detector that needs nothing."""
        return (CHRF, BLEU, f"{DETECTOR}lexical")

    def probes(self, items: Sequence[Item], pair: Pair, parse: Parse) -> Iterator[Probe]:
        """The pair itself, and its first sentence against itself: the noise of the system."""
        for item in items:
            varied = item.columns.get("varied")
            if varied is None:
                raise HyperbatonError(f"item '{item.id}' has no second sentence to compare with")
            reference = item.reference_text
            yield Probe(item.id, IDENTITY, item.source_text, item.source_text, reference, reference)
            yield Probe(
                item.id,
                PARAPHRASE,
                item.source_text,
                varied,
                reference,
                item.columns.get("varied_reference"),
                columns={key: item.columns[key] for key in self.columns if key in item.columns},
            )

    def contents(self, runs: Sequence[Run]) -> Contents:
        """Findings, tables, figures and single pairs."""
        from hyperbaton.studies.isometry.contents import contents

        return contents(self, runs)
