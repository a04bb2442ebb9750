"""`hf:NAME`: a Hugging Face model, from a folder or the local cache of the hub."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from hashlib import blake2b
from typing import ClassVar, Literal

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.chat.prompts import messages
from hyperbaton.systems.system import Mode, System, Translator, signature, versions

__all__ = ["HuggingFace"]

_SILENT = ("model", "revision", "download", "device", "dtype", "batch_tokens", "beam", "mode")
"""Options that do not change a translation, or stand in the signature in another form."""


@dataclass(frozen=True)
class HuggingFace(System):
    """A transformers model: Marian, mBART-50, M2M-100, NLLB, T5, or a chat model with a prompt.

    Nothing is downloaded unless `download=true`, and no code of the model runs unless
    `remote_code=true`: weights are safetensors or a pytorch_model.bin that holds tensors only.
    `beam=0` is 4, and 1 for chat models.
    """

    name: ClassVar[str] = "hf"
    positional: ClassVar[str | None] = "model"
    renamed: ClassVar[Mapping[str, str]] = {"behaviour": "mode"}

    model: str
    beam: int = 0
    length_penalty: float = 1.0
    repetition_penalty: float = 1.0
    no_repeat_ngram: int = 0
    max_length: int = 256
    max_input: int = 0
    overlong: Literal["fault", "truncate"] = "fault"
    mode: Mode = "plain"
    revision: str = ""
    download: bool = False
    remote_code: bool = False
    device: str = "auto"
    dtype: Literal["auto", "float32", "float16", "bfloat16"] = "auto"
    batch_tokens: int = 0

    def open(self, source: str, target: str) -> Translator:
        """Load the model for one direction."""
        if self.beam < 0 or self.max_length < 1 or self.max_input < 0:
            raise HyperbatonError(f"{self}: beam, max_length and max_input cannot be negative")
        from hyperbaton.systems.hf.loading import load
        from hyperbaton.systems.hf.translators import ChatTranslator, Seq2SeqTranslator

        loaded = load(self)
        if self.mode != "plain" and not loaded.is_chat:
            raise HyperbatonError(
                f"'{self}': only a chat model can be asked for a mode, and {self.model} is none; "
                "leave mode= out, or convert a model that was trained with modes and use ct2:"
            )
        kind = ChatTranslator if loaded.is_chat else Seq2SeqTranslator
        asked = str(messages("", source, target, self.mode)) if loaded.is_chat else ""
        signed = signature(
            self.name,
            source,
            target,
            model=loaded.identity,
            beam=loaded.beam,
            dtype=loaded.precision,
            prompt=blake2b(asked.encode(), digest_size=4).hexdigest() if asked else None,
            # Its old name, under which answers are stored.
            behaviour=self.mode if loaded.is_chat else None,
            versions=versions("transformers", "torch", "tokenizers", "sentencepiece"),
            **{f.name: getattr(self, f.name) for f in fields(self) if f.name not in _SILENT},
        )
        return kind(self, loaded, source, target, signed)
