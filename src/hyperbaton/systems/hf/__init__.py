"""`hf:NAME`: a Hugging Face model, from a folder or the local cache of the hub."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, ClassVar, Literal

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.hub import Snapshot, Source, device_of, explained, load_model, resolve
from hyperbaton.systems.chat.prompts import messages
from hyperbaton.systems.system import Mode, System, Translator, signature, versions

if TYPE_CHECKING:
    from transformers import PretrainedConfig, PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["HuggingFace"]


_SILENT = ("model", "revision", "download", "device", "dtype", "batch_tokens", "beam", "mode")
"""Options that do not change a translation, or stand in the signature in another form."""

_PARTS = {".json", ".safetensors", ".spm", ".model", ".txt", ".jinja", ".py"}
_UNLIMITED = 10**6


@dataclass(frozen=True)
class HuggingFace(System):
    """A transformers model: Marian, mBART-50, M2M-100, NLLB, T5, or a chat model with a prompt.

    Nothing is downloaded unless `download=true`, and no code of the model runs unless
    `remote_code=true`: weights are safetensors or a pytorch_model.bin that holds tensors only.
    `beam=0` is 4, and 1 for chat models.
    """

    name: ClassVar[str] = "hf"
    positional: ClassVar[str | None] = "model"

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
        from hyperbaton.systems.hf.translators import ChatTranslator, Seq2SeqTranslator

        loaded = _load(self)
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
            # The mode; answers are stored under this name.
            behaviour=self.mode if loaded.is_chat else None,
            versions=versions("transformers", "torch", "tokenizers", "sentencepiece"),
            **{f.name: getattr(self, f.name) for f in fields(self) if f.name not in _SILENT},
        )
        return kind(self, loaded, source, target, signed)


@dataclass(frozen=True)
class Loaded:
    """A model with its tokenizer, ready on its device."""

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    identity: str
    """Hash of the files, or name and commit on the hub."""
    beam: int

    @property
    def is_chat(self) -> bool:
        """Whether the model goes on with a text, instead of turning one into another."""
        return not self.model.config.is_encoder_decoder

    @property
    def precision(self) -> str:
        """Kind of device and number format, both of which change the last digits."""
        return f"{self.model.device.type}-{str(self.model.dtype).removeprefix('torch.')}"

    @property
    def max_input(self) -> int:
        """How many tokens the model can read, as far as it says so."""
        config = self.model.config
        stated = (
            getattr(config, "max_position_embeddings", None),
            getattr(self.tokenizer, "model_max_length", None),
        )
        limits = [int(limit) for limit in stated if limit and limit < _UNLIMITED]
        return min(limits, default=_UNLIMITED)


def _load(system: HuggingFace) -> Loaded:
    """Load what the spec names, or say in one sentence why that cannot be."""
    transformers = need("transformers", extra="hf")
    torch = need("torch", extra="hf")
    source = _source(system)
    snapshot = resolve(source)
    snapshot.weights()  # before anything else is said of a folder without them
    options = {
        "local_files_only": not (system.remote_code and system.download),
        "trust_remote_code": system.remote_code,
    }
    device = device_of(system.device)
    with explained(source):
        config = transformers.AutoConfig.from_pretrained(snapshot.folder, **options)
    precision = getattr(torch, _precision(system, config, device.type))
    key = "dtype" if int(transformers.__version__.split(".")[0]) >= 5 else "torch_dtype"
    kind = "AutoModelForSeq2SeqLM" if config.is_encoder_decoder else "AutoModelForCausalLM"
    model = load_model(kind, snapshot, config=config, **{key: precision})
    with explained(source, part="tokenizer"):
        tokenizer = transformers.AutoTokenizer.from_pretrained(snapshot.folder, **options)
    beam = system.beam or (4 if config.is_encoder_decoder else 1)
    with explained(source):
        torch.nn.Module.to(model, device)
    return Loaded(model.train(False), tokenizer, _identity(snapshot), beam)


def _source(system: HuggingFace) -> Source:
    return Source(
        system.model,
        system.revision or None,
        system.download,
        code=system.remote_code,
        to_fetch=str(replace(system, download=True)),
        to_trust=str(replace(system, remote_code=True)),
    )


def _precision(system: HuggingFace, config: PretrainedConfig, device: str) -> str:
    if system.dtype != "auto":
        return system.dtype
    if device == "cpu":
        return "float32"
    # T5 and most chat models were trained in bfloat16 and overflow in float16.
    wide = not config.is_encoder_decoder or "t5" in str(config.model_type)
    return "bfloat16" if wide else "float16"


def _identity(snapshot: Snapshot) -> str:
    if snapshot.commit:
        return f"{snapshot.source.model}@{snapshot.revision()}"
    return snapshot.fingerprint(snapshot.folder.iterdir(), _PARTS)
