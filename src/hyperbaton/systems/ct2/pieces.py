"""Text to subword pieces and back, with whichever tokenizer lies in a model folder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.tokenizing import load_folder, load_json, load_sentencepiece, pieces_of

_TOKENIZER_PARTS = {".json", ".txt", ".model", ".spm", ".jinja"}
_SHARED = ("sentencepiece.model", "sentencepiece.bpe.model", "spiece.model", "spm.model")

_LEFT = re.compile(r"▁|@@(?= |$)|<unk>")


class Pieces(Protocol):
    """A tokenizer for both sides of a translation."""

    files: tuple[Path, ...]
    """What the tokenizer was read from, for the signature of the system."""
    package: str

    def encode(self, texts: Sequence[str], target: bool = False) -> list[list[str]]:
        """The pieces of each text, without marks of language or end."""

    def decode(self, pieces: Sequence[Sequence[str]]) -> list[str]:
        """The text that target pieces stand for."""


class SentencePieces:
    """One SentencePiece model for both sides, or one for each."""

    package = "sentencepiece"

    def __init__(self, source: Path, target: Path | None = None) -> None:
        self.files: tuple[Path, ...] = (source,) if target is None else (source, target)
        self._source = load_sentencepiece(source)
        self._target = self._source if target is None else load_sentencepiece(target)

    def encode(self, texts: Sequence[str], target: bool = False) -> list[list[str]]:
        """The pieces of each text."""
        side, path = (self._target, self.files[-1]) if target else (self._source, self.files[0])
        with pieces_of(path):
            pieces: list[list[str]] = side.encode(list(texts), out_type=str, num_threads=1)
        return pieces

    def decode(self, pieces: Sequence[Sequence[str]]) -> list[str]:
        """The text that target pieces stand for.

        Some models write pieces that their one tokenizer, that of the source, does not know.
        """
        side = self._target
        unknown = side.unk_id()
        named = side.id_to_piece(unknown)
        return [
            str(side.decode_pieces(list(line)))
            if all(side.piece_to_id(piece) != unknown or piece == named for piece in line)
            else join_pieces(line)
            for line in pieces
        ]


class TokenizerFile:
    """A `tokenizer.json` of Hugging Face's tokenizers library."""

    package = "tokenizers"

    def __init__(self, path: Path) -> None:
        self.files: tuple[Path, ...] = (path,)
        self._tokenizer = load_json(path)

    def encode(self, texts: Sequence[str], target: bool = False) -> list[list[str]]:
        """The pieces of each text; both sides share the vocabulary."""
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [list(encoding.tokens) for encoding in encodings]

    def decode(self, pieces: Sequence[Sequence[str]]) -> list[str]:
        """The text that target pieces stand for."""
        ids = [[self._tokenizer.token_to_id(piece) for piece in line] for line in pieces]
        known = [[number for number in line if number is not None] for line in ids]
        return list(self._tokenizer.decode_batch(known, skip_special_tokens=True))


class TransformersFolder:
    """A tokenizer that only transformers can put together from the files of a folder."""

    package = "transformers"

    def __init__(self, folder: Path) -> None:
        parts = (p for p in folder.iterdir() if p.is_file() and p.suffix in _TOKENIZER_PARTS)
        self.files = tuple(sorted(parts))
        self._tokenizer = load_folder(folder)

    def encode(self, texts: Sequence[str], target: bool = False) -> list[list[str]]:
        """The pieces of each text."""
        side = {"text_target" if target else "text": list(texts)}
        rows = self._tokenizer(**side, add_special_tokens=False, verbose=False)["input_ids"]
        return [list(self._tokenizer.convert_ids_to_tokens(row)) for row in rows]

    def decode(self, pieces: Sequence[Sequence[str]]) -> list[str]:
        """The text that target pieces stand for."""
        read = self._tokenizer
        ids = (read.convert_tokens_to_ids(list(line)) for line in pieces)
        return [str(read.decode(line, skip_special_tokens=True)) for line in ids]


def rough_count(text: str) -> int:
    """About how many pieces a text has in a large vocabulary, end and language included.

    >>> rough_count("The cat sat on the mat."), rough_count("猫はマットの上に座った。")
    (9, 14)
    """
    return len(text.encode(errors="surrogatepass")) // 3 + 2


def load_pieces(place: Path) -> Pieces:
    """The tokenizer in a folder, or in a file, whichever kind it is."""
    if place.is_file():
        return TokenizerFile(place) if place.suffix == ".json" else SentencePieces(place)
    if (place / "source.spm").is_file():
        target = place / "target.spm"
        return SentencePieces(place / "source.spm", target if target.is_file() else None)
    for name in _SHARED:
        if (place / name).is_file():
            return SentencePieces(place / name)
    if (place / "tokenizer.json").is_file():
        return TokenizerFile(place / "tokenizer.json")
    if (place / "tokenizer_config.json").is_file():
        return TransformersFolder(place)
    raise HyperbatonError(
        f"{place} holds no tokenizer (source.spm, sentencepiece.model, tokenizer.json or a "
        "transformers tokenizer): copy it there, or name it with tokenizer=PATH"
    )


def join_pieces(pieces: Sequence[str]) -> str:
    """The text of pieces by their marks: `▁` begins a word, `@@` at the end goes on with the next.

    >>> join_pieces(["▁I", "▁should", "▁go", "▁to", "▁bed", "."])
    'I should go to bed.'
    >>> join_pieces(["un@@", "happ@@", "y", "."])
    'unhappy .'
    """
    if any("▁" in piece for piece in pieces):
        text = "".join(pieces).replace("▁", " ")
    else:
        text = re.sub(r"@@( |$)", "", " ".join(pieces))
    return text.strip()


def is_in_pieces(translation: str, source: str) -> bool:
    """Whether a translation holds marks of pieces that its source does not.

    >>> is_in_pieces("I▁should go to▁bed.", "Ich sollte ins Bett gehen."), is_in_pieces("▁", "▁")
    (True, False)
    """
    return {*_LEFT.findall(translation)} > {*_LEFT.findall(source)}
