"""The first screen: what became of the pairs of each system, and whether detectors can tell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hyperbaton.base.wording import counted
from hyperbaton.report.contents import Headline
from hyperbaton.stats import Bootstrap
from hyperbaton.studies.judged_pairs import Judged, share_of, shares
from hyperbaton.studies.votes import SHORT

__all__ = ["cautions", "headlines"]


def headlines(runs: Sequence[Judged], bootstrap: Bootstrap) -> list[Headline]:
    """What is to be kept in mind first, then the answer for each system."""
    warned = [Headline("Caution", text) for text in cautions(runs, bootstrap)]
    return warned + [
        Headline(
            run.name,
            _said(run),
            {SHORT[outcome]: share.span for outcome, share in shares(run, bootstrap).items()},
        )
        for run in runs
    ]


def cautions(runs: Sequence[Judged], bootstrap: Bootstrap) -> list[str]:
    """Data sets on which the detectors' vote is not clearly better than always saying the same."""
    found = []
    for run in {run.dataset: run for run in reversed(runs)}.values():
        known = np.array([label is not None for label in run.gold], dtype=bool)
        gold = np.array([label or 0 for label in run.gold])[known]
        if len(set(gold.tolist())) < 2:
            continue
        votes = (run.labels[known, :, 0].mean(axis=1) > 0.5).astype(int)
        accuracy, yes = share_of(votes == gold, bootstrap), float(gold.mean())
        always, share = ("paraphrase", yes) if yes >= 0.5 else ("no paraphrase", 1 - yes)
        if accuracy.low > share:
            continue
        clearly = "" if accuracy.value <= share else "clearly "
        found.append(
            f"Caution: these detectors are not {clearly}better than always saying “{always}”. On "
            f"the {counted(len(gold), 'pair')} of {run.dataset} whose label is known, their "
            f"majority is right in {accuracy.value:.0%}; always saying “{always}” is right in "
            f"{share:.0%}. The shares below say what the detectors think, not what translation "
            "does. Better detectors: docs/detectors.md.".replace("%", " %")
        )
    return found


def _said(run: Judged) -> str:
    """All five outcomes of a system in a sentence."""
    if run.silent:
        return f"{run.name}: there is no translation to judge, since {run.silent}."
    share = {name: count / len(run) for name, count in run.votes.counts().items()}
    return (
        f"{run.name}: of {counted(len(run), 'pair')}, {share['[1,1]']:.1%} mean the same before "
        f"and after translation (isometric), {share['[0,0]']:.1%} neither before nor after (both "
        f"different), {share['[0,1]']:.1%} only after (made equal), {share['[1,0]']:.1%} only "
        f"before (broken apart); on {share['∅']:.1%} the detectors have no majority."
    ).replace("%", " %")
