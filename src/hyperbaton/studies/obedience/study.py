"""Obedience: does a translator translate a text, or do what the text says?

A question is translated by itself, and inside a text that asks for its answer. A translator gives
both in the other language; what follows instructions answers, or refuses to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, product
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, ClassVar

import polars as pl

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import DATA
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.lines import read_lines
from hyperbaton.corpus.named import NamedCorpus, named_corpus
from hyperbaton.language.languages import PAPER_LANGUAGES, base, listed
from hyperbaton.pipeline import IDENTITY, Comparison, Corpus, Pair, Parse, Probe, Run
from hyperbaton.pipeline.corpora import identity_of
from hyperbaton.pipeline.run.layout import UNTRANSLATED
from hyperbaton.studies.layer.experiment import ALL, CommandLine, Demo, ProbeStudy, Shown
from hyperbaton.studies.layer.samples import Measures
from hyperbaton.studies.obedience.rule import OUTCOMES, RULE, Outcome, judge, plain
from hyperbaton.systems.untranslated import untranslated_signature

if TYPE_CHECKING:
    from hyperbaton.report.contents import Contents, Table
    from hyperbaton.studies.layer.aggregate import Aggregate

ASKED = "asked"  # the variant of a question that stands in one text alone
EXAMPLES = """\
  hyperbaton obedience -l en-de,de-en --system bundled --out runs/obedience
  hyperbaton obedience --wmt wmt24-news-systems -l en-es --suite pia --out runs/pia
  hyperbaton check runs/obedience --max obeyed=0.1"""
_NOTE = (
    "Of N texts that hold a question and ask for its answer: the share that is translated, "
    "answered (obeyed), refused, left in its language (untranslated), or neither (a part of "
    "the text, or another one). Low and high: 95 % interval. A rule decides; it agrees with a "
    "language model's reading of 92 % [87, 95] of 200 outputs (20 systems, English-Spanish)."
)
FILE = DATA / "obedience" / "obedience.tsv"
COLUMNS = ("id", "form", "language", "question", "text")


@dataclass(frozen=True)
class Obedience(ProbeStudy):
    """What becomes of a question inside a text that asks for its answer.

    >>> print(Obedience())
    obedience
    """

    name: ClassVar[str] = "obedience"
    title = "Obedience: texts that tell a translator to do something else"
    question = "Does the translator translate the text, or do what it says?"
    of_lines = False
    suites = ("pia",)
    demo = Demo(("en-de", "en-fr", "en-es"))
    columns: ClassVar[Mapping[str, pl.DataType]] = {"form": pl.String()}
    command = CommandLine(
        EXAMPLES,
        printed=("by form",),
        takes=(f"a table of your own questions, TSV: {', '.join(COLUMNS)}",),
        languages=("LIST", f"e.g. en-de or en-de,de-en; shipped: {' '.join(PAPER_LANGUAGES)}"),
        needs_files=False,
    )
    shown: ClassVar[Mapping[str, Shown]] = {
        "translated": Shown(
            "texts translated",
            "highest",
            "translates more of the texts that tell it not to than",
            share=True,
        ),
        "obeyed": Shown(
            "texts obeyed", "lowest", "does what a text says less often than", share=True
        ),
    }
    plain: ClassVar[Mapping[str, str]] = {
        "texts translated": "the share of texts with instructions that are translated",
        "texts obeyed": "the share of texts whose instructions are followed",
    }
    more_is_better = ("translated",)
    less_is_better = ("obeyed",)
    comparisons = (Comparison("kept", "varied_output", "output", source="varied"),)
    metrics = ("chrF",)  # it needs no words; the outcomes need no metric

    @property
    def measures(self) -> Measures:
        """The share of each outcome."""
        return {name: pl.col("outcome") == name for name in OUTCOMES}

    def whole_signature(self, pair: Pair) -> str:
        """The rule, and who tells languages apart."""
        return f"obedience: rule {RULE}; {untranslated_signature()}"

    def whole(self, run: Run, pair: Pair, system: str) -> pl.DataFrame:
        """The outcome of each text."""
        columns = ("variant", "source", "varied", "output", "varied_output", UNTRANSLATED)
        rows = [row for part in run.parts(pair, system, columns=columns)
                for row in part.select(columns).iter_rows()]  # fmt: skip
        # How much longer a text becomes: of one short question alone that is chance.
        clean = [(len(plain(row[3])), len(plain(row[1]))) for row in rows if row[3]]
        scale = median(given / max(own, 1) for given, own in clean) if clean else 1.0
        found: list[Outcome | None] = []
        for variant, question, text, answer, output, doubt in rows:
            if variant == IDENTITY or answer is None or output is None:
                found.append(None)
            else:
                foreign = doubt is not None
                found.append(judge(question, text, answer, output, pair.target, scale, foreign))
        return pl.DataFrame({"outcome": pl.Series(found, dtype=pl.String)})

    def answer(self, system: str, found: Mapping[str, Aggregate]) -> str:
        """How often it translates, answers and refuses."""
        from hyperbaton.base.wording import percent_text

        if not set(OUTCOMES) <= set(found):
            return ""
        share = {name: percent_text(*found[name].span) for name in OUTCOMES}
        return (
            f"Of texts that ask for an answer {system} translates {share['translated']}, answers "
            f"{share['obeyed']}, refuses {share['refused']} and leaves {share['untranslated']} "
            f"untranslated; {share['neither']} are neither."
        )

    def corpora(
        self, paths: Sequence[str], languages: str | None, limit: int | None = None
    ) -> Sequence[Corpus]:
        """The directions that are named."""
        named = listed(languages)
        if not named:
            raise HyperbatonError("-l is missing: name the languages, e.g. -l en-de")
        return [self.corpus(paths, Pair.parse(text), limit) for text in named]

    def corpus(self, paths: Sequence[str], pair: Pair, limit: int | None = None) -> Corpus:
        """One direction of a table, or of a suite of WMT."""
        if len(paths) > 1:
            raise HyperbatonError(f"obedience reads one table ({', '.join(COLUMNS)})")
        if paths and (named := named_corpus(paths[0])) is not None:
            return Blocks(pair, named, limit)
        return Questions(pair, Path(paths[0]) if paths else FILE, limit)

    def demo_corpus(self, pair: Pair, limit: int | None = None) -> Corpus:
        """The questions that come with the package."""
        return Questions(pair, limit=limit)

    def probes(self, items: Sequence[Item], pair: Pair, parse: Parse) -> Iterator[Probe]:
        """The question against itself, and against each text that it stands in."""
        for item in items:
            text, reference = item.source_text, item.reference_text
            yield Probe(item.id, IDENTITY, text, text, reference)
            for form, varied in item.columns.items():
                variant = form if len(item.columns) > 1 else ASKED
                yield Probe(item.id, variant, text, varied, reference, columns={"form": form})

    def brief(self, runs: Sequence[Run]) -> Contents:
        """The outcomes by form, and the rankings."""
        return replace(super().brief(runs), tables=[_by_form(self, runs)])

    def contents(self, runs: Sequence[Run]) -> Contents:
        """The outcomes by form, then all means, and the texts by outcome."""
        from hyperbaton.studies.layer.contents import read
        from hyperbaton.studies.layer.sentences import TEXTS, explorer

        contents, summary = super().contents(runs), read(self, runs)
        filters = {name: (name, pl.col(name)) for name in ("outcome", "form")}
        labels: dict[str, str] = dict(zip(OUTCOMES, OUTCOMES, strict=True))
        rows = explorer(summary.tested, summary.leading, labels, self.measures, filters, TEXTS)
        return replace(contents, tables=[_by_form(self, runs), *contents.tables], explorer=rows)


def _by_form(study: Obedience, runs: Sequence[Run]) -> Table:
    from hyperbaton.report.contents import Table
    from hyperbaton.studies.layer.contents import read
    from hyperbaton.studies.layer.means import Means

    summary, rows = read(study, runs), list[dict[str, object]]()
    means = Means.read(summary.tested, summary.leading, study.measures, by=("form",))
    forms = dict.fromkeys(cell[2] for cell in means.cells if cell[2] is not None)
    for system, form in product(summary.named, (ALL, *forms)):
        some, where = (summary.lead, {}) if form == ALL else (means, {"form": form})
        if count := some.count("obeyed", system=system, **where):
            row: dict[str, object] = {"system": system, "form": form, "N": count}
            for outcome in OUTCOMES:
                mean = some.mean(outcome, system=system, **where)
                row |= mean.spread(outcome) if outcome in study.shown else {outcome: mean.value}
            rows.append(row)
    frame = pl.DataFrame(rows, infer_schema_length=None)
    return Table(
        "by form", "What became of the texts, by how they ask", frame, _NOTE, percent=OUTCOMES
    )


@dataclass(frozen=True)
class Questions(Corpus):
    """The questions of one direction, each with the text that it stands in."""

    pair: Pair
    path: Path = FILE
    limit: int | None = None

    def items(self) -> Iterator[Item]:
        """The question, and in a column named for its form the text."""
        source, target = base(self.pair.source), base(self.pair.target)
        rows = _rows(self.path)
        references = {row[0]: row[3] for row in rows if row[2] == target}
        items = [
            Item(name, question, references.get(name), {form: text}, place)
            for name, form, language, question, text, place in rows
            if language == source != target
        ]
        if not items:
            known = ", ".join(dict.fromkeys(row[2] for row in rows))
            raise HyperbatonError(
                f"{self.path.name} has no questions for {self.pair}: its languages are {known}"
            )
        return islice(items, self.limit)

    @property
    def identity(self) -> str:
        """Its name and a hash of its file."""
        return identity_of(self.path.name, self.limit, fingerprint([self.path]))


@dataclass(frozen=True)
class Blocks(Corpus):
    """A suite that has a block of questions, and further blocks of texts that hold the same."""

    pair: Pair
    corpus: NamedCorpus
    limit: int | None = None

    def items(self) -> Iterator[Item]:
        """Each question with its text in every further block: `form1`, `form2` and so on."""
        lines = list(self.corpus.items(self.pair.source, self.pair.target))
        texts = [plain(line.source_text) for line in lines]
        size = next((n for n, text in enumerate(texts) if n and texts[0] in text), 0)
        if not size or len(lines) % size:
            raise HyperbatonError(f"{self.corpus} has no questions that come again in other texts")
        for number, line in enumerate(lines[: min(size, self.limit or size)]):
            forms = range(1, len(lines) // size)
            columns = {f"form{form}": lines[form * size + number].source_text for form in forms}
            yield Item(line.id, line.source, None, columns, line.place)

    @property
    def recordings(self) -> tuple[Path, dict[str, Path]] | None:
        return self.corpus.recordings(self.pair.source, self.pair.target)

    @property
    def identity(self) -> str:
        """The suite and a hash of its files."""
        files = self.corpus.files(self.pair.source, self.pair.target)
        return identity_of(self.corpus.label, self.limit, fingerprint(files))


@cache
def _rows(path: Path) -> tuple[tuple[str, str, str, str, str, str], ...]:
    """The cells of each line of a table, with the place of the line."""
    rows = []
    for line in read_lines(path):
        cells = line.text.split("\t")
        if line.number == 1 and tuple(cells) == COLUMNS:
            continue
        if len(cells) != len(COLUMNS) or cells[3] not in cells[4]:
            raise HyperbatonError(
                f"{path}, line {line.number}: write {', '.join(COLUMNS)}, separated by tabs; the "
                "text holds the question as it stands"
            )
        name, form, language, question, text = cells
        rows.append((name, form, language, question, text, f"{path}, line {line.number}"))
    return tuple(rows)
