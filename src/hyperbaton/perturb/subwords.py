"""Subwords of any tokenizer as a lossless segmentation: the pieces of a text join to the text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.letters import is_mark
from hyperbaton.language.tokenizing import (
    is_unigram,
    load_folder,
    load_json,
    load_sentencepiece,
    load_unigram,
    pieces_of,
)

if TYPE_CHECKING:
    from sentencepiece import SentencePieceProcessor

Ends = Callable[[str], Iterable[int]]
"""Where in a text its tokens end, in characters."""


@lru_cache(maxsize=4096)
def subwords(text: str, tokenizer: str) -> tuple[str, ...]:
    """The pieces of a text; what no token covers, such as white space, leads the next piece.

    Tokens that share a character (bytes of one sign) make one piece, and so do those of a letter
    and its marks: an accent must not move to another letter.
    """
    ends = {end for end in _open(tokenizer)(text) if 0 < end < len(text) and not is_mark(text[end])}
    return tuple(text[a:b] for a, b in pairwise(sorted({0, len(text)} | ends)))


@cache
def _open(tokenizer: str) -> Ends:
    path = Path(tokenizer)
    if not path.exists():
        raise HyperbatonError(
            f"no tokenizer at '{tokenizer}': give a tokenizer.json, a SentencePiece model "
            "or the folder of a Hugging Face tokenizer"
        )
    if is_unigram(path):
        return _unigram(path)
    if path.is_dir():
        inside = path / "tokenizer.json"
        return _fast(inside) if inside.exists() else _transformers(path)
    return _fast(path) if path.suffix == ".json" else _ends(load_sentencepiece(path), path)


def _fast(path: Path) -> Ends:
    """A tokenizer of the `tokenizers` library."""
    tokenizer = load_json(path)

    def ends(text: str) -> Iterable[int]:
        return [end for _, end in tokenizer.encode(text, add_special_tokens=False).offsets]

    return ends


def _transformers(path: Path) -> Ends:
    """A tokenizer folder that only transformers can read."""
    tokenizer = load_folder(path, use_fast=True)
    if not tokenizer.is_fast:
        raise HyperbatonError(
            f"the tokenizer in '{path}' does not say where its tokens stand in the text; "
            "give its SentencePiece model or a tokenizer.json"
        )

    def ends(text: str) -> Iterable[int]:
        coded = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        return [end for _, end in coded["offset_mapping"]]

    return ends


def _unigram(folder: Path) -> Ends:
    """A SentencePiece model that reads characters as what they become: none, one or several."""
    processor, characters = load_unigram(folder)
    ends = _ends(processor, folder)

    def places(text: str) -> Iterable[int]:
        placed = characters.placed(text)
        read = "".join(character for character, _ in placed)
        return [placed[end - 1][1] for end in ends(read) if end]

    return places


def _ends(processor: SentencePieceProcessor, path: Path) -> Ends:
    def ends(text: str) -> Iterable[int]:
        with pieces_of(path):
            return [end for _, end in processor.EncodeAsOffsetMapping(text)["offsets"]]

    return ends
