"""A model and what came with it, put together by transformers from the files of a snapshot."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.hub.snapshot import Snapshot, Source
from hyperbaton.hub.weights import check_pickled

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel

Head = Literal["stored", "unused", "new"]
"""Whether what stands above the encoder is among the weights, is not run, or is to be trained."""


def load_model(
    kind: str, snapshot: Snapshot, *, head: Head = "stored", **options: Any
) -> PreTrainedModel:
    """Load a model of a class of transformers; weights that are missing are an error.

    transformers is given a folder, never a name: of a name it would ask the hub for other files.
    """
    auto = getattr(need("transformers", extra="hf"), kind)
    weights = snapshot.weights()
    check_pickled(weights)
    # Code may lie in another repository than the model that brings it.
    offline = not (snapshot.source.code and snapshot.source.download)
    with explained(snapshot.source), quiet():
        model, told = auto.from_pretrained(
            str(snapshot.folder),
            use_safetensors=not weights.pickled,
            output_loading_info=True,
            trust_remote_code=snapshot.source.code,
            local_files_only=offline,
            **options,
        )
    found: PreTrainedModel = model
    _refuse_missing(found, told["missing_keys"], head, snapshot.source.model)
    return found


def _refuse_missing(model: PreTrainedModel, names: Iterable[str], head: Head, called: str) -> None:
    """transformers fills what it does not find with random numbers."""
    learnt = {name for name, _ in model.named_parameters()} - _computed(model)
    missing = sorted(learnt.intersection(names))
    if head != "stored":
        missing = [name for name in missing if "pooler" not in name]
    if head == "new":
        missing = [name for name in missing if name.startswith(f"{model.base_model_prefix}.")]
    if missing:
        some = ", ".join(missing[:2]) + (" and more" if len(missing) > 2 else "")
        raise HyperbatonError(
            f"the model {called} cannot be loaded: its files lack {len(missing)} of the weights "
            f"that its config.json asks for ({some})"
        )


def _computed(model: PreTrainedModel) -> set[str]:
    """Tables of sines, which no training changes and not every file holds."""
    return {
        f"{name}.weight"
        for name, module in model.named_modules()
        if "Sinusoidal" in type(module).__name__
    }


def device_of(asked: str) -> torch.device:
    """The device that `auto` stands for, or the one asked for if it is there."""
    library = need("torch", extra="hf")
    if asked == "auto":
        asked = "cuda" if library.cuda.is_available() else "cpu"
    try:
        device: torch.device = library.device(asked)
    except RuntimeError:
        raise HyperbatonError(f"device={asked}: write cpu, cuda, cuda:1 or auto") from None
    if device.type == "cuda" and not library.cuda.is_available():
        raise HyperbatonError(f"device={asked}: torch sees no GPU here; leave device out")
    return device


@contextmanager
def explained(source: Source, part: str = "model") -> Iterator[None]:
    """Turn the library's long stories into one sentence."""
    try:
        yield
    except HyperbatonError:
        raise
    except Exception as error:  # each part of the library has kinds of its own
        reason = " ".join(str(error).split()).split(". ")[0].rstrip(".")
        if "trust_remote_code" in str(error) or "custom code" in str(error):
            trusted = f"; if you trust it: {source.to_trust}" if source.to_trust else ""
            reason = f"it brings its own code, which is not run{trusted}"
        raise HyperbatonError(
            f"the {part} {source.model} cannot be loaded: {reason or type(error).__name__}"
        ) from None


@contextmanager
def quiet() -> Iterator[None]:
    """Without progress bars and without the list of layers that were left away on purpose."""
    library = need("transformers.utils.logging", extra="hf")
    shown, level = library.is_progress_bar_enabled(), library.get_verbosity()
    library.disable_progress_bar()
    library.set_verbosity(logging.ERROR)
    try:
        yield
    finally:
        library.set_verbosity(level)
        if shown:
            library.enable_progress_bar()
