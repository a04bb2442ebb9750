"""Scores of word order made by rule, for every claim of the paper twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from hyperbaton.perturb import parse_all
from hyperbaton.pipeline import IDENTITY, Pair, Run
from hyperbaton.studies.layer.means import Means
from hyperbaton.studies.layer.samples import Samples
from hyperbaton.studies.layer.sources import Source
from hyperbaton.studies.layer.summary import Summary
from hyperbaton.studies.wordorder.measures import RATIOS
from hyperbaton.studies.wordorder.profiles import Profile, Profiled
from hyperbaton.studies.wordorder.relations import Asked

ITEMS = 200
SHOWN = ("treeMirrorIn", "reversed", "shuffleHalvesFirst", "nounSwaps", "functionalShuffle")
POSSIBLE = ("nounSwaps", "functionalShuffle")
LEAD, EDITS, FORGIVING = "BLEU", "Levenshtein", "BERTScore"


class Place(NamedTuple):
    """Where a score is made: the system, the target, the perturbation, the metric."""

    system: str
    target: str
    variant: str
    metric: str
    ease: np.ndarray
    """Of each sentence, from 0 to 1; scores that follow it go together."""
    noise: np.ndarray
    """Of each sentence, from 0 to 1, anew for each place."""


Rule = Callable[[Place], Any]
NEAR_HALF: Rule = lambda at: 0.5 + 0.1 * at.noise  # noqa: E731
USUAL: Mapping[str, Rule] = dict.fromkeys(("beta", "beta1", "beta2", "alpha", "length"), NEAR_HALF)


def asked(
    targets: Sequence[str] = ("de",),
    systems: Sequence[str] = ("bundled",),
    metrics: Sequence[str] = (LEAD, EDITS),
    alike: Mapping[tuple[str, str], float] | None = None,
    **rules: Rule,
) -> Asked:
    """Whom claims are put to, with scores by rule; without one a score is noise about .55."""
    made = {**USUAL, **rules}
    groups = ((IDENTITY,), *((name,) for name in SHOWN))
    ratios = {"kept": RATIOS["kept"]}
    names = [*USUAL, "difference", "flip_half", *RATIOS["kept"]]
    names.remove("length")
    means = {metric: Means(names, ratios=ratios) for metric in metrics}
    sources, profiles = [], {}
    for number, (system, target) in enumerate((s, t) for s in systems for t in targets):
        source = Source(system, Pair("en", target), Run(Path("none")), system)
        sources.append(source)
        for metric in metrics:
            scores = _scores(system, target, metric, made, number)
            columns = {name: scores[name] for name in names}
            texts = tuple(str(n) for n in range(ITEMS))
            shares = frozenset({"flip_half"})
            means[metric].add(source, Samples(texts, groups, columns, shares))
            if metric == LEAD:
                rows = {name: scores[name][:, 1:].mean(axis=1) for name in USUAL}
                rows["beta"] = scores["beta"][:, 0]
                rows["lesser"] = np.minimum(scores["beta1"], scores["beta2"])[:, 1:].mean(axis=1)
                profiles[system, str(source.pair)] = Profile(source, rows, texts)
        if EDITS in metrics:
            profiles[system, str(source.pair)].scores[EDITS] = rows["alpha"]
    summary = Summary(tuple(sources), SHOWN, tuple(metrics), LEAD, means=means)
    summary.pairs = tuple(f"en-{target}" for target in targets)
    found = Profiled(summary, profiles=profiles)
    if alike:
        found.alike = {"en": _alike(alike)}
    return Asked(found, tuple(systems), parse_all(SHOWN))


def _scores(
    system: str, target: str, metric: str, rules: Mapping[str, Rule], seed: int
) -> dict[str, np.ndarray]:
    ease = np.random.default_rng(1).permutation(ITEMS) / ITEMS
    rng = np.random.default_rng([2, seed])
    scores = {}
    for name, rule in rules.items():
        places = (
            Place(system, target, variant, metric, ease, rng.random(ITEMS))
            for variant in (IDENTITY, *SHOWN)
        )
        scores[name] = np.stack([np.broadcast_to(rule(at), ITEMS) for at in places], axis=1)
    scores["difference"] = scores["beta2"] - scores["beta1"]
    scores["beta_moved"], scores["beta1_moved"] = scores["beta"], scores["beta1"]
    scores["flip_half"] = ((scores["beta"] <= 0.5) & (scores["beta1"] > 0.5)).astype(np.float64)
    return scores


def _alike(values: Mapping[tuple[str, str], float]) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    rows = [
        (str(item), a, b, value + 0.1 * rng.random())
        for item in range(ITEMS)
        for (a, b), value in values.items()
    ]
    return pl.DataFrame(rows, schema=["item", "a", "b", "value"], orient="row")


def level(value: float, **other: float) -> Rule:
    """A score with some noise, other for a perturbation, target, system or metric."""

    def rule(at: Place) -> np.ndarray:
        named = (at.variant, at.target, at.system, at.metric)
        return next((other[n] for n in named if n in other), value) + 0.1 * at.noise

    return rule


def with_ease(weight: float) -> Rule:
    """A score that follows the ease of a sentence, or with less than 0 falls with it."""
    return lambda at: 0.5 + weight * (at.ease - 0.5) + 0.3 * (at.noise - 0.5)


def other_for(target: str, here: Rule, elsewhere: Rule) -> Rule:
    """One rule into a language, and another into the others."""
    return lambda at: (here if at.target == target else elsewhere)(at)


Made = Callable[[], Asked]
PARTS, REST = ("nounSwaps", "functionalShuffle"), ("treeMirrorIn", "reversed", "shuffleHalvesFirst")
HIGH, LOW = with_ease(0.4), with_ease(-0.4)
FLAT = with_ease(0.0)
QUALITY = {"a": 0.3, "b": 0.5, "c": 0.502, "d": 0.6, "e": 0.7}
INSIDE = {("treeMirrorIn", "reversed"): 0.3, ("nounSwaps", "functionalShuffle"): 0.7}
BETWEEN = {("treeMirrorIn", "reversed"): 0.7, ("nounSwaps", "functionalShuffle"): 0.3}

MADE: Mapping[str, tuple[Made, Made]] = {
    "W1": (
        lambda: asked(("de", "fr"), beta1=level(0.6), beta2=level(0.3)),
        lambda: asked(("de", "fr"), beta1=level(0.6, fr=0.2), beta2=level(0.3)),
    ),
    "W2": (
        lambda: asked(beta1=level(0.6), beta2=level(0.3)),
        lambda: asked(beta1=level(0.6, reversed=0.2), beta2=level(0.3)),
    ),
    "W3": (
        lambda: asked(beta1=level(0.3, **dict.fromkeys(PARTS, 0.6))),
        lambda: asked(beta1=level(0.3, reversed=0.9, shuffleHalvesFirst=0.9)),
    ),
    "W4": (
        lambda: asked(beta1=level(0.4, functionalShuffle=0.7)),
        lambda: asked(beta1=level(0.4, nounSwaps=0.7)),
    ),
    "W5": (
        lambda: asked(beta2=level(0.3, treeMirrorIn=0.7, reversed=0.6)),
        lambda: asked(beta2=level(0.3, treeMirrorIn=0.7, reversed=0.1)),
    ),
    "W6": (
        lambda: asked(beta=HIGH, beta1=HIGH, beta2=FLAT),
        lambda: asked(beta=HIGH, beta1=FLAT, beta2=HIGH),
    ),
    "W7": (
        lambda: asked(beta1=with_ease(0.17), beta2=with_ease(0.06)),
        lambda: asked(beta1=HIGH, beta2=HIGH),
    ),
    "W8": (
        lambda: asked(beta1=HIGH, beta2=HIGH, alpha=HIGH, length=LOW),
        lambda: asked(beta1=HIGH, beta2=HIGH, alpha=LOW, length=LOW),
    ),
    "W9": (
        lambda: asked(beta1=LOW, beta2=HIGH, length=HIGH),
        lambda: asked(beta1=LOW, beta2=LOW, length=HIGH),
    ),
    "W10": (
        lambda: asked(beta1=HIGH, beta2=HIGH, alpha=HIGH, length=HIGH),
        lambda: asked(beta1=LOW, beta2=HIGH, alpha=HIGH, length=HIGH),
    ),
    "W11": (
        lambda: asked(beta1=HIGH, alpha=HIGH),
        lambda: asked(beta1=LOW, alpha=HIGH),
    ),
    "W12": (
        lambda: asked(alpha=level(0.2, shuffleHalvesFirst=0.6)),
        lambda: asked(alpha=level(0.6, shuffleHalvesFirst=0.2)),
    ),
    "W13": (
        lambda: asked(("de", "ja"), beta2=level(0.3, ja=0.6)),
        lambda: asked(("de", "ja"), beta2=level(0.6, ja=0.3)),
    ),
    "W14": (
        lambda: asked(
            ("de", "zh"), beta=HIGH, beta1=other_for("zh", HIGH, with_ease(0.05)), beta2=FLAT
        ),
        lambda: asked(
            ("de", "zh"), beta=HIGH, beta1=other_for("de", HIGH, with_ease(0.05)), beta2=FLAT
        ),
    ),
    "W15": (
        lambda: asked(systems=tuple(QUALITY), beta=level(0, **QUALITY), beta1=level(0, **QUALITY)),
        lambda: asked(systems=tuple(QUALITY), beta=level(0, **QUALITY), beta2=level(0, **QUALITY)),
    ),
    "W16": (
        lambda: asked(("de", "ru"), beta=level(0.3, de=0.6), beta1=lambda at: at.noise > 0.96),
        lambda: asked(beta=level(0.2), beta1=level(0.6)),
    ),
    "W17": (
        lambda: asked(
            metrics=(LEAD, EDITS, FORGIVING),
            beta1=level(0.4, Levenshtein=0.5, BERTScore=0.5),
            beta2=level(0.2, Levenshtein=0.5),
        ),
        lambda: asked(
            metrics=(LEAD, EDITS, FORGIVING),
            beta1=level(0.5, Levenshtein=0.6, BERTScore=0.3),
            beta2=level(0.5, Levenshtein=0.2),
        ),
    ),
    "W18": (
        lambda: asked(
            alike={
                **INSIDE,
                ("reversed", "shuffleHalvesFirst"): 0.8,
                ("nounSwaps", "reversed"): 0.2,
            }
        ),
        lambda: asked(
            alike={("nounSwaps", "functionalShuffle"): 0.2, ("nounSwaps", "reversed"): 0.8}
        ),
    ),
    "W19": (
        lambda: asked(beta1=level(0.3, **dict.fromkeys(POSSIBLE, 0.6))),
        lambda: asked(beta1=level(0.6, **dict.fromkeys(POSSIBLE, 0.3))),
    ),
}
"""For each claim, data on which it holds, and data on which it does not."""
