"""`ct2:FOLDER`: an encoder converted to CTranslate2 (BERT, XLM-R and their like), without torch."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from hyperbaton.base.batches import equal_length
from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError, first_line
from hyperbaton.base.files import cache_folder, temporary_folder
from hyperbaton.encoders.encoder import Encoder, OpenEncoder, Vectors, signature
from hyperbaton.language.tokenizing import load_json

if TYPE_CHECKING:
    import ctranslate2

Compute = Literal["default", "float32", "int8"]
_BATCH = 1024
"""Tokens in a batch: more gain no speed on a processor."""
TOKENIZER = "tokenizer.json"
LAYOUT = 2
"""Raise it when models are converted in another way: those in caches are then made again."""


class MeanStates:
    """An encoder in CTranslate2's format: rows of tokens to the mean of their final states."""

    def __init__(
        self, folder: Path, called: str, compute: Compute, threads: int = 0, device: str = "cpu"
    ) -> None:
        import ctranslate2

        try:
            # Loading sets the number of OpenMP threads of the thread it runs in.
            with ThreadPoolExecutor(1) as aside:
                self._model: ctranslate2.Encoder = aside.submit(
                    ctranslate2.Encoder,
                    str(folder),
                    device=device,
                    compute_type=compute,
                    intra_threads=threads,
                ).result()
        except (RuntimeError, ValueError) as error:
            reason = first_line(error)
            raise HyperbatonError(f"'{called}': {folder} cannot be loaded: {reason}") from None
        self.compute = str(self._model.compute_type)
        self.size = self._run([[0]], [[0]]).shape[1]

    def means(self, rows: Sequence[list[int]], kinds: Sequence[list[int]] | None = None) -> Vectors:
        """The mean over all tokens of each row; `kinds` says of which text each token is.

        Rows of one length share a batch, so that nothing is padded and no row changes another.
        """
        found = np.empty((len(rows), self.size), np.float32)
        for batch in equal_length([len(row) for row in rows], _BATCH):
            of_text = [kinds[at] if kinds else [0] * len(rows[at]) for at in batch]
            found[batch] = self._run([rows[at] for at in batch], of_text)
        return found

    def _run(self, rows: list[list[int]], kinds: list[list[int]]) -> Vectors:
        try:
            output = self._model.forward_batch(rows, token_type_ids=kinds)
        except (RuntimeError, ValueError):
            # A model without kinds of text refuses them.
            output = self._model.forward_batch(rows)
        means: Vectors = np.array(output.last_hidden_state).mean(axis=1)
        return means

    def close(self) -> None:
        """Give the memory back."""
        self._model.unload_model()


def made_once(name: str, key: str, write: Callable[[Path], None]) -> Path:
    """A converted model in the cache, or made now.

    It is made beside its place and moved there whole, so that another process sees all or nothing.
    """
    folder = cache_folder() / "encoders" / f"{name}-{key}-{LAYOUT}"
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with temporary_folder(folder.parent, name) as made:
        new = made / "model"
        new.mkdir()
        write(new)
        try:
            new.rename(folder)
        except OSError:
            # Another process was first, with the same content.
            if not folder.is_dir():
                raise
            shutil.rmtree(new)
    return folder


@dataclass(frozen=True)
class CTranslate2(Encoder):
    """A folder of `ct2-transformers-converter --copy_files tokenizer.json`."""

    name: ClassVar[str] = "ct2"
    positional: ClassVar[str | None] = "folder"

    folder: str
    compute: Compute = "default"
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
        model = MeanStates(folder, str(self), self.compute, self.threads, self.device)
        return _OpenCTranslate2(model, folder, self)


class _OpenCTranslate2(OpenEncoder):
    def __init__(self, model: MeanStates, folder: Path, spec: CTranslate2) -> None:
        self._model = model
        self._spec = spec
        self.size, self.close = model.size, model.close  # type: ignore[method-assign]
        self.tokenizer = folder / TOKENIZER
        self._read = load_json(self.tokenizer)
        self.signature = signature(
            f"ct2:{folder.name}",
            weights=fingerprint([folder]),
            prefix=spec.prefix,
            pooling="mean",
            compute=model.compute,
            ctranslate2=version("ctranslate2"),
        )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The mean of the final states over all tokens."""
        coded = self._read.encode_batch([self._spec.prefix + text for text in texts])
        return self._model.means([self._cut(row.ids) for row in coded])

    def _cut(self, ids: list[int]) -> list[int]:
        """The beginning and the last token, which closes the text."""
        longest = self._spec.longest
        return ids or [0] if len(ids) <= longest else [*ids[: longest - 1], ids[-1]]
