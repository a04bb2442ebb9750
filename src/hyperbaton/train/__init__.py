"""Training: translators and paraphrase detectors, from scratch or by fine-tuning.

The translator's modules import torch, transformers, sentencepiece and numpy and nothing else that
is not in the standard library, so that they run on a training machine where nothing else is.
"""
