"""What chance gives: the answers of a run, each given to another sentence of about its length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from hyperbaton.pipeline import IDENTITY
from hyperbaton.pipeline.stages.scoring import scores_of
from hyperbaton.studies.layer.means import Means
from hyperbaton.studies.layer.samples import samples_of
from hyperbaton.studies.layer.sources import Source
from hyperbaton.studies.profiles import Profiled, profile_of
from hyperbaton.studies.relation import needs_no_model, neighbours

__all__ = ["exchanged"]

MOST = 200
"""Items of a system and pair that are scored anew; of more, an even choice."""


def exchanged(numbers: Profiled, scores: Sequence[str]) -> Profiled | None:
    """The same numbers of exchanged answers; None where scoring them anew would need a model."""
    summary, plan = numbers.summary, numbers.plan
    if not needs_no_model(summary.leading):
        return None
    measures = {name: plan.measures[name] for name in (*scores, plan.spread)}
    means = Means(tuple(measures), bootstrap=summary.lead.bootstrap)
    found = Profiled(replace(summary, means={summary.leading: means}), plan)
    for source in summary.tested:
        if source.system in summary.claimed:
            rows = _exchanged_rows(source, summary.leading, scores)
            groups = [(IDENTITY,), *((variant,) for variant in summary.variants)]
            samples = samples_of([rows], rows["item"].n_unique(), measures, groups=groups)
            means.add(source, samples)
            found.profiles[source.system, str(source.pair)] = profile_of(source, samples, plan)
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
