"""One loader of tokenizers for translators, encoders and perturbations: SentencePiece, JSON, hub.

Nothing is downloaded, and no code that comes with a tokenizer is run.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.base.content import read_json
from hyperbaton.base.errors import HyperbatonError, first_line, need
from hyperbaton.language.letters import composed

if TYPE_CHECKING:
    from sentencepiece import SentencePieceProcessor
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerBase


PIECES, CHARACTERS = "sentencepiece.model", "characters.json"
_RARE = "a \N{SNOWMAN} \N{RUNIC LETTER FEHU FEOH FE F}"
"""Letters that few vocabularies have."""


def load_sentencepiece(path: Path) -> SentencePieceProcessor:
    """A SentencePiece model."""
    library = need("sentencepiece", extra="hf")
    try:
        processor: SentencePieceProcessor = library.SentencePieceProcessor(model_file=str(path))
        # A damaged piece is no UTF-8, and would be found by the first text that holds it.
        processor.id_to_piece(list(range(len(processor))))
    except (OSError, RuntimeError, ValueError):
        raise HyperbatonError(_no_pieces(path)) from None
    return processor


def _no_pieces(path: Path) -> str:
    return f"{path} is not a SentencePiece model, or is damaged: fetch it again"


@contextmanager
def pieces_of(path: Path) -> Iterator[None]:
    """Cutting texts by a model: what it makes of a character may be damaged too, and no text."""
    try:
        yield
    except UnicodeDecodeError:
        raise HyperbatonError(_no_pieces(path)) from None


def is_unigram(folder: Path) -> bool:
    """Whether a folder holds a SentencePiece model and a list of what characters become."""
    return (folder / PIECES).is_file() and (folder / CHARACTERS).is_file()


class Characters:
    """What the characters of a text become before the model reads it.

    Letters are composed with their marks, each character is mapped, several spaces are one, and
    one stands in front. A space at the end stays: it is a piece.

    >>> Characters({0xFB01: "fi", 0: ""}).read("\\ufb01nd\\x00  e\\u0301 ")
    ' find é '
    """

    def __init__(self, become: Mapping[int, str]) -> None:
        self._become = become
        self._changing = frozenset(map(chr, become))

    def read(self, text: str) -> str:
        """The text as the model reads it."""
        # Most texts hold nothing that changes, and looking is faster than changing.
        still = self._changing.isdisjoint(text) and "  " not in text
        if still and unicodedata.is_normalized("NFC", text):
            return text if not text or text[0] == " " else f" {text}"
        return "".join(character for character, _ in self.placed(text))

    def placed(self, text: str) -> list[tuple[str, int]]:
        """Each character that the model reads, and where in the text ends what it stands for."""
        characters: list[tuple[str, int]] = []
        for character, end in composed(text):
            for written in self._become.get(ord(character), character):
                if written == " " and characters and characters[-1][0] == " ":
                    characters.pop()
                characters.append((written, end))
        return [(" ", 0), *characters] if characters and characters[0][0] != " " else characters


def load_unigram(folder: Path) -> tuple[SentencePieceProcessor, Characters]:
    """Such a model, and what characters become before the model reads them."""
    return load_sentencepiece(folder / PIECES), read_characters(folder / CHARACTERS)


def read_characters(path: Path) -> Characters:
    """What characters become, from a file that has it by their numbers."""
    table = read_json(path)
    try:
        if not isinstance(table, dict):
            raise TypeError("not an object")
        become = {int(code): str(text) for code, text in table.items()}
        for code in become:
            chr(code)
    except (ValueError, TypeError, OverflowError):
        raise HyperbatonError(
            f"{path} is no map of characters, or is damaged: delete its folder, or fetch it again"
        ) from None
    return Characters(become)


def load_json(path: Path) -> Tokenizer:
    """A `tokenizer.json` of Hugging Face's tokenizers library, without padding or truncation."""
    library = need("tokenizers", extra="hf")
    try:
        tokenizer: Tokenizer = library.Tokenizer.from_file(str(path))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        # What its parts lack, such as the piece for unknown letters, shows when it is used.
        tokenizer.decode([*tokenizer.encode(_RARE).ids, 0])
    except BaseException as error:  # the library raises nothing narrower; a panic is no Exception
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise HyperbatonError(f"{path} is not a tokenizer.json: {first_line(error)}") from None
    return tokenizer


def load_folder(folder: Path, **options: bool) -> PreTrainedTokenizerBase:
    """A tokenizer that only transformers can put together from the files of a folder."""
    library = need("transformers", extra="hf")
    try:
        tokenizer: PreTrainedTokenizerBase = library.AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False, **options
        )
    except Exception as error:  # each tokenizer fails in its own way
        raise HyperbatonError(
            f"the tokenizer in {folder} cannot be read: {first_line(error)}"
        ) from None
    return tokenizer
