"""The claims of the wordorder paper, each put to the test with a statistic and an interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from hyperbaton.base.wording import counted
from hyperbaton.language.languages import name as language_name
from hyperbaton.perturb import Perturbation
from hyperbaton.pipeline import IDENTITY, Pair
from hyperbaton.pipeline.stages.scoring import scores_of
from hyperbaton.report.contents import Finding
from hyperbaton.report.numbers import show
from hyperbaton.studies.layer.aggregate import Aggregate, average
from hyperbaton.studies.layer.answers import needs_no_model, neighbours, untested
from hyperbaton.studies.layer.claims import decided, finding, most
from hyperbaton.studies.layer.means import Means, Wanted
from hyperbaton.studies.layer.samples import samples_of
from hyperbaton.studies.layer.sources import Source, with_claimed
from hyperbaton.studies.layer.summary import Summary
from hyperbaton.studies.wordorder.measures import MEASURES
from hyperbaton.studies.wordorder.profiles import Profiled, profile_of

HIGH_ALPHA = (
    "shuffleHalvesLast",
    "shuffleHalvesFirst",
    "verbAtBeginning",
    "nounVerbSwap",
    "nounVerbMismatched",
)
LOW_ALPHA = ("treeMirrorPost", "treeMirrorIn", "treeMirrorPre", "wordShuffle", "reversed")
_ROBUSTNESS = "β1 − β2"
_SCORES = ("beta", "beta1", "beta2", "alpha")
_NEARER = (
    "The translation of a perturbed source is nearer to the clean reference than to the perturbed "
    "one: β1 > β2"
)
_TWO_REFERENCES = (
    "β1 and β2 compare one translation with two references, while the shares of outcomes count "
    "sentences: a translation that carries the order over is often unlike both references, so "
    "β1 > β2 does not mean that most sentences are repaired."
)


def findings(numbers: Profiled, perturbations: Sequence[Perturbation]) -> list[Finding]:
    """Every claim that the perturbations, languages and systems of the run can decide."""
    if not numbers.summary.claimed:
        return []
    found = [*_of_systems(numbers, perturbations), *_difficulty(numbers.summary)]
    by_chance = exchanged(numbers, _SCORES)
    chance = [] if by_chance is None else [*_of_systems(by_chance, perturbations)]
    known = [finding for finding in found if np.isfinite(finding.value)]
    return decided(
        known, chance, untested=untested(numbers.summary.claimed, numbers.summary.unrelated)
    )


def _of_systems(numbers: Profiled, perturbations: Sequence[Perturbation]) -> Iterator[Finding]:
    """The claims about what systems do; α depends on the perturbations alone."""
    yield from _robust(numbers.summary)
    yield from _categories(numbers.summary, perturbations)
    yield from _extremes(numbers.summary)
    yield from _correlations(numbers)


def sentence(summary: Summary, found: Sequence[Finding]) -> str:
    """The study in a sentence."""
    claims = [finding for finding in found if not finding.part_of]
    held = sum(finding.verdict == "holds" for finding in claims)
    pairs = counted(len(summary.pairs), "language pair")
    nothing = untested(summary.claimed, summary.unrelated)
    none = "no claim is tested, since there is no translation to judge."
    tested = f"{held} of {len(claims)} claims of Parthasarathi et al. (2021) hold here."
    return with_claimed(
        f"{', '.join(summary.claimed or summary.systems)} on "
        f"{counted(sum(summary.items.values()), 'item')} in {pairs} × "
        f"{counted(len(summary.variants), 'perturbation')}: "
        f"{none if nothing else tested if summary.claimed else 'no claim is tested.'}",
        (source.name for source in summary.tested),
    )


def _robust(summary: Summary) -> Iterator[Finding]:
    """Judged for each system: the one for which it is least sure decides."""
    systems = summary.claimed
    claim = f"{_NEARER}, for every system" if len(systems) > 1 else _NEARER
    each = {system: -summary.lead.mean("difference", system=system) for system in systems}
    known = {system: found for system, found in each.items() if np.isfinite(found.value)}
    if not known:
        return
    least = min(known, key=lambda system: np.nan_to_num(known[system].low, nan=-np.inf))
    which = f" of {least}, for which it is least sure" if len(systems) > 1 else ""
    named = {system: f"{system}, " if len(systems) > 1 else "" for system in known}
    said = "; ".join(f"{named[one]}{_both(summary, {'system': one})}" for one in known)
    noise = _noise(summary, known[least].value)
    yield finding(
        claim, f"mean {_ROBUSTNESS}{which}", known[least], f"{said}; {noise}. {_TWO_REFERENCES}"
    )
    parts: dict[str, Mapping[str, Wanted]] = {}
    if len(systems) > 1:
        parts |= {f"for {system}": {"system": system} for system in systems}
    if len(summary.pairs) > 1:
        for pair in summary.pairs:
            target = language_name(Pair.parse(pair).target)
            parts[f"into {target}"] = {"system": systems, "pair": pair}
    for part, where in parts.items():
        found = -summary.lead.mean("difference", **where)
        detail = _both(summary, where)
        yield finding(f"β1 > β2 {part}", f"mean {_ROBUSTNESS}", found, detail, part_of=claim)


def _noise(summary: Summary, value: float) -> str:
    """The systems' own noise beside a difference: larger, smaller, or none at all."""
    floor = max(
        noise
        for (metric, system, _), noise in summary.noise.items()
        if metric == summary.leading and system in summary.claimed
    )
    if not floor:
        return "the same source is translated in the same way each time, so there is no noise"
    size = "more" if floor > abs(value) else "less"
    apart = f"scores of two translations of the same source lie {floor:.2g} apart"
    return f"noise: {apart}, {size} than this difference"


