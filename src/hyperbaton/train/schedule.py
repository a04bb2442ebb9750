"""The learning rate of a step."""

from __future__ import annotations

import math

from hyperbaton.train.recipe import Recipe

__all__ = ["learning_rate"]


def learning_rate(step: int, recipe: Recipe, done: float | None = None) -> float:
    """Linear warm-up, then the inverse square root of the step or half a cosine.

    `done` is the share of the run that is over; without it, the share of the steps.

    >>> ott = Recipe(warmup=4000, schedule="inverse-sqrt", learning_rate=1e-3)
    >>> learning_rate(0, ott), learning_rate(4000, ott), learning_rate(16000, ott)
    (1e-07, 0.001, 0.0005)
    """
    peak, low = recipe.learning_rate, recipe.warmup_from
    if step < recipe.warmup:
        return low + (peak - low) * step / recipe.warmup
    if recipe.schedule == "inverse-sqrt":
        return peak * math.sqrt(max(recipe.warmup, 1) / max(step, 1))
    if done is None:
        done = (step - recipe.warmup) / max(recipe.steps - recipe.warmup, 1)
    share = 0.5 * (1 + math.cos(math.pi * min(done, 1.0)))
    return recipe.final_learning_rate + (peak - recipe.final_learning_rate) * share
