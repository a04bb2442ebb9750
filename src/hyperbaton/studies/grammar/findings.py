"""The report: headlines, notes, and the paper's claims over all systems and corpora together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from hyperbaton.base.content import fingerprint
from hyperbaton.base.wording import counted, decimal
from hyperbaton.pipeline import Run
from hyperbaton.report.contents import Contents, Finding, Headline
from hyperbaton.studies.grammar.corpora import SHIPPED
from hyperbaton.studies.grammar.damage import divergence, linked_by, target_words
from hyperbaton.studies.grammar.edits import types_note
from hyperbaton.studies.grammar.figures import figures, sentences
from hyperbaton.studies.grammar.samples import LearnerSamples, learner_samples
from hyperbaton.studies.grammar.study import GLOSSARY, Grammar
from hyperbaton.studies.grammar.tables import rated, tables
from hyperbaton.studies.layer.aggregate import Aggregate, Floats, average, gap
from hyperbaton.studies.layer.answers import left_out, needs_no_model, neighbours, untested
from hyperbaton.studies.layer.claims import CHANCE, CORRECTED, decided, finding
from hyperbaton.studies.layer.contents import repeats, signed
from hyperbaton.studies.layer.ranking import rank_samples
from hyperbaton.studies.layer.sources import systems_of_claims, with_claimed

Systems = Sequence[LearnerSamples]
Number = Callable[[LearnerSamples], Aggregate]
RECOVERABLE = ("VERB:INFL", "VERB:SVA", "ORTH", "VERB:FORM", "WO")
LEXICAL = ("CONJ", "OTHER", "NOUN", "ADV", "VERB")
"""The types with the highest and the lowest RB in the paper's Table 2."""
_MOST = 5000
"""Sentences that are scored anew for what chance gives; of more, an even choice."""


def brief(systems: Systems, metric: str, title: str) -> Contents:
    """Findings, the answer for each system, and the rankings."""
    tested = "The paper's findings, tested on these sentences."
    return Contents(
        title=title,
        summary=with_claimed(tested, (samples.source.name for samples in systems)),
        findings=findings(systems, metric),
        tables=[],
        figures=[],
        explorer=None,
        signatures=[],
        command="",
        headlines=[headline(samples, metric) for samples in systems],
        contests=rank_samples([s for s in systems if not s.silent], rated(metric)),
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
        glossary=GLOSSARY,
    )
    return signed(contents, runs, systems[0].bootstrap)


def headline(samples: LearnerSamples, metric: str) -> Headline:
    """What the reader wants to know first of a system and corpus."""
    name = str(samples)
    if samples.silent:
        return Headline(name, f"{name}: there is no translation to judge, since {samples.silent}.")
    robust, noise = samples.share("same"), samples.noise_ratio(metric)
    verb = "magnifies" if noise.low > 1 else "dampens" if noise.high < 1 else "passes on"
    sentence = (
        f"{name} translates {decimal(robust.value, '.0%')} of {counted(len(samples), 'sentence')} "
        f"with errors as if they had none, and {verb} the noise of the errors "
        f"(noise ratio {decimal(noise.value, '.2f')})."
    )
    corpus = samples.source.run.record.corpora.get(str(samples.source.pair), "")
    if fingerprint([SHIPPED]) in corpus:  # with the figures of docs/replication-grammar.md
        sentence += (
            " These are short sentences written for the demo, with an error each; text of real "
            "learners is harder (JFLEG: 3 to 4%, noise ratio 1.3 to 1.6)."
        )
    changed = (1 - robust.value, 1 - robust.high, 1 - robust.low)
    shares = {"same translation": robust.span, "another translation": changed}
    numbers = {measure.label: measure.of(samples).span for measure in rated(metric)}
    return Headline(name, sentence.replace("%", " %"), shares, numbers)


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
    """Every claim that the errors of the corpus can decide, on systems that claims are about."""
    claimed = systems_of_claims(samples.source.name for samples in systems)
    asked = [samples for samples in systems if samples.source.name in claimed]
    related = [samples for samples in asked if not samples.unrelated] or asked
    claims = (_numbers, _noise, _halves, _types, _places)
    made = [one for claim in claims for one in claim(related, metric)]
    by_chance = related if needs_no_model(metric) else ()
    exchanged = [_exchanged(samples, metric) for samples in by_chance]
    # Answers at random magnify most of all: NR is no more than they give, whatever it is.
    chance = [one for claim in claims if claim is not _noise for one in claim(exchanged, metric)]
    known = [one for one in made if np.isfinite(one.value)]
    reasons = {str(samples): samples.unrelated for samples in related if samples.unrelated}
    return decided(known, chance, untested(map(str, related), reasons))


def _over(systems: Systems, of: Number) -> Aggregate:
    """The mean over systems and corpora, each with the same weight."""
    return average(map(of, systems))


def _each(systems: Systems, of: Number, form: str = ".0%") -> str:
    """A number of every system and corpus, in words."""
    numbers = (f"{samples} {decimal(of(samples).value, form)}" for samples in systems)
    return ", ".join(numbers).replace("%", " %")


