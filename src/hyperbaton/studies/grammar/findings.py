"""Headlines, notes and the paper's claims, each tested on all systems and corpora together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from hyperbaton.base.content import fingerprint
from hyperbaton.base.wording import counted, decimal
from hyperbaton.metrics.tokens import settle, split
from hyperbaton.report.contents import Finding, Headline
from hyperbaton.studies.grammar.corpora import SHIPPED
from hyperbaton.studies.grammar.damage import divergence, linked_by
from hyperbaton.studies.grammar.edits import types_note
from hyperbaton.studies.grammar.samples import Pool, each, gaps, over, ratio, ratios
from hyperbaton.studies.grammar.tables import rated, single
from hyperbaton.studies.layer.aggregate import Aggregate, Floats, gap
from hyperbaton.studies.layer.answers import needs_no_model, neighbours, untested
from hyperbaton.studies.layer.claims import CHANCE, CORRECTED, decided, finding
from hyperbaton.studies.layer.contents import repeats

__all__ = ["exchanged_pool", "findings", "headline", "notes", "output_words"]


RECOVERABLE = ("VERB:INFL", "VERB:SVA", "ORTH", "VERB:FORM", "WO")
LEXICAL = ("CONJ", "OTHER", "NOUN", "ADV", "VERB")
"""The types with the highest and the lowest RB in the paper's Table 2."""


def headline(pool: Pool, metric: str) -> Headline:
    """What the reader wants to know first of a system and corpus."""
    if pool.silent:
        return Headline(
            str(pool), f"{pool}: there is no translation to judge, since {pool.silent}."
        )
    robust, noise = pool.share("same"), ratio(pool, metric)
    verb = "magnifies" if noise.low > 1 else "dampens" if noise.high < 1 else "passes on"
    said = (
        f"{pool} translates {decimal(robust.value, '.0%')} of {counted(len(pool), 'sentence')} "
        f"with errors as if they had none, and {verb} the noise of the errors "
        f"(noise ratio {decimal(noise.value, '.2f')}).{_ease(pool)}"
    ).replace("%", " %")
    changed = (1 - robust.value, 1 - robust.high, 1 - robust.low)
    shares = {"same translation": robust.span, "another translation": changed}
    numbers = {score.label: score.of(pool).span for score in rated(metric)}
    return Headline(str(pool), said, shares, numbers)


def _ease(pool: Pool) -> str:
    """That the sentences of the demo are easy, with the figures of docs/replication-grammar.md."""
    corpus = pool.source.run.record.corpora.get(str(pool.source.pair), "")
    if fingerprint([SHIPPED]) not in corpus:
        return ""
    return (
        " These are short sentences written for the demo, with an error each; text of real "
        "learners is harder (JFLEG: 3 to 4%, noise ratio 1.3 to 1.6)."
    )


def notes(found: Sequence[Pool], metric: str, align: str, errors: str) -> list[str]:
    """What was left out and why, how words were linked, and the systems' own noise."""
    corpora = [f"{p}: {c}" for pool in found for p, c in pool.source.run.record.corpora.items()]
    undefined = {
        (pool.source.run.folder, pool.source.pair, item)
        for pool in found
        for item in pool.rows["item"].filter(np.isnan(ratios(pool, metric)))
    }
    said = [
        f"Words of source and translation are linked by {linked_by(found) or align}.",
        f"The errors were made on purpose: {errors}." if errors else "",
        f"Without a noise ratio of its own: {counted(len(undefined), 'pair')} of sentences, since "
        f"{metric} sees no difference between their sources."
        if undefined
        else "",
        CORRECTED,
        CHANCE,
    ]
    again = repeats([pool.source for pool in found])
    kinds = dict.fromkeys(types_note(pool.source.run, pool.source.pair) for pool in found)
    return [*dict.fromkeys(corpora), *gaps(found), *filter(None, (*said, *kinds)), *again]


