"""The scores of the word-order study: what they are called, and how they are measured."""

from __future__ import annotations

import polars as pl

from hyperbaton.studies.layer.samples import Measures
from hyperbaton.studies.wordorder.outcomes import PROJECTED, SHARES

__all__ = [
    "BETTER_BY_HALF",
    "BY_METRIC",
    "CLEAN_MOVED",
    "CONTENT",
    "FILTERS",
    "KEPT",
    "LABELS",
    "MEASURES",
    "RATIOS",
    "SHOWN",
    "VARIED",
]

LABELS = {
    "beta": "β",
    "beta1": "β1",
    "beta2": "β2",
    "beta2_projected": "β2 projected",
    "difference": "β2 − β1",
    "alpha": "α",
    "length": "length",
}
SHOWN = {name: label for name, label in LABELS.items() if name != "length"}
BY_METRIC = ("beta", "beta1", "beta2", PROJECTED)
"""The scores that every metric gives a sample."""
_BETTER = pl.col("beta1") > pl.col("beta")
BETTER_BY_HALF = (pl.col("beta") <= 0.5) & (pl.col("beta1") > 0.5)
CONTENT: Measures = {
    "content": pl.when(pl.col("outcome") != "unchanged").then(pl.col("content")),
    "restored": pl.when(pl.col("outcome").is_in(["repaired", "carried", "mixed"])).then(
        1 - pl.col("turned")
    ),
}
"""How much of the content of a sample is there, and of what is there how much in clean order."""
KEPT = "kept"
CLEAN_MOVED, _VARIED_MOVED = "beta_moved", "beta1_moved"
_QUALITIES: Measures = {
    # Adding nothing leaves a sample out of both where one of the two scores is missing.
    CLEAN_MOVED: pl.col("beta") + 0 * pl.col("beta1"),
    _VARIED_MOVED: pl.col("beta1") + 0 * pl.col("beta"),
}
"""β and β1 of the samples that have both."""
RATIOS = {KEPT: (_VARIED_MOVED, CLEAN_MOVED)}
"""What is left of a system's quality when words are out of order."""
MEASURES: Measures = {
    "beta": pl.col("beta"),
    "beta1": pl.col("beta1"),
    "beta2": pl.col("beta2"),
    "difference": pl.col("beta2") - pl.col("beta1"),  # below 0 where a system is robust
    "alpha": pl.col("alpha"),
    "alpha_target": pl.col("alpha_target"),
    PROJECTED: pl.col(PROJECTED),
    "flip": _BETTER,
    "flip_half": BETTER_BY_HALF,
    **SHARES,
    **CONTENT,
    **_QUALITIES,
}
VARIED = ("beta1", "beta2", "alpha")
"""Scores that an item has for each variant."""
# In words that can stand in a list without their label; null where an output is missing.
_WORDS = pl.when(_BETTER).then(pl.lit("flip")).when(~_BETTER).then(pl.lit("no flip"))
FILTERS = {"outcome": ("outcome", pl.col("outcome")), "flip": ("β1 > β", _WORDS)}
