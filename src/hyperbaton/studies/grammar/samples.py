"""The samples of the grammar study: a row for each sentence with errors, and its noise ratios."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial

import numpy as np
import polars as pl

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics import METRICS
from hyperbaton.metrics.tokens import Tokens, settle, split
from hyperbaton.pipeline import IDENTITY, Pair, Run
from hyperbaton.studies.layer.aggregate import NOTHING, Aggregate, Floats, of_sums
from hyperbaton.studies.layer.answers import read_answers, unrelated
from hyperbaton.studies.layer.samples import Key, Samples
from hyperbaton.studies.layer.sources import Source, sources
from hyperbaton.studies.layer.summary import leading

SIDES = {"translations": "target", "sources": "source"}
"""The comparisons that a noise ratio is made of, with the side of their texts."""
_TEXTS = ("source", "output", "varied_output")
_COLUMNS = ("item", "variant", "varied", *_TEXTS, "errors", "place", "clean_words")
_NO_NOISE = 1e-12


@dataclass(frozen=True, eq=False)
class LearnerSamples(Samples):
    """One row for each sentence with errors, of one system on one corpus.

    The clusters are the sentences as written: one that was corrected several times has several
    rows, which are drawn together.
    """

    source: Source = field(kw_only=True)
    failed: int = 0
    """Sentences that were not translated, as written or as corrected."""

    def __str__(self) -> str:
        return str(self.source)

    @property
    def label(self) -> dict[str, str]:
        """The columns of a table that say what a row is about."""
        run = self.source.run.folder.name
        return {"system": self.source.system, "pair": str(self.source.pair), "run": run}

    @property
    def metrics(self) -> list[str]:
        """The metrics that there are statistics of."""
        return list(dict.fromkeys(metric for metric, _ in self.statistics))

    @property
    def single(self) -> LearnerSamples:
        """The sentences with one error."""
        return self.where(pl.col("errors") == 1)

    @cached_property
    def unrelated(self) -> str:
        """Why nothing can be found out: the answers do not belong to their sentences."""
        return unrelated([read_answers(self.source)])

    @property
    def silent(self) -> str:
        """Why nothing is said of the system; a control is what it is meant to be."""
        return "" if self.control else self.unrelated

    def noise_ratio(self, metric: str, discount: bool = False) -> Aggregate:
        """NR of all rows together.

        The discount of the paper's footnote multiplies it by the words of the sources over those of
        the translations: a longer text has more to lose. Words are those that the metric counts.
        """
        tables = [self.statistics[metric, name] for name in SIDES]
        width = sum(table.shape[1] for table in tables)

        def of(sums: Floats) -> Floats:
            ratio = self.ratio_of_sums(metric, sums[:, :width])
            return ratio * sums[:, width] / sums[:, width + 1] if discount else ratio

        lengths = [self._lengths(metric, name) for name in reversed(SIDES)] if discount else []
        return self.of(np.column_stack([*tables, *lengths]), of)

    def ratio_of_sums(self, metric: str, sums: Floats) -> Floats:
        """NR of summed statistics: those of the translations, then those of the sources."""
        parts = np.split(sums, [self.statistics[metric, "translations"].shape[1]], axis=1)
        similar = (
            self.scorers[metric, name].from_statistics(part, "corpus")
            for name, part in zip(SIDES, parts, strict=True)
        )
        return noise_ratio(*similar)

    def noise_ratios(self, metric: str) -> Floats:
        """NR of each row, NaN where it is not defined."""
        translations, sources = (self.row_scores(metric, name) for name in SIDES)
        return noise_ratio(translations, sources)

    def _lengths(self, metric: str, comparison: str) -> Floats:
        """Words of the clean text of each row, cut as the metric does, or BLEU if it cuts none."""
        is_source = SIDES[comparison] == "source"
        tokens: Tokens = getattr(self.scorers[metric, comparison], "tokens", "auto")
        texts = self.frame["source" if is_source else "output"].to_list()
        words = split(texts, settle(tokens, _language(self.source.pair, comparison)))
        return np.array([len(cut) for cut in words], dtype=np.float64)


def pooled(several: Sequence[LearnerSamples]) -> LearnerSamples:
    """The sentences of one system on several corpora, as if they were one."""
    first = several[0]
    keys = [key for key in first.statistics if all(key in one.statistics for one in several)]
    return replace(
        first,
        items=[item for one in several for item in one.items],
        clusters=[
            f"{place} {sentence}"
            for place, one in enumerate(several)
            for sentence in one.frame["sentence"]
        ],
        frame=pl.concat([one.frame for one in several], how="diagonal_relaxed"),
        statistics={key: np.concatenate([one.statistics[key] for one in several]) for key in keys},
        failed=sum(one.failed for one in several),
    )


def noise_ratio(translations: Floats, sources: Floats) -> Floats:
    """1 − κ(y, ỹ) over 1 − κ(x, x̃), from the two similarities κ.

    x̃ is a corrected source and x the noisy one, ỹ and y are their translations. Above 1 the
    translator magnifies the noise; where x = x̃ there is none to magnify, and the ratio is NaN.

    >>> noise_ratio(np.array([0.5, 1.0, 0.9]), np.array([0.75, 0.75, 1.0]))
    array([ 2.,  0., nan])
    """
    noise = 1 - sources
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(noise > _NO_NOISE, (1 - translations) / noise, np.nan)


def own_noise(samples: LearnerSamples, metric: str) -> Aggregate:
    """NR where nothing changed: a clean sentence translated again, over the errors of its own.

    Of sentences that were translated twice; nothing where there are none.
    """
    source, key = samples.source, (metric, "translations")
    repeated = (pl.col("variant") == IDENTITY) & pl.col("varied_output").is_not_null()
    names, sums = source.run.statistics(source.pair, source.name, *key, repeated)
    place = {name: row for row, name in enumerate(names)}
    rows = [row for row, name in enumerate(samples.items) if name in place]
    if not rows:
        return NOTHING
    first = np.asarray(sums[[place[samples.items[row]] for row in rows]])
    second = samples.statistics[metric, "sources"][rows]
    table = np.column_stack([first, second])
    return of_sums(table, partial(samples.ratio_of_sums, metric), samples.bootstrap)


def learner_samples(
    runs: Sequence[Run], metric: str | None = None
) -> tuple[list[LearnerSamples], str]:
    """Every system on every corpus, and the leading metric; those read last are at hand."""
    return _read_runs(tuple(runs), metric)


@lru_cache(maxsize=1)
def _read_runs(runs: tuple[Run, ...], metric: str | None) -> tuple[list[LearnerSamples], str]:
    shared = [
        m
        for m in runs[0].metrics
        if all(m in (run.record.comparisons[n].metrics or ()) for run in runs for n in SIDES)
    ]
    if metric is not None and metric not in shared:
        has = ", ".join(shared)
        raise HyperbatonError(f"{runs[0].folder} has no scores of {metric}: it has {has}")
    if not shared:
        raise HyperbatonError("the runs have no metric in common: add one with -m")
    # The poles show what a number means, and are no systems.
    systems = [_read(source, shared) for source in sources(runs) if not source.pole]
    if not any(map(len, systems)):
        raise HyperbatonError("nothing was translated: there is nothing to report")
    return [samples for samples in systems if len(samples)], metric or leading(shared)


def _read(source: Source, metrics: Sequence[str]) -> LearnerSamples:
    """The sentences with errors that were translated, with all that is measured of them."""
    run, pair = source.run, source.pair
    rows = run.table(pair, source.name, columns=_COLUMNS)
    whole = run.whole(pair, source.name)
    if whole is not None:
        rows = rows.hstack(whole)
    varied = rows.filter(pl.col("variant") != IDENTITY)
    frame = varied.drop_nulls(_TEXTS).with_row_index("sentence")
    frame = frame.with_columns(
        pl.col("sentence").first().over("varied"),
        same=pl.col("output") == pl.col("varied_output"),
        length=pl.col("clean_words").list.len(),
    ).drop("varied")
    items = frame["item"].to_list()
    keys = [(metric, name) for metric in metrics for name in SIDES] if items else []
    return LearnerSamples(
        items,
        clusters=frame["sentence"],
        frame=frame,
        statistics={key: _statistics(source, key, items) for key in keys},
        scorers={
            (m, name): METRICS.parse(m).for_language(_language(pair, name)) for m, name in keys
        },
        names=(source.short, source.system),
        corpus=": ".join(source.corpus),
        control=source.control,
        source=source,
        failed=varied.height - frame.height,
    )


def _language(pair: Pair, comparison: str) -> str:
    return pair.source if SIDES[comparison] == "source" else pair.target


def _statistics(source: Source, key: Key, items: Sequence[str]) -> Floats:
    """The statistics of the varied rows, in the order of the items."""
    varied = pl.col("variant") != IDENTITY
    names, sums = source.run.statistics(source.pair, source.name, *key, varied)
    place = {name: i for i, name in enumerate(names)}
    return np.asarray(sums[[place[item] for item in items]])
