"""The figures of the study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hyperbaton.base.randomness import Rng
from hyperbaton.report.contents import Figure
from hyperbaton.studies.isometry import charts as panels
from hyperbaton.studies.isometry.samples import OUTCOMES, SIDES, Judged, titles
from hyperbaton.studies.isometry.tables import agreement
from hyperbaton.studies.layer.sources import short_names

__all__ = ["figures"]

POINTS = 1500  # of one panel; more only make a cloud darker


def figures(runs: Sequence[Judged]) -> list[Figure]:
    """F4 to F7; panels stand in the order in which the systems were named."""
    names = titles(runs)
    return [make(runs, names) for make in (_probabilities, _agreement, _similarities, _by_label)]


def _probabilities(runs: Sequence[Judged], names: Mapping[str, str]) -> Figure:
    points = {
        (names[run.name], detector): run.probabilities[:, number]
        for run in runs
        for number, detector in enumerate(short_names(run.detectors))
    }
    titles = ("P before translation", "P after translation")
    chart = panels.contour_lines(points, titles, "detector")
    note = (
        "Each line is the edge of the smallest region that holds that share of the pairs "
        "(Gaussian kernel of .03, reflected at the edges). Above right: isometric; below right: "
        "broken apart; above left: made equal."
    )
    return Figure("F4", "Probability of paraphrase after translation against before", chart, note)


def _agreement(runs: Sequence[Judged], names: Mapping[str, str]) -> Figure:
    counts = {
        (names[run.name], kind, outcome): count
        for run in runs
        for kind, of_kind in agreement(run).items()
        for outcome, count in of_kind.items()
    }
    chart = panels.stacked_bars(counts, ("agreement", "M", "pairs"), "share of pairs")
    return Figure("F5", "How often each M comes, and which detectors agreed on it", chart)


def _similarities(runs: Sequence[Judged], names: Mapping[str, str]) -> Figure:
    points = {}
    for run in runs:
        some = sorted(Rng(1, run.name, "figure").permutation(len(run))[:POINTS])
        points[names[run.name]] = run.chrf[some], [OUTCOMES[run.votes.outcomes[i]] for i in some]
    titles = ("symmetric chrF2 of the sources", "symmetric chrF2 of the translations")
    chart = panels.diagonal_points(points, titles, ("M", OUTCOMES))
    note = "Above the diagonal, translation made the surface more alike."
    if max(map(len, runs)) > POINTS:
        note += f" {POINTS:,} pairs of each run are drawn, chosen at random."
    return Figure("F6", "Surface similarity after translation against before", chart, note)


def _by_label(runs: Sequence[Judged], names: Mapping[str, str]) -> Figure:
    samples = {}
    for run in runs:
        labels, values = run.votes.labels(), run.chrf[run.votes.decided]
        for number, side in enumerate(SIDES):
            for label in (0, 1):
                chosen = values[labels[:, number] == label, number]
                samples[names[run.name], side, str(label)] = chosen
    chart = panels.boxes(samples, ("side", "S"), "symmetric chrF2")
    note = "Box: the middle half; line: 5 to 95 %. S is the majority's label, ∅ left out."
    return Figure("F7", "Surface similarity of pairs that count as paraphrases or not", chart, note)
