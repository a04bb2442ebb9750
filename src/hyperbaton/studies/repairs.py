"""Repairs: does a translator change the meaning of sentences that are correct but unusual?

The sentences are a table: each is written beside the usual one of the same words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import polars as pl

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import DATA
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.lines import read_lines
from hyperbaton.language.languages import PAPER_LANGUAGES, base, listed
from hyperbaton.metrics import METRICS
from hyperbaton.pipeline import IDENTITY, Comparison, Corpus, Pair, Parse, Probe, Run
from hyperbaton.pipeline.corpora import identity_of
from hyperbaton.studies.layer.experiment import ALL, CommandLine, Demo, ProbeStudy, Shown
from hyperbaton.studies.layer.samples import Measures

if TYPE_CHECKING:
    from hyperbaton.report.contents import Contents, Table
    from hyperbaton.studies.layer.aggregate import Aggregate
    from hyperbaton.studies.layer.means import Means
    from hyperbaton.studies.layer.summary import Summary

FILE = DATA / "repairs" / "repairs.tsv"
_COLUMNS = ("id", "kind", "language", "role", "sentence", "usual")
_ROLES = ("both", "source", "reference")
"""Whether a sentence may be translated, judge a translation as its reference, or both."""

UNUSUAL = "unusual"  # the variant that the correct but unusual sentence is
_NOTE = (
    "Of N correct but unusual sentences, the share whose translation is nearer to the reference of "
    "the usual sentence than to their own; low and high: 95 % interval. Confused: the share of "
    "the usual sentences whose translation is nearer to the unusual one's reference, which tells "
    "how well this translator and metric keep the two apart. Answers at random give .5 for both."
)
EXAMPLES = """\
  hyperbaton repairs -l en-de,de-en --system bundled --out runs/repairs
  hyperbaton repairs -l en-es --system apertium:en-es --out runs/repairs-es
  hyperbaton repairs mine.tsv -l en-de --system ct2:models/en-de --out runs/mine
  hyperbaton check runs/repairs --max false_repairs=0.2"""
_SHARES = ("false_repairs", "confused")
COMPARISONS = (
    Comparison("quality", "varied_output", "varied_reference", source="varied", identity=False),
    Comparison("as_usual", "varied_output", "reference", source="varied", identity=False),
    Comparison("usual_quality", "output", "reference", source="source", identity=False),
    Comparison("as_unusual", "output", "varied_reference", source="source", identity=False),
)


@dataclass(frozen=True)
class Sentences(Corpus):
    """The sentences of one direction."""

    pair: Pair
    path: Path = FILE
    limit: int | None = None

    def items(self) -> Iterator[Item]:
        """Each with the usual sentence of the same words."""
        return islice(repairs(self.pair.source, self.pair.target, self.path), self.limit)

    @property
    def identity(self) -> str:
        """Its name and a hash of its file."""
        return identity_of(self.path.name, self.limit, fingerprint([self.path]))


@dataclass(frozen=True)
class Repairs(ProbeStudy):
    """Is the translation of a sound sentence nearer to that of a more usual one than to its own?

    >>> print(Repairs())
    repairs
    """

    name: ClassVar[str] = "repairs"
    title = "False repairs: does a translator make unusual sentences usual?"
    question = "Does the translator change what a correct but unusual sentence says?"
    of_lines = False
    poles = ("oracle", "literal")  # they repair all sentences, and none
    demo = Demo(
        tuple(pair for other in PAPER_LANGUAGES[1:] for pair in (f"en-{other}", f"{other}-en"))
    )
    command = CommandLine(
        EXAMPLES,
        printed=("by pair",),
        takes=(f"a table of your own sentences, TSV: {', '.join(_COLUMNS)}",),
        languages=("LIST", "e.g. en-de or en-de,de-en (default: all 14 of the shipped file)"),
        needs_files=False,
    )
    columns: ClassVar[Mapping[str, pl.DataType]] = {"kind": pl.String()}
    shown: ClassVar[Mapping[str, Shown]] = {
        "false_repairs": Shown(
            "share of false repairs", "lowest", "makes fewer false repairs than", share=True
        ),
        "confused": Shown("share of confused usual sentences", share=True),
        "usual_quality": Shown("quality of the usual sentence"),
    }
    more_is_better = ("quality", "usual_quality")
    less_is_better = ("false_repairs",)
    comparisons = COMPARISONS
    metrics = ("chrF", "BLEU")  # chrF tells the two apart in every language, without a tokenizer
    order = (UNUSUAL,)

    def chosen(self, metrics: Sequence[str]) -> tuple[str, ...]:
        """Similarities only: what is nearer has the higher score."""
        for metric in metrics:
            if not METRICS.parse(metric).higher_is_better:
                raise HyperbatonError(f"{self.name} takes similarities, not {metric}: try -m chrF")
        return super().chosen(metrics)

    @property
    def measures(self) -> Measures:
        """What is nearer to the other sentence's reference, and the quality of both."""
        return {
            "false_repairs": pl.col("as_usual") > pl.col("quality"),
            "confused": pl.col("as_unusual") > pl.col("usual_quality"),
            "quality": pl.col("quality"),
            "usual_quality": pl.col("usual_quality"),
        }

    def answer(self, system: str, found: Mapping[str, Aggregate]) -> str:
        """How often it makes the unusual usual, beside how often it takes the usual for unusual."""
        from hyperbaton.base.wording import percent_text

        if not set(_SHARES) <= set(found):
            return ""
        share, other = (percent_text(*found[name].span) for name in _SHARES)
        return (
            f"{system} translates {share} of correct but unusual sentences as if they said what is "
            f"usual, and {other} of the usual ones as if they said what is unusual. Answers at "
            "random would give 50 % for both."
        )

    def corpora(
        self, paths: Sequence[str], languages: str | None, limit: int | None = None
    ) -> Sequence[Corpus]:
        """The directions that are named, or all that the file has."""
        path = _file(paths)
        pairs = [Pair.parse(text) for text in listed(languages)]
        pairs = pairs or [Pair(*pair) for pair in directions(path)]
        return [Sentences(pair, path, limit) for pair in pairs]

    def corpus(self, paths: Sequence[str], pair: Pair, limit: int | None = None) -> Corpus:
        """One direction."""
        return Sentences(pair, _file(paths), limit)

    def demo_corpus(self, pair: Pair, limit: int | None = None) -> Corpus:
        """The sentences that come with the package."""
        return Sentences(pair, limit=limit)

    def probes(self, items: Sequence[Item], pair: Pair, parse: Parse) -> Iterator[Probe]:
        """The usual sentence against itself, and against the unusual one."""
        for item in items:
            text, reference = item.source_text, item.reference_text
            yield Probe(item.id, IDENTITY, text, text, reference, reference)
            yield Probe(
                item.id,
                UNUSUAL,
                text,
                item.columns["varied"],
                reference,
                item.columns["varied_reference"],
                columns={"kind": item.columns["kind"]},
            )

    def brief(self, runs: Sequence[Run]) -> Contents:
        """The share of false repairs by direction, and the rankings."""
        from hyperbaton.studies.layer.contents import read

        return replace(super().brief(runs), tables=[_by_pair(read(self, runs))])

    def contents(self, runs: Sequence[Run]) -> Contents:
        """The share of false repairs by direction and by what is unusual, then all means."""
        from hyperbaton.studies.layer.contents import read
        from hyperbaton.studies.layer.means import Means

        contents, summary = super().contents(runs), read(self, runs)
        kinds = Means.read(summary.tested, summary.leading, self.measures, by=("kind",))
        known = dict.fromkeys(cell[2] for cell in kinds.cells if cell[2] is not None)
        by_kind = _table(kinds, summary.named, "kind", {kind: [kind] for kind in known})
        return replace(contents, tables=[_by_pair(summary), by_kind, *contents.tables])


