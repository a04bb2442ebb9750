"""What a pipeline must know of an experiment: how probes are made, and what is compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

import polars as pl

from hyperbaton.base.spec import Registry, Spec
from hyperbaton.corpus.item import Item, Text
from hyperbaton.language.languages import checked_language, parse_pair
from hyperbaton.language.sentence import Need, Order, Sentence
from hyperbaton.metrics.metric import Metric
from hyperbaton.systems.system import SYSTEMS, System

if TYPE_CHECKING:
    from hyperbaton.encoders.encoder import Encoder
    from hyperbaton.pipeline.run.results import Run

IDENTITY = "identity"
"""The variant that changes nothing: its `varied` is translated again, apart from the others, so
that `varied_output` against `output` is the noise of the system itself."""


@dataclass(frozen=True)
class Pair:
    """The languages of a corpus, source and target.

    >>> str(Pair.parse("en-de"))
    'en-de'
    """

    source: str
    target: str

    def __post_init__(self) -> None:
        # A pair names folders of a run, so its codes must not lead out of them.
        checked_language(self.source)
        checked_language(self.target)

    @classmethod
    def parse(cls, text: str) -> Pair:
        """The pair as the command line writes it."""
        return cls(*parse_pair(text))

    def __str__(self) -> str:
        return f"{self.source}-{self.target}"


@dataclass(frozen=True)
class Probe:
    """One row: a sentence and a variant of it, with their references where there are any.

    `words` and `order` (of the source, and of the reference) are for showing what moved where;
    `columns` is what else the study wants to find again beside the scores.
    """

    item: str
    variant: str
    source: str
    varied: str
    reference: str | None = None
    varied_reference: str | None = None
    draw: int = 0
    words: Sequence[str] | None = None
    order: Order | None = None
    reference_words: Sequence[str] | None = None
    reference_order: Order | None = None
    columns: Mapping[str, object] | None = None


@dataclass(frozen=True)
class Comparison:
    """Two columns of a probe or its outputs that a metric compares; `name` is the score's column.

    `side` says whose language the texts are in, which settles tokenizers; `source` is the column
    with the source text, for metrics that read it.
    """

    name: str
    hypothesis: str
    reference: str
    side: Literal["source", "target"] = "target"
    source: str | None = None
    metrics: tuple[str, ...] | None = None
    """Its own metrics; those of the run where none are named."""
    identity: bool = True
    """Whether the control rows (variant `identity`) are scored; null there if not."""

    @property
    def of_outputs(self) -> bool:
        """Whether a system's output is compared; otherwise the score belongs to the probe."""
        return bool({self.hypothesis, self.reference} & {"output", "varied_output"})

    def turned(self) -> Comparison:
        """The same with hypothesis and reference in each other's place."""
        return replace(self, hypothesis=self.reference, reference=self.hypothesis)


class Parse(Protocol):
    """Texts to sentences with the ids of their items; what is parsed already stays as it is."""

    def __call__(
        self, texts: Sequence[Text], ids: Sequence[str], language: str
    ) -> list[Sentence]: ...


class Design(Spec):
    """An experiment as a printable value; it goes to worker processes, so it holds no state."""

    poles: ClassVar[tuple[str, ...]] = ()
    """Systems with known answers that are part of every run."""
    columns: ClassVar[Mapping[str, pl.DataType]] = MappingProxyType({})
    """The further columns of its probes, with their types."""
    asks: ClassVar[bool] = True
    """Whether systems are asked at all; otherwise metrics compare the probes alone."""

    @property
    def registry(self) -> Registry[System] | Registry[Encoder]:
        """Where the names of its systems are looked up."""
        return SYSTEMS

    @property
    def parses(self) -> tuple[Literal["source", "target"], ...]:
        """The sides that `probes` asks to be parsed."""
        return ()

    @property
    def needs(self) -> Need:
        """What `probes` must know of them; no parser has to be there for words or the text."""
        return "parse"

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Which pairs of columns are compared; none in a grid, whose task judges its answers."""
        return ()

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that are used unless others are named."""
        return ()

    def probes(self, items: Sequence[Item], pair: Pair, parse: Parse) -> Iterator[Probe]:
        """The probes of some items: a pure function, the same however items are cut into parts."""
        return iter(())

    def probes_signature(self, item: Item, pair: Pair) -> str:
        """What decides the probes beside corpus and parsers, in one line, told by a first item."""
        return ""

    def metric(self, metric: Metric) -> Metric:
        """A metric as this experiment uses it."""
        return metric

    def whole(self, run: Run, pair: Pair, system: str) -> pl.DataFrame | None:
        """Scores that need the whole corpus at once, as retrieval does: a row per probe, in order.

        Called when all parts of a system and a pair are there; None where there is nothing to add.
        A score by one metric is named `score:metric`; beside that metric's scores it is `score`.
        """
        return None

    @property
    def by_parts(self) -> bool:
        """Whether `whole` says of a part alone what it says of it among all others.

        Then it is called for one part at a time, as soon as its scores are there, by any worker.
        """
        return False

    def whole_signature(self, pair: Pair) -> str:
        """What changes those scores beside probes, outputs and metrics, in one line."""
        return ""
