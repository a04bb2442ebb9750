"""The figures of the study as Vega-Lite."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
import polars as pl

from hyperbaton.randomness import Rng
from hyperbaton.report.contents import Figure
from hyperbaton.report.contours import MASSES, contours, density, levels
from hyperbaton.studies.isometry.judged import SIDES, Judged, short_names
from hyperbaton.studies.isometry.tables import agreement
from hyperbaton.studies.isometry.vote import OUTCOMES

__all__ = ["figures"]

POINTS = 1500
"""Points drawn of one panel; more only make a cloud darker."""


def figures(runs: Sequence[Judged]) -> list[Figure]:
    """F4 to F7."""
    return [_probabilities(runs), _agreement(runs), _similarities(runs), _by_label(runs)]


def _panel(run: Judged) -> str:
    return run.name


def _panels(runs: Sequence[Judged]) -> list[str]:
    """The panels in the order in which the systems were named."""
    return [_panel(run) for run in runs]


def _probabilities(runs: Sequence[Judged]) -> Figure:
    rows = []
    for run in runs:
        for number, detector in enumerate(short_names(run.detectors)):
            values = density(run.probabilities[:, number, 0], run.probabilities[:, number, 1])
            for mass, level in zip(MASSES, levels(values), strict=True):
                for x1, y1, x2, y2 in contours(values, level):
                    row = {"x": x1, "y": y1, "x2": x2, "y2": y2, "mass": f"{mass:.0%}"}
                    rows.append({**row, "detector": detector, "run": _panel(run)})
    scale = alt.Scale(domain=[0, 1])
    lines = (
        alt.Chart(pl.DataFrame(rows))
        .mark_rule(strokeWidth=1.5, strokeCap="round")
        .encode(
            x=alt.X("x:Q", title="P before translation", scale=scale),
            y=alt.Y("y:Q", title="P after translation", scale=scale),
            x2="x2:Q",
            y2="y2:Q",
            color=alt.Color(
                "mass:O",
                title="encloses",
                sort=[f"{m:.0%}" for m in reversed(MASSES)],
            ),
        )
        .properties(width=170, height=170)
    )
    chart = lines.facet(
        row=alt.Row("run:N", title=None, sort=_panels(runs)),
        column=alt.Column("detector:N", title=None, sort=list(short_names(runs[0].detectors))),
    )
    note = (
        "Each line is the edge of the smallest region that holds that share of the pairs "
        "(Gaussian kernel of .03, reflected at the edges). Above right: isometric; below right: "
        "broken apart; above left: made equal."
    )
    return Figure("F4", "Probability of paraphrase after translation against before", chart, note)


def _agreement(runs: Sequence[Judged]) -> Figure:
    table = agreement(runs)
    long = table.unpivot(
        on=[name for name in OUTCOMES if name in table.columns],
        index=["system", "data", "agreement"],
        variable_name="M",
        value_name="pairs",
    ).filter(pl.col("pairs") > 0)
    long = long.with_columns(
        (pl.col("system") + ", " + pl.col("data")).alias("run"),
        (pl.col("pairs") / pl.col("pairs").sum().over("system", "data")).alias("share"),
    )
    kinds = list(dict.fromkeys(table["agreement"].to_list()))
    ranks = pl.DataFrame({"agreement": kinds, "rank": range(len(kinds))})
    long = long.join(ranks, on="agreement", maintain_order="left")
    chart = (
        alt.Chart(long)
        .mark_bar()
        .encode(
            x=alt.X("M:N", sort=list(OUTCOMES), title=None, axis=alt.Axis(labelAngle=0)),
            y=alt.Y("share:Q", title="share of pairs", stack="zero"),
            color=alt.Color(
                "agreement:N", sort=kinds, title="agreement", legend=alt.Legend(labelLimit=400)
            ),
            order=alt.Order("rank:Q"),
            tooltip=[
                "run:N",
                "M:N",
                "agreement:N",
                "pairs:Q",
                alt.Tooltip("share:Q", format=".3f"),
            ],
        )
        .properties(width=190, height=200)
        .facet(facet=alt.Facet("run:N", title=None, sort=_panels(runs)), columns=3)
    )
    return Figure("F5", "How often each M comes, and which detectors agreed on it", chart)


def _similarities(runs: Sequence[Judged]) -> Figure:
    rows = []
    for run in runs:
        places = Rng(1, run.name, "figure").permutation(len(run))[:POINTS]
        for i in sorted(places):
            rows.append(
                {
                    "run": _panel(run),
                    "before": round(float(run.chrf[i, 0]), 4),
                    "after": round(float(run.chrf[i, 1]), 4),
                    "M": OUTCOMES[run.votes.outcomes[i]],
                }
            )
    scale = alt.Scale(domain=[0, 1])
    frame = pl.DataFrame(rows)
    points = (
        alt.Chart()
        .mark_circle(size=14, opacity=0.45)
        .encode(
            x=alt.X("before:Q", title="symmetric chrF2 of the sources", scale=scale),
            y=alt.Y("after:Q", title="symmetric chrF2 of the translations", scale=scale),
            color=alt.Color("M:N", sort=list(OUTCOMES)),
        )
    )
    # The diagonal carries datums, not rows, so that every panel of the facet has it.
    diagonal = (
        alt.Chart()
        .mark_rule(strokeDash=[4, 3])
        .encode(x=alt.datum(0), y=alt.datum(0), x2=alt.datum(1), y2=alt.datum(1))
    )
    chart = (
        alt.layer(diagonal, points, data=frame)
        .properties(width=230, height=230)
        .facet(facet=alt.Facet("run:N", title=None, sort=_panels(runs)), columns=3)
    )
    most = max(len(run) for run in runs)
    note = "Above the diagonal, translation made the surface more alike."
    if most > POINTS:
        note += f" {POINTS:,} pairs of each run are drawn, chosen at random."
    return Figure("F6", "Surface similarity after translation against before", chart, note)


def _by_label(runs: Sequence[Judged]) -> Figure:
    rows = []
    for run in runs:
        labels, values = run.votes.labels(), run.chrf[run.votes.decided]
        for number, side in enumerate(SIDES):
            for label in (0, 1):
                chosen = values[labels[:, number] == label, number]
                if len(chosen):
                    low, q1, q2, q3, high = np.quantile(chosen, [0.05, 0.25, 0.5, 0.75, 0.95])
                    row = {"run": _panel(run), "side": side, "S": str(label), "n": len(chosen)}
                    rows.append({**row, "low": low, "q1": q1, "median": q2, "q3": q3, "high": high})
    base = alt.Chart(pl.DataFrame(rows)).encode(
        x=alt.X("side:N", title=None, sort=list(SIDES), axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("S:N"),
        tooltip=["run:N", "side:N", "S:N", "n:Q", alt.Tooltip("median:Q", format=".3f")],
    )
    scale = alt.Scale(domain=[0, 1])
    axis = alt.Y("low:Q", title="symmetric chrF2", scale=scale)
    chart = (
        alt.layer(
            base.mark_rule().encode(y=axis, y2="high:Q"),
            base.mark_bar(size=18).encode(
                y=alt.Y("q1:Q", scale=scale), y2="q3:Q", color=alt.Color("S:N", title="S")
            ),
            base.mark_tick(thickness=2, size=18, color="white").encode(
                y=alt.Y("median:Q", scale=scale)
            ),
        )
        .properties(width=170, height=200)
        .facet(facet=alt.Facet("run:N", title=None, sort=_panels(runs)), columns=4)
    )
    note = "Box: the middle half; line: 5 to 95 %. S is the majority's label, ∅ left out."
    return Figure("F7", "Surface similarity of pairs that count as paraphrases or not", chart, note)
