"""What decides each claim of the wordorder paper: the numbers of some systems of a run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from hyperbaton.base.wording import percent_text, show
from hyperbaton.language.languages import name as language_name
from hyperbaton.studies.layer.aggregate import Aggregate, average
from hyperbaton.studies.layer.answers import needs_no_model
from hyperbaton.studies.layer.evidence import Evidence, Test, most, told, unasked
from hyperbaton.studies.wordorder.profiles import inside_minus_between
from hyperbaton.studies.wordorder.relations import (
    Asked,
    better_is_robust,
    chinese,
    edits,
    japanese,
    rhos,
    together,
    with_quality,
)

HIGH_ALPHA = (
    "shuffleHalvesLast",
    "shuffleHalvesFirst",
    "verbAtBeginning",
    "nounVerbSwap",
    "nounVerbMismatched",
)
LOW_ALPHA = ("treeMirrorPost", "treeMirrorIn", "treeMirrorPre", "wordShuffle", "reversed")
_ROBUSTNESS = "β1 − β2"
_RARE = 0.05
FORGIVING = ("BERTScore", "BLEURT")
_TWO_REFERENCES = (
    "β1 and β2 compare one translation with two references, while the shares of outcomes count "
    "sentences: a translation that carries the order over is often unlike both references, so "
    "β1 > β2 does not mean that most sentences are repaired"
)


def _robust(asked: Asked) -> Evidence:
    each = {system: -asked.mean("difference", system=system) for system in asked.systems}
    into = {
        f"into {language_name(target)}": -asked.mean("difference", pair=pair)
        for target, pair in asked.pairs.items()
    }
    lead = asked.numbers.summary.leading
    said = "; ".join(
        f"{system}, {lead}: mean β1 {show(asked.mean('beta1', system=system).value)}, "
        f"mean β2 {show(asked.mean('beta2', system=system).value)}"
        for system in asked.systems
    )
    several = {**each, **(into if len(into) > 1 else {})}
    detail = f"{said}; {_noise(asked, min(one.value for one in each.values()))}. {_TWO_REFERENCES}"
    return Evidence(
        f"mean {_ROBUSTNESS}", several, detail, parts=several if len(several) > 1 else {}
    )


def _noise(asked: Asked, value: float) -> str:
    """The systems' own noise beside a difference: larger, smaller, or none at all."""
    summary = asked.numbers.summary
    known = (
        noise
        for (metric, system, _), noise in summary.noise.items()
        if metric == summary.leading and system in asked.systems
    )
    floor = max(known, default=0.0)
    if not floor:
        return "the same source is translated in the same way each time, so there is no noise"
    size = "more" if floor > abs(value) else "less"
    apart = f"scores of two translations of the same source lie {floor:.2g} apart"
    return f"noise: {apart}, {size} than this difference"


def _every_perturbation(asked: Asked) -> Evidence:
    each = {name: -mean for name, mean in asked.by_variant("difference").items()}
    return Evidence(f"mean {_ROBUSTNESS} of a perturbation", each)


def _families(asked: Asked) -> Evidence | str:
    mine = asked.family("PoS")
    others = {"trees": asked.family("tree"), "random orders": asked.family("random")}
    means, known = asked.numbers.summary.lead, {k: v for k, v in others.items() if v}
    if not mine or not known:
        return "needs perturbations of parts of speech, and of trees or random ones"
    apart = {
        f"parts of speech against {name}": means.difference(
            "beta1", {"variant": mine}, {"variant": some}, system=asked.systems
        )
        for name, some in known.items()
    }
    values = [f"parts of speech {show(asked.mean('beta1', variant=mine).value)}"]
    values += [f"{k} {show(asked.mean('beta1', variant=v).value)}" for k, v in known.items()]
    return Evidence("mean β1 of one family minus that of the other", apart, ", ".join(values))


def _extreme(named: Sequence[str], measured: str, sign: int) -> Test[Asked]:
    def test(asked: Asked) -> Evidence | str:
        means = asked.by_variant("difference")
        return most(measured, {name: mean.times(sign) for name, mean in means.items()}, named)

    return test


def _difficulty(asked: Asked) -> Evidence | str:
    means = {k: v for k, v in asked.by_variant("alpha").items() if np.isfinite(v.value)}
    high = {name: mean for name, mean in means.items() if name.split("(")[0] in HIGH_ALPHA}
    low = {name: mean for name, mean in means.items() if name in LOW_ALPHA}
    if not (high and low):
        return "needs perturbations of both kinds"
    least = min(high, key=lambda name: high[name].value)
    largest = max(low, key=lambda name: low[name].value)
    overlap = "; single perturbations overlap" * (high[least].value <= low[largest].value)
    apart = average(high.values()) - average(low.values())
    items = min(mean.n for mean in means.values())
    detail = (
        f"Lowest of the former: {least} ({show(high[least].value)}); highest of the latter: "
        f"{largest} ({show(low[largest].value)}){overlap}"
    )
    number = Aggregate.of(apart.value, apart.drawn, items)
    return Evidence("mean α of the former minus that of the latter", {"": number}, detail)


