"""What each system does with moved words, how systems rank, and how well they can be steered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from hyperbaton.base.wording import percent, percent_text
from hyperbaton.pipeline import IDENTITY
from hyperbaton.report.contents import Example, Explorer, Headline, Picture, Table
from hyperbaton.studies.layer.aggregate import NOTHING, Aggregate
from hyperbaton.studies.layer.experiment import ALL, Score
from hyperbaton.studies.layer.means import Means
from hyperbaton.studies.layer.ranking import Measure
from hyperbaton.studies.layer.sources import MODE
from hyperbaton.studies.layer.summary import Summary
from hyperbaton.studies.wordorder.measures import CLEAN_MOVED, CONTENT, KEPT
from hyperbaton.studies.wordorder.outcomes import PROJECTED, SHARES

_NUMBERS = {CLEAN_MOVED: "β moved", "beta1": "β1", "beta2": "β2", PROJECTED: "β2 projected"}
_LEFT = "quality kept"
_TITLES = ("content kept", "order restored")
_CORNERS = ("repaired", "carried over", "lost")
_CALLED = {"carried": "carried over"}
"""Outcomes whose names in tables are not what a reader calls them."""
_EXAMPLES = 5
_TELLING = {"carried": 0, "repaired": 1, "lost": 2, "mixed": 3, "untranslated": 4}
"""Which outcome shows most of what a study is about."""
RANKED = (
    Measure("β1", column="beta1", leads="is more robust than"),
    Measure(_LEFT, column=KEPT, leads="keeps more of its quality than", share=True),
    Measure("β", column="beta", leads="is better than", clean=True),
    Measure("share of repaired samples", column="repaired", leads="repairs more than", share=True),
)
"""What systems are ranked by; of quality alone more is better."""
STEERABILITY: Mapping[str, tuple[str, str, str]] = {
    "steerability": ("beta1", "robust", "faithful"),
    "steerability_projected": (PROJECTED, "faithful", "robust"),
}
"""Each number: the score, the mode in which it should be high, and the one it is taken from."""
_LABELS = {
    "steerability": "β1 robust − faithful",
    "steerability_projected": "β2 projected faithful − robust",
}


def examples(shown: Explorer) -> list[Example]:
    """A clear sample of each outcome, of a length that is quickly read, the most telling first."""
    read = ["words", "outcome", "variant", "system", PROJECTED]
    rows = (
        shown.rows.select(read)
        .with_row_index("place")
        .with_columns(
            size=pl.col("words").list.len(),
            rank=pl.col("outcome").replace_strict(_TELLING, default=None, return_dtype=pl.Int64),
        )
    )
    rows = rows.drop_nulls(["words", "rank"]).with_columns(short=pl.col("size").is_between(6, 10))
    by = ["short", "rank", PROJECTED, "place"]
    ordered = rows.sort(by, descending=[True, False, True, False], nulls_last=True)
    first = ordered.unique("outcome", keep="first", maintain_order=True).head(_EXAMPLES)
    return [
        Example(
            row["place"],
            f"`{row['variant']}`, translated by {row['system']}. "
            f"The outcome: {_CALLED.get(row['outcome'], row['outcome'])}.",
        )
        for row in first.iter_rows(named=True)
    ]


def headlines(summary: Summary) -> list[Headline]:
    """What each system does, in a sentence and in numbers."""
    found = []
    for system in summary.named:
        where = {"system": system, "variant": summary.variants}
        shares = {name: summary.lead.mean(name, **where) for name in SHARES}
        left = summary.lead.mean(KEPT, **where) if summary.lead.has(KEPT) else NOTHING
        clean = summary.lead.mean("beta", system=system, variant=IDENTITY)
        numbers = {"β": clean} | {
            label: summary.lead.mean(score, **where) for score, label in _NUMBERS.items()
        }
        numbers |= {_LEFT: left} if np.isfinite(left.value) else {}
        found.append(
            Headline(
                system,
                summary.unsaid(system) or _sentence(system, left, shares),
                {_CALLED.get(name, name): share.span for name, share in shares.items()},
                {label: mean.span for label, mean in numbers.items()},
                percent=[_LEFT],
            )
        )
    return found


def picture(summary: Summary, system: str) -> Picture | None:
    """The system between content kept and order restored, with its perturbations around it."""

    def both(variants: Sequence[str]) -> list[Aggregate]:
        where = {"system": system, "variant": variants}
        return [summary.lead.mean(name, **where) for name in CONTENT]

    across, up = both(summary.variants)
    if not (np.isfinite(across.value) and np.isfinite(up.value)):
        return None
    points = {name: [mean.value for mean in both([name])] for name in summary.variants}
    return Picture(
        _TITLES,
        ((across.value, across.low, across.high), (up.value, up.low, up.high)),
        {name: (x, y) for name, (x, y) in points.items()},
        "variant",
        _CORNERS,
    )


def _sentence(system: str, left: Aggregate, shares: Mapping[str, Aggregate]) -> str:
    if not np.isfinite(shares["repaired"].value):
        return f"{system}: there is no sample to judge it by."
    said = {name: percent(share.value) for name, share in shares.items()}
    few = shares["untranslated"].value < 0.005
    more = "" if few else f", leaves {said['untranslated']} untranslated"
    return (
        f"{system} {_kept_said(left)}repairs {said['repaired']}, carries over {said['carried']}, "
        f"loses {said['lost']}{more} (mixed: {said['mixed']})."
    )


def _kept_said(left: Aggregate) -> str:
    """Nothing where there is no quality to keep a part of."""
    if not np.isfinite(left.value):
        return ""
    share = percent_text(*left.span)
    return f"keeps {share} of its quality when the words are out of order; it "


def _apart(means: Means, name: str, modes: Mapping[str, str], pairs: Sequence[str]) -> Aggregate:
    score, high, low = STEERABILITY[name]
    return means.difference(score, {"system": modes[high]}, {"system": modes[low]}, pair=pairs)


def steered(systems: Sequence[str]) -> dict[str, dict[str, str]]:
    """Systems that differ in their mode alone and have both robust and faithful: label by mode.

    >>> steered(["bundled", "steered", "steered(mode=robust)", "steered(mode=faithful)"])
    {'steered': {'plain': 'steered', 'robust': 'steered(mode=robust)', \
'faithful': 'steered(mode=faithful)'}}
    """
    found: dict[str, dict[str, str]] = {}
    for label in systems:
        mode = MODE.search(label)
        found.setdefault(_unsteered(label), {})[mode[1] if mode else "plain"] = label
    return {name: modes for name, modes in found.items() if {"robust", "faithful"} <= set(modes)}


def _unsteered(label: str) -> str:
    """The label without its mode.

    >>> _unsteered("ct2:a(beam=1, mode=robust, threads=2)"), _unsteered("hf:a(mode=faithful)")
    ('ct2:a(beam=1, threads=2)', 'hf:a')
    """
    left = MODE.sub("", label).replace("(, ", "(").replace(", , ", ", ").replace(", )", ")")
    return left.replace("()", "")


def steerability_tables(summary: Summary) -> list[Table]:
    """How well each system can be steered, per pair; nothing where none was asked in two modes."""
    rows: list[dict[str, object]] = []
    for system, modes in steered(summary.named).items():
        for pair, pairs in _pairs(summary).items():
            row: dict[str, object] = {"system": system, "pair": pair}
            for name, label in _LABELS.items():
                row |= _apart(summary.shared(), name, modes, pairs).spread(label)
            rows.append(row)
    if not rows:
        return []
    note = (
        f"{summary.leading}. The same system told to repair (robust) and to carry the order over "
        "(faithful): how much more its translations follow the clean reference when it is told to "
        "repair, and the projected one when it is told not to. 0: it does not listen. Paired over "
        "items; low and high: 95 % interval."
    )
    return [Table("steerability", "How well a system can be steered", pl.DataFrame(rows), note)]


def steerability_scores(summary: Summary) -> list[Score]:
    """The same as rows, by every metric that gives both scores."""
    needed = {score for score, _, _ in STEERABILITY.values()}
    return [
        Score.of((system, pair, ALL, metric, name), found, found.n)
        for metric in summary.metrics
        for means in [summary.shared(metric)]
        if needed <= set(means.scores)
        for system, modes in steered(summary.named).items()
        for pair, pairs in _pairs(summary).items()
        for name in STEERABILITY
        for found in [_apart(means, name, modes, pairs)]
    ]


def _pairs(summary: Summary) -> dict[str, Sequence[str]]:
    several = {ALL: summary.pairs} if len(summary.pairs) > 1 else {}
    return {**several, **{pair: [pair] for pair in summary.pairs}}
