"""What every transformers model does: read texts, write token numbers, batch by batch."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, cast

from hyperbaton.hub import quiet
from hyperbaton.systems.ct2.pieces import rough_count
from hyperbaton.systems.hf.batches import pad, token_batches
from hyperbaton.systems.system import Translation, Translator

if TYPE_CHECKING:
    import torch

    from hyperbaton.systems.hf import HuggingFace
    from hyperbaton.systems.hf.loading import Loaded

__all__ = ["GeneratingTranslator", "Rows"]

Rows = list[list[int]]

_CPU_BATCH = 512
_GPU_BATCH = 8192


class GeneratingTranslator(Translator):
    """A loaded model for one direction; how texts are put to it is left to its kind."""

    side: Literal["left", "right"] = "right"

    def __init__(
        self, system: HuggingFace, loaded: Loaded, source: str, target: str, signed: str
    ) -> None:
        self.signature = signed
        on_cpu = loaded.model.device.type == "cpu"
        self.batch_tokens = system.batch_tokens or (_CPU_BATCH if on_cpu else _GPU_BATCH)
        self._system = system
        self._model = loaded.model
        self._tokenizer = loaded.tokenizer
        self._source = source
        self._target = target
        self._max_input = min(system.max_input or loaded.max_input, loaded.max_input)
        self._decoding: dict[str, object] = {
            "num_beams": loaded.beam,
            "do_sample": False,
            "length_penalty": system.length_penalty,
            "repetition_penalty": system.repetition_penalty,
            "no_repeat_ngram_size": system.no_repeat_ngram,
            "max_new_tokens": system.max_length,
        }

    @abstractmethod
    def _encode(self, texts: Sequence[str], max_length: int | None) -> Rows:
        """What the model reads for each text, cut to a length where one is given."""

    @abstractmethod
    def _decode(self, produced: torch.Tensor, read: int, texts: Sequence[str]) -> list[Translation]:
        """The translations in what the model wrote after reading so many positions."""

    def cost(self, text: str) -> int:
        """About the number of pieces."""
        return rough_count(text)

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        """Translate any number of texts, in order."""
        return [found for _, found in sorted(self.stream(texts), key=lambda pair: pair[0])]

    def stream(self, texts: Sequence[str]) -> Iterator[tuple[int, Translation]]:
        """Translate any number of texts, each given as soon as its batch is done."""
        written = [place for place, text in enumerate(texts) if text.strip()]
        yield from ((place, Translation("")) for place in set(range(len(texts))) - {*written})
        if not written:
            return
        cut = self._max_input if self._system.overlong == "truncate" else None
        rows = dict(zip(written, self._encode([texts[at] for at in written], cut), strict=True))
        for place in written:
            if len(rows[place]) > self._max_input:
                pieces = f"{len(rows.pop(place))} pieces are more than the {self._max_input}"
                fault = f"{pieces} that the model takes; overlong=truncate cuts them"
                yield place, Translation(None, fault)
        lengths = {place: len(row) for place, row in rows.items()}
        for batch in token_batches(lengths, self.batch_tokens):
            found = self._run([rows[place] for place in batch], [texts[place] for place in batch])
            yield from zip(batch, found, strict=True)

    def _run(self, rows: Rows, texts: Sequence[str]) -> list[Translation]:
        import torch

        numbers, mask = pad(rows, self._filler, self._model.device, self.side)
        generate = cast("Callable[..., torch.Tensor]", self._model.generate)
        # transformers warns of every option here that the model's own settings name too.
        with torch.inference_mode(), quiet():
            produced = generate(input_ids=numbers, attention_mask=mask, **self._decoding)
        return self._decode(produced, numbers.shape[1], texts)

    @property
    def _filler(self) -> int:
        # Llama and its kin have no padding token; what is masked may be anything.
        return int(self._tokenizer.pad_token_id or self._tokenizer.eos_token_id or 0)

    def close(self) -> None:
        """Give the memory of the model back."""
        if hasattr(self, "_model"):
            on_gpu = self._model.device.type == "cuda"
            del self._model
            if on_gpu:
                import torch

                torch.cuda.empty_cache()
