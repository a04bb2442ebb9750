"""Array kernels: texts and n-grams as integers, a whole batch at once (see docs/metrics.md)."""
