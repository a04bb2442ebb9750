"""Pairs of sentences with a label: PAWS-X files, and the set that Hyperbaton ships."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import DATA
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.lines import read_lines
from hyperbaton.language.languages import base

PARAPHRASE_LANGUAGES = ("de", "en")
FILE = DATA / "paraphrases" / "paraphrases.tsv"


@dataclass(frozen=True)
class LabelledPair:
    """Two sentences, and whether they are paraphrases."""

    first: str
    second: str
    label: int
    row: int = 0
    """Its line in the file: the files of PAWS-X are aligned line by line across languages."""


def read_labelled_pairs(path: str | Path) -> list[LabelledPair]:
    """The pairs of a TSV file in the form of PAWS-X, with or without header and id.

    Rows that lack a sentence (PAWS-X writes `NS` there) are left out.
    """
    pairs = []
    for line in read_lines(path):
        cells = line.text.split("\t")
        if line.number == 1 and cells[-1].strip().lower() == "label":
            continue
        if len(cells) not in (3, 4) or cells[-1].strip() not in ("0", "1"):
            raise HyperbatonError(
                f"{path}, line {line.number}: write two sentences and a label of 0 or 1, separated "
                "by tabs (an id may come first)"
            )
        first, second, label = cells[-3:]
        if all(text.strip() not in ("", "NS") for text in (first, second)):
            pairs.append(LabelledPair(first, second, int(label.strip()), line.number))
    if not pairs:
        raise HyperbatonError(f"{path} holds no labelled pair")
    return pairs


def paraphrases(source: str = "de", target: str | None = "en") -> tuple[Item, ...]:
    """The shipped pairs in one language: `source`, and the other sentence in column `varied`.

    Column `tag` says how the two differ; `label` is 1 for paraphrases and 0 for pairs that only
    look like it. With a target language the reference is the first sentence's translation, and
    column `varied_reference` that of the second.
    """
    return tuple(_items(_known(source), None if target is None else _known(target)))


def _items(source: str, target: str | None) -> Iterator[Item]:
    for row in _rows():
        columns = {"tag": row["tag"], "label": row["label"], "varied": row[f"{source}2"]}
        if target is not None:
            columns["varied_reference"] = row[f"{target}2"]
        reference = None if target is None else row[f"{target}1"]
        yield Item(row["id"], row[f"{source}1"], reference, columns)


def _known(language: str) -> str:
    if base(language) not in PARAPHRASE_LANGUAGES:
        raise HyperbatonError(
            f"the shipped paraphrases are in {' and '.join(PARAPHRASE_LANGUAGES)}, not in "
            f"'{language}': give two files of your own"
        )
    return base(language)


@cache
def _rows() -> tuple[Mapping[str, str], ...]:
    """The rows by the names of their columns: a sentence and another one in each language."""
    header, *rows = (line.text.split("\t") for line in read_lines(FILE))
    return tuple(dict(zip(header, cells, strict=True)) for cells in rows)
