"""Converting Marian models that transformers trained, and not Marian itself.

CTranslate2 expects what the Marian toolkit writes: `<pad>` last in the vocabulary, its embedding
zero. A model trained in transformers starts the decoder from whatever the embedding of `<pad>`
became, wherever it stands; taken for zero, it would translate wrongly from the first word on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctranslate2.specs import TransformerSpec
    from transformers import MarianMTModel, PreTrainedTokenizerBase

__all__ = ["any_marian"]

_NEVER = -1e4
"""Added to the score of what is never written: `<pad>`, unused rows; fits in float16."""


@contextmanager
def any_marian() -> Iterator[None]:
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
