"""One loader of tokenizers for translators, encoders and perturbations: SentencePiece, JSON, hub.

Nothing is downloaded, and no code that comes with a tokenizer is run.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.errors import HyperbatonError
from hyperbaton.extras import need
from hyperbaton.jsontext import read_json

if TYPE_CHECKING:
    from sentencepiece import SentencePieceProcessor
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerBase

__all__ = ["is_unigram", "load_folder", "load_json", "load_sentencepiece", "load_unigram"]

PIECES, CHARACTERS = "sentencepiece.model", "characters.json"


def load_sentencepiece(path: Path) -> SentencePieceProcessor:
    """A SentencePiece model."""
    library = need("sentencepiece", extra="hf")
    try:
        processor: SentencePieceProcessor = library.SentencePieceProcessor(model_file=str(path))
    except (OSError, RuntimeError):
        raise HyperbatonError(f"{path} is not a SentencePiece model") from None
    return processor


def is_unigram(folder: Path) -> bool:
    """Whether a folder holds a SentencePiece model and a list of what characters become."""
    return (folder / PIECES).is_file() and (folder / CHARACTERS).is_file()


def load_unigram(folder: Path) -> tuple[SentencePieceProcessor, dict[int, str]]:
    """Such a model, and what a character becomes before the model reads it."""
    found = read_json(folder / CHARACTERS)
    if not isinstance(found, dict):
        raise HyperbatonError(f"{folder / CHARACTERS} is no map of characters")
    return load_sentencepiece(folder / PIECES), {int(c): str(t) for c, t in found.items()}


def load_json(path: Path) -> Tokenizer:
    """A `tokenizer.json` of Hugging Face's tokenizers library, without padding or truncation."""
    library = need("tokenizers", extra="hf")
    try:
        tokenizer: Tokenizer = library.Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing narrower
        raise HyperbatonError(f"{path} is not a tokenizer.json: {_first_line(error)}") from None
    tokenizer.no_padding()
    tokenizer.no_truncation()
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
            f"the tokenizer in {folder} cannot be read: {_first_line(error)}"
        ) from None
    return tokenizer


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n")[0]