def _both(summary: Summary, where: Mapping[str, Wanted]) -> str:
    beta1, beta2 = (summary.lead.mean(score, **where).value for score in ("beta1", "beta2"))
    return f"{summary.leading}: mean β1 {show(beta1)}, mean β2 {show(beta2)}"


def _categories(summary: Summary, perturbations: Sequence[Perturbation]) -> Iterator[Finding]:
    means, systems = summary.lead, summary.claimed
    swaps = [str(p) for p in perturbations if p.category == "PoS"]
    for category, words in (("tree", "tree-based ones"), ("random", "random ones")):
        others = [str(p) for p in perturbations if p.category == category]
        found = means.difference(
            "difference", {"variant": others}, {"variant": swaps}, system=systems
        )
        mine, theirs = (
            -means.mean("difference", system=systems, variant=some).value
            for some in (swaps, others)
        )
        yield finding(
            f"{_ROBUSTNESS} is higher for perturbations of parts of speech than for {words}",
            f"{_ROBUSTNESS} of the one minus that of the other",
            found,
            f"mean {_ROBUSTNESS}: {show(mine)} for parts of speech, {show(theirs)} for {words}",
        )


def _by_variant(summary: Summary, score: str) -> dict[str, Aggregate]:
    """The mean of a score for each perturbation, over all systems and languages."""
    means = {
        name: summary.lead.mean(score, system=summary.claimed, variant=name)
        for name in summary.variants
    }
    return {name: mean for name, mean in means.items() if np.isfinite(mean.value)}


def _extremes(summary: Summary) -> Iterator[Finding]:
    means = _by_variant(summary, "difference")
    robust = f"functionalShuffle is the perturbation with the highest {_ROBUSTNESS}"
    faithful = "treeMirrorIn and reversed are the perturbations with the highest β2 − β1"
    for claim, measured, named, sign in (
        (robust, _ROBUSTNESS, ["functionalShuffle"], -1),
        (faithful, "β2 − β1", ["treeMirrorIn", "reversed"], 1),
    ):
        found = most(claim, measured, means, named, sign, f"by mean {measured}")
        if found is not None:
            yield found


