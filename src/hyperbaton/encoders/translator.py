"""`translator:FOLDER`: the encoder of a translation model of CTranslate2, `bundled` among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hyperbaton import __version__
from hyperbaton.base.content import fingerprint, read_json
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import DATA
from hyperbaton.encoders.e5.folder import made_once
from hyperbaton.encoders.encoder import Encoder, OpenEncoder, Vectors
from hyperbaton.encoders.equal_length import equal_length
from hyperbaton.encoders.translator_file import VOCABULARY, write_encoder
from hyperbaton.language.tokenizing import load_sentencepiece, pieces_of

if TYPE_CHECKING:
    import ctranslate2

__all__ = ["Translator"]

_BUNDLED = DATA / "bundled"
_PIECES = "source.spm"
_BATCH = 1024
_LONGEST = 254
_END = "</s>"


@dataclass(frozen=True)
class Translator(Encoder):
    """A folder with `model.bin`, `source.spm` and a shared vocabulary, or `bundled`."""

    name: ClassVar[str] = "translator"
    positional: ClassVar[str | None] = "folder"

    folder: str
    mark: str = ""
    """A token before every text; for `bundled` the language to translate into (`>>en<<`)."""
    threads: int = 0

    def open(self) -> OpenEncoder:
        """Cut the encoder out of the model, once, into the cache; then load it."""
        if self.threads < 0:
            raise HyperbatonError(f"'{self}': threads must be 0 (all) or more")
        folder = _BUNDLED if self.folder == "bundled" else Path(self.folder).expanduser()
        for name in ("model.bin", _PIECES, VOCABULARY):
            if not (folder / name).is_file():
                raise HyperbatonError(f"'{self}': {folder} holds no {name}")
        mark = self.mark or (">>en<<" if folder == _BUNDLED else "")
        return _OpenTranslator(folder, mark, self)


class _OpenTranslator(OpenEncoder):
    def __init__(self, folder: Path, mark: str, spec: Translator) -> None:
        import ctranslate2

        key = fingerprint([folder])
        cut = made_once("translator", key, lambda new: write_encoder(folder, new))
        try:
            self._model: ctranslate2.Encoder = ctranslate2.Encoder(
                str(cut), device="cpu", compute_type="int8", intra_threads=spec.threads
            )
        except (RuntimeError, ValueError) as error:
            reason = str(error).strip().split("\n")[0]
            raise HyperbatonError(f"'{spec}' cannot be loaded: {reason}") from None
        words = read_json(folder / VOCABULARY)
        if not isinstance(words, list):
            raise HyperbatonError(f"{folder / VOCABULARY} is not a list of words")
        self._numbers = {str(word): number for number, word in enumerate(words)}
        if mark and mark not in self._numbers:
            raise HyperbatonError(f"'{spec}': the vocabulary has no '{mark}'")
        self._mark = [mark] if mark else []
        self.tokenizer = self._pieces_file = folder / _PIECES
        self._pieces = load_sentencepiece(self._pieces_file)
        self.signature = "|".join(
            [
                f"translator:{folder.name}",
                f"weights:{key}",
                f"mark:{mark}",
                "pooling:mean",
                "compute:int8",
                f"ctranslate2:{version('ctranslate2')}",
                f"hyperbaton:{__version__}",
            ]
        )
        self.size = self._means([[0]]).shape[1]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The mean of the final states over all tokens; texts of one length share a batch."""
        unknown = self._numbers.get("<unk>", 0)
        rows = [
            [self._numbers.get(t, unknown) for t in (*self._mark, *pieces[:_LONGEST], _END)]
            for pieces in self._cut(texts)
        ]
        found = np.empty((len(rows), self.size), np.float32)
        for batch in equal_length([len(row) for row in rows], _BATCH):
            found[batch] = self._means([rows[at] for at in batch])
        return found

    def tokens(self, texts: Sequence[str]) -> list[int]:
        """Pieces of each text and its end; nothing is cut."""
        return [len(pieces) + 1 for pieces in self._cut(texts)]

    def close(self) -> None:
        """Give the memory back."""
        self._model.unload_model()

    def _cut(self, texts: Sequence[str]) -> list[list[str]]:
        # Half a surrogate pair, which JSON may spell, is no character: it becomes '?'.
        whole = [text.encode(errors="replace").decode() for text in texts]
        with pieces_of(self._pieces_file):
            found: list[list[str]] = self._pieces.encode(whole, out_type=str)
        return found

    def _means(self, rows: list[list[int]]) -> Vectors:
        output = self._model.forward_batch(rows)
        found: Vectors = np.array(output.last_hidden_state).mean(axis=1)
        return found
