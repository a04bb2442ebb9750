"""Grammar: what do learners' errors do to a translation? (Anastasopoulos 2019)

x̃ is the corrected sentence and x the sentence as written, ỹ and y are their translations. No
reference is needed: ỹ stands for it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

import polars as pl

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.m2 import Edit
from hyperbaton.corpus.named import named_corpus
from hyperbaton.language.sentence import Need
from hyperbaton.pipeline import (
    IDENTITY,
    Comparison,
    Corpus,
    Files,
    Pair,
    Parse,
    Probe,
    Run,
    Starter,
)
from hyperbaton.studies.grammar.corpora import (
    M2,
    SHIPPED,
    Aligned,
    Twins,
    edits_of,
    looks_tokenised,
)
from hyperbaton.studies.grammar.edits import (
    MADE,
    Annotated,
    annotated,
    types_signature,
    untyped,
    with_errors,
)
from hyperbaton.studies.layer.experiment import CommandLine, Demo, ProbeStudy, Score, Stability

if TYPE_CHECKING:
    from hyperbaton.alignment.aligner import Aligner
    from hyperbaton.report.contents import Contents
    from hyperbaton.studies.layer.aggregate import Aggregate

_log = logging.getLogger(__name__)
EXAMPLES = """\
  hyperbaton grammar essays.m2 -l en-de --system bundled --out runs/essays
  hyperbaton grammar --noisy essays.txt --corrected first.txt second.txt -l en-fr \\
      --system bundled --align fast_align --out runs/pairs
  hyperbaton grammar --wmt wmt24-news-systems -l en-es --suite rocs-mt --out runs/rocs
  hyperbaton grammar news.en -l en-de --errors 'errors(rate=0.1)' --system gloss --out runs/made"""
COMPARISONS = (
    Comparison("same", "varied_output", "output", metrics=("ExactMatch",)),
    Comparison("translations", "varied_output", "output"),
    Comparison("sources", "varied", "source", side="source", identity=False),
)

SEVERAL = "several"
"""The variant of a sentence with more than one error; one error is named by its type."""
COLUMNS: Mapping[str, pl.DataType] = {
    "errors": pl.Int32(),
    "types": pl.List(pl.String()),
    "place": pl.Int32(),
    "clean_words": pl.List(pl.String()),
    "noisy_words": pl.List(pl.String()),
    "clean_marks": pl.List(pl.Int32()),
    "noisy_marks": pl.List(pl.Int32()),
}
"""What is known of a sentence with errors: their number and types, where in the corrected sentence
the only one is corrected, the words of both sides, and which of these are wrong or corrected."""


@dataclass(frozen=True)
class Grammar(ProbeStudy):
    """The study of the grammar paper, on real errors or on errors made on purpose.

    >>> print(Grammar(), Grammar(annotator="1", align="fast_align"))
    grammar grammar(annotator="1", align=fast_align)
    """

    name: ClassVar[str] = "grammar"
    title = "Grammar: what do learners' errors do to a translation?"
    question = "Does a translator repair the errors of its users, pass them on, or make them worse?"
    demo = Demo(pairs=("en-de", "en-fr", "en-es", "en-ru"))
    suites = ("rocs-mt",)
    stability = Stability("NR", 1.0, "they make more of the mess than there is in the input")
    plain: ClassVar[Mapping[str, str]] = {
        "RB": "of 100 messy sentences, how many have the very translation of the clean one",
        "NR": "how much of the mess comes through: 0 nothing, 1 all of it, above 1 more than all",
    }
    command = CommandLine(
        EXAMPLES,
        files={
            "--noisy": "the sentences as written, or an M2 file that has the corrections too",
            "--corrected": "the same sentences corrected, line by line; several files if need be",
        },
    )
    columns: ClassVar[Mapping[str, pl.DataType]] = COLUMNS
    more_is_better = ("RB", "f-BLEU", "f-chrF", "f-METEOR")
    varies = ("errors",)
    comparisons = COMPARISONS

    annotator: str = field(
        default="all", metadata={"help": "whose corrections of an M2 file count", "metavar": "N"}
    )
    tokenised: bool = field(
        default=False,
        metadata={"help": "the two files are tokenised: join their words (M2: always)"},
    )
    errors: str = field(
        default="",
        metadata={"help": "make errors in a clean corpus: errors(rate=0.1)", "metavar": "SPEC"},
    )
    sample: int = field(
        default=0,
        metadata={"help": "only N sentences, drawn at random, with all their corrections",
                  "metavar": "N"},
    )  # fmt: skip
    seed: int = field(
        default=0, metadata={"help": "seed of the made errors and of --sample", "metavar": "N"}
    )
    align: str = field(
        default="gloss",
        metadata={"help": "links words to their translation: fast_align, attention, pharaoh:FILE"},
    )

    def __post_init__(self) -> None:
        if self.annotator != "all" and not self.annotator.isdigit():
            raise HyperbatonError(f"annotator is a number or all, not '{self.annotator}'")
        if self.sample < 0:
            raise HyperbatonError(f"sample must be a whole number of at least 1, not {self.sample}")
        if self.errors:
            MADE.parse(self.errors)
            if self.sample:
                raise HyperbatonError("--sample draws learners' sentences, not those of --errors")
            if self.tokenised:
                raise HyperbatonError(
                    "--tokenised is for files of written and corrected text, not for --errors"
                )
        _ = self._aligner

    @property
    def parses(self) -> tuple[Literal["source", "target"], ...]:
        """Errors are made in a parsed sentence; real ones need no parse."""
        return ("source",) if self.errors else ()

    @property
    def needs(self) -> Need:
        """What the errors must know of a sentence that they are made in."""
        return MADE.parse(self.errors).needs if self.errors else "text"

    @property
    def metrics(self) -> tuple[str, ...]:
        """BLEU leads; METEOR, where nltk is installed, as in the paper."""
        return ("BLEU", "chrF", *(["METEOR"] if find_spec("nltk") else []))

    def corpus(self, paths: Sequence[str], pair: Pair, limit: int | None = None) -> Corpus:
        """One M2 file, or the sentences as written and one or more files of corrections."""
        if self.errors:
            return Files(pair, tuple(paths), limit)
        if (named := named_corpus(paths[0])) is not None:
            return Twins.of(named, pair, limit, self.sample, self.seed)
        drawn = self.sample, self.seed
        if len(paths) == 1:
            return M2(pair, (Path(paths[0]),), limit, *drawn, self.annotator)
        corpus = Aligned(pair, tuple(map(Path, paths)), limit, *drawn, self.tokenised)
        if why := untyped(pair.source):
            _log.warning("hyperbaton: %s", why)
        if not self.tokenised and looks_tokenised(corpus.paths[0]):
            _log.warning(
                "hyperbaton: %s looks tokenised and is translated as it stands: to join its words "
                "first, add --tokenised",
                corpus.paths[0],
            )
        return corpus

    def demo_corpus(self, pair: Pair, limit: int | None = None) -> Corpus:
        """English sentences with errors that come with the package."""
        if self.errors:
            return Starter(pair, limit)
        if pair.source != "en":
            raise HyperbatonError(
                f"the learners' sentences that ship are English, not {pair.source}"
            )
        return M2(pair, (SHIPPED,), limit, self.sample, self.seed)

    def probes(self, items: Sequence[Item], pair: Pair, parse: Parse) -> Iterator[Probe]:
        """The corrected sentence against itself, and against the sentence as written."""
        if self.errors:
            items = list(with_errors(items, self.errors, self.seed, pair, parse))
        for item in items:
            yield Probe(item.id, IDENTITY, item.source_text, item.source_text)
            yield _probe(item, annotated(item, pair.source))

    def probes_signature(self, item: Item, pair: Pair) -> str:
        """Who finds the errors, where they do not come with the corpus."""
        if self.errors or edits_of(item) is not None:
            return ""
        return types_signature(pair.source)

    def whole(self, run: Run, pair: Pair, system: str) -> pl.DataFrame | None:
        """Where the damage of single errors lies, by the links of the sentences."""
        from hyperbaton.studies.grammar.damage import damage

        return damage(run, pair, system, self.align)

    @property
    def by_parts(self) -> bool:
        """Unless the links of a sentence depend on the others."""
        return self._aligner.alone

    def whole_signature(self, pair: Pair) -> str:
        """The aligner with its dictionaries."""
        return self._aligner.signature(pair.source, pair.target)

    @property
    def _aligner(self) -> Aligner:
        from hyperbaton.alignment import ALIGNERS

        return ALIGNERS.parse(self.align)

    def own_noise(self, runs: Sequence[Run]) -> Mapping[str, Mapping[str, Aggregate]]:
        """NR of clean sentences that come again."""
        from hyperbaton.studies.grammar.samples import learner_samples, own_noise

        systems, metric = learner_samples(runs)
        found = {str(s.source.system): own_noise(s, metric) for s in systems}
        return {"NR": {name: one for name, one in found.items() if one.n}}

    def brief(self, runs: Sequence[Run]) -> Contents:
        """Findings, the answer for each system, and the rankings."""
        from hyperbaton.studies.grammar.findings import brief
        from hyperbaton.studies.grammar.samples import learner_samples

        return brief(*learner_samples(runs), self.title)

    def contents(self, runs: Sequence[Run]) -> Contents:
        """Findings, tables, figures and single sentences."""
        from hyperbaton.studies.grammar.findings import report

        return report(runs, self)

    def scores(self, runs: Sequence[Run], metric: str | None = None) -> list[Score]:
        """RB, f-scores and NR of every system and pair, and RB by type of error."""
        from hyperbaton.studies.grammar.tables import scores

        return scores(runs, metric)


def _probe(item: Item, sentence: Annotated) -> Probe:
    """The sentence as written beside its correction, both cut into words."""
    noisy, clean, edits = sentence
    spans = _corrected_spans(edits)
    alone = len(edits) == 1
    return Probe(
        item.id,
        edits[0].type if alone else SEVERAL,
        item.source_text,
        item.columns["varied"],
        columns={
            "errors": len(edits),
            "types": [edit.type for edit in edits],
            "place": min(spans[0][0], len(clean) - 1) if alone else None,
            "clean_words": list(clean),
            "noisy_words": list(noisy),
            "clean_marks": [place for span in spans for place in range(*span)],
            "noisy_marks": [i for edit in _in_order(edits) for i in range(edit.start, edit.end)],
        },
    )


def _in_order(edits: Sequence[Edit]) -> list[Edit]:
    return sorted(edits, key=lambda edit: (edit.start, edit.end))


def _corrected_spans(edits: Sequence[Edit]) -> list[tuple[int, int]]:
    """Where the words of each correction stand among the corrected words.

    >>> _corrected_spans([Edit(1, 2, "R:VERB:SVA", "goes"), Edit(2, 2, "M:PREP", "to")])
    [(1, 2), (2, 3)]
    """
    shift, spans = 0, []
    for edit in _in_order(edits):
        start, size = edit.start + shift, len(edit.correction.split())
        spans.append((start, start + size))
        shift += size - (edit.end - edit.start)
    return spans
