"""One SentencePiece vocabulary for all languages, laid out as a Marian tokenizer wants it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import sentencepiece

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import write_bytes, write_text

__all__ = ["EOS", "PAD", "Vocabulary", "train_vocabulary"]

EOS, UNK, PAD = 0, 1, 2


def language_token(language: str) -> str:
    """The piece that tells the model which language to write.

    >>> language_token("de")
    '>>de<<'
    """
    return f">>{language}<<"


class Vocabulary:
    """Text to piece numbers and back; the numbers are SentencePiece's own."""

    def __init__(self, model: bytes) -> None:
        self.model = model
        self._processor = sentencepiece.SentencePieceProcessor(model_proto=model, num_threads=1)

    @classmethod
    def load(cls, path: Path) -> Vocabulary:
        """Read a SentencePiece model."""
        if not path.is_file():
            raise HyperbatonError(f"{path}: no such vocabulary")
        data = path.read_bytes()
        try:
            found = cls(data) if data else None
        except (RuntimeError, ValueError):
            found = None
        if found is None:
            raise HyperbatonError(f"{path} is not a SentencePiece model")
        return found

    def __len__(self) -> int:
        return int(self._processor.get_piece_size())

    def token(self, name: str, kind: str = "target language") -> int:
        """The number of the token of a target language, or of a mode: `robust`, `faithful`."""
        number = int(self._processor.piece_to_id(language_token(name)))
        if number == UNK:
            raise HyperbatonError(f"the vocabulary has no {kind} '{name}'")
        return number

    def with_modes(self, modes: Iterable[str]) -> Vocabulary:
        """The vocabulary with a token for each mode that it has none for, after all others."""
        known = set(self.pieces())
        tokens = [language_token(mode) for mode in modes]
        new = [_control(token) for token in dict.fromkeys(tokens) if token not in known]
        return Vocabulary(b"".join([self.model, *new])) if new else self

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """The pieces of each text, without language token or end mark."""
        encoded: list[list[int]] = self._processor.encode(
            list(texts), out_type=int, num_threads=-1 if len(texts) > 10_000 else 1
        )
        return encoded

    def decode(self, rows: Iterable[Sequence[int]]) -> list[str]:
        """The text of each row of pieces; end and padding marks and unknown numbers are dropped."""
        most = len(self)
        plain = [[int(i) for i in row if i not in (EOS, PAD) and i < most] for row in rows]
        return [str(text) for text in self._processor.decode(plain)]

    def pieces(self) -> list[str]:
        """Every piece in the order of its number."""
        return [str(self._processor.id_to_piece(i)) for i in range(len(self))]

    def save(self, folder: Path) -> None:
        """Write the files of a Marian tokenizer: two copies of the model, and the numbers."""
        for name in ("source.spm", "target.spm"):
            write_bytes(folder / name, self.model)
        numbers = {piece: number for number, piece in enumerate(self.pieces())}
        write_text(folder / "vocab.json", json.dumps(numbers, ensure_ascii=False, indent=0))
        settings = {
            "tokenizer_class": "MarianTokenizer",
            "unk_token": "<unk>",
            "eos_token": "</s>",
            "pad_token": "<pad>",
            "separate_vocabs": False,
        }
        write_text(folder / "tokenizer_config.json", json.dumps(settings, indent=2))


def _control(piece: str) -> bytes:
    """A control piece as SentencePiece stores it.

    Its model is a protocol buffer that repeats a message for each piece (name, score, kind), and
    such a file takes one more at its end.
    """
    name = piece.encode()
    message = bytes([0x0A, len(name)]) + name + bytes([0x15, 0, 0, 0, 0, 0x18, 3])
    return bytes([0x0A, len(message)]) + message


def train_vocabulary(
    texts: Iterable[str],
    size: int,
    languages: Iterable[str],
    coverage: float = 0.9995,
    seed: int = 1,
) -> Vocabulary:
    """Learn a unigram vocabulary with a token for every target language."""
    model = io.BytesIO()
    try:
        sentencepiece.set_random_generator_seed(seed)
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(texts),
            model_writer=model,
            model_type="unigram",
            vocab_size=size,
            character_coverage=coverage,
            eos_id=EOS,
            unk_id=UNK,
            pad_id=PAD,
            bos_id=-1,
            control_symbols=[language_token(language) for language in languages],
            # NFKC would turn the full-width marks of Chinese and Japanese into ASCII.
            normalization_rule_name="identity",
            byte_fallback=True,
            num_threads=4,
            hard_vocab_limit=False,
            minloglevel=1,
        )
    except RuntimeError as error:
        raise HyperbatonError(
            f"SentencePiece cannot make a vocabulary of {size} pieces: {error}"
        ) from None
    return Vocabulary(model.getvalue())
