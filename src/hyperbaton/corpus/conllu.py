"""CoNLL-U: parsed sentences that need no parser, read and checked.

Two conventions of Hyperbaton's own live in comments, which every other reader skips:
`# item_id = X` on each sentence of an item that has several, and `# noun_chunks = 1-2 5-7`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, islice
from pathlib import Path
from typing import NamedTuple

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.lines import Line, read_line_blocks, shown
from hyperbaton.language.contractions import Contraction, as_written
from hyperbaton.language.dependency_trees import cycle, recognise
from hyperbaton.language.sentence import Sentence

TELLING = 100
"""How many sentences are read ahead to recognise a label scheme that no comment names."""
_GAP = re.compile(r"\s+")


@dataclass(frozen=True)
class Block:
    """One sentence of a CoNLL-U file with its comments as written and the line it begins on."""

    sentence: Sentence
    comments: tuple[str, ...]
    values: Mapping[str, str]
    """The comments of the form `# key = value`, and those without value as keys."""
    line: int


def read_conllu(path: str | Path, language: str | None = None) -> Iterator[Item]:
    """The items of a CoNLL-U file, in words as they are written (see `contractions.as_written`).

    Neighbouring sentences with one `# item_id` make one item, every other one an item of its own.
    """
    together = groupby(
        read_blocks(path, language), lambda block: block.values.get("item_id") or block.line
    )
    for number, (_, members) in enumerate(together, 1):
        blocks = list(members)
        columns: dict[str, str] = {}
        for block in blocks:
            columns = {**block.values, **columns}
        name = columns.get("item_id") or columns.get("sent_id") or str(number)
        place = f"{shown(path)}, line {blocks[0].line}"
        yield Item(name, join([block.sentence for block in blocks], name), None, columns, place)


def read_blocks(path: str | Path, language: str | None = None) -> Iterator[Block]:
    """The sentences of a CoNLL-U file one by one; what is broken is named with its line.

    Where no `# scheme` comment names the label scheme, the labels of the first such sentences tell.
    """
    blocks = _blocks(path, language)
    for block in blocks:
        if _names_its_scheme(block):
            yield block
            continue
        first = [block, *islice(blocks, TELLING - 1)]
        scheme = recognise(label for block in first for label in block.sentence.deps or ())
        for later in chain(first, blocks):
            if _names_its_scheme(later):
                yield later
            else:
                yield replace(later, sentence=replace(later.sentence, scheme=scheme))


def _names_its_scheme(block: Block) -> bool:
    return bool(block.sentence.scheme) or not block.sentence.deps


def _blocks(path: str | Path, language: str | None) -> Iterator[Block]:
    file = shown(path)
    for lines in read_line_blocks(path):
        comments = tuple(line.text for line in lines if line.text.startswith("#"))
        rows = _rows([line for line in lines if not line.text.startswith("#")], file)
        if rows:
            values = _values(comments)
            sentence = _sentence(rows, values, file, language)
            yield Block(sentence, comments, values, lines[0].number)


def join(sentences: Sequence[Sentence], name: str = "") -> Sentence:
    """One item of one sentence or several, none empty; its last word has no space after it."""
    if len(sentences) == 1:
        return replace(sentences[0], spaces=(*sentences[0].spaces[:-1], False), id=name)
    starts, heads, chunks, at = [], [], [], 0
    for s in sentences:
        starts += [at + start for start in s.starts]
        heads += [at + head for head in s.heads or ()]
        chunks += [(at + a, at + b) for a, b in s.noun_chunks or ()]
        at += len(s)
    first = sentences[0]
    spaces = [space for s in sentences for space in s.spaces]
    return replace(
        first,
        words=tuple(word for s in sentences for word in s.words),
        spaces=(*spaces[:-1], False),
        upos=_chained([s.upos for s in sentences]),
        heads=None if any(s.heads is None for s in sentences) else tuple(heads),
        deps=_chained([s.deps for s in sentences]),
        noun_chunks=None if any(s.noun_chunks is None for s in sentences) else tuple(chunks),
        starts=tuple(starts),
        id=name,
    )


def _chained(columns: Sequence[tuple[str, ...] | None]) -> tuple[str, ...] | None:
    known = [column for column in columns if column is not None]
    return tuple(chain.from_iterable(known)) if len(known) == len(columns) else None


def _values(comments: Iterable[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for comment in comments:
        key, _, value = comment[1:].partition("=")
        if key.strip():
            values.setdefault(key.strip(), value.strip())
    return values


class _Row(NamedTuple):
    """The ten columns of one line."""

    line: int
    columns: list[str]


def _rows(lines: Sequence[Line], file: str) -> list[_Row]:
    """The lines taken apart."""
    rows = [_Row(line.number, line.text.split("\t")) for line in lines]
    for line, row in zip(lines, rows, strict=True):
        if len(row.columns) != 10:
            hint = "; are the tabs now spaces?" if len(line.text.split()) == 10 else ""
            raise HyperbatonError(
                f"{file}, line {row.line}: {counted(len(row.columns), 'column')} where CoNLL-U "
                f"has 10, separated by tabs{hint}"
            )
    return rows


def _sentence(
    rows: Sequence[_Row], values: Mapping[str, str], file: str, language: str | None
) -> Sentence:
    """The sentence that the rows describe, with what its comments say of it."""
    words: list[_Row] = []
    contractions: list[tuple[Contraction, bool, int]] = []
    for row in rows:
        name = row.columns[0]
        if name.isdecimal():
            words.append(row)
            if name.lstrip("0") != str(len(words)):
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
        noun_chunks=_noun_chunks(values, len(words), file, rows[0].line),
        scheme=values.get("scheme", ""),
        id=values.get("sent_id", ""),
    )
    sentence = as_written(sentence, [contraction for contraction, _, _ in contractions])
    return _spaced_as(sentence, values.get("text", ""))


def _contraction(row: _Row, before: int, file: str) -> tuple[Contraction, bool]:
    first, last = _range(row.columns[0])
    if first != before + 1 or last < first:
        raise HyperbatonError(
            f"{file}, line {row.line}: the range '{row.columns[0][:20]}' should begin at "
            f"{before + 1}"
        )
    space = "SpaceAfter=No" not in row.columns[9].split("|")
    return Contraction(before, last, row.columns[1]), space


def _range(text: str) -> tuple[int, int]:
    """First and last of a range like 3-4; zeros where it is none, or too long for any sentence."""
    match = re.fullmatch(r"(\d{1,9})-(\d{1,9})", text)
    return (int(match[1]), int(match[2])) if match else (0, 0)


def _heads(words: Sequence[_Row], file: str) -> tuple[int, ...] | None:
    columns = [row.columns[6] for row in words]
    if set(columns) == {"_"}:
        return None
    heads = []
    for i, (row, column) in enumerate(zip(words, columns, strict=True)):
        if not column.isdecimal():
            raise HyperbatonError(
                f"{file}, line {row.line}: the head '{column[:20]}' is not a number"
            )
        if len(column) > 9 or (head := int(column)) > len(words):
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
    if circle := cycle(heads):
        raise HyperbatonError(
            f"{file}, line {words[circle[0]].line}: the heads run in a circle through word "
            f"{circle[0] + 1}"
        )
    return tuple(heads)


def _noun_chunks(
    values: Mapping[str, str], size: int, file: str, line: int
) -> tuple[tuple[int, int], ...] | None:
    if "noun_chunks" not in values:
        return None
    chunks = []
    for part in values["noun_chunks"].split():
        first, last = _range(part)
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