def findings(found: Sequence[Pool], metric: str) -> list[Finding]:
    """Every claim that the errors of the corpus can decide."""
    related = [pool for pool in found if not pool.unrelated] or found
    claims = (_numbers, _noise, _halves, _types, _places)
    made = [one for claim in claims for one in claim(related, metric)]
    by_chance = related if needs_no_model(metric) else ()
    exchanged = [exchanged_pool(pool, metric, "translations") for pool in by_chance]
    # Answers at random magnify most of all: NR is no more than they give, whatever it is.
    chance = [one for claim in claims if claim is not _noise for one in claim(exchanged, metric)]
    known = [one for one in made if np.isfinite(one.value)]
    reasons = {str(pool): pool.unrelated for pool in related if pool.unrelated}
    return decided(known, chance, untested(map(str, related), reasons))


def _numbers(found: Sequence[Pool], metric: str) -> Iterator[Finding]:
    def robust(errors: int) -> Callable[[Pool], Aggregate]:
        return lambda pool: pool.where(pl.col("errors") == errors).share("same")

    yield finding(
        "A second error leaves less than half as many sentences unharmed: RB(2) < RB(1) / 2",
        "RB(1) − 2 RB(2), the shares of unchanged translations with one and two errors",
        over(found, lambda pool: gap(robust(1)(pool), robust(2)(pool), 2)),
        f"RB with one error: {each(found, robust(1))}; with two: {each(found, robust(2))}. "
        "The paper: 32, 13, 6 %.",
    )

    def kept(chosen: pl.Expr) -> Callable[[Pool], Aggregate]:
        return lambda pool: pool.where(chosen).score(metric, "translations")

    one, more = kept(pl.col("errors") == 1), kept(pl.col("errors") > 2)
    yield finding(
        f"The more errors, the farther the translation: f-{metric} falls",
        f"f-{metric} with one error minus that with three or more",
        over(found, lambda pool: gap(one(pool), more(pool))),
        f"One error: {each(found, one)}; three or more: {each(found, more)}. The paper: 59 % "
        "at one error, 28 % beyond nine.",
    )


def _noise(found: Sequence[Pool], metric: str) -> Iterator[Finding]:
    yield finding(
        "Translators magnify the noise of errors: NR > 1",
        "NR, the noise ratio",
        over(found, lambda pool: ratio(pool, metric)),
        f"{each(found, lambda pool: ratio(pool, metric), '.2f')}. The paper: 2.12 to 3.23.",
        threshold=1.0,
    )


def _halves(found: Sequence[Pool], metric: str) -> Iterator[Finding]:
    def apart(pool: Pool) -> Aggregate:
        kept, values = pool.sentences(metric, "sources"), ratios(pool, metric)
        known = np.isfinite(values)
        halves = [known & (kept > np.median(kept)), known & (kept <= np.median(kept))]
        columns = [c for half in halves for c in (np.where(half, values, 0), half)]

        def of(sums: Floats) -> Floats:
            return np.asarray(sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3])

        return pool.of(np.column_stack(columns).astype(np.float64), of)

    yield finding(
        "Noise is magnified more where there is little of it",
        "NR of the less noisy half of the sentences minus NR of the noisier half",
        over(found, apart),
        "Mean NR of single sentences; halves by how much of the source the errors leave.",
    )


def _types(found: Sequence[Pool], metric: str) -> Iterator[Finding]:
    def robust(kinds: Sequence[str]) -> Callable[[Pool], Aggregate]:
        kind = pl.col("variant").str.replace(r"^[MRU]:", "")
        return lambda pool: single(pool).where(kind.is_in(kinds)).share("same")

    form, choice = robust(RECOVERABLE), robust(LEXICAL)
    usable = [pool for pool in found if min(form(pool).n, choice(pool).n) > 1]
    yield finding(
        "Errors of form and order are repaired more often than errors of word choice",
        "RB of the former minus RB of the latter",
        over(usable, lambda pool: gap(form(pool), choice(pool))),
        f"Form and order ({', '.join(RECOVERABLE)}): {each(usable, form)}; word choice "
        f"({', '.join(LEXICAL)}): {each(usable, choice)}. The paper: 17 to 22 % against 3 to 7 %.",
    )


