"""Labelled samples of ordinary translators, sets 15 to 20, whose sources are read from elsewhere.

The project holds what translators made of each source and its label. Sources and references are
lines of Tatoeba and NTREX, which are not part of it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from hyperbaton.alignment.aligner import Links
from hyperbaton.alignment.gloss import Gloss
from hyperbaton.alignment.word_order import neighbour, project
from hyperbaton.alignment.words import cut, spaced
from hyperbaton.language.sentence import Sentence

__all__ = ["DATA", "Row", "ordinary"]

DATA = Path(__file__).parents[3] / "shared" / "data"
Row = dict[str, str]
_FILE = Path(__file__).parent / "labelled-ordinary.tsv"


@cache
def ordinary() -> tuple[Row, ...]:
    """Every labelled sample with its texts; `words` are the words of the source, between spaces.

    Sets 15, 17 and 20 have three readers, and the label is what two of them say; the others have
    one.
    """
    head, *lines = (line.split("\t") for line in _FILE.read_text("utf-8").splitlines())
    rows = [_texts(dict(zip(head, line, strict=True))) for line in lines]
    by_pair: dict[str, list[Row]] = {}
    for row in rows:
        by_pair.setdefault(row["pair"], []).append(row)
    for part in by_pair.values():
        _project(part)
    return tuple(rows)


def _texts(row: Row) -> Row:
    source, target = row["pair"].split("-")
    clean = _cut(_line(row, source), row["words"], source)
    reference = _cut(_line(row, target), row["reference_words"], target)
    return {
        **row,
        "id": f"{row['item']}/{row['pair']}/{row['variant']}/{row['system']}",
        "words": " ".join(clean.words),
        "source": clean.text,
        "varied": clean.arrange(_numbers(row["order"])),
        "reference": reference.text,
        "varied_reference": reference.arrange(_numbers(row["reference_order"])),
    }


def _project(rows: list[Row]) -> None:
    """Add the reference and the output of samples of one pair with the source's order."""
    source, target = rows[0]["pair"].split("-")
    for name in ("reference", "output"):
        own = [spaced(row[name], cut(row[name], target), target) for row in rows]
        pairs = [(row["words"].split(" "), one.words) for row, one in zip(rows, own, strict=True)]
        links = Gloss().align(pairs, source, target)
        for row, sentence, found in zip(rows, own, links, strict=True):
            row[f"projected_{name}"] = _moved(sentence, _numbers(row["order"]), found)


def _moved(sentence: Sentence, order: list[int], links: Links) -> str:
    moved = project(order, sentence.words, links, neighbour(sentence.language))
    return sentence.arrange(moved)


@cache
def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").split("\n")


def _line(row: Row, language: str) -> str:
    """The line of a corpus in one language, with plain spaces."""
    corpus, _, number = row["item"].partition(":")
    other = next(code for code in row["pair"].split("-") if code != "en")
    name = f"ntrex/{language}.txt" if corpus == "ntrex" else f"tatoeba/en-{other}.{language}"
    return " ".join(_lines(DATA / name)[int(number) - 1].split())


def _cut(text: str, lengths: str, language: str) -> Sentence:
    """The words of a text, by their lengths."""
    words, at = [], 0
    for length in _numbers(lengths):
        at += len(text[at:]) - len(text[at:].lstrip())
        words.append(text[at : at + length])
        at += length
    return spaced(text, words, language)


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split()]
