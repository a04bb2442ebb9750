"""The paper's claims, each put to the test on the languages of the runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from hyperbaton.base.wording import decimal
from hyperbaton.pipeline import IDENTITY
from hyperbaton.report.contents import Finding
from hyperbaton.studies.layer.aggregate import Aggregate, Floats, gap
from hyperbaton.studies.layer.claims import CORRECTED, decided, fewest_for, finding
from hyperbaton.studies.structure.languages import CHINESE, LATIN
from hyperbaton.studies.structure.series import Series, explained, grouped, mean
from hyperbaton.tasks import TASKS, Retrieval

FULL = "FullShuffle"
_MEANT = {
    "chrF-2": "which characters are neighbours",
    "Comp": "whether frequent pieces of words are whole",
    "IDC": "where characters stand",
}
_ORDERED = "pawsx"
"""The task of the paper in which order matters."""


def said(series: Sequence[Series]) -> str:
    """What the reader wants to know first."""
    found = grouped(series, lambda one: one.system)
    return " ".join(_said(system, mine) for system, mine in found.items())


def _said(system: str, mine: Sequence[Series]) -> str:
    found = {name: explained(mine, name).value for name in _MEANT}
    numbers = ", ".join(f"{name} {decimal(value, '.2f')}" for name, value in found.items())
    told = f"(Spearman's ρ over {_languages(mine)}: {numbers})."
    if why := _nothing_to_explain(mine):
        return f"What explains the losses of {system} cannot be said: {why} {told}"
    if _count(mine) < fewest_for(1):
        few = f"{_languages(mine)} cannot decide it, {fewest_for(1)} can"
        return f"What explains the losses of {system} cannot be said: {few} {told}"
    best, second, _ = sorted(found, key=lambda name: -found[name])
    if explained(mine, best, second).low > 0:
        return f"{best} explains the losses of {system} best: what counts is {_MEANT[best]} {told}"
    return (
        f"{best} and {second} explain the losses of {system} about equally well: what counts is "
        f"{_MEANT[best]}, or {_MEANT[second]} {told}"
    )


def _nothing_to_explain(series: Sequence[Series]) -> str:
    """Why a correlation with the losses of an encoder would mean nothing; empty where it would."""
    if not mean(series, _loss).low > 0:
        return "its score on perturbed text is not certainly lower than on clean text"
    if not any(explained(series, name).low > 0 for name in _MEANT):
        return "no measure goes with them certainly"
    return ""


def _loss(one: Series) -> tuple[float, Floats]:
    """How much lower the mean score on perturbed text is than the score on clean text."""
    moved = [place for place, name in enumerate(one.variants) if name != IDENTITY]
    if not moved or IDENTITY not in one.variants:
        return float("nan"), np.full(1, np.nan)
    clean = one.variants.index(IDENTITY)
    return (
        float(one.values[clean] - one.values[moved].mean()),
        np.asarray(one.drawn[:, clean] - one.drawn[:, moved].mean(axis=1)),
    )


def _count(series: Sequence[Series]) -> int:
    return len({(one.task, one.language) for one in series})


def _languages(series: Sequence[Series]) -> str:
    count = _count(series)
    tasks = len({one.task for one in series})
    return f"{count} language{'s' * (count != 1)}" + f" of {tasks} tasks" * (tasks > 1)


def findings(series: Sequence[Series]) -> list[Finding]:
    """Every claim that the encoders and languages can decide."""
    encoders = grouped(series, lambda one: one.system)
    nothing = {system: _nothing_to_explain(mine) for system, mine in encoders.items()}
    tested = [one for one in series if not nothing[one.system]] or series
    made = [one for claim in (_local, _vocabulary, _script, _order) for one in claim(tested)]
    known = [one for one in made if np.isfinite(one.value)]
    return decided(known, untested=_untested(nothing), unit="language")


def _untested(nothing: Mapping[str, str]) -> str:
    """Why no claim can be tested; empty where an encoder has losses to explain."""
    if not all(nothing.values()):
        return ""
    return "Not tested: " + "; ".join(f"{system}, {why}" for system, why in nothing.items()) + "."


def _claim(
    claim: str, statistic: str, found: Aggregate, detail: str, *groups: Sequence[Series]
) -> Finding:
    """A claim about languages: they are what is counted, however many examples each has."""
    return finding(claim, statistic, found._replace(n=min(map(_count, groups))), detail)


def _each(series: Sequence[Series], *measures: str) -> str:
    """The correlations of each encoder."""
    lines = []
    for system, mine in grouped(series, lambda one: one.system).items():
        said = ", ".join(
            f"{name} {decimal(explained(mine, name).value, '.2f')}" for name in measures
        )
        lines.append(f"{system}: {said}")
    return "; ".join(lines)


def _local(series: Sequence[Series]) -> Iterator[Finding]:
    yield _claim(
        "Neighbours matter more than places: chrF-2 explains the loss better than IDC",
        "ρ of chrF-2 minus ρ of IDC",
        explained(series, "chrF-2", "IDC"),
        f"{_each(series, 'chrF-2', 'IDC')}. The paper: .84 to .96 against .35 to .74.",
        series,
    )
    yield _claim(
        "IDC explains the loss poorly: its ρ is below .7",
        ".7 minus ρ of IDC",
        mean(series, lambda one: (0.7 - _of(one, 1)[0], 0.7 - _of(one, 1)[1]), "student"),
        f"{_each(series, 'IDC')}. The paper: .35 to .48, Sino-Tibetan .74.",
        series,
    )
    for system, mine in grouped(series, lambda one: one.system).items():
        yield _claim(
            f"chrF-2 explains the loss of {system} better than Comp does",
            "ρ of chrF-2 minus ρ of Comp",
            explained(mine, "chrF-2", "Comp"),
            f"{_each(mine, 'chrF-2', 'Comp')}. The paper: .84 to .96 against .52 to .94.",
            mine,
        )


def _of(one: Series, place: int) -> tuple[float, Floats]:
    values, drawn = one.explained
    return float(values[place]), drawn[:, place]


def _vocabulary(series: Sequence[Series]) -> Iterator[Finding]:
    own = [one for one in series if one.own_vocabulary]
    free = [one for one in series if not one.own_vocabulary]
    if own:
        yield _claim(
            "With a vocabulary, Comp explains more than IDC",
            "ρ of Comp minus ρ of IDC",
            explained(own, "Comp", "IDC"),
            f"{_each(own, 'Comp', 'IDC')}.",
            own,
        )
    if own and free:
        both = {one.pair for one in own} & {one.pair for one in free}
        shared = [one for one in own if one.pair in both]
        first = explained(shared, "Comp")
        second = explained([one for one in free if one.pair in both], "Comp")
        yield _claim(
            "Comp explains less where the model has no vocabulary",
            "ρ of Comp with a vocabulary minus without",
            first - second,
            f"{_each(series, 'Comp')}.",
            shared,
        )


def _kept(one: Series) -> tuple[float, Floats]:
    """The share of the clean score that is left when all characters are shuffled."""
    if FULL not in one.variants:
        return float("nan"), np.full(1, np.nan)
    full, clean = (one.variants.index(name) for name in (FULL, IDENTITY))
    with np.errstate(divide="ignore", invalid="ignore"):
        return (
            float(one.values[full] / one.values[clean]),
            np.asarray(one.drawn[:, full] / one.drawn[:, clean]),
        )


def _script(series: Sequence[Series]) -> Iterator[Finding]:
    # Where labels are few, what is left of a score is mostly chance.
    found = [one for one in series if issubclass(TASKS.get(one.task), Retrieval)]
    scripts = grouped(found, lambda one: one.group.script)
    if CHINESE not in scripts or LATIN not in scripts:
        return
    chinese, latin = (mean(scripts[name], _kept) for name in (CHINESE, LATIN))
    yield _claim(
        "Chinese script is more resilient than Latin script",
        "share of the clean score left when all characters are shuffled, Chinese minus Latin",
        gap(chinese, latin),
        f"Chinese script keeps {chinese.value:.0%}, Latin {latin.value:.0%}. The paper: from .18 "
        "to .08 in Chinese script, to .03 in Latin.",
        scripts[CHINESE],
        scripts[LATIN],
    )


def _order(series: Sequence[Series]) -> Iterator[Finding]:
    tasks = grouped(series, lambda one: one.task)
    others = [one for one in series if one.task != _ORDERED]
    if _ORDERED in tasks and others:
        here: Aggregate = explained(tasks[_ORDERED], "IDC")
        yield _claim(
            "PAWS-X is the exception: where order is the task, IDC explains more",
            "ρ of IDC in PAWS-X minus ρ in the other tasks",
            gap(here, explained(others, "IDC")),
            f"PAWS-X {here.value:.2f}, others {decimal(explained(others, 'IDC').value, '.2f')}.",
            tasks[_ORDERED],
            others,
        )


def notes(series: Sequence[Series]) -> list[str]:
    """What the measures and intervals are."""
    lent = sorted({one.system for one in series if not one.own_vocabulary})
    found = [
        "chrF-2 is the F-score of character bigrams, perturbed against clean text, spaces kept: "
        "how many neighbours are left. IDC is the mean distance that a character went, over the "
        "length: 0 for none, 1/3 for a full shuffle. Comp is characters a token: how whole the "
        "vocabulary is.",
        "Intervals are bootstraps over languages (95 %); of one language, over its examples. Those "
        "of ρ are of the ρ that as many examples give: noise lowers ρ where examples are few.",
        CORRECTED,
        "A claim is tested on encoders whose score is certainly lower on perturbed text than on "
        "clean text, and whose losses certainly go with one of the measures; it counts languages.",
    ]
    unknown = sorted({one.language for one in series if not all(one.group)})
    if unknown:
        found.append(
            f"{', '.join(unknown)}: script and family are not known, so the tables by script and "
            "family are without them."
        )
    if lent:
        found.append(
            f"{', '.join(lent)} has no vocabulary: subwords and Comp are those of another model."
        )
    return found
