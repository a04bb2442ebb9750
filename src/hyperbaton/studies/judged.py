"""A study of moved words: every sample has an outcome, and a score by the projected reference."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from hyperbaton.pipeline import Pair, Run
from hyperbaton.studies.study import Study

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Judged"]


@dataclass(frozen=True)
class Judged(Study):
    """A study whose probes move the words of source and reference, and that compares `beta2`."""

    printed: ClassVar[tuple[str, ...]] = ("steerability",)

    align: str = field(
        default="gloss",
        kw_only=True,
        metadata={"help": "links words of source and translation: fast_align, pharaoh:FILE"},
    )

    second_look: bool = field(
        default=True,
        kw_only=True,
        metadata={"help": "read translations back whose outcome is not clear: surer, slower"},
    )

    def __post_init__(self) -> None:
        from hyperbaton.alignment import ALIGNERS

        ALIGNERS.parse(self.align)  # a wrong name is refused before anything is written

    def whole(self, run: Run, pair: Pair, system: str) -> pl.DataFrame | None:
        """The outcome of every sample, and β2 projected."""
        from hyperbaton.studies.outcomes import outcomes

        return outcomes(run, pair, system, self.align, self.second_look)

    @property
    def by_parts(self) -> bool:
        """Unless the aligner learns from the whole corpus, or reads it from one file."""
        from hyperbaton.alignment import ALIGNERS

        return ALIGNERS.parse(self.align).alone

    def whole_signature(self, pair: Pair) -> str:
        """The rule of the outcomes and the aligner."""
        from hyperbaton.studies.outcomes import outcomes_signature

        return outcomes_signature(pair, self.align, self.second_look)
