"""Questions, each alone and inside texts that ask for its answer: a table, or a suite of WMT."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import DATA
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.lines import read_lines
from hyperbaton.corpus.named import NamedCorpus
from hyperbaton.language.languages import base
from hyperbaton.pipeline import Corpus, Pair
from hyperbaton.pipeline.corpora import identity_of
from hyperbaton.studies.obedience.rule import plain

FILE = DATA / "obedience" / "obedience.tsv"
COLUMNS = ("id", "form", "language", "question", "text")


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
