"""Loading a transformers model: safely, from this machine unless a download is asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.errors import HyperbatonError
from hyperbaton.extras import need
from hyperbaton.fingerprint import fingerprint

if TYPE_CHECKING:
    from transformers import PretrainedConfig, PreTrainedModel, PreTrainedTokenizerBase

    from hyperbaton.systems.hf import HuggingFace

__all__ = ["Loaded", "load", "quiet"]

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
        said = (
            getattr(config, "max_position_embeddings", None),
            getattr(self.tokenizer, "model_max_length", None),
        )
        limits = [int(limit) for limit in said if limit and limit < _UNLIMITED]
        return min(limits, default=_UNLIMITED)


def load(system: HuggingFace) -> Loaded:
    """Load what the spec names, or say in one sentence why that cannot be."""
    transformers = need("transformers", extra="hf")
    torch = need("torch", extra="hf")
    name = _place(system.model)
    source = {
        "local_files_only": not system.download,
        "trust_remote_code": system.remote_code,
        "revision": system.revision or "main",
    }
    device = _device(system.device, torch.cuda.is_available())
    with _explained(system):
        config = transformers.AutoConfig.from_pretrained(name, **source)
        precision = getattr(torch, _precision(system, config, device))
        key = "dtype" if int(transformers.__version__.split(".")[0]) >= 5 else "torch_dtype"
        auto = (
            transformers.AutoModelForSeq2SeqLM
            if config.is_encoder_decoder
            else transformers.AutoModelForCausalLM
        )
        with quiet():
            model = auto.from_pretrained(
                name, config=config, use_safetensors=True, **{key: precision}, **source
            )
    with _explained(system, part="tokenizer"):
        tokenizer = transformers.AutoTokenizer.from_pretrained(name, **source)
    beam = system.beam or (4 if config.is_encoder_decoder else 1)
    return Loaded(model.to(device).eval(), tokenizer, _identity(system, config), beam)


def _place(model: str) -> str:
    path = Path(model).expanduser()
    if path.is_dir():
        if not (path / "config.json").is_file():
            raise HyperbatonError(f"{model} holds no transformers model (no config.json)")
        if not any(path.glob("*.safetensors")):
            raise HyperbatonError(
                f"{model} holds no safetensors weights; other formats can run code when they are "
                "loaded: save the model again with save_pretrained"
            )
        return str(path)
    if model.startswith((".", "/", "~")) or model.count("/") > 1:
        raise HyperbatonError(f"there is no model folder {model}")
    return model


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


def _identity(system: HuggingFace, config: PretrainedConfig) -> str:
    path = Path(system.model).expanduser()
    if path.is_dir():
        return fingerprint(sorted(p for p in path.iterdir() if p.suffix in _PARTS and p.is_file()))
    commit = getattr(config, "_commit_hash", None) or system.revision or "main"
    return f"{system.model}@{commit}"


@contextmanager
def quiet() -> Iterator[None]:
    """Within the block, transformers shows no bars for the loading of weights."""
    logging = need("transformers.utils.logging", extra="hf")
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


@contextmanager
def _explained(system: HuggingFace, part: str = "model") -> Iterator[None]:
    """Turn the library's long stories into one sentence that says what to do."""
    local = Path(system.model).expanduser().is_dir()
    try:
        yield
    except (OSError, ValueError, KeyError, TypeError, ImportError) as error:
        reason = " ".join(str(error).split()).split(". ")[0].rstrip(".")
        if "trust_remote_code" in str(error):
            advice = f"it brings its own code; if you trust it: hf:{system.model}(remote_code=true)"
        elif local:
            advice = reason
        elif system.download and _offline():
            advice = "it is not on this machine and HF_HUB_OFFLINE forbids downloading it"
        elif system.download:
            advice = f"it could not be downloaded: {reason}"
        else:
            advice = f"it is not on this machine; fetch it with hf:{system.model}(download=true)"
        raise HyperbatonError(f"the {part} {system.model} cannot be loaded: {advice}") from None


def _offline() -> bool:
    return os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"}