def _flips(asked: Asked) -> Evidence:
    share = asked.mean("flip_half")
    numbers = {"5 % minus the share of flips": share.below(_RARE)}
    some = [pair for target, pair in asked.pairs.items() if target in ("ru", "ja")]
    others = [pair for pair in asked.pairs.values() if pair not in some]
    if some and others:
        numbers["Russian and Japanese minus others"] = asked.numbers.summary.lead.difference(
            "flip_half", {"pair": some}, {"pair": others}, system=asked.systems
        )
    said = {system: asked.mean("flip_half", system=system) for system in asked.systems}
    said |= {f"into {t}": asked.mean("flip_half", pair=p) for t, p in asked.pairs.items()}
    shares = ", ".join(f"{name} {percent_text(*one.span)}" for name, one in said.items())
    return Evidence("share of flips (β ≤ .5 < β1)", numbers, f"Flips: {shares}")


def _metrics(asked: Asked) -> Evidence | str:
    """W17 is about BERTScore and BLEURT: edit distance alone can neither confirm nor refute it."""
    summary = asked.numbers.summary
    lead = next((metric for metric in summary.metrics if re.match(r"BLEU\b", metric)), "")
    forgiving: dict[str, Aggregate] = {}
    edits: dict[str, Aggregate] = {}

    def number(metric: str, score: str) -> Aggregate:
        return summary.means[metric].mean(score, system=asked.systems)

    def apart(metric: str) -> Aggregate:
        found = number(metric, "difference") / number(metric, "beta")
        return found if found.value > 0 else -found

    for metric in summary.metrics if lead else ():
        if metric.startswith(FORGIVING) and summary.means[metric].has("kept"):
            kept = number(metric, "kept") - number(lead, "kept")
            forgiving[f"kept under {metric} minus kept under {lead}"] = kept
        elif metric.startswith("Levenshtein"):
            edits[f"|β1 − β2| / β under {lead} minus {metric}"] = apart(lead) - apart(metric)
    missing = unasked((*FORGIVING, "Levenshtein"), summary.metrics)
    if not forgiving:
        beside = f" (edit distance alone: {told(edits)})" if edits else ""
        return f"needs BERTScore or BLEURT, which it is about, beside BLEU: add one{beside}"
    return Evidence("how much more BLEU sees of the order", {**forgiving, **edits}, missing)


def _alike(asked: Asked) -> Evidence | str:
    if not needs_no_model(asked.numbers.summary.leading):
        return "needs a metric without a model in the first place"
    found = inside_minus_between(asked.numbers, asked.perturbations)
    if not found:
        return "needs perturbations of two families, two of one of them"
    parts = found if len(found) > 1 else {}
    statistic = "similarity inside a family minus between families"
    detail = f"Mean {asked.numbers.summary.leading} of two perturbations of a sentence, by language"
    return Evidence(statistic, {"": average(found.values())}, detail, parts=parts)


def _possible(asked: Asked) -> Evidence | str:
    kinds = {
        possible: [str(one) for one in asked.perturbations if one.possible is possible]
        for possible in (True, False)
    }
    if not all(kinds.values()):
        return "needs perturbations that leave possible sentences, and others"
    means = asked.numbers.summary.lead
    apart = means.difference(
        "beta1", {"variant": kinds[True]}, {"variant": kinds[False]}, system=asked.systems
    )
    words = {True: "possible orders", False: "impossible ones"}
    said = (
        f"{words[k]}: β1 {show(asked.mean('beta1', variant=v).value)}, "
        f"β of the same sentences {show(asked.mean('beta_moved', variant=v).value)}"
        for k, v in kinds.items()
    )
    return Evidence("β1 of possible orders minus that of others", {"": apart}, "; ".join(said))


TESTS: Mapping[str, Test[Asked]] = {
    "W1": _robust,
    "W2": _every_perturbation,
    "W3": _families,
    "W4": _extreme(["functionalShuffle"], "β1 − β2", -1),
    "W5": _extreme(["treeMirrorIn", "reversed"], "β2 − β1", 1),
    "W6": with_quality,
    "W7": together,
    "W8": rhos(
        "ρ of the smaller of β1 and β2",
        **{"with α": ("lesser", "alpha", 1), "falling with length": ("lesser", "length", -1)},
    ),
    "W9": rhos(
        "ρ with length in words",
        **{"β1 falls": ("beta1", "length", -1), "β2 rises": ("beta2", "length", 1)},
    ),
    "W10": rhos(
        "ρ with α",
        **{
            "α rises with length": ("alpha", "length", 1),
            "β1 rises with α": ("alpha", "beta1", 1),
            "β2 rises with α": ("alpha", "beta2", 1),
        },
    ),
    "W11": edits,
    "W12": _difficulty,
    "W13": japanese,
    "W14": chinese,
    "W15": better_is_robust,
    "W16": _flips,
    "W17": _metrics,
    "W18": _alike,
    "W19": _possible,
}
BY_CHANCE = ("W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8", "W9", "W10", "W13", "W14", "W19")
"""The claims that answers to other sentences may fulfil, which they have to go beyond."""
