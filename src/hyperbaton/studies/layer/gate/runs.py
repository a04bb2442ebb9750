"""Which scores of a run are worse than those of an earlier run of the same texts.

Both runs hold the same probes, so a score and its fellow share their resamples, and their
difference is paired.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics import METRICS
from hyperbaton.pipeline import Run
from hyperbaton.pipeline.run.layout import UNTRANSLATED
from hyperbaton.stats import holm
from hyperbaton.studies.layer.aggregate import Aggregate
from hyperbaton.studies.layer.experiment import Experiment, ProbeStudy, Score
from hyperbaton.studies.layer.gate.answers import changed_answers, source_of
from hyperbaton.studies.layer.gate.scores import (
    Change,
    Limits,
    Named,
    gate_scores,
    only_systems,
    scores_named,
)


def compare_runs(
    study: Experiment,
    new: Run,
    old: Run,
    names: Sequence[Named] = (),
    systems: Collection[str] = (),
    metric: str | None = None,
    limits: Limits = Limits(),  # noqa: B008 - a value
) -> list[Change]:
    """Every score that tells better from worse, in both runs; `names` chooses others."""
    _refuse_other_texts(new, old)
    scores = only_systems(gate_scores(study, new, metric), systems, new)
    before = gate_scores(study, old, metric)
    pairing = _pairing(scores, before, new, old, all_of_old=not systems)
    earlier = {_key(score, score.system): score for score in before}
    known = {score.name for score in scores}
    sides = _sides(study)
    wanted = names or [Named(name) for name in sides if name in known]
    if not wanted:
        raise HyperbatonError(
            f"{study.name} does not say which of its scores are better: "
            "compare them with thresholds, --min and --max"
        )
    answers: dict[tuple[str, str], tuple[int, int] | None] = {}
    found = []
    for name in wanted:
        for score in scores_named(scores, name, new):
            if score.system not in pairing:
                continue
            fellow = earlier.get(_key(score, pairing[score.system]))
            if fellow is None or not (math.isfinite(score.value) or math.isfinite(fellow.value)):
                continue
            at = score.system, score.pair
            if at not in answers:
                both = source_of(new, *at), source_of(old, pairing[score.system], score.pair)
                answers[at] = changed_answers(*both)
            difference = _difference(score, fellow)
            sign = _sign(sides, score, new)
            moved = int(difference.value != 0 or bool(np.nan_to_num(difference.drawn).any()))
            rows = answers[at] or (score.n, moved)
            found.append(Change(score, fellow, difference, sign, limits, *rows))
    return _corrected(found)


def _corrected(changes: Sequence[Change]) -> list[Change]:
    """The same with p-values that count how much is compared."""
    moved = [change if change.changed else None for change in changes]
    against = [
        m.difference.p_against(-m.sign * m.points(m.limits.tolerance)) if m else math.nan
        for m in moved
    ]
    gains = [m.difference.p if m else math.nan for m in moved]
    rows = zip(changes, holm(against), holm(gains), strict=True)
    return [replace(change, p=p, p_gain=gain) for change, p, gain in rows]


def _difference(new: Score, old: Score) -> Aggregate:
    if new.made is None or old.made is None:
        raise HyperbatonError(
            f"{new.name} comes without its resamples, which a comparison of runs needs: "
            "make the score with Score.of"
        )
    return new.made - old.made


def _sides(study: Experiment) -> dict[str, int]:
    """The scores that tell better from worse: 1 where more is better, −1 where less is."""
    sides = dict.fromkeys(study.more_is_better, 1) | dict.fromkeys(study.less_is_better, -1)
    if not sides and isinstance(study, ProbeStudy):
        firsts = {name: shown.first for name, shown in study.shown.items() if shown.first}
        sides = {name: 1 if first == "highest" else -1 for name, first in firsts.items()}
        sides = sides or {c.name: 1 for c in study.comparisons if c.of_outputs and not c.metrics}
    return {**sides, UNTRANSLATED: -1}


def _sign(sides: Mapping[str, int], score: Score, run: Run) -> int:
    """1 where more is better. What is a similarity by one metric is a distance by another."""
    if score.name not in sides:
        raise HyperbatonError(
            f"neither more nor less of {score.name} is better: compare it with a threshold, "
            f"as --min {score.name}=0.4"
        )
    is_share = score.made is not None and score.made.method == "wilson"
    is_distance = score.metric in run.metrics and not METRICS.parse(score.metric).higher_is_better
    return sides[score.name] * (-1 if is_distance and not is_share else 1)


def _key(score: Score, system: str) -> tuple[object, ...]:
    extra = tuple((key, value) for key, value in score.extra.items() if key != "run")
    return system, score.pair, score.variant, score.metric, score.name, extra


def _refuse_other_texts(new: Run, old: Run) -> None:
    """Only what was made in the same way of the same texts can be paired."""
    first, second = new.record, old.record
    found = [("the study", first.study, second.study)]
    for what in ("corpora", "parsers"):
        one, other = getattr(first, what), getattr(second, what)
        found += [(key, one[key], other[key]) for key in one.keys() & other.keys()]
    for metric in first.metrics.keys() & second.metrics.keys():
        one, other = first.metrics[metric], second.metrics[metric]
        found += [(metric, one[key], other[key]) for key in one.keys() & other.keys()]
    for what, here, there in found:
        if here != there:
            raise HyperbatonError(
                f"{new.folder} and {old.folder} cannot be compared: {what} is {here} in the "
                f"first and {there} in the second. Run both on the same texts with the same options"
            )
    lost = [str(pair) for pair in old.pairs if pair not in new.pairs]
    if lost:
        raise HyperbatonError(f"{old.folder} has {', '.join(lost)}, which {new.folder} has not")


def _pairing(
    new: Sequence[Score], old: Sequence[Score], run: Run, baseline: Run, all_of_old: bool
) -> Mapping[str, str]:
    """Each system with its name in the old run; two that stand alone are a pair by any name."""
    here, there = (list(dict.fromkeys(score.system for score in some)) for some in (new, old))
    if len(here) == len(there) == 1:
        return {here[0]: there[0]}
    lost = [system for system in there if system not in here] if all_of_old else []
    if lost:
        raise HyperbatonError(
            f"{baseline.folder} has {', '.join(lost)}, which {run.folder} has not: "
            "name the systems to compare with --system"
        )
    shared = {system: system for system in here if system in there}
    if not shared:
        raise HyperbatonError(
            f"no system of {run.folder} is in {baseline.folder}: it has {', '.join(there)}"
        )
    return shared
