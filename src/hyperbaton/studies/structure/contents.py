"""The report of the structure study: claims, single sentences, and what they say of encoders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from hyperbaton.base.wording import show
from hyperbaton.pipeline import IDENTITY, Pair, Run
from hyperbaton.report.contents import Contents, Explorer, Finding, Headline
from hyperbaton.studies.glossary import glossary
from hyperbaton.studies.layer.aggregate import Floats
from hyperbaton.studies.layer.claims import CORRECTED, asked, decided, fewest_for
from hyperbaton.studies.layer.contents import signed
from hyperbaton.studies.structure.claims import TESTS, languages
from hyperbaton.studies.structure.figures import figures
from hyperbaton.studies.structure.protocol import protocol_notes
from hyperbaton.studies.structure.series import (
    Series,
    contests,
    explained,
    grouped,
    mean,
    read_series,
    short,
)
from hyperbaton.studies.structure.tables import study_of, tables, task_of
from hyperbaton.studies.structure.varying import MEASURES

_MEANT = {
    "chrF-2": "which characters are neighbours",
    "Comp": "whether frequent pieces of words are whole",
    "IDC": "where characters stand",
}
_MOST = 5_000
"""Sentences in the page at most."""


def contents(title: str, runs: Sequence[Run]) -> Contents:
    """Findings, tables, figures and single sentences."""
    series = read_series(runs, task_of)
    found = Contents(
        title=title,
        summary="The paper's claims, tested on these languages.",
        headlines=headlines(series),
        findings=findings(series),
        contests=contests(series),
        tables=tables(series),
        figures=figures(series),
        explorer=cell_explorer(runs),
        notes=notes(series),
        glossary=glossary("structure"),
    )
    bootstrap = series[0].samples.bootstrap
    found = signed(found, runs, bootstrap, protocol_notes(map(study_of, runs)))
    # A hundred languages are a hundred inputs, which stand among the signatures.
    return replace(found, facts={k: said for k, said in found.facts.items() if "input " not in k})


def headlines(series: Sequence[Series]) -> list[Headline]:
    """What each encoder loses, and what explains it."""
    found = grouped(series, lambda one: one.system)
    return [
        Headline(system, f"{_lost(system, mine)} {_said(system, mine)}".strip())
        for system, mine in found.items()
    ]


def _lost(system: str, mine: Sequence[Series]) -> str:
    """How much of its score an encoder loses, as a mean over perturbations and languages."""
    loss = mean(mine, _loss)
    if not np.isfinite(loss.value):
        return ""
    value, low, high = (show(100 * number, 0) for number in loss.span)
    span = f" [{low}, {high}]" if np.isfinite(loss.low) else ""
    scores = ", ".join(sorted({one.score for one in mine}))
    return f"{system} loses {value}{span} points of {scores} (of 100) when characters are moved."


def _said(system: str, mine: Sequence[Series]) -> str:
    found = {name: explained(mine, name).value for name in _MEANT}
    numbers = ", ".join(f"{name} {show(value, 2)}" for name, value in found.items())
    told = f"(Spearman's ρ over {_languages(mine)}: {numbers})."
    if why := _nothing_to_explain(mine):
        return f"What explains the losses of {system} cannot be said: {why} {told}"
    if languages(mine) < fewest_for(1):
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


def _languages(series: Sequence[Series]) -> str:
    count = languages(series)
    tasks = len({one.task for one in series})
    return f"{count} language{'s' * (count != 1)}" + f" of {tasks} tasks" * (tasks > 1)


def findings(series: Sequence[Series]) -> list[Finding]:
    """Every claim that the encoders and languages can decide."""
    encoders = grouped(series, lambda one: one.system)
    nothing = {system: _nothing_to_explain(mine) for system, mine in encoders.items()}
    tested = [one for one in series if not nothing[one.system]] or series
    systems = grouped(tested, lambda one: one.system)
    return decided(asked("structure", TESTS, tested, systems), (), _untested(nothing), "language")


def _untested(nothing: Mapping[str, str]) -> str:
    """Why no claim can be tested; empty where an encoder has losses to explain."""
    if not all(nothing.values()):
        return ""
    return "Not tested: " + "; ".join(f"{system}, {why}" for system, why in nothing.items()) + "."


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


def cell_explorer(runs: Sequence[Run]) -> Explorer | None:
    """The first examples of every system and language, as far as the page holds them."""
    cells = (
        (run, name, pair) for run in runs for name in run.systems for pair in run.pairs_of(name)
    )
    rows = [row for cell in cells for row in _sentences(*cell)]
    shown = rows[:: max(1, -(-len(rows) // _MOST))]
    if not shown:
        return None
    return Explorer(
        rows=pl.DataFrame(shown, infer_schema_length=None),
        texts={"source": "text", "varied": "perturbed text", "output": "answer"},
        scores={"score": "score", **{name: name for name in MEASURES}},
        filters={"pair": "languages", "variant": "perturbation", "system": "encoder"},
        languages={"source": "language", "varied": "language", "output": "known"},
        note=f"{len(shown):,} samples: the first examples of each language, with the first seed.",
    )


def _sentences(run: Run, system: str, pair: Pair) -> Iterator[dict[str, object]]:
    """The texts that the first part of a system and a language keeps."""
    rows = next(run.grid(pair, system)).to_dicts()
    clean: list[str] = next((row["shown"] for row in rows if row["variant"] == IDENTITY), [])
    for row in rows:
        if row["variant"] == IDENTITY:
            continue
        texts = zip(clean, row["shown"], row["answers"], row["scores"], strict=False)
        for source, varied, output, score in texts:
            yield {
                "pair": str(pair),
                "language": pair.source,
                "known": pair.target,
                "variant": short(row["variant"]),
                "system": system,
                "source": source,
                "varied": varied,
                "output": output,
                "score": round(score, 4),
                **{name: round(row[name], 3) for name in MEASURES},
            }
