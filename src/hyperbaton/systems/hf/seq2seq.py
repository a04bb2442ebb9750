"""Encoder-decoder models of transformers: Marian, mBART-50, M2M-100, NLLB, T5 and their kin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.systems.ct2.families import check_declared, find_family
from hyperbaton.systems.ct2.inside import Scored
from hyperbaton.systems.hf.batches import pad, token_batches
from hyperbaton.systems.hf.generation import GeneratingTranslator, Rows
from hyperbaton.systems.system import Translation

if TYPE_CHECKING:
    import torch

    from hyperbaton.systems.hf import HuggingFace
    from hyperbaton.systems.hf.loading import Loaded

__all__ = ["Seq2SeqTranslator"]


class Seq2SeqTranslator(GeneratingTranslator):
    """A loaded encoder-decoder model, for one direction."""

    def __init__(
        self, system: HuggingFace, loaded: Loaded, source: str, target: str, signed: str
    ) -> None:
        super().__init__(system, loaded, source, target, signed)
        self._before = ""
        self._marked = 0
        self._languages: set[int | list[int]] = set()
        self._set_languages(system.model)

    def _set_languages(self, model: str) -> None:
        tokenizer = self._tokenizer
        # M2M-100 keeps its language tokens apart where they were not saved as special.
        apart = getattr(tokenizer, "lang_code_to_token", {}).values()
        family = find_family([*tokenizer.get_vocab(), *apart])
        marks = family.marks(self._source, self._target, model)
        if family.manner == "none":
            said = (getattr(tokenizer, f"{side}_lang", None) for side in ("source", "target"))
            first, second = (str(code or "") for code in said)
            check_declared((first, second), self._source, self._target, model)
        elif family.manner == "target-first":
            self._before = marks.source + " "
        elif family.manner == "prompt":
            self._before = marks.prompt
        else:
            codes = {token: code for code, token in family.tokens}
            # M2M-100 names languages by code (`de`), the others by the token itself (`de_DE`).
            tokenizer.src_lang = codes[marks.source]
            tokenizer.tgt_lang = codes[marks.target]
            self._decoding["forced_bos_token_id"] = tokenizer.convert_tokens_to_ids(marks.target)
            self._marked = 1
            self._languages = {tokenizer.convert_tokens_to_ids(token) for token in codes}

    def _encode(self, texts: Sequence[str], max_length: int | None) -> Rows:
        rows: Rows = self._tokenizer(
            [self._before + text for text in texts],
            truncation=max_length is not None,
            max_length=max_length,
            verbose=False,
        )["input_ids"]
        return rows

    def _decode(self, produced: torch.Tensor, read: int, texts: Sequence[str]) -> list[Translation]:
        rows = [[n for n in row if n not in self._languages] for row in produced.tolist()]
        found = self._tokenizer.batch_decode(rows, skip_special_tokens=True)
        return [Translation(str(text)) for text in found]

    def score(self, sources: Sequence[str], targets: Sequence[str]) -> list[Scored]:
        """The log-probability of each piece of each given translation, the end included."""
        if len(sources) != len(targets):
            raise HyperbatonError(
                f"{counted(len(sources), 'source')} but {counted(len(targets), 'target')} to score"
            )
        if not sources:
            return []
        read = self._encode(sources, self._max_input)
        written: Rows = self._tokenizer(text_target=list(targets), verbose=False)["input_ids"]
        found: dict[int, Scored] = {}
        lengths = {at: max(len(read[at]), len(written[at])) for at in range(len(read))}
        for batch in token_batches(lengths, self.batch_tokens):
            scored = self._score([read[at] for at in batch], [written[at] for at in batch])
            found.update(zip(batch, scored, strict=True))
        return [found[at] for at in range(len(read))]

    def _score(self, read: Rows, written: Rows) -> list[Scored]:
        import torch

        device = self._model.device
        numbers, mask = pad(read, self._filler, device)
        labels, _ = pad(written, self._filler, device)
        start = self._model.config.decoder_start_token_id
        shifted, _ = pad([[start, *row[:-1]] for row in written], self._filler, device)
        with torch.inference_mode():
            logits = self._model(
                input_ids=numbers, attention_mask=mask, decoder_input_ids=shifted
            ).logits
            chosen = logits.float().log_softmax(-1).gather(-1, labels.unsqueeze(-1)).squeeze(-1)
        scored = []
        for row, line in zip(written, chosen.tolist(), strict=True):
            kept = row[self._marked :]
            pieces = self._tokenizer.convert_ids_to_tokens(kept)
            scored.append(Scored(tuple(pieces), tuple(line[self._marked : len(row)])))
        return scored
