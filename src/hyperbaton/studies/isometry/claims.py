"""What decides each claim of the isometry paper: the numbers of some systems on a data set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from hyperbaton.base.wording import decimal, show
from hyperbaton.metrics import METRICS
from hyperbaton.studies.isometry.samples import OUTCOMES, PairSamples
from hyperbaton.studies.isometry.tables import agreement, label_correlation, strength
from hyperbaton.studies.layer.aggregate import Floats
from hyperbaton.studies.layer.answers import neighbours
from hyperbaton.studies.layer.evidence import Evidence, Test

_FADAEE_AND_MONZ = 0.19
"""The least volatility that they found."""
_WEAK = (0.1, 0.4)
"""Schober's band."""
Flags = Callable[[PairSamples], Floats]


class Asked(NamedTuple):
    """Whom claims are put to: systems on the same data set, with the same detectors."""

    systems: Sequence[PairSamples]
    by_chance: bool = False
    """Whether each pair has the labels of another one."""

    def rivals(self) -> tuple[list[tuple[PairSamples, PairSamples]], str]:
        """Every two systems on the pairs that both have, the better first; how that is known."""
        quality = {one.name: bleu(one) for one in self.systems}
        known = {name: score for name, score in quality.items() if score is not None}
        ranked = list(self.systems)
        how = (
            "There are no references here to measure which system is better: the one named "
            "first stands for the better, whether it is or not"
        )
        if len(known) == len(ranked):
            ranked.sort(key=lambda one: -known[one.name])
            said = ", ".join(f"{one.label} {decimal(known[one.name], '.1f')}" for one in ranked)
            how = f"The better first, by corpus BLEU on these texts: {said}"
        shared = [(a.only(b.items), b.only(a.items)) for a, b in combinations(ranked, 2)]
        return [pair for pair in shared if len(pair[0])], how


def bleu(samples: PairSamples) -> float | None:
    """Corpus BLEU of the translations of the first sentences, where there are references."""
    if "reference" not in samples.frame.columns:
        return None
    known = samples.frame.drop_nulls(["output", "reference"])
    if not known.height:
        return None
    scorer = METRICS.parse("BLEU").for_language(samples.pair.rpartition("-")[2])
    return 100 * scorer.corpus_score(known["output"].to_list(), known["reference"].to_list())


def _apart(asked: Asked, statistic: str, of: Mapping[str, Flags], sign: int = 1) -> Evidence | str:
    """That the better of every two systems has more of something, or with −1 less."""
    pairs, how = asked.rivals()
    if not pairs:
        return "needs two systems on the same pairs"
    numbers, said = {}, []
    for better, other in pairs:
        # The items of both in the same order, so that the difference is paired.
        places = {item: place for place, item in enumerate(other.items)}
        order = np.array([places[item] for item in better.items], dtype=np.intp)
        for what, flags in of.items():
            one, two = flags(better), flags(other)[order]
            shares = set(np.unique([one, two]).tolist()) <= {0.0, 1.0}
            first, second = ((better.share if shares else better.mean)(x) for x in (one, two))
            label = f"{better.label} against {other.label}" + f", {what}" * (len(of) > 1)
            numbers[label] = (first - second).times(sign)
            said.append(f"{label}: {first.value:.3f} against {second.value:.3f}")
    return Evidence(statistic, numbers, f"{'; '.join(said)}, of {len(pairs[0][0])} pairs. {how}")


def _outcomes(*names: str, sign: int = 1) -> Test[Asked]:
    numbers = [OUTCOMES.index(name) for name in names]

    def flags(samples: PairSamples) -> Floats:
        return np.isin(samples.votes.outcomes, numbers).astype(np.float64)

    def test(asked: Asked) -> Evidence | str:
        return _apart(asked, f"difference in the share of {' or '.join(names)}", {"": flags}, sign)

    return test


def _alike(asked: Asked) -> Evidence | str:
    of: dict[str, Flags] = {
        "mean chrF̄2": lambda samples: samples.chrf[:, 1],
        "identical": lambda samples: (
            (samples.frame["output"] == samples.frame["varied_output"])
            .to_numpy()
            .astype(np.float64)
        ),
    }
    return _apart(asked, "difference in chrF̄2 after translation, or in the share of 1", of)


def _agreeing(asked: Asked) -> Evidence | str:
    if any(len(samples.detectors) != 3 for samples in asked.systems):
        return "needs three detectors"
    numbers, said = {}, []
    for samples in asked.systems:
        votes = samples.votes.agreeing
        size = votes.sum(axis=1)
        two = {
            kind: votes[:, list(kind)].all(axis=1) & (size == 2)
            for kind in combinations(range(3), 2)
        }
        full = samples.share(size == 3)
        largest = max([*two.values(), size == 0], key=lambda flags: flags.sum())
        numbers[f"{samples.label}, full against the next"] = full - samples.share(largest)
        sizes = [i for i, name in enumerate(samples.detectors) if "xlm-r" in name.lower()]
        others = [flags for kind, flags in two.items() if list(kind) != sizes]
        if len(sizes) == 2:
            next_ = max(others, key=lambda flags: flags.sum())
            apart = samples.share(two[sizes[0], sizes[1]]) - samples.share(next_)
            numbers[f"{samples.label}, both XLM-R against other pairs"] = apart
        shares = (f"{kind} {sum(counts.values())}" for kind, counts in agreement(samples).items())
        said.append(f"{samples.label}: {', '.join(shares)}")
    return Evidence("share of full agreement minus that of the next kind", numbers, "; ".join(said))


def _spelling(asked: Asked) -> Evidence | str:
    numbers, said = {}, []
    for samples in asked.systems:
        labels = samples.votes.labels().astype(np.float64)
        voted = samples.where(samples.votes.decided)
        if asked.by_chance:
            # The labels of another pair on which there is a majority are those of chance.
            labels = labels[neighbours(voted.frame["source"].to_list())]
        majority = strength(voted, voted.chrf, labels)
        pooled = label_correlation(samples, "chrF̄2", "pooled")
        if majority is None or pooled is None or not np.isfinite(majority.test.r):
            continue
        test, t, r = majority
        numbers[samples.label] = r
        said.append(
            f"{samples.label}: majority labels, ∅ removed, n = {test.n}, {test.band}, "
            f"t = {decimal(t, '.2f')}, one-tailed p = {test.p:.2g}; every detector's labels "
            f"pooled: r = {decimal(pooled.test.r, '.4f')}, n = {pooled.test.n}"
        )
    if not numbers:
        return "needs pairs of both labels"
    detail = f"{'; '.join(said)}. The interval resamples pairs"
    return Evidence("r of chrF̄2 and S", numbers, detail, band=_WEAK)


def _volatile(asked: Asked) -> Evidence:
    numbers, said = {}, []
    for samples in asked.systems:
        share = samples.outcome_share("[1,0]")
        numbers[samples.label] = share.below(_FADAEE_AND_MONZ)
        said.append(f"{samples.label} {show(share.value)}")
    return Evidence("19 % minus the share of [1,0]", numbers, f"[1,0]: {', '.join(said)}")


TESTS: Mapping[str, Test[Asked]] = {
    "I1": _outcomes("[1,1]"),
    "I2": _outcomes("[1,0]", sign=-1),
    "I3": _outcomes("[0,1]"),
    "I4": _outcomes("[0,0]", "∅", sign=-1),
    "I5": _agreeing,
    "I6": _spelling,
    "I7": _alike,
    "I8": _volatile,
}
BY_CHANCE = ("I6",)
