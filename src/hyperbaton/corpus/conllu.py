"""CoNLL-U: parsed sentences that need no parser.

Two conventions of Hyperbaton's own live in comments, which every other reader skips:
`# item_id = X` on each sentence of an item that has several, and `# noun_chunks = 1-2 5-7`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Literal

from hyperbaton.corpus.compression import shown
from hyperbaton.corpus.conllu_rows import read_row, read_sentence
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.lines import Line, read_lines
from hyperbaton.language.dependency_schemes import recognise
from hyperbaton.language.sentence import Sentence

__all__ = ["Block", "Group", "join", "read_blocks", "read_conllu"]

Group = Literal["item", "sentence", "paragraph", "document"]
"""What makes one item: blocks of one `# item_id`, each block, all since `# newpar`, `# newdoc`."""

TELLING = 100
"""How many sentences are read ahead to recognise the label scheme."""


@dataclass(frozen=True)
class Block:
    """One sentence of a CoNLL-U file with its comments as written and the line it begins on."""

    sentence: Sentence
    comments: tuple[str, ...]
    line: int

    @cached_property
    def values(self) -> Mapping[str, str]:
        """The comments of the form `# key = value`, and those without value as keys."""
        return _values(self.comments)


def read_conllu(
    path: str | Path, language: str | None = None, group: Group = "item"
) -> Iterator[Item]:
    """The items of a CoNLL-U file, in words as they are written (see `multiword.as_written`)."""
    for number, blocks in enumerate(_grouped(read_blocks(path, language), group), 1):
        columns: dict[str, str] = {}
        for block in blocks:
            columns = {**block.values, **columns}
        own = columns.get("item_id") or columns.get("sent_id", "")
        if group in ("paragraph", "document"):
            mark = "newpar id" if group == "paragraph" else "newdoc id"
            own = columns.get(mark, own)
        name = own or str(number)
        place = f"{shown(path)}, line {blocks[0].line}"
        yield Item(name, join([block.sentence for block in blocks], name), None, columns, place)


def read_blocks(path: str | Path, language: str | None = None) -> Iterator[Block]:
    """The sentences of a CoNLL-U file one by one; what is broken is named with its line.

    Where no `# scheme` comment names the label scheme, the labels of the first sentences tell it.
    """
    blocks = _blocks(path, language)
    first = list(islice(blocks, TELLING))
    scheme = recognise(label for block in first for label in block.sentence.deps or ())
    for block in chain(first, blocks):
        if block.sentence.deps and not block.sentence.scheme:
            yield replace(block, sentence=replace(block.sentence, scheme=scheme))
        else:
            yield block


def _blocks(path: str | Path, language: str | None) -> Iterator[Block]:
    lines: list[Line] = []
    for line in read_lines(path):
        if line.text.strip():
            lines.append(line)
        elif lines:
            yield from _block(lines, shown(path), language)
            lines = []
    if lines:
        yield from _block(lines, shown(path), language)


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


def _grouped(blocks: Iterable[Block], group: Group) -> Iterator[list[Block]]:
    """Neighbouring blocks that make one item; what belongs to no group stands alone."""
    turn = 0

    def key(block: Block) -> object:
        nonlocal turn
        values = block.values
        if group == "item":
            return values.get("item_id") or block.line
        if group == "sentence":
            return block.line
        mark = "newpar" if group == "paragraph" else "newdoc"
        turn += any(name in ("newdoc", "newdoc id", mark, f"{mark} id") for name in values)
        return turn or (0, block.line)

    for _, members in groupby(blocks, key):
        yield list(members)


def _values(comments: Iterable[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for comment in comments:
        key, _, value = comment[1:].partition("=")
        if key.strip():
            values.setdefault(key.strip(), value.strip())
    return values


def _block(lines: Sequence[Line], file: str, language: str | None) -> Iterator[Block]:
    comments = tuple(line.text for line in lines if line.text.startswith("#"))
    rows = [read_row(line, file) for line in lines if not line.text.startswith("#")]
    if rows:
        sentence = read_sentence(rows, _values(comments), file, language)
        yield Block(sentence, comments, lines[0].number)
