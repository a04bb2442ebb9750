"""The figures of the study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hyperbaton.base.randomness import Rng
from hyperbaton.report.contents import Figure
from hyperbaton.studies.isometry import charts
from hyperbaton.studies.isometry.samples import OUTCOMES, SIDES, PairSamples
from hyperbaton.studies.isometry.tables import agreement
from hyperbaton.studies.layer.sources import short_names

__all__ = ["figures"]

POINTS = 1500  # of one panel; more only make a cloud darker


def figures(systems: Sequence[PairSamples]) -> list[Figure]:
    """F4 to F7; panels stand in the order in which the systems were named."""
    # The data set is named only where there are several.
    alone = len({s.dataset for s in systems}) == 1
    names = {s.name: s.label if alone else s.name for s in systems}
    return [make(systems, names) for make in (_probabilities, _agreement, _similarities, _by_label)]


def _probabilities(systems: Sequence[PairSamples], names: Mapping[str, str]) -> Figure:
    points = {
        (names[s.name], detector): s.probabilities[:, number]
        for s in systems
        for number, detector in enumerate(short_names(s.detectors))
    }
    titles = ("P before translation", "P after translation")
    chart = charts.contour_lines(points, titles, "detector")
    note = (
        "Each line is the edge of the smallest region that holds that share of the pairs "
        "(Gaussian kernel of .03, reflected at the edges). Above right: isometric; below right: "
        "broken apart; above left: made equal."
    )
    return Figure("F4", "Probability of paraphrase after translation against before", chart, note)


def _agreement(systems: Sequence[PairSamples], names: Mapping[str, str]) -> Figure:
    counts = {
        (names[s.name], kind, outcome): count
        for s in systems
        for kind, of_kind in agreement(s).items()
        for outcome, count in of_kind.items()
    }
    chart = charts.stacked_bars(counts, ("agreement", "M", "pairs"), "share of pairs")
    return Figure("F5", "How often each M comes, and which detectors agreed on it", chart)


def _similarities(systems: Sequence[PairSamples], names: Mapping[str, str]) -> Figure:
    points = {}
    for s in systems:
        some = sorted(Rng(1, s.name, "figure").permutation(len(s))[:POINTS])
        points[names[s.name]] = s.chrf[some], [OUTCOMES[s.votes.outcomes[i]] for i in some]
    titles = ("symmetric chrF2 of the sources", "symmetric chrF2 of the translations")
    chart = charts.diagonal_points(points, titles, ("M", OUTCOMES))
    note = "Above the diagonal, translation made the surface more alike."
    if max(map(len, systems)) > POINTS:
        note += f" {POINTS:,} pairs of each run are drawn, chosen at random."
    return Figure("F6", "Surface similarity after translation against before", chart, note)


def _by_label(systems: Sequence[PairSamples], names: Mapping[str, str]) -> Figure:
    values_by = {}
    for s in systems:
        labels, values = s.votes.labels(), s.chrf[s.votes.decided]
        for number, side in enumerate(SIDES):
            for label in (0, 1):
                chosen = values[labels[:, number] == label, number]
                values_by[names[s.name], side, str(label)] = chosen
    chart = charts.boxes(values_by, ("side", "S"), "symmetric chrF2")
    note = "Box: the middle half; line: 5 to 95 %. S is the majority's label, ∅ left out."
    return Figure("F7", "Surface similarity of pairs that count as paraphrases or not", chart, note)
