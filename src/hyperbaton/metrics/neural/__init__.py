"""Metrics that read with a model: BERTScore, BLEURT, COMET, embeddings, cross-likelihood."""
