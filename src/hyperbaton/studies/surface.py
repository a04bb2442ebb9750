"""Surface: does the translation change with case, punctuation, quotes and white space?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal

import polars as pl

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item
from hyperbaton.language.sentence import Need, Sentence
from hyperbaton.perturb import Perturbation, needed, parse_all
from hyperbaton.pipeline import Comparison, Pair, Parse, Probe
from hyperbaton.studies.layer.experiment import CommandLine, Demo, ProbeStudy, Shown
from hyperbaton.studies.layer.probes import as_written, source_side
from hyperbaton.studies.layer.samples import Measures

if TYPE_CHECKING:
    from hyperbaton.studies.layer.aggregate import Aggregate

COMPARISONS = (
    Comparison("similarity", "varied_output", "output", source="varied"),
    Comparison("quality", "output", "reference", source="source"),
    Comparison("varied_quality", "varied_output", "reference", source="varied"),
)
_WHEN = {
    "upper": "the source is in capitals",
    "lower": "the source is in small letters",
    "title": "every word begins with a capital",
    "firstUpper": "the first letter becomes a capital",
    "firstLower": "the first letter becomes small",
    "addFinalMark": "a final full stop is added",
    "dropFinalMark": "the final mark is missing",
    "apostrophe": "apostrophes become curly",
    "apostrophe(style=straight)": "apostrophes become straight",
    "apostrophe(style=missing)": "apostrophes are missing",
    "quotes": "quotation marks become curly",
    "quotes(style=straight)": "quotation marks become straight",
    "whitespace": "spaces are doubled",
    "whitespace(kind=nobreak)": "spaces become no-break spaces",
    "whitespace(kind=missing)": "spaces are missing",
    "whitespace(kind=ends)": "spaces are added at both ends",
}
"""Each change as a sentence says it."""


@dataclass(frozen=True)
class Surface(ProbeStudy):
    """Are the outputs the same when only the surface of the source differs, and how far apart?

    >>> print(Surface(), Surface(perturbations="upper; quotes"))
    surface surface(perturbations="upper; quotes")
    """

    name: ClassVar[str] = "surface"
    title = "Surface: case, punctuation, quotes and white space"
    question = "Does the translation change when only the surface of the source does?"
    demo = Demo(pairs=("en-de", "en-fr", "en-ru"))
    shown: ClassVar[Mapping[str, Shown]] = {
        "same": Shown(
            "share of identical outputs", "highest", "changes its translations less often than"
        ),
        "similarity": Shown("similarity of the two outputs"),
        "varied_quality": Shown("quality after the change"),
        "loss": Shown("loss of quality"),
    }
    again = ("quality", "varied_quality")
    more_is_better = ("same", "similarity", "quality")
    command = CommandLine("""\
  hyperbaton surface -s news.en -l en-de --system bundled --out runs/surface
  hyperbaton surface -s news.en -r news.de -l en-de --system ct2:models/en-de --with upper \\
      --with 'quotes(style=low)' --out runs/quotes
  hyperbaton check runs/surface --min same=0.9""")

    perturbations: str = field(
        default="surface",
        metadata={
            "help": "surface perturbation or group (default: surface, all 16)",
            "flag": "--with",
            "metavar": "NAME",
            "repeat": True,
        },
    )
    seed: int = field(default=0, metadata={"help": "of random perturbations", "metavar": "N"})

    def __post_init__(self) -> None:
        for perturbation in self.variants:
            if perturbation.category != "surface":
                raise HyperbatonError(
                    f"{perturbation} changes more than the surface: see hyperbaton ls perturbations"
                )

    @cached_property
    def variants(self) -> tuple[Perturbation, ...]:
        """The perturbations."""
        return tuple(parse_all(part.strip() for part in self.perturbations.split(";")))

    @property
    def varies(self) -> tuple[str, ...]:
        """The perturbations."""
        return self.order

    @property
    def needs(self) -> Need:
        """The text alone, but for errors of learners."""
        return needed(self.variants)

    @property
    def parses(self) -> tuple[Literal["source"], ...]:
        """The source, where a perturbation must know its words."""
        return () if self.needs == "text" else ("source",)

    @property
    def order(self) -> tuple[str, ...]:
        """The perturbations as they were named."""
        return tuple(map(str, self.variants))

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """The two outputs with each other, and each with the reference where there is one."""
        return COMPARISONS

    @property
    def metrics(self) -> tuple[str, ...]:
        """chrF leads: it sees the case and the marks."""
        return ("chrF", "BLEU", "Levenshtein")

    @property
    def measures(self) -> Measures:
        """What is compared, whether outputs are the same, and what the change costs."""
        return {
            "same": pl.col("output") == pl.col("varied_output"),
            **super().measures,
            "loss": pl.col("quality") - pl.col("varied_quality"),
        }

    def answer(self, system: str, found: Mapping[str, Aggregate]) -> str:
        """How often the translation changes."""
        from hyperbaton.report.numbers import percent_text

        if "same" not in found:
            return ""
        value, low, high = found["same"].span
        changed = percent_text(1 - value, 1 - high, 1 - low)
        return (
            f"{system} changes {changed} of its translations when only the surface of the source "
            "changes."
        )

    def details(self, found: Mapping[str, Mapping[str, Aggregate]]) -> str:
        """Which change alters most translations, and which fewest."""
        from hyperbaton.report.numbers import percent_text

        same = {name: means["same"] for name, means in found.items() if "same" in means}
        ranked = sorted(same, key=lambda name: same[name].value)
        if len(ranked) < 2:
            return ""

        def told(name: str) -> str:
            value, low, high = same[name].span
            when = _WHEN.get(name, f"{name} is applied")
            return f"{percent_text(1 - value, 1 - high, 1 - low)} when {when} (n = {same[name].n})"

        return f"Most: {told(ranked[0])}. Fewest: {told(ranked[-1])}."

    def probes(self, items: Sequence[Item], pair: Pair, parse: Parse) -> Iterator[Probe]:
        """Each perturbation of the source that changes it."""
        sources = [Sentence.unparsed(i.source_text, pair.source, i.id) for i in items]
        if self.parses:
            texts, ids = [item.source for item in items], [item.id for item in items]
            sources = parse(texts, ids, pair.source)
        for item, source in zip(items, sources, strict=True):
            text = item.reference_text
            reference = Sentence.unparsed(text, pair.target, item.id) if text else None
            for probe in source_side(source, reference, self.variants, self.seed):
                yield as_written(probe, item)
