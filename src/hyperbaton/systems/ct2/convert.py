"""From a transformers folder to a CTranslate2 folder that `ct2:` loads.

CTranslate2 expects a Marian model as the Marian toolkit writes it: `<pad>` last in the vocabulary,
its embedding zero. A model trained in transformers starts the decoder from whatever the embedding
of `<pad>` became, wherever it stands; taken for zero, it would translate wrongly from the first
word on.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.base.files import temporary_folder
from hyperbaton.hub import Source, load_model, quiet, resolve

if TYPE_CHECKING:
    from ctranslate2.specs import TransformerSpec
    from transformers import MarianMTModel, PreTrainedTokenizerBase

Quantization = Literal["int8", "int8_float32", "int8_float16", "int16", "float16", "float32"]

_TOKENIZER_FILES = (
    "source.spm",
    "target.spm",
    "sentencepiece.model",
    "sentencepiece.bpe.model",
    "spiece.model",
    "tokenizer.json",
    "tokenizer_config.json",
)
"""What is copied beside the weights, where it is there."""
STEPS = 64
"""The largest weight in int8: 2 × 255 × 64 is the most that 16 bits hold with a sign."""

_NEVER = -1e4
"""Added to the score of what is never written: `<pad>`, unused rows; fits in float16."""


def to_ctranslate2(model: Path, output: Path, quantization: Quantization = "int8") -> Path:
    """Convert a transformers translation model with its tokenizer.

    Weights in int8 use 129 of the 256 steps. Processors without VNNI add the products of two
    steps up in 16 bits, which do not hold them all: CTranslate2's own files then translate worse
    there than elsewhere, or not at all.
    """
    need("transformers", extra="hf")
    need("torch", extra="hf")
    from ctranslate2.converters import TransformersConverter
    from ctranslate2.specs import TransformerSpec

    snapshot = resolve(Source(str(model)))
    if output.exists():
        raise HyperbatonError(f"{output} already exists; name a new folder")

    class Converter(TransformersConverter):  # type: ignore[misc]
        def load_model(self, kind: type, name: str, **options: Any) -> object:
            return load_model(kind.__name__, snapshot, **options)

        def convert(self, output_dir: str, quantization: Quantization) -> str:
            spec = super()._load()
            if not isinstance(spec, TransformerSpec):
                raise ValueError("it is not an encoder-decoder model")
            # The attention that is shown is the mean of all heads, not that of the first.
            spec.decoder.alignment_heads = np.int16(0)
            spec.validate()
            rounded = _rounded(spec) if quantization.startswith("int8") else []
            spec.optimize(quantization=quantization)
            for layer, weight, scale in rounded:
                if not isinstance(layer.weight, str):  # the name of another layer's, which it has
                    layer.weight, layer.weight_scale = weight, scale
            Path(output_dir).mkdir()
            spec.save(output_dir)
            return output_dir

    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        with temporary_folder(output.parent, output.name) as made, quiet(), _any_marian():
            partial = made / "model"
            Converter(str(snapshot.folder)).convert(str(partial), quantization=quantization)
            for name in _TOKENIZER_FILES:
                if (snapshot.folder / name).is_file():
                    shutil.copy2(snapshot.folder / name, partial / name)
            # `ct2:` reads the first vocabulary for both sides where there is no second.
            source, target = partial / "source.spm", partial / "target.spm"
            both = source.is_file() and target.is_file()
            if both and source.read_bytes() == target.read_bytes():
                target.unlink()
            partial.rename(output)
    except (ValueError, OSError) as error:
        raise HyperbatonError(f"{model} cannot be converted: {error}") from None
    return output


def _rounded(spec: Any) -> list[tuple[Any, Any, Any]]:
    """Each layer whose weights are to be in int8, with these and their scales."""
    from ctranslate2.specs.model_spec import NumpyVariable, Variable, visit_spec

    layers: list[tuple[Any, Any, Any]] = []

    def look(layer: Any, name: str, value: object) -> None:
        if name.rpartition("/")[2] != "weight" or not hasattr(layer, "weight_scale"):
            return
        if not isinstance(value, Variable) or len(value.shape) != 2:
            return
        weight = value.to("float32").numpy()
        largest = np.abs(weight).max(axis=1)
        # So small that its scale would be no number: as good as nothing.
        largest[largest < np.finfo(np.float32).tiny] = STEPS
        scale = (STEPS / largest).astype(np.float32)
        steps = np.rint(weight * scale[:, None]).astype(np.int8)
        layers.append((layer, NumpyVariable(steps), NumpyVariable(scale)))

    visit_spec(spec, look)
    return layers


@contextmanager
def _any_marian() -> Iterator[None]:
    """Within the block, CTranslate2's converter takes both kinds of Marian models."""
    from ctranslate2.converters import transformers as converter

    loaders = converter._MODEL_LOADERS
    usual = loaders["MarianConfig"]
    loaders["MarianConfig"] = _Loader()
    try:
        yield
    finally:
        loaders["MarianConfig"] = usual


class _Loader:
    architecture_name = "MarianMTModel"

    def __call__(self, model: MarianMTModel, tokenizer: PreTrainedTokenizerBase) -> TransformerSpec:
        from ctranslate2.converters.transformers import BartLoader, MarianMTLoader

        start = model.config.decoder_start_token_id
        weights = model.model.shared.weight
        tokens = len(tokenizer.get_vocab())
        if start == len(weights) - 1 and tokens == len(weights) and not weights[start].any():
            return MarianMTLoader()(model, tokenizer)

        class Loader(BartLoader):  # type: ignore[misc]
            def get_vocabulary(self, *_: object) -> list[str]:
                # Trainers round the number of rows up; these need a name that no text has.
                named: list[str] = super().get_vocabulary(model, tokenizer)
                return named + [f"<unused{n}>" for n in range(len(weights) - len(named))]

        model.config.normalize_before = False
        model.config.normalize_embedding = False
        model.final_logits_bias[0, start] = _NEVER
        model.final_logits_bias[0, tokens:] = _NEVER
        spec = Loader()(model, tokenizer)
        # The configuration must name a beginning of sentence, which Marian does not have.
        spec.config.bos_token = tokenizer.eos_token
        return spec