def _numbers(systems: Systems, metric: str) -> Iterator[Finding]:
    def robust(errors: int) -> Number:
        return lambda samples: samples.where(pl.col("errors") == errors).share("same")

    yield finding(
        "A second error leaves less than half as many sentences unharmed: RB(2) < RB(1) / 2",
        "RB(1) − 2 RB(2), the shares of unchanged translations with one and two errors",
        _over(systems, lambda samples: gap(robust(1)(samples), robust(2)(samples), 2)),
        f"RB with one error: {_each(systems, robust(1))}; with two: {_each(systems, robust(2))}. "
        "The paper: 32, 13, 6 %.",
    )

    def kept(chosen: pl.Expr) -> Number:
        return lambda samples: samples.where(chosen).corpus_score(metric, "translations")

    one, more = kept(pl.col("errors") == 1), kept(pl.col("errors") > 2)
    yield finding(
        f"The more errors, the farther the translation: f-{metric} falls",
        f"f-{metric} with one error minus that with three or more",
        _over(systems, lambda samples: gap(one(samples), more(samples))),
        f"One error: {_each(systems, one)}; three or more: {_each(systems, more)}. The paper: "
        "59 % at one error, 28 % beyond nine.",
    )


def _noise(systems: Systems, metric: str) -> Iterator[Finding]:
    def ratio(samples: LearnerSamples) -> Aggregate:
        return samples.noise_ratio(metric)

    yield finding(
        "Translators magnify the noise of errors: NR > 1",
        "NR, the noise ratio",
        _over(systems, ratio),
        f"{_each(systems, ratio, '.2f')}. The paper: 2.12 to 3.23.",
        threshold=1.0,
    )


def _halves(systems: Systems, metric: str) -> Iterator[Finding]:
    def apart(samples: LearnerSamples) -> Aggregate:
        kept, ratios = samples.row_scores(metric, "sources"), samples.noise_ratios(metric)
        known = np.isfinite(ratios)
        halves = [known & (kept > np.median(kept)), known & (kept <= np.median(kept))]
        columns = [c for half in halves for c in (np.where(half, ratios, 0), half)]

        def of(sums: Floats) -> Floats:
            return np.asarray(sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3])

        return samples.of(np.column_stack(columns).astype(np.float64), of)

    yield finding(
        "Noise is magnified more where there is little of it",
        "NR of the less noisy half of the sentences minus NR of the noisier half",
        _over(systems, apart),
        "Mean NR of single sentences; halves by how much of the source the errors leave.",
    )


def _types(systems: Systems, metric: str) -> Iterator[Finding]:
    def robust(kinds: Sequence[str]) -> Number:
        kind = pl.col("variant").str.replace(r"^[MRU]:", "")
        return lambda samples: samples.single.where(kind.is_in(kinds)).share("same")

    form, choice = robust(RECOVERABLE), robust(LEXICAL)
    usable = [samples for samples in systems if min(form(samples).n, choice(samples).n) > 1]
    yield finding(
        "Errors of form and order are repaired more often than errors of word choice",
        "RB of the former minus RB of the latter",
        _over(usable, lambda samples: gap(form(samples), choice(samples))),
        f"Form and order ({', '.join(RECOVERABLE)}): {_each(usable, form)}; word choice "
        f"({', '.join(LEXICAL)}): {_each(usable, choice)}. The paper: 17 to 22 % against 3 to 7 %.",
    )


def _places(systems: Systems, metric: str) -> Iterator[Finding]:
    place = pl.col("place") / pl.col("length")
    linked = [samples for samples in systems if "figure" in samples.frame.columns]
    for claim, chosen, sign, side, paper in (
        ("An early error does its damage to its right", place < 0.25, 1, "first", "3.8"),
        ("A late error does its damage to its left", place >= 0.75, -1, "last", "2.9"),
    ):
        parts = [s.single.where(chosen & pl.col("figure").is_not_null()) for s in linked]
        usable = [part for part in parts if len(part)]

        def far(part: LearnerSamples, sign: int = sign) -> Aggregate:
            places = part.frame["figure"].list
            return part.ratio(sign * places.sum(), places.len())

        def lean(part: LearnerSamples, sign: int = sign) -> Aggregate:
            sides = _both_sides(part)
            return part.ratio(sign * sides[:, 0], sides[:, 1])

        to = "right" if sign > 0 else "left"
        yield finding(
            claim,
            f"damaged words to the {to} of the error minus those to the other side, over both",
            _over(usable, lean),
            f"Sentences with one error, in their {side} quarter; words count as far as the "
            f"sentence reaches to both sides. Mean words from the error to its damage, to the "
            f"{to}: {_each(usable, far, '.1f')}. The paper: {paper}, which is mostly that there "
            "are more words on that side.",
        )


def _both_sides(samples: LearnerSamples) -> Floats:
    """Damaged words to the right minus to the left, and their number, of each sentence.

    Those without a counterpart as far on the other side are left out: near the beginning of a
    sentence nearly everything lies to the right.
    """
    sides = np.zeros((len(samples), 2))
    lengths = map(len, target_words(samples, "output"))
    pivots, places = (samples.frame[name].to_list() for name in ("pivot", "figure"))
    for row, length, pivot, damage in zip(sides, lengths, pivots, places, strict=True):
        reach = min(pivot, length - 1 - pivot)
        near = np.array([place for place in damage if 0 < abs(place) <= reach])
        row[:] = np.sign(near).sum(), len(near)
    return sides


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