def _places(found: Sequence[Pool], metric: str) -> Iterator[Finding]:
    place = pl.col("place") / pl.col("length")
    for claim, chosen, sign, side, paper in (
        ("An early error does its damage to its right", place < 0.25, 1, "first", "3.8"),
        ("A late error does its damage to its left", place >= 0.75, -1, "last", "2.9"),
    ):

        def part(pool: Pool, chosen: pl.Expr = chosen) -> Pool:
            known = pl.col("figure").is_not_null() if "figure" in pool.rows.columns else False
            return single(pool).where(chosen & known)

        def far(pool: Pool, sign: int = sign) -> Aggregate:
            places = part(pool).rows["figure"].list
            rows = np.column_stack([places.sum(), places.len()]).astype(np.float64)
            return part(pool).of(rows, lambda sums: sign * sums[:, 0] / sums[:, 1])

        def lean(pool: Pool, sign: int = sign) -> Aggregate:
            return part(pool).of(
                _both_sides(part(pool)), lambda sums: sign * sums[:, 0] / sums[:, 1]
            )

        usable = [pool for pool in found if len(part(pool))]
        to = "right" if sign > 0 else "left"
        yield finding(
            claim,
            f"damaged words to the {to} of the error minus those to the other side, over both",
            over(usable, lean),
            f"Sentences with one error, in their {side} quarter; words count as far as the "
            f"sentence reaches to both sides. Mean words from the error to its damage, to the "
            f"{to}: {each(usable, far, '.1f')}. The paper: {paper}, which is mostly that there "
            "are more words on that side.",
        )


def _both_sides(pool: Pool) -> Floats:
    """Damaged words to the right minus to the left, and their number, of each sentence.

    Those without a counterpart as far on the other side are left out: near the beginning of a
    sentence nearly everything lies to the right.
    """
    found = np.zeros((len(pool), 2))
    lengths = map(len, output_words(pool))
    pivots, places = (pool.rows[name].to_list() for name in ("pivot", "figure"))
    for row, length, pivot, damage in zip(found, lengths, pivots, places, strict=True):
        reach = min(pivot, length - 1 - pivot)
        near = np.array([place for place in damage if 0 < abs(place) <= reach])
        row[:] = np.sign(near).sum(), len(near)
    return found


MOST = 5000
"""Sentences that are scored anew; of more, an even choice."""


def exchanged_pool(pool: Pool, metric: str, comparison: str) -> Pool:
    """The same sentences, so that claims can be asked of answers that have nothing to do with them.

    What was varied in a sentence stays, and so does the word of the translation that stands for it.
    """
    step = max(1, -(-len(pool) // MOST))
    pool = pool.where(pl.col("sentence") % step == 0)
    rows = pool.rows
    first = rows.unique("sentence", keep="first", maintain_order=True)
    texts = first["varied_output"]
    others = dict(zip(first["sentence"], texts.gather(neighbours(texts.to_list())), strict=True))
    given = rows["sentence"].replace_strict(others, return_dtype=pl.String)
    moved = rows.with_columns(given.alias("varied_output"))
    key = (metric, comparison)
    scored = pool.scorers[key].statistics(
        moved["varied_output"].to_list(), rows["output"].to_list()
    )
    changed: dict[str, pl.Series | pl.Expr] = {"same": pl.col("output") == pl.col("varied_output")}
    if "figure" in rows.columns:
        changed["figure"] = _figure(pool, moved)
    return replace(
        pool,
        rows=moved.with_columns(**changed),
        statistics={**pool.statistics, key: np.asarray(scored, dtype=np.float64)},
    )


def output_words(pool: Pool, column: str = "output") -> list[list[str]]:
    """The words of each translation as damage is counted in them."""
    texts = pool.rows[column].to_list()
    return split(texts, settle("auto", pool.source.pair.target))


def _figure(pool: Pool, moved: pl.DataFrame) -> pl.Series:
    both = (output_words(replace(pool, rows=moved), name) for name in ("output", "varied_output"))
    found = [
        None if at is None else divergence(words, others, at)
        for words, others, at in zip(*both, pool.rows["pivot"].to_list(), strict=True)
    ]
    return pl.Series("figure", found, dtype=pool.rows["figure"].dtype)
