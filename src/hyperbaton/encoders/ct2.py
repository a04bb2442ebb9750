"""`ct2:FOLDER`: an encoder converted to CTranslate2 (BERT, XLM-R and their like), without torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from hyperbaton import __version__
from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.encoders.encoder import Encoder, OpenEncoder, Vectors
from hyperbaton.encoders.equal_length import equal_length
from hyperbaton.language.tokenizing import load_json

if TYPE_CHECKING:
    import ctranslate2
    from tokenizers import Encoding

__all__ = ["CTranslate2"]

_BATCH = 1024
"""Tokens in a batch: more gain no speed on a processor."""
TOKENIZER = "tokenizer.json"


@dataclass(frozen=True)
class CTranslate2(Encoder):
    """A folder of `ct2-transformers-converter --copy_files tokenizer.json`."""

    name: ClassVar[str] = "ct2"
    positional: ClassVar[str | None] = "folder"

    folder: str
    compute: Literal["default", "float32", "int8"] = "default"
    prefix: str = ""
    """What the model was trained to see before a text."""
    longest: int = 512
    """Tokens of a text that are read; the model's own limit, or less."""
    threads: int = 0
    device: str = "cpu"

    def open(self) -> OpenEncoder:
        """Load model and tokenizer."""
        if self.threads < 0 or self.longest < 3:
            raise HyperbatonError(f"'{self}': threads must be 0 or more, longest 3 or more")
        folder = Path(self.folder).expanduser()
        if not (folder / "model.bin").is_file():
            raise HyperbatonError(f"'{self}': {folder} holds no CTranslate2 model (no model.bin)")
        if not (folder / TOKENIZER).is_file():
            raise HyperbatonError(
                f"'{self}': {folder} holds no {TOKENIZER}: copy the one of the model there"
            )
        import ctranslate2

        try:
            model = ctranslate2.Encoder(
                str(folder),
                device=self.device,
                compute_type=self.compute,
                intra_threads=self.threads,
            )
        except (RuntimeError, ValueError) as error:
            reason = str(error).strip().split("\n")[0]
            raise HyperbatonError(f"'{self}' cannot be loaded: {reason}") from None
        return _OpenCTranslate2(model, folder, self)


class _OpenCTranslate2(OpenEncoder):
    def __init__(self, model: ctranslate2.Encoder, folder: Path, spec: CTranslate2) -> None:
        self._model = model
        self.tokenizer = folder / TOKENIZER
        self._read = load_json(self.tokenizer)
        self._prefix = spec.prefix
        self._longest = spec.longest
        self.signature = "|".join(
            [
                f"ct2:{folder.name}",
                f"weights:{fingerprint([folder])}",
                f"prefix:{spec.prefix}",
                "pooling:mean",
                f"compute:{model.compute_type}",
                f"ctranslate2:{version('ctranslate2')}",
                f"hyperbaton:{__version__}",
            ]
        )
        self.size = self._means([[0]]).shape[1]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The mean of the final states over all tokens; texts of one length share a batch."""
        rows = [self._cut(row.ids) for row in self._coded([self._prefix + t for t in texts])]
        found = np.empty((len(rows), self.size), np.float32)
        for batch in equal_length([len(row) for row in rows], _BATCH):
            found[batch] = self._means([rows[at] for at in batch])
        return found

    def tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special ones counted, the prefix not; nothing is cut."""
        return [len(row.ids) for row in self._coded(texts)]

    def close(self) -> None:
        """Give the memory back."""
        self._model.unload_model()

    def _coded(self, texts: Sequence[str]) -> list[Encoding]:
        found: list[Encoding] = self._read.encode_batch(list(texts))
        return found

    def _cut(self, ids: list[int]) -> list[int]:
        """The beginning and the last token, which closes the text."""
        if len(ids) <= self._longest:
            return ids or [0]
        return [*ids[: self._longest - 1], ids[-1]]

    def _means(self, rows: list[list[int]]) -> Vectors:
        kinds = [[0] * len(row) for row in rows]
        try:
            output = self._model.forward_batch(rows, token_type_ids=kinds)
        except (RuntimeError, ValueError):
            # A model without kinds of text refuses them.
            output = self._model.forward_batch(rows)
        found: Vectors = np.array(output.last_hidden_state).mean(axis=1)
        return found
