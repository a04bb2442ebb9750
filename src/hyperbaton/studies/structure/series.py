"""Encoders in languages: scores by perturbation, how well measures rank them, and who leads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import split
from hyperbaton.pipeline import IDENTITY, Pair, Run
from hyperbaton.report.contents import Contest
from hyperbaton.stats import Bootstrap
from hyperbaton.stats.correlation import row_correlations, row_ranks
from hyperbaton.stats.intervals import Method
from hyperbaton.stats.resample import count_vectors
from hyperbaton.studies.layer.aggregate import NOTHING, Aggregate, Floats
from hyperbaton.studies.layer.ranking import Measure, ranking
from hyperbaton.studies.layer.samples import Samples
from hyperbaton.studies.structure.languages import Group, group_of
from hyperbaton.studies.structure.varying import MEASURES
from hyperbaton.tasks import Task

SIGNS = np.array([1.0, -1.0, 1.0])
"""Higher = explains the loss better: what moved far (IDC) should score low."""
FEWEST = 3
"""Languages that a script or a family needs to be shown."""


@dataclass(frozen=True, eq=False)
class Series:
    """One encoder in one language: the grid, its measures, and a score for each example."""

    system: str
    task: str
    score: str
    language: str
    pair: str
    own_vocabulary: bool
    measures: Floats
    """Perturbations × measures, means over texts and seeds."""
    samples: Samples
    """The score of each example under each perturbation, means over seeds."""
    accuracy: Series | None = None
    """The same with accuracy as its score, where another score is told beside it."""

    @property
    def variants(self) -> tuple[str, ...]:
        """The perturbations."""
        return tuple(variant for (variant,) in self.samples.groups)

    @property
    def group(self) -> Group:
        """Script and family."""
        return group_of(self.language)

    @property
    def method(self) -> Method:
        """How intervals of its score are made."""
        return "wilson" if self.score == "accuracy" else "bca-t"

    @cached_property
    def _means(self) -> tuple[Floats, Floats]:
        values, drawn = self.samples.cell_means()
        return values[0], drawn[:, 0].astype(np.float64)

    @property
    def values(self) -> Floats:
        """The score of each perturbation."""
        return self._means[0]

    @property
    def drawn(self) -> Floats:
        """Resamples × perturbations, examples drawn anew."""
        return self._means[1]

    @cached_property
    def explained(self) -> tuple[Floats, Floats]:
        """Spearman's ρ of score and measure, signed; also in every resample."""
        return (
            SIGNS * series_ranks(self.values[None, :], self.measures)[0],
            SIGNS * series_ranks(self.drawn, self.measures),
        )

    def at(self, variant: str) -> Aggregate:
        """The score of one perturbation."""
        place = self.variants.index(variant)
        value, drawn = float(self.values[place]), self.drawn[:, place]
        return Aggregate.of(value, drawn, len(self.samples), self.method)


def grid_samples(
    variants: Sequence[str], scores: Floats, weights: Floats, bootstrap: Bootstrap | None = None
) -> Samples:
    """Sums of scores and their weights, examples × perturbations."""
    examples = [str(number) for number in range(len(scores))]
    groups = tuple((variant,) for variant in variants)
    return Samples(
        examples, groups, {"score": scores}, weights=weights, bootstrap=bootstrap or Bootstrap()
    )


def series_ranks(values: Floats, measures: Floats) -> Floats:
    """Spearman's ρ of each row of values with each measure; NaN where one is constant."""
    ranked = row_ranks(values)
    found = [row_correlations(ranked, one[None, :]) for one in row_ranks(measures.T)]
    return np.stack(found, axis=1)


def mean(
    series: Sequence[Series],
    of: Callable[[Series], tuple[float, Floats]],
    method: Method = "bca-t",
) -> Aggregate:
    """The mean of a number over languages, which are drawn anew; of one alone, its examples are.

    `of` gives the number of a series and its value in every resample. A language brings the
    chance of its examples with it: to draw these too would count it twice.
    """
    by_language: dict[tuple[str, str], list[tuple[float, Floats]]] = {}
    for one in series:
        found = of(one)
        if np.isfinite(found[0]):
            by_language.setdefault((one.task, one.language), []).append(found)
    if not by_language:
        return NOTHING
    # Systems are averaged first: their scores in one language hang together.
    values = np.array([np.mean([v for v, _ in some]) for some in by_language.values()])
    if len(values) == 1:
        drawn = np.mean([d for some in by_language.values() for _, d in some], axis=0)
        return Aggregate.of(float(values[0]), drawn, len(series[0].samples), method)
    how = series[0].samples.bootstrap
    counts = np.concatenate([*count_vectors(len(values), how.resamples, how.seed)])
    several: Method = "bca-t" if method == "wilson" and np.ptp(values) else method
    return Aggregate.of(values.mean(), counts @ values / len(values), len(values), several)


def mean_score(
    series: Sequence[Series],
    of: Callable[[Series], tuple[float, Floats]],
    method: Method = "bca-t",
) -> Aggregate:
    """The mean of a score over languages, which nothing takes below 0 or above 1."""
    return mean(series, of, method).within(0, 1)


