"""Translators over transformers models: encoder-decoder models, and chat models with a prompt."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, cast

from hyperbaton.base.batches import by_length
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.hub import quiet
from hyperbaton.systems.chat.prompts import MARKS, answer, messages
from hyperbaton.systems.ct2.folder import check_declared, find_family
from hyperbaton.systems.ct2.pieces import rough_count
from hyperbaton.systems.ct2.system import Scored
from hyperbaton.systems.system import Translation, Translator

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedTokenizerBase

    from hyperbaton.systems.hf import HuggingFace, Loaded

Rows = list[list[int]]

_CPU_BATCH = 512
_GPU_BATCH = 8192


def _pad(
    rows: Sequence[list[int]],
    filler: int,
    device: torch.device,
    side: Literal["left", "right"] = "right",
) -> tuple[torch.Tensor, torch.Tensor]:
    """The rows as one tensor, and the mask of what is not padding."""
    import torch
    from torch.nn.utils.rnn import pad_sequence

    tensors = [torch.tensor(row, dtype=torch.long, device=device) for row in rows]
    marks = [torch.ones_like(row) for row in tensors]
    numbers = pad_sequence(tensors, batch_first=True, padding_value=filler, padding_side=side)
    return numbers, pad_sequence(marks, batch_first=True, padding_side=side)


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
        return [answer for _, answer in sorted(self.stream(texts), key=lambda pair: pair[0])]

    def stream(self, texts: Sequence[str]) -> Iterator[tuple[int, Translation]]:
        """Translate any number of texts, each given as soon as its batch is done."""
        written = [place for place, text in enumerate(texts) if text.strip()]
        yield from ((place, Translation("")) for place in set(range(len(texts))) - {*written})
        if not written:
            return
        cut = self._max_input if self._system.overlong == "truncate" else None
        fitting: list[tuple[int, list[int]]] = []
        encoded = self._encode([texts[place] for place in written], cut)
        for place, row in zip(written, encoded, strict=True):
            if len(row) <= self._max_input:
                fitting.append((place, row))
                continue
            pieces = f"{len(row)} pieces are more than the {self._max_input}"
            fault = f"{pieces} that the model takes; overlong=truncate cuts them"
            yield place, Translation(None, fault)
        for batch in by_length([len(row) for _, row in fitting], self.batch_tokens):
            places, rows = zip(*(fitting[at] for at in batch), strict=True)
            answers = self._run(rows, [texts[place] for place in places])
            yield from zip(places, answers, strict=True)

    def _run(self, rows: Sequence[list[int]], texts: Sequence[str]) -> list[Translation]:
        import torch

        numbers, mask = _pad(rows, self._filler, self._model.device, self.side)
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
            declared = (getattr(tokenizer, f"{side}_lang", None) for side in ("source", "target"))
            first, second = (str(code or "") for code in declared)
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
        translations = self._tokenizer.batch_decode(rows, skip_special_tokens=True)
        return [Translation(str(text)) for text in translations]

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
        scores: dict[int, Scored] = {}
        lengths = [max(map(len, pair)) for pair in zip(read, written, strict=True)]
        for batch in by_length(lengths, self.batch_tokens):
            scored = self._score([read[at] for at in batch], [written[at] for at in batch])
            scores.update(zip(batch, scored, strict=True))
        return [scores[at] for at in range(len(read))]

    def _score(self, read: Rows, written: Rows) -> list[Scored]:
        import torch

        device = self._model.device
        numbers, mask = _pad(read, self._filler, device)
        labels, _ = _pad(written, self._filler, device)
        start = self._model.config.decoder_start_token_id
        shifted, _ = _pad([[start, *row[:-1]] for row in written], self._filler, device)
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


class ChatTranslator(GeneratingTranslator):
    """A loaded chat model, for one direction and one mode."""

    # What is written goes on from the last token read, so the padding stands before the first.
    side: Literal["left", "right"] = "left"

    def __init__(
        self, system: HuggingFace, loaded: Loaded, source: str, target: str, signed: str
    ) -> None:
        super().__init__(system, loaded, source, target, signed)
        if not self._tokenizer.chat_template:
            raise HyperbatonError(
                f"{system.model} has no chat template, so it cannot be asked for a translation: "
                "name its chat or instruct version"
            )
        # Reading and writing share the positions of a decoder-only model.
        self._max_input = max(1, self._max_input - system.max_length)
        self._decoding["pad_token_id"] = self._filler
        self._ends = _ends(loaded)

    def _encode(self, texts: Sequence[str], max_length: int | None) -> Rows:
        asked = [
            self._tokenizer.apply_chat_template(
                messages(text, self._source, self._target, self._system.mode),
                tokenize=False,
                add_generation_prompt=True,
                enable_thinking=False,
            )
            for text in texts
        ]
        # The template has written the special tokens already.
        rows: Rows = self._tokenizer(asked, add_special_tokens=False, verbose=False)["input_ids"]
        return rows

    def _decode(self, produced: torch.Tensor, read: int, texts: Sequence[str]) -> list[Translation]:
        rows: Rows = produced[:, read:].tolist()
        silent = _silent_tokens(self._tokenizer)
        return [self._reply_of(row, text, silent) for row, text in zip(rows, texts, strict=True)]

    def _reply_of(self, row: list[int], text: str, silent: frozenset[int]) -> Translation:
        end = next((place for place, token in enumerate(row) if token in self._ends), None)
        if end is None:
            limit = f"max_length={self._system.max_length}"
            return Translation(None, f"the answer was cut off ({limit})")
        reply = self._tokenizer.decode([token for token in row[:end] if token not in silent])
        return answer(str(reply), text)


def _silent_tokens(tokenizer: PreTrainedTokenizerBase) -> frozenset[int]:
    """Special tokens, but for those that tell thoughts from an answer."""
    added = tokenizer.added_tokens_decoder.items()
    special = {number for number, token in added if token.special} | {*tokenizer.all_special_ids}
    marks = {number for number, token in added if str(token) in MARKS}
    return frozenset(special - marks)


def _ends(loaded: Loaded) -> frozenset[int]:
    """The tokens that end an answer; a chat model may have several."""
    ends = loaded.model.generation_config.eos_token_id
    if ends is None:
        ends = loaded.tokenizer.eos_token_id
    if ends is None:
        return frozenset()
    return frozenset(ends) if isinstance(ends, list) else frozenset((ends,))
