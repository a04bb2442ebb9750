"""The claims of the wordorder paper put to a run, beside what chance gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from hyperbaton.base.wording import counted
from hyperbaton.perturb import Perturbation
from hyperbaton.pipeline import IDENTITY
from hyperbaton.pipeline.stages.scoring import Texts, scores_of
from hyperbaton.report.contents import Finding
from hyperbaton.studies.layer.answers import needs_no_model, neighbours, untested
from hyperbaton.studies.layer.claims import asked, decided
from hyperbaton.studies.layer.means import Means
from hyperbaton.studies.layer.samples import samples_of
from hyperbaton.studies.layer.sources import Source, with_claimed
from hyperbaton.studies.layer.summary import Summary
from hyperbaton.studies.wordorder.claims import BY_CHANCE, TESTS
from hyperbaton.studies.wordorder.measures import CLEAN_MOVED, MEASURES
from hyperbaton.studies.wordorder.profiles import Profiled, profile_of
from hyperbaton.studies.wordorder.relations import Asked

_SCORES = ("beta", "beta1", "beta2", "alpha")


def findings(numbers: Profiled, perturbations: Sequence[Perturbation]) -> list[Finding]:
    """Every claim of the register, as far as the run can decide it."""
    summary = numbers.summary
    if not summary.claimed:
        return []

    def put(numbers: Profiled, ids: Sequence[str]) -> list[Finding]:
        whole = Asked(numbers, summary.claimed, perturbations)
        single = {system: whole._replace(systems=(system,)) for system in summary.claimed}
        return asked("wordorder", {name: TESTS[name] for name in ids}, whole, single)

    by_chance = exchanged(numbers, _SCORES)
    chance = [] if by_chance is None else put(by_chance, BY_CHANCE)
    why = untested(summary.claimed, summary.unrelated)
    return decided(put(numbers, tuple(TESTS)), chance, why)


def sentence(summary: Summary) -> str:
    """What the study was made on, and why no claim is tested, where none is."""
    pairs = counted(len(summary.pairs), "language pair")
    none = ": no claim is tested"
    if not summary.claimed:
        none += "."
    elif untested(summary.claimed, summary.unrelated):
        none += ", since there is no translation to judge."
    else:
        none = "."
    return with_claimed(
        f"{', '.join(summary.claimed or summary.systems)} on "
        f"{counted(sum(summary.items.values()), 'item')} in {pairs} × "
        f"{counted(len(summary.variants), 'perturbation')}{none}",
        (source.name for source in summary.tested),
    )


MOST = 200
"""Items of a system and pair that are scored anew; of more, an even choice."""


def exchanged(numbers: Profiled, scores: Sequence[str]) -> Profiled | None:
    """The same numbers of exchanged answers; None where scoring them anew would need a model."""
    summary = numbers.summary
    if not needs_no_model(summary.leading):
        return None
    measures = {name: MEASURES[name] for name in (*scores, "difference", CLEAN_MOVED)}
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
    return given.hstack(scores_of(metric, source.pair, Texts(given), anew))