def explained(series: Sequence[Series], measure: str, minus: str | None = None) -> Aggregate:
    """How well a measure ranks the scores, on average over languages; maybe minus another.

    Noise in the scores lowers ρ, and that of resamples more: their spread alone is of use, and
    the interval is that of the ρ which so many examples give, not of the ρ of endless ones.
    """
    place = MEASURES.index(measure)

    def of(one: Series) -> tuple[float, Floats]:
        values, drawn = one.explained
        if minus is None:
            return float(values[place]), drawn[:, place]
        other = MEASURES.index(minus)
        return float(values[place] - values[other]), drawn[:, place] - drawn[:, other]

    if minus is None:
        return mean(series, of, "fisher")
    return mean(series, of, "student").within(-2, 2)


def short(variant: str) -> str:
    """A perturbation as the reader sees it.

    >>> short("FullShuffle(unit=subword, tokenizer=model)")
    'FullShuffle(unit=subword)'
    """
    return variant.replace(", tokenizer=model", "")


def read_series(runs: Iterable[Run], task_of: Callable[[Run], Task]) -> list[Series]:
    """Every system in every language of some runs."""
    runs = list(runs)
    named = _short_names(system for run in runs for system in run.systems)
    found = [
        _series(run, task_of(run), system, named[system], pair)
        for run in runs
        for system in run.systems
        for pair in run.pairs_of(system)
    ]
    if not found:
        raise HyperbatonError("the run has no cells: run its command again to resume it")
    return found


def _short_names(systems: Iterable[str]) -> Mapping[str, str]:
    """Each system without its options, where no other one has that name.

    >>> _short_names(["e5(prefix=none)", "hf:one", "hf:two", "hf:one"])
    {'e5(prefix=none)': 'e5', 'hf:one': 'hf:one', 'hf:two': 'hf:two'}
    """
    names = {system: split(system).name for system in systems}
    counts = Counter(names.values())
    return {system: name if counts[name] == 1 else system for system, name in names.items()}


def _series(run: Run, task: Task, system: str, name: str, pair: Pair) -> Series:
    frames = list(run.grid(pair, system))
    scores = np.mean([np.array(frame["scores"].to_list()) for frame in frames], axis=0).T
    weights = [
        np.ones_like(scores.T)
        if frame["weights"].is_null().all()
        else np.array([w or [1.0] * len(scores) for w in frame["weights"].to_list()])
        for frame in frames
    ]
    beside = "right" in frames[0].columns and not any(f["right"].is_null().any() for f in frames)
    signature = run.record.systems[system][str(pair)]
    variants = tuple(map(short, frames[0]["variant"].to_list()))
    one = Series(
        system=name,
        task=task.name,
        score=task.score,
        language=pair.source,
        pair=str(pair),
        own_vocabulary="|vocabulary:own:" in signature,
        measures=np.mean([frame.select(MEASURES).to_numpy() for frame in frames], axis=0),
        samples=grid_samples(variants, scores, np.mean(weights, axis=0).T),
    )
    if not beside:
        return one
    right = np.mean([np.array(frame["right"].to_list()) for frame in frames], axis=0).T
    samples = grid_samples(variants, right, np.ones_like(right))
    return replace(one, accuracy=replace(one, score="accuracy", samples=samples))


def grouped(series: Sequence[Series], by: Callable[[Series], str]) -> Mapping[str, list[Series]]:
    """The series by a name, those without one left out."""
    found: dict[str, list[Series]] = {}
    for one in series:
        if by(one):
            found.setdefault(by(one), []).append(one)
    return found


def contests(series: Sequence[Series]) -> list[Contest]:
    """A ranking on perturbed text and one on clean text for each task with several encoders."""
    tasks = grouped(series, lambda one: one.task)
    found = []
    for task, mine in tasks.items():
        rivals = _rivals(mine)
        for text, of in (("perturbed text", _perturbed), ("clean text", _clean)):
            label = f"{mine[0].score} on {text}" + f" ({task})" * (len(tasks) > 1)
            found.append(_contest(label, rivals, of))
    return [one for one in found if one is not None]


def _rivals(series: Sequence[Series]) -> Mapping[str, list[Series]]:
    """The encoders in the languages, examples and perturbations that all of them had.

    So the same languages and examples are drawn for all, and differences are paired.
    """
    known = {
        system: {(one.language, len(one.samples), one.variants): one for one in mine}
        for system, mine in grouped(series, lambda one: one.system).items()
    }
    first, *others = known.values()
    shared = [key for key in first if all(key in other for other in others)]
    return {system: [mine[key] for key in shared] for system, mine in known.items()}


def _contest(
    label: str,
    rivals: Mapping[str, list[Series]],
    of: Callable[[Series], tuple[float, Floats]],
) -> Contest | None:
    means = {system: mean_score(mine, of) for system, mine in rivals.items()}

    return ranking(Measure(label, leads="is better than"), means)


def _perturbed(one: Series) -> tuple[float, Floats]:
    places = [place for place, name in enumerate(one.variants) if name != IDENTITY]
    if not places:
        return float("nan"), np.full(1, np.nan)
    return float(one.values[places].mean()), np.asarray(one.drawn[:, places].mean(axis=1))


def _clean(one: Series) -> tuple[float, Floats]:
    found = one.at(IDENTITY)
    return found.value, found.drawn
