"""What goes with what: the claims of the wordorder paper about correlations and languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hyperbaton.base.wording import show
from hyperbaton.language.languages import name as language_name
from hyperbaton.metrics import METRICS
from hyperbaton.perturb import Perturbation
from hyperbaton.pipeline import IDENTITY, Pair
from hyperbaton.studies.layer.aggregate import Aggregate, average, correlated
from hyperbaton.studies.layer.evidence import Evidence, Test
from hyperbaton.studies.layer.means import Wanted
from hyperbaton.studies.wordorder.profiles import Profiled

_MEDIUM = 0.3
"""Cohen: a correlation from here on is medium, one below it small."""
_WEAK = (0.1, 0.4)
"""Schober's band."""
_FOR_MANY = re.compile(r"m2m|mbart|nllb|madlad|bundled|steered", re.IGNORECASE)
_FOR_ONE = re.compile(r"opus-mt|apertium", re.IGNORECASE)


class Asked(NamedTuple):
    """Whom claims are put to."""

    numbers: Profiled
    systems: tuple[str, ...]
    perturbations: Sequence[Perturbation]

    def mean(self, score: str, **where: Wanted) -> Aggregate:
        """The mean of a score under the leading metric."""
        return self.numbers.summary.lead.mean(score, **{"system": self.systems, **where})

    def rho(self, one: str, other: str, *pairs: str) -> Aggregate:
        """Spearman's ρ of two scores, averaged over systems and languages."""
        return self.numbers.correlation(one, other, self.systems, pairs)

    def by_variant(self, score: str) -> dict[str, Aggregate]:
        """The mean of a score for each perturbation."""
        return {name: self.mean(score, variant=name) for name in self.numbers.summary.variants}

    def family(self, category: str) -> list[str]:
        """The perturbations of a family."""
        return [str(one) for one in self.perturbations if one.category == category]

    @property
    def pairs(self) -> dict[str, str]:
        """The language pairs by target."""
        return {Pair.parse(pair).target: pair for pair in self.numbers.summary.pairs}

    @property
    def how(self) -> str:
        """What correlations are over."""
        several = ", averaged over systems and languages" * (len(self.numbers.profiles) > 1)
        return f"Spearman over {self.numbers.observations}{several}"


def with_quality(asked: Asked) -> Evidence:
    robust, faithful = asked.rho("beta1", "beta"), asked.rho("beta2", "beta")
    numbers = {
        "ρ(β1, β) − ρ(β2, β)": robust - faithful,
        "ρ(β1, β) − .3": robust.above(_MEDIUM),
        ".3 − ρ(β2, β)": faithful.below(_MEDIUM),
    }
    detail = f"{asked.how}: ρ(β1, β) = {show(robust.value)}, ρ(β2, β) = {show(faithful.value)}"
    return Evidence("ρ, or its distance from .3", numbers, detail)


def together(asked: Asked) -> Evidence:
    return Evidence("ρ(β1, β2)", {"": asked.rho("beta1", "beta2")}, asked.how, band=_WEAK)


def rhos(statistic: str, **wanted: tuple[str, str, int]) -> Test[Asked]:
    """The claim that some ρ are above 0, or with −1 below."""

    def test(asked: Asked) -> Evidence:
        numbers = {
            label: asked.rho(one, other).times(sign) for label, (one, other, sign) in wanted.items()
        }
        return Evidence(statistic, numbers, asked.how)

    return test


def edits(asked: Asked) -> Evidence | str:
    known = [m for m in asked.numbers.summary.metrics if m.startswith("Levenshtein")]
    if not known:
        return "needs the metric Levenshtein or LevenshteinDistance: add -m Levenshtein"
    sign = 1 if METRICS.parse(known[0]).higher_is_better else -1
    asked.numbers.add_alpha(known[0])
    rho = asked.rho("beta1", known[0]).times(sign)
    return Evidence("ρ of β1 and nearness in edits", {"": rho}, f"{asked.how}; α by {known[0]}")


def japanese(asked: Asked) -> Evidence | str:
    pairs = asked.pairs
    here, others = pairs.pop("ja", ""), list(pairs.values())
    kinds = {s: 1 for s in asked.systems if _FOR_MANY.search(s)}
    kinds |= {s: -1 for s in asked.systems if _FOR_ONE.search(s)}
    if not (here and others and kinds):
        return "needs Japanese and another language, and a system that is known to be multilingual"
    means = asked.numbers.summary.lead
    numbers = {
        f"{system} ({'multilingual' if sign > 0 else 'for one pair'})": means.difference(
            "difference", {"pair": here}, {"pair": others}, system=system
        ).times(sign)
        for system, sign in kinds.items()
    }
    return Evidence("β2 − β1 into Japanese minus that into others, as its kind leans", numbers)


def chinese(asked: Asked) -> Evidence | str:
    pairs = asked.pairs
    here = pairs.pop("zh", "")
    if not (here and pairs):
        return "needs Chinese and another language"
    most_ = asked.rho("beta1", "beta", here)
    numbers = {
        f"ρ(β1, β), Chinese against {language_name(target)}": most_
        - asked.rho("beta1", "beta", pair)
        for target, pair in pairs.items()
    }
    numbers[".3 − ρ(β2, β)"] = asked.rho("beta2", "beta", here).below(_MEDIUM)
    return Evidence("ρ into Chinese minus ρ into another language", numbers, asked.how)


def better_is_robust(asked: Asked) -> Evidence | str:
    if len(asked.systems) < 3:
        return "needs three systems on the same texts"
    found = []
    for pair in asked.numbers.summary.pairs:
        cells = [
            (
                asked.mean("beta", system=system, pair=pair, variant=IDENTITY),
                -asked.mean("difference", system=system, pair=pair),
            )
            for system in asked.systems
        ]
        quality, robust = ([cell[i] for cell in cells] for i in (0, 1))
        if all(np.isfinite(one.value) for one in (*quality, *robust)):
            found.append(correlated(quality, robust, ranked=True))
    if not found:
        return "needs three systems on the same texts"
    detail = f"Over {len(asked.systems)} systems; the interval is over sentences alone"
    return Evidence("ρ over systems of β and β1 − β2", {"": average(found)}, detail)
