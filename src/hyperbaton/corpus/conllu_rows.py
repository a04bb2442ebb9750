"""The rows of one sentence in CoNLL-U, checked: numbers, ranges, heads, a tree."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.corpus.lines import Line
from hyperbaton.corpus.trees import cycle
from hyperbaton.language.contractions import Contraction, as_written
from hyperbaton.language.sentence import Sentence

__all__ = ["Row", "read_row", "read_sentence"]

_GAP = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Row:
    """The ten columns of one line."""

    line: int
    columns: list[str]


def read_row(line: Line, file: str) -> Row:
    """Take a line apart."""
    columns = line.text.split("\t")
    if len(columns) != 10:
        hint = "; are the tabs now spaces?" if len(line.text.split()) == 10 else ""
        raise HyperbatonError(
            f"{file}, line {line.number}: {counted(len(columns), 'column')} where CoNLL-U has 10, "
            f"separated by tabs{hint}"
        )
    return Row(line.number, columns)


def read_sentence(
    rows: Sequence[Row], values: Mapping[str, str], file: str, language: str | None
) -> Sentence:
    """The sentence that the rows describe, with what its comments say of it."""
    words: list[Row] = []
    contractions: list[tuple[Contraction, bool, int]] = []
    for row in rows:
        name = row.columns[0]
        if name.isdecimal():
            words.append(row)
            if _number(name) != len(words):
                raise HyperbatonError(
                    f"{file}, line {row.line}: word {name[:20]} where word {len(words)} should be"
                )
        elif "-" in name:
            contraction, space = _contraction(row, len(words), file)
            if contractions and contraction.start < contractions[-1][0].end:
                raise HyperbatonError(
                    f"{file}, line {row.line}: the range '{name[:20]}' overlaps the range before it"
                )
            contractions.append((contraction, space, row.line))
        elif "." not in name:  # 8.1 is an empty node: nothing of the text
            raise HyperbatonError(f"{file}, line {row.line}: '{name[:20]}' is not a word number")
    if not words:
        raise HyperbatonError(f"{file}, line {rows[0].line}: a sentence without words")
    spaces = ["SpaceAfter=No" not in row.columns[9].split("|") for row in words]
    for contraction, space, line in contractions:
        if contraction.end > len(words):
            raise HyperbatonError(f"{file}, line {line}: the range goes past the last word")
        spaces[contraction.end - 1] = space
    heads = _heads(words, file)
    upos = tuple(row.columns[3] for row in words)
    sentence = Sentence(
        words=tuple(row.columns[1] for row in words),
        spaces=tuple(spaces),
        language=language or values.get("language", "und"),
        upos=None if set(upos) == {"_"} else upos,
        heads=heads,
        deps=None if heads is None else tuple(row.columns[7] for row in words),
        noun_chunks=_chunks(values, len(words), file, rows[0].line),
        scheme=values.get("scheme", ""),
        id=values.get("sent_id", ""),
    )
    sentence = as_written(sentence, [contraction for contraction, _, _ in contractions])
    return _spaced_as(sentence, values.get("text", ""))


def _contraction(row: Row, before: int, file: str) -> tuple[Contraction, bool]:
    match = re.fullmatch(r"(\d+)-(\d+)", row.columns[0])
    first, last = (_number(match[1]), _number(match[2])) if match else (0, 0)
    if first != before + 1 or last < first:
        raise HyperbatonError(
            f"{file}, line {row.line}: the range '{row.columns[0][:20]}' should begin at "
            f"{before + 1}"
        )
    space = "SpaceAfter=No" not in row.columns[9].split("|")
    return Contraction(before, last, row.columns[1]), space


def _number(digits: str) -> int:
    """A number of the file; what is too long to be one in any sentence is a very large one."""
    return int(digits) if len(digits) < 10 else 10**10


def _heads(words: Sequence[Row], file: str) -> tuple[int, ...] | None:
    columns = [row.columns[6] for row in words]
    if set(columns) == {"_"}:
        return None
    heads = []
    for i, (row, column) in enumerate(zip(words, columns, strict=True)):
        if not column.isdecimal():
            raise HyperbatonError(
                f"{file}, line {row.line}: the head '{column[:20]}' is not a number"
            )
        head = _number(column)
        if head > len(words):
            raise HyperbatonError(
                f"{file}, line {row.line}: the head is {column[:20]}, "
                f"but the sentence has {counted(len(words), 'word')}"
            )
        if head == i + 1:
            raise HyperbatonError(f"{file}, line {row.line}: the word is its own head")
        heads.append(head - 1 if head else i)
    # A cycle hides a missing root, so the root is asked for first.
    if all(head != i for i, head in enumerate(heads)):
        raise HyperbatonError(f"{file}, line {words[0].line}: no word of the sentence has head 0")
    if (word := cycle(heads)) is not None:
        raise HyperbatonError(
            f"{file}, line {words[word].line}: the heads run in a circle through word {word + 1}"
        )
    return tuple(heads)


def _chunks(
    values: Mapping[str, str], size: int, file: str, line: int
) -> tuple[tuple[int, int], ...] | None:
    if "noun_chunks" not in values:
        return None
    chunks = []
    for part in values["noun_chunks"].split():
        match = re.fullmatch(r"(\d+)-(\d+)", part)
        first, last = (_number(match[1]), _number(match[2])) if match else (0, 0)
        if not 0 < first <= last <= size:
            raise HyperbatonError(
                f"{file}, line {line}: the noun chunk '{part[:20]}' is out of range"
            )
        chunks.append((first - 1, last))
    return tuple(chunks)


def _spaced_as(sentence: Sentence, text: str) -> Sentence:
    """The spaces of the `# text` comment, where the file marks none or others itself."""
    if not text or text == sentence.text:
        return sentence
    spaces, at = [], 0
    for word in sentence.words:
        if not text.startswith(word, at):
            return sentence
        at += len(word)
        gap = _GAP.match(text, at)
        spaces.append(gap is not None)
        at = gap.end() if gap else at
    if at < len(text):
        return sentence
    spaces[-1] = sentence.spaces[-1]
    return replace(sentence, spaces=tuple(spaces))
