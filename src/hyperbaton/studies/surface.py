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
    from hyperbaton.report.contents import Span
    from hyperbaton.studies.layer.aggregate import Aggregate

COMPARISONS = (
    Comparison("similarity", "varied_output", "output", source="varied"),
    Comparison("quality", "output", "reference", source="source"),
    Comparison("varied_quality", "varied_output", "reference", source="varied"),
)
_NO_WORD = r"[\p{P}\p{S}\s]+"
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
        "same_words": Shown(
            "share of outputs with the same words",
            "highest",
            "changes the words of its translations less often than",
            share=True,
        ),
        "same": Shown("share of identical outputs", share=True),
        "similarity": Shown("similarity of the two outputs"),
        "varied_quality": Shown("quality after the change"),
        "loss": Shown("loss of quality"),
    }
    again = ("quality", "varied_quality")
    more_is_better = ("same_words", "same", "similarity", "quality")
    command = CommandLine("""\
  hyperbaton surface -s news.en -l en-de --system bundled --out runs/surface
  hyperbaton surface -s news.en -r news.de -l en-de --system ct2:models/en-de --with upper \\
      --with 'quotes(style=low)' --out runs/quotes
  hyperbaton check runs/surface --min same_words=0.9""")
    comparisons = COMPARISONS
    metrics = ("chrF", "BLEU", "Levenshtein")  # chrF leads: it sees the case and the marks

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
    def measures(self) -> Measures:
        """What is compared, whether outputs are the same, and what the change costs."""
        words, varied = (
            pl.col(name).str.to_lowercase().str.replace_all(_NO_WORD, "")
            for name in ("output", "varied_output")
        )
        return {
            "same_words": words == varied,
            "same": pl.col("output") == pl.col("varied_output"),
            **super().measures,
            "loss": pl.col("quality") - pl.col("varied_quality"),
        }

    def answer(self, system: str, found: Mapping[str, Aggregate]) -> str:
        """How often the words of the translation change, and how often anything does."""
        if not {"same", "same_words"} <= set(found):
            return ""
        words, anything = (_changed(found[name]) for name in ("same_words", "same"))
        return (
            f"{system} changes the words of {words} of its translations when only case, "
            f"punctuation, quotes or spaces of the source change ({anything} change in any way)."
        )

    def details(self, found: Mapping[str, Mapping[str, Aggregate]]) -> str:
        """Which change alters most translations, and which fewest."""
        same = _same_words(found)
        ranked = sorted(same, key=lambda name: same[name].value)
        if not ranked or same[ranked[0]].value == same[ranked[-1]].value:
            return ""

        def told(name: str) -> str:
            when = _WHEN.get(name, f"{name} is applied")
            return f"{_changed(same[name])} when {when} (n = {same[name].n})"

        return f"Most often: {told(ranked[0])}. Least often: {told(ranked[-1])}."

    def by_variant(self, found: Mapping[str, Mapping[str, Aggregate]]) -> Mapping[str, Span]:
        """How often each change alters the words."""
        return {
            name: (1 - value, 1 - high, 1 - low)
            for name, one in _same_words(found).items()
            for value, low, high in [one.span]
        }

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


def _same_words(found: Mapping[str, Mapping[str, Aggregate]]) -> dict[str, Aggregate]:
    return {name: means["same_words"] for name, means in found.items() if "same_words" in means}


def _changed(same: Aggregate) -> str:
    from hyperbaton.base.wording import percent_text

    value, low, high = same.span
    return percent_text(1 - value, 1 - high, 1 - low)
