"""The converted model, loaded: pieces of a text, and the mean of the final states of pieces."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.encoders.e5.folder import CHARACTERS, PIECES
from hyperbaton.encoders.e5.unigram import Unigram
from hyperbaton.encoders.encoder import Vectors
from hyperbaton.encoders.equal_length import equal_length

if TYPE_CHECKING:
    import ctranslate2

__all__ = ["Compute", "Engine"]

Compute = Literal["float32", "int8"]
_BATCH = 1024
"""Pieces in a batch: more gain no speed on a processor."""


class Engine:
    """CTranslate2's encoder on the processor; the weights are in 8 bits, the sums as asked for."""

    size = 384

    def __init__(self, folder: Path, compute: Compute, threads: int = 0) -> None:
        import ctranslate2

        self.pieces = Unigram(folder / PIECES, folder / CHARACTERS)
        try:
            # Loading sets the number of OpenMP threads of the thread it runs in.
            with ThreadPoolExecutor(1) as aside:
                self._encoder: ctranslate2.Encoder = aside.submit(
                    ctranslate2.Encoder,
                    str(folder),
                    device="cpu",
                    compute_type=compute,
                    intra_threads=threads,
                ).result()
        except (RuntimeError, ValueError) as error:
            raise HyperbatonError(
                f"{folder} cannot be loaded ({error}): delete it, and it is made again"
            ) from None

    def means(
        self, inputs: Sequence[list[int]], kinds: Sequence[list[int]] | None = None
    ) -> Vectors:
        """The mean of the final states over all pieces; `kinds` says of which text each one is.

        Inputs of one length share a batch, so that nothing is padded.
        """
        found = np.empty((len(inputs), self.size), np.float32)
        for batch in equal_length([len(one) for one in inputs], _BATCH):
            output = self._encoder.forward_batch(
                [inputs[at] for at in batch],
                token_type_ids=[kinds[at] if kinds else [0] * len(inputs[at]) for at in batch],
            )
            found[batch] = np.array(output.last_hidden_state).mean(axis=1)
        return found

    def close(self) -> None:
        """Give the memory of the model back."""
        self._encoder.unload_model()
