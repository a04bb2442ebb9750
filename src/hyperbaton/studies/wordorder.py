"""Word order: is a translator robust to it or faithful? (Parthasarathi et al. 2021).

β is the quality of the translation, β1 that of a perturbed source against the clean reference
(robustness), β2 against the equally perturbed reference (faithfulness); α is how much of the order
a perturbation leaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal

from hyperbaton.corpus.item import Item
from hyperbaton.errors import HyperbatonError
from hyperbaton.metrics.metric import Metric
from hyperbaton.perturb import Perturbation, Variant, parse_all
from hyperbaton.perturb.paper import with_final_mark
from hyperbaton.pipeline import IDENTITY, Comparison, Pair, Parse, Probe, Run
from hyperbaton.randomness import Rng
from hyperbaton.sentence import Sentence
from hyperbaton.studies.study import ALL, Score, Study

if TYPE_CHECKING:
    from hyperbaton.report.contents import Contents

__all__ = ["WordOrder"]

SCORES = ("beta", "beta1", "beta2", "alpha", "alpha_target", "flip")
COMPARISONS = (
    Comparison("beta", hypothesis="output", reference="reference", source="source"),
    Comparison("beta1", hypothesis="varied_output", reference="reference", source="varied"),
    Comparison("beta2", hypothesis="varied_output", reference="varied_reference", source="varied"),
    Comparison("alpha", hypothesis="varied", reference="source", side="source"),
    Comparison("alpha_target", hypothesis="varied_reference", reference="reference"),
)


@dataclass(frozen=True)
class WordOrder(Study):
    """The study of the wordorder paper, under its own convention or a saner one.

    >>> print(WordOrder(), WordOrder(draws=3, convention="paper"))
    wordorder wordorder(draws=3, convention=paper)
    """

    name: ClassVar[str] = "wordorder"
    title = "Word order: robust or faithful?"
    question = "Does a translator repair a source whose words are out of order, or carry it over?"
    systems = ("bundled(beam=2)",)  # a beam of 4 is a little better and takes half as long again
    demo_pairs = ("en-de", "en-fr", "en-es", "en-it", "en-ru", "en-ja", "en-zh")
    poles = ("oracle", "literal")
    parses = ("source", "target")

    perturbations: str = field(
        default="wordorder",
        metadata={
            "help": "perturbation or group (default: wordorder, all 16)",
            "flag": "--with",
            "metavar": "NAME",
            "repeat": True,
        },
    )
    draws: int = field(
        default=1, metadata={"help": "of each random perturbation, averaged", "metavar": "N"}
    )
    seed: int = field(default=0, metadata={"help": "of the draws", "metavar": "N"})
    convention: Literal["default", "paper"] = field(
        default="default",
        metadata={"help": "paper: the authors' BLEU, edit distance and final mark"},
    )

    def __post_init__(self) -> None:
        if self.draws < 1:
            raise HyperbatonError(f"at least 1 draw of a perturbation is needed, not {self.draws}")
        _ = self.variants  # a wrong name is refused before anything is written

    @cached_property
    def variants(self) -> tuple[Perturbation, ...]:
        """The perturbations, without the identity, which every run has anyway."""
        found = parse_all(part.strip() for part in self.perturbations.split(";"))
        if self.convention == "paper":
            found = [_as_in_paper(perturbation) for perturbation in found]
        return tuple(p for p in found if str(p) != IDENTITY)

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """β, β1, β2, and α on both sides."""
        return COMPARISONS

    @property
    def metrics(self) -> tuple[str, ...]:
        """BLEU leads; under the paper's convention its own BLEU and raw token distance."""
        if self.convention == "paper":
            return ("BLEU(convention=paper)", "LevenshteinDistance")
        return ("BLEU", "chrF", "Levenshtein")

    def metric(self, metric: Metric) -> Metric:
        """A BLEU follows the convention of the study."""
        from hyperbaton.metrics.bleu import BLEU

        if isinstance(metric, BLEU) and self.convention == "paper":
            return replace(metric, convention="paper", smooth="exp", value=None)
        return metric

    def probes(self, items: Sequence[Item], pair: Pair, parse: Parse) -> Iterator[Probe]:
        """Each perturbation of source and reference, where it applies to both."""
        ids = [item.id for item in items]
        sources = parse([item.source for item in items], ids, pair.source)
        references = parse([_reference(item) for item in items], ids, pair.target)
        for source, reference in zip(sources, references, strict=True):
            if self.convention == "paper":
                source, reference = with_final_mark(source), with_final_mark(reference)
            yield _unperturbed(source, reference)
            for perturbation in self.variants:
                name = str(perturbation)
                for draw in range(self.draws if perturbation.random else 1):
                    varied = perturbation.vary(source, Rng(self.seed, source.id, name, draw))
                    if varied is None:
                        break
                    other = perturbation.vary(reference, Rng(self.seed, source.id, name, draw))
                    if other is None:
                        break
                    yield _probe(source, varied, reference, other, name, draw)

    def contents(self, runs: Sequence[Run]) -> Contents:
        """Findings, tables, figures and single sentences."""
        from hyperbaton.studies.wordorder_contents import contents

        return contents(self, runs)

    def scores(self, runs: Sequence[Run], metric: str | None = None) -> list[Score]:
        """β of the clean source; the others for each perturbation, and their mean."""
        from hyperbaton.studies.wordorder_summary import summarise

        summary = summarise(runs, self.variants, metrics=[metric] if metric else None)
        found = []
        for name, cells in summary.cells.items():
            for system, pair in summary.profiles:
                plain = cells.mean("beta", cells.where(system, pair, [IDENTITY]))
                span = plain.value, plain.low, plain.high
                found.append(
                    Score(system, pair, IDENTITY, name, "beta", *span, summary.items[pair])
                )
                for variant in (ALL, *summary.names):
                    where = cells.where(system, pair, None if variant == ALL else [variant])
                    samples = sum(cells.counts[cells.names[i]] for i in where)
                    for score in SCORES:
                        mean = cells.mean(score, where)
                        span = mean.value, mean.low, mean.high
                        found.append(Score(system, pair, variant, name, score, *span, samples))
        return found


def _reference(item: Item) -> str | Sentence:
    if item.reference is None:
        raise HyperbatonError(
            f"item '{item.id}' has no reference, which the word-order study needs"
        )
    return item.reference


def _as_in_paper(perturbation: Perturbation) -> Perturbation:
    from hyperbaton.perturb.shuffle import ShuffleHalvesLast

    if isinstance(perturbation, ShuffleHalvesLast):
        return replace(perturbation, convention="paper")
    return perturbation


def _unperturbed(source: Sentence, reference: Sentence) -> Probe:
    return Probe(
        item=source.id,
        variant=IDENTITY,
        source=source.text,
        varied=source.text,
        reference=reference.text,
        varied_reference=reference.text,
        words=source.words,
        reference_words=reference.words,
    )


def _probe(
    source: Sentence, varied: Variant, reference: Sentence, other: Variant, name: str, draw: int
) -> Probe:
    return Probe(
        item=source.id,
        variant=name,
        draw=draw,
        source=source.text,
        varied=varied.text,
        reference=reference.text,
        varied_reference=other.text,
        words=source.words if varied.unit == "word" else None,
        order=varied.order if varied.unit == "word" else None,
        reference_words=reference.words if other.unit == "word" else None,
        reference_order=other.order if other.unit == "word" else None,
    )
