"""Files to items: aligned text, tables, CoNLL-U, M2, TMX, XLIFF, SGM, sacreBLEU's test sets."""

from __future__ import annotations

from hyperbaton.corpus.aligned import Side, read_aligned, read_text
from hyperbaton.corpus.columns import Columns
from hyperbaton.corpus.conllu import Block, join, read_blocks, read_conllu
from hyperbaton.corpus.conllu_writer import to_conllu, write_conllu
from hyperbaton.corpus.item import Item, Text
from hyperbaton.corpus.lines import Line, read_lines
from hyperbaton.corpus.m2 import Edit, Learner, read_m2, read_m2_items, to_m2, write_m2
from hyperbaton.corpus.opening import (
    FORMATS,
    Format,
    format_of,
    markup_format,
    open_corpus,
    read_texts,
)
from hyperbaton.corpus.tables import read_jsonl, read_tsv
from hyperbaton.corpus.testsets import read_testset

__all__ = [
    "FORMATS",
    "Block",
    "Columns",
    "Edit",
    "Format",
    "Item",
    "Learner",
    "Line",
    "Side",
    "Text",
    "format_of",
    "join",
    "markup_format",
    "open_corpus",
    "read_aligned",
    "read_blocks",
    "read_conllu",
    "read_jsonl",
    "read_lines",
    "read_m2",
    "read_m2_items",
    "read_testset",
    "read_text",
    "read_texts",
    "read_tsv",
    "to_conllu",
    "to_m2",
    "write_conllu",
    "write_m2",
]