def _correlations(numbers: Profiled) -> Iterator[Finding]:
    quality1, quality2 = (numbers.correlation(score, "beta") for score in ("beta1", "beta2"))
    averaged = ", averaged over systems and languages" if len(numbers.profiles) > 1 else ""
    yield finding(
        "Robustness goes with quality more than faithfulness does: ρ(β1, β) > ρ(β2, β)",
        "ρ(β1, β) − ρ(β2, β)",
        quality1 - quality2,
        f"Spearman over {numbers.observations}{averaged}: ρ(β1, β) = {show(quality1.value)}, "
        f"ρ(β2, β) = {show(quality2.value)}",
    )
    how = f"Spearman over {numbers.observations}{averaged}; length in words"
    falls = -numbers.correlation("beta1", "length")
    yield finding("β1 falls with the length of the source", "−ρ(β1, length)", falls, how)
    rises = numbers.correlation("beta2", "length")
    yield finding("β2 rises with the length of the source", "ρ(β2, length)", rises, how)


def _difficulty(summary: Summary) -> Iterator[Finding]:
    means = _by_variant(summary, "alpha")
    high = {name: mean for name, mean in means.items() if name.split("(")[0] in HIGH_ALPHA}
    low = {name: mean for name, mean in means.items() if name in LOW_ALPHA}
    if not (high and low):
        return
    least = min(high, key=lambda name: high[name].value)
    largest = max(low, key=lambda name: low[name].value)
    overlaps = high[least].value <= low[largest].value
    apart = average(high.values()) - average(low.values())
    items = min(mean.n for mean in means.values())
    yield finding(
        "α is high for half shuffles, verbAtBeginning and noun-verb swaps, "
        "low for mirrored trees and full shuffles",
        "mean α of the former minus that of the latter",
        Aggregate.of(apart.value, apart.drawn, items),
        f"lowest of the former: {least} ({show(high[least].value)}); highest of the latter: "
        f"{largest} ({show(low[largest].value)})"
        f"{'; single perturbations overlap' if overlaps else ''}",
    )


MOST = 200
"""Items of a system and pair that are scored anew; of more, an even choice."""


def exchanged(numbers: Profiled, scores: Sequence[str]) -> Profiled | None:
    """The same numbers of exchanged answers; None where scoring them anew would need a model."""
    summary = numbers.summary
    if not needs_no_model(summary.leading):
        return None
    measures = {name: MEASURES[name] for name in (*scores, "difference")}
    means = Means(tuple(measures), bootstrap=summary.lead.bootstrap)
    found = Profiled(replace(summary, means={summary.leading: means}), numbers.unit)
    for source in summary.tested:
        if source.system in summary.claimed:
            rows = _exchanged_rows(source, summary.leading, scores)
            groups = [(IDENTITY,), *((variant,) for variant in summary.variants)]
            samples = samples_of([rows], rows["item"].n_unique(), measures, groups=groups)
            means.add(source, samples)
            found.profiles[source.system, str(source.pair)] = profile_of(
                source, samples, numbers.unit
            )
    return found


def _exchanged_rows(source: Source, metric: str, scores: Sequence[str]) -> pl.DataFrame:
    """Some items with the answers to others in place of their own, scored anew."""
    compared = source.run.record.comparisons
    anew = [compared[name] for name in scores if compared[name].of_outputs]
    kept = [name for name in scores if not compared[name].of_outputs]
    texts = ("source", "varied", "reference", "varied_reference", "output", "varied_output")
    columns = ["item", "variant", "draw", *texts, *kept]
    step = max(1, -(-source.run.record.progress[str(source.pair)].items // MOST))
    parts = []
    for part in source.run.parts(source.pair, source.name, metric, columns):
        some = part["item"].unique(maintain_order=True).gather_every(step)
        parts.append(part.filter(pl.col("item").is_in(some.implode())))
    rows = pl.concat(parts)
    clean = rows.filter(pl.col("variant") == IDENTITY).drop_nulls("reference")
    others = clean["item"].gather(neighbours(clean["reference"].to_list()))
    partners = clean.select("item", other=others)
    keys = ["variant", "draw"]
    answers = rows.select(*keys, "output", "varied_output", other="item")
    given = (
        rows.drop("output", "varied_output")
        .join(partners, on="item", how="inner", maintain_order="left")
        .join(answers, on=["other", *keys], how="left", maintain_order="left")
    )
    return given.hstack(scores_of(metric, source.pair, given, anew))
