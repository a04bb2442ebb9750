"""The report: headlines, notes, and the paper's claims over all systems and corpora together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from hyperbaton.base.content import fingerprint
from hyperbaton.base.wording import bounds, counted, percent_text, show
from hyperbaton.pipeline import Run
from hyperbaton.report.contents import Contents, Finding, Headline
from hyperbaton.studies.glossary import glossary
from hyperbaton.studies.grammar.claims import BY_CHANCE, TESTS
from hyperbaton.studies.grammar.corpora import SHIPPED
from hyperbaton.studies.grammar.damage import divergence, linked_by, target_words
from hyperbaton.studies.grammar.edits import types_note
from hyperbaton.studies.grammar.figures import figures, sentences
from hyperbaton.studies.grammar.places import Asked
from hyperbaton.studies.grammar.samples import LearnerSamples, learner_samples
from hyperbaton.studies.grammar.study import Grammar
from hyperbaton.studies.grammar.tables import rated, tables
from hyperbaton.studies.layer.answers import left_out, needs_no_model, neighbours, untested
from hyperbaton.studies.layer.claims import CHANCE, CORRECTED, asked, decided
from hyperbaton.studies.layer.contents import signed
from hyperbaton.studies.layer.own_noise import repeats
from hyperbaton.studies.layer.ranking import rank_samples
from hyperbaton.studies.layer.sources import systems_of_claims, with_claimed

Systems = Sequence[LearnerSamples]
_EASY = (  # with the figures of docs/replication-grammar.md
    "The shipped sentences were written for the demo: they are short, and most have one error. "
    "Text of real learners is harder: in JFLEG 3 to 4 % keep their translation, and the noise "
    "ratio is 1.3 to 1.6."
)
_MOST = 5000
"""Sentences that are scored anew for what chance gives; of more, an even choice."""


def brief(systems: Systems, metric: str, title: str) -> Contents:
    """Findings, the answer for each system, and the rankings."""
    tested = "The paper's findings, tested on these sentences."
    return Contents(
        title=title,
        summary=with_claimed(tested, (samples.source.name for samples in systems)),
        findings=findings(systems, metric),
        headlines=[headline(samples, metric) for samples in systems],
        contests=rank_samples([s for s in systems if not s.silent], rated(metric)),
        opening=_EASY if any(map(_is_shipped, systems)) else "",
        cautions=left_out({str(s): s.silent for s in systems if s.silent}),
    )


def report(runs: Sequence[Run], study: Grammar) -> Contents:
    """The whole report on runs of the study."""
    systems, metric = learner_samples(runs)
    sources = [samples.source for samples in systems]
    contents = replace(
        brief(systems, metric, study.title),
        tables=tables(systems, metric),
        figures=figures(systems, metric),
        explorer=sentences(sources, metric),
        notes=[*_notes(systems, metric, study), *repeats(sources)],
        glossary=glossary("grammar"),
    )
    return signed(contents, runs, systems[0].bootstrap)


def _is_shipped(samples: LearnerSamples) -> bool:
    corpus = samples.source.run.record.corpora.get(str(samples.source.pair), "")
    return fingerprint([SHIPPED]) in corpus


def headline(samples: LearnerSamples, metric: str) -> Headline:
    """What the reader wants to know first of a system and corpus."""
    name = str(samples)
    if samples.silent:
        return Headline(name, f"{name}: there is no translation to judge, since {samples.silent}.")
    robust, noise = samples.share("same"), samples.noise_ratio(metric)
    verb = "magnifies" if noise.low > 1 else "dampens" if noise.high < 1 else "passes on"
    sentence = (
        f"{name} translates {percent_text(*robust.span)} of {counted(len(samples), 'sentence')} "
        f"with errors as if they had none, and {verb} the noise of the errors "
        f"(noise ratio {show(noise.value, 2)} {bounds(noise.low, noise.high, 2)})."
    )
    changed = (1 - robust.value, 1 - robust.high, 1 - robust.low)
    shares = {"same translation": robust.span, "another translation": changed}
    numbers = {measure.label: measure.of(samples).span for measure in rated(metric)}
    return Headline(name, sentence, shares, numbers)


def _notes(systems: Systems, metric: str, study: Grammar) -> Iterator[str]:
    """What was left out and why, and how errors were made and words linked."""
    sources = [samples.source for samples in systems]
    corpora = [f"{p}: {c}" for source in sources for p, c in source.run.record.corpora.items()]
    yield from dict.fromkeys(corpora)
    for samples in systems:
        if samples.failed:
            failed = counted(samples.failed, "sentence was", "sentences were")
            yield f"{samples}: {failed} not translated and left out of all numbers."
    yield f"Words of source and translation are linked by {linked_by(systems) or study.align}."
    if study.errors:
        yield f"The errors were made on purpose: {study.errors}."
    undefined = {
        (samples.source.run.folder, samples.source.pair, item)
        for samples in systems
        for item in samples.frame["item"].filter(np.isnan(samples.noise_ratios(metric)))
    }
    if undefined:
        yield (
            f"Without a noise ratio of its own: {counted(len(undefined), 'pair')} of sentences, "
            f"since {metric} sees no difference between their sources."
        )
    yield from (CORRECTED, CHANCE)
    yield from filter(None, dict.fromkeys(types_note(s.run, s.pair) for s in sources))


def findings(systems: Systems, metric: str) -> list[Finding]:
    """Every claim of the register, on systems that claims are about."""
    claimed = systems_of_claims(samples.source.name for samples in systems)
    some = [samples for samples in systems if samples.source.name in claimed]
    related = [samples for samples in some if not samples.unrelated] or some

    def put(systems: Systems, ids: Sequence[str]) -> list[Finding]:
        single: dict[str, Asked] = {}
        for samples in systems:
            mine = single.get(samples.source.system, Asked((), metric)).systems
            single[samples.source.system] = Asked((*mine, samples), metric)
        tests = {name: TESTS[name] for name in ids}
        return asked("grammar", tests, Asked(systems, metric), single)

    by_chance = [_exchanged(samples, metric) for samples in related if needs_no_model(metric)]
    chance = put(by_chance, BY_CHANCE) if by_chance else []
    reasons = {str(samples): samples.unrelated for samples in related if samples.unrelated}
    return decided(put(related, tuple(TESTS)), chance, untested(map(str, related), reasons))


def _exchanged(samples: LearnerSamples, metric: str) -> LearnerSamples:
    """What chance gives: each sentence keeps its clean translation and gets another's varied one.

    What was varied in a sentence stays, and so does the word of the translation that stands for it.
    """
    step = max(1, -(-len(samples) // _MOST))
    samples = samples.where(pl.col("sentence") % step == 0)
    frame, key = samples.frame, (metric, "translations")
    first = frame.unique("sentence", keep="first", maintain_order=True)
    texts = first["varied_output"]
    others = dict(zip(first["sentence"], texts.gather(neighbours(texts.to_list())), strict=True))
    given = frame["sentence"].replace_strict(others, return_dtype=pl.String)
    frame = frame.with_columns(given.alias("varied_output")).with_columns(
        same=pl.col("output") == pl.col("varied_output")
    )
    scored = samples.scorers[key].statistics(given.to_list(), frame["output"].to_list())
    statistics = {**samples.statistics, key: np.asarray(scored, dtype=np.float64)}
    moved = replace(samples, frame=frame, statistics=statistics)
    if "figure" not in frame.columns:
        return moved
    both = (target_words(moved, name) for name in ("output", "varied_output"))
    figure = [
        None if pivot is None else divergence(words, others, pivot)
        for words, others, pivot in zip(*both, frame["pivot"].to_list(), strict=True)
    ]
    damage = pl.Series("figure", figure, dtype=frame["figure"].dtype)
    return replace(moved, frame=frame.with_columns(damage))