def _by_pair(summary: Summary) -> Table:
    pairs: dict[str, Sequence[str]] = {pair: [pair] for pair in summary.pairs}
    if len(pairs) > 1:
        pairs = {ALL: summary.pairs, **pairs}
    return _table(summary.lead, summary.named, "pair", pairs)


def _table(
    means: Means, systems: Sequence[str], column: str, groups: Mapping[str, Sequence[str]]
) -> Table:
    from hyperbaton.report.contents import Table

    rows: list[dict[str, object]] = []
    for system, (name, values) in product(systems, groups.items()):
        where = {"system": system, column: values}
        if count := means.count("false_repairs", **where):
            row: dict[str, object] = {"system": system, column: name, "N": count}
            row |= means.mean("false_repairs", **where).spread("false repairs")
            rows.append(row | {"confused": means.mean("confused", **where).value})
    title = "language pair" if column == "pair" else "what is unusual"
    return Table(
        f"by {column}",
        f"False repairs by {title}",
        pl.DataFrame(rows),
        _NOTE,
        percent=("false repairs", "confused"),
    )


def _file(paths: Sequence[str]) -> Path:
    if len(paths) > 1:
        raise HyperbatonError("repairs reads one table (id, kind, language, role, sentence, usual)")
    return Path(paths[0]) if paths else FILE


@dataclass(frozen=True)
class _Row:
    id: str
    kind: str
    language: str
    role: str
    sentence: str
    usual: str
    place: str = ""


def repairs(source: str, target: str, path: Path = FILE) -> tuple[Item, ...]:
    """Pairs of sentences: `source` is the usual one, column `varied` the unusual one.

    The reference is the usual one's translation, and column `varied_reference` that of the unusual
    one as it stands; column `kind` says what is unusual.
    """
    items = tuple(_items(base(source), base(target), path))
    if not items:
        offered = ", ".join("-".join(pair) for pair in directions(path))
        raise HyperbatonError(
            f"{path.name} has no sentences for {source}-{target}: it has {offered}"
        )
    return items


def _items(source: str, target: str, path: Path) -> Iterator[Item]:
    references = {
        row.id: row for row in _rows(path) if row.language == target and row.role != "source"
    }
    for row in _rows(path):
        reference = references.get(row.id)
        if row.language == source != target and row.role != "reference" and reference is not None:
            columns = {
                "kind": row.kind,
                "varied": row.sentence,
                "varied_reference": reference.sentence,
            }
            yield Item(row.id, row.usual, reference.usual, columns, row.place)


def directions(path: Path = FILE) -> tuple[tuple[str, str], ...]:
    """The directions to and from English that a file has sentences for.

    >>> directions()[:3]
    (('en', 'de'), ('en', 'fr'), ('en', 'es'))
    """
    others = dict.fromkeys(row.language for row in _rows(path) if row.language != "en")
    pairs = [("en", other) for other in others] + [(other, "en") for other in others]
    return tuple(pair for pair in pairs if any(_items(*pair, path)))


@cache
def _rows(path: Path) -> tuple[_Row, ...]:
    rows = []
    for line in read_lines(path):
        cells = line.text.split("\t")
        if line.number == 1 and tuple(cells) == _COLUMNS:
            continue
        if len(cells) != len(_COLUMNS) or cells[3] not in _ROLES:
            raise HyperbatonError(
                f"{path}, line {line.number}: write {', '.join(_COLUMNS)}, separated by tabs; "
                f"role is one of {', '.join(_ROLES)}"
            )
        rows.append(replace(_Row(*cells), place=f"{path}, line {line.number}"))
    return tuple(rows)
