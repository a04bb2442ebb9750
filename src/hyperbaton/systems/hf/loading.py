"""Loading a transformers model: safely, from this machine unless a download is asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.hub import Snapshot, Source, explained, load_model, resolve

if TYPE_CHECKING:
    from transformers import PretrainedConfig, PreTrainedModel, PreTrainedTokenizerBase

    from hyperbaton.systems.hf import HuggingFace

__all__ = ["Loaded", "load"]

_PARTS = {".json", ".safetensors", ".spm", ".model", ".txt", ".jinja", ".py"}
_UNLIMITED = 10**6


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


def load(system: HuggingFace) -> Loaded:
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
    device = _device(system.device, torch.cuda.is_available())
    with explained(source):
        config = transformers.AutoConfig.from_pretrained(snapshot.folder, **options)
    precision = getattr(torch, _precision(system, config, device))
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


def _device(asked: str, cuda: bool) -> str:
    if asked == "auto":
        return "cuda" if cuda else "cpu"
    if asked.startswith("cuda") and not cuda:
        raise HyperbatonError(f"device={asked}: torch sees no GPU here; leave device out")
    return asked


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
