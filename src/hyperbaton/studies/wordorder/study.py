"""Word order: is a translator robust to it or faithful? (Parthasarathi et al. 2021).

β is the quality of the translation, β1 that of a perturbed source against the clean reference
(robustness), β2 against the equally perturbed reference (faithfulness); α is how much of the order
a perturbation leaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, ClassVar, Literal

import polars as pl

from hyperbaton.alignment import ALIGNERS
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item
from hyperbaton.language.sentence import Need
from hyperbaton.metrics.metric import Metric
from hyperbaton.perturb import Perturbation, needed, parse_all
from hyperbaton.pipeline import IDENTITY, Comparison, Pair, Parse, Probe, Run
from hyperbaton.studies.layer.experiment import CommandLine, Demo, ProbeStudy, Score
from hyperbaton.studies.layer.probes import SLICES, as_written, both_sides, reference_of, slices_of
from hyperbaton.studies.wordorder.paper import as_in_paper, with_final_mark

if TYPE_CHECKING:
    from hyperbaton.report.contents import Contents
    from hyperbaton.studies.wordorder.profiles import Profiled

REDRAWS = 20
SCORES = ("beta", "beta1", "beta2", "alpha", "alpha_target", "flip")
COMPARISONS = (
    Comparison("beta", hypothesis="output", reference="reference", source="source"),
    Comparison("beta1", hypothesis="varied_output", reference="reference", source="varied"),
    Comparison("beta2", hypothesis="varied_output", reference="varied_reference", source="varied"),
    Comparison("alpha", hypothesis="varied", reference="source", side="source"),
    Comparison("alpha_target", hypothesis="varied_reference", reference="reference"),
)
EXAMPLES = """\
  hyperbaton wordorder -s news.en -r news.de -l en-de --system bundled --out runs/first
  hyperbaton wordorder -s news.en -r news.de -l en-de --system ct2:models/en-de --out runs/news
  hyperbaton wordorder -s news.en.conllu -r news.es.conllu -l en-es --system apertium:en-es \\
      --with nounSwaps --with reversed --draws 5 --out runs/apertium
  hyperbaton wordorder -s news.en -r news.de -l en-de --system ct2:models/en-de -m BLEU -m METEOR \\
      --out runs/news"""


@dataclass(frozen=True)
class WordOrder(ProbeStudy):
    """The study of the wordorder paper, under its own convention or a saner one.

    >>> print(WordOrder(), WordOrder(draws=3, convention="paper"))
    wordorder wordorder(draws=3, convention=paper)
    """

    name: ClassVar[str] = "wordorder"
    title = "Word order: robust or faithful?"
    question = "Does a translator repair a source whose words are out of order, or carry it over?"
    demo = Demo(
        pairs=("en-de", "en-fr", "en-es", "en-it", "en-ru", "en-ja", "en-zh"),
        systems=("bundled", "steered(mode=robust)", "steered(mode=faithful)"),
        limit=15,
    )
    command = CommandLine(EXAMPLES, printed=("steerability",))
    poles = ("oracle", "literal")
    parses = ("source", "target")
    columns: ClassVar[Mapping[str, pl.DataType]] = {SLICES: pl.String()}
    more_is_better = ("beta", "beta1", "kept")
    less_is_better = ("lost",)

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
        metadata={"help": "paper: the authors' BLEU, edit distance, final mark and separate draws"},
    )
    unit: Literal["item", "sample"] = field(
        default="item",
        metadata={"help": "correlate means of items, or single samples as the paper does"},
    )
    redraw: bool = field(
        default=False,
        metadata={"help": f"draw again, up to {REDRAWS} times, while nothing changes"},
    )

    def __post_init__(self) -> None:
        if self.draws < 1:
            raise HyperbatonError(f"at least 1 draw of a perturbation is needed, not {self.draws}")
        # Wrong names are refused before anything is written.
        _ = self.variants
        ALIGNERS.parse(self.align)

    @cached_property
    def variants(self) -> tuple[Perturbation, ...]:
        """The perturbations, without the identity, which every run has anyway."""
        found = parse_all(part.strip() for part in self.perturbations.split(";"))
        if self.convention == "paper":
            found = [as_in_paper(perturbation) for perturbation in found]
        return tuple(p for p in found if str(p) != IDENTITY)

    @property
    def varies(self) -> tuple[str, ...]:
        """The perturbations as they print."""
        return tuple(map(str, self.variants))

    @property
    def needs(self) -> Need:
        """What the perturbations must know of both sides."""
        return needed(self.variants)

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """β, β1, β2, and α on both sides.

        The paper's BLEU takes its hypothesis for the reference. Its β do so, its α do not.
        """
        if self.convention == "default":
            return COMPARISONS
        return (*COMPARISONS[:3], *(comparison.turned() for comparison in COMPARISONS[3:]))

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
        references = parse([reference_of(item) for item in items], ids, pair.target)
        for item, source, reference in zip(items, sources, references, strict=True):
            if self.convention == "paper":
                source, reference = with_final_mark(source), with_final_mark(reference)
            columns = slices_of(item)
            for probe in both_sides(
                source,
                reference,
                self.variants,
                self.draws,
                self.seed,
                independent=self.convention == "paper",
                redraws=REDRAWS if self.redraw else 0,
            ):
                yield replace(as_written(probe, item), columns=columns)

    def whole(self, run: Run, pair: Pair, system: str) -> pl.DataFrame | None:
        """The outcome of every sample, and β2 projected."""
        from hyperbaton.studies.wordorder.outcomes import outcomes

        return outcomes(run, pair, system, self.align, self.second_look)

    @property
    def by_parts(self) -> bool:
        """Unless the aligner learns from the whole corpus, or reads it from one file."""
        return ALIGNERS.parse(self.align).alone

    def whole_signature(self, pair: Pair) -> str:
        """The rule of the outcomes and the aligner."""
        from hyperbaton.studies.wordorder.outcomes import outcomes_signature

        return outcomes_signature(pair, self.align, self.second_look)

    def brief(self, runs: Sequence[Run]) -> Contents:
        """Findings, the answer for each system, rankings, and how well each can be steered."""
        from hyperbaton.report.contents import Contents
        from hyperbaton.studies.layer.answers import left_out
        from hyperbaton.studies.layer.ranking import rank_systems
        from hyperbaton.studies.wordorder.findings import findings, sentence
        from hyperbaton.studies.wordorder.headlines import RANKED, headlines, steerability_tables

        numbers = _read(self, tuple(runs))
        summary = numbers.summary
        return Contents(
            title=self.title,
            summary=sentence(summary),
            findings=findings(numbers, self.variants),
            tables=steerability_tables(summary),
            cautions=left_out(summary.silent),
            headlines=headlines(summary),
            contests=rank_systems(summary, RANKED),
        )

    def contents(self, runs: Sequence[Run]) -> Contents:
        """All that is printed, with tables, figures, single sentences and a glossary."""
        from hyperbaton.studies.glossary import glossary
        from hyperbaton.studies.layer.contents import notes, signed
        from hyperbaton.studies.layer.own_noise import repeats
        from hyperbaton.studies.layer.sentences import explorer
        from hyperbaton.studies.wordorder.figures import figures
        from hyperbaton.studies.wordorder.headlines import examples, picture
        from hyperbaton.studies.wordorder.measures import BY_METRIC, FILTERS, MEASURES, SHOWN
        from hyperbaton.studies.wordorder.tables import tables

        brief, numbers = self.brief(runs), _read(self, tuple(runs))
        summary, lead = numbers.summary, numbers.summary.leading
        others = {metric: BY_METRIC for metric in summary.metrics if metric != lead}
        shown = explorer(summary.tested, lead, SHOWN, MEASURES, FILTERS, also=others, lead="beta1")
        contents = replace(
            brief,
            tables=[*tables(numbers, self.variants), *brief.tables],
            figures=figures(numbers),
            explorer=shown,
            examples=examples(shown),
            headlines=[replace(h, picture=picture(summary, h.name)) for h in brief.headlines],
            glossary=glossary("wordorder"),
        )
        further = [*self._draws(), *repeats(summary.tested), *notes(summary)]
        return signed(contents, runs, summary.lead.bootstrap, further)

    def scores(self, runs: Sequence[Run], metric: str | None = None) -> list[Score]:
        """β of the clean source; the others for each perturbation, and their mean."""
        from hyperbaton.studies.layer.tables import score_rows
        from hyperbaton.studies.wordorder.headlines import steerability_scores
        from hyperbaton.studies.wordorder.measures import KEPT
        from hyperbaton.studies.wordorder.outcomes import PROJECTED, SHARES

        summary = _read(self, tuple(runs), (metric,) if metric else None).summary
        found = score_rows(summary, clean=("beta",), varied=(*SCORES, PROJECTED, *SHARES, KEPT))
        return [*found, *steerability_scores(summary)]

    def _draws(self) -> list[str]:
        """How draws were made, which decides how random perturbations rank."""
        paper = self.convention == "paper"
        how = "are drawn apart, as the paper does" if paper else "share one draw of a perturbation"
        again = f" A draw that changes nothing is repeated, up to {REDRAWS} times."
        return [f"Source and reference {how}.{again if self.redraw else ''}"]


@lru_cache(maxsize=1)
def _read(
    study: WordOrder, runs: tuple[Run, ...], metrics: tuple[str, ...] | None = None
) -> Profiled:
    """The numbers of runs; those read last are at hand."""
    from hyperbaton.studies.wordorder.profiles import profiled

    return profiled(runs, study.unit, tuple(map(str, study.variants)), metrics)
