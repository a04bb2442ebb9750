"""The single sentences of a study, or a fair choice of them where there are many."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

import numpy as np
import polars as pl

from hyperbaton.pipeline import IDENTITY, Pair, Run
from hyperbaton.report.contents import Explorer
from hyperbaton.studies.layer.probes import SLICES
from hyperbaton.studies.layer.samples import Measures
from hyperbaton.studies.layer.sources import Source

_MOST = 40
"""Values of a column that a reader can choose from."""
MOST_ROWS = 100_000
"""About so many rows are in the page at most."""
TEXTS = {
    "source": "source",
    "varied": "perturbed source",
    "reference": "reference",
    "varied_reference": "perturbed reference",
    "projected_reference": "projected reference",
    "output": "translation",
    "varied_output": "translation of the perturbed source",
}
"""The texts of a row, in the order shown, as far as a study has them."""
_GOLDEN = (5**0.5 - 1) / 2
_LENGTHS = (1, 6, 11, 21, 41)
"""Where classes of length begin."""
_OF_SOURCE = ("source", "varied")
_WORDS = {
    "source": "words",
    "varied": "words",
    "reference": "reference_words",
    "varied_reference": "reference_words",
    "projected_reference": "reference_words",
}
_ORDERS = {
    "varied": "order",
    "varied_reference": "reference_order",
    "projected_reference": "projected_order",
}
_PLACES = ("item", "variant", "draw", SLICES, *_WORDS.values(), *_ORDERS.values())


def explorer(
    sources: Sequence[Source],
    metric: str,
    scores: Mapping[str, str],
    measures: Measures,
    filters: Mapping[str, tuple[str, pl.Expr]] | None = None,
    texts: Mapping[str, str] = TEXTS,
    most: int = MOST_ROWS,
    further: Sequence[str] = (),
    also: Mapping[str, Sequence[str]] = MappingProxyType({}),
    lead: str = "",
) -> Explorer:
    """The rows of all systems and pairs, equally many of each variant as far as they go.

    `scores` maps names of `measures` to labels; `filters` are further columns to filter by, a
    label and an expression each, beside languages, perturbation, system, length and the columns of
    the corpus; `further` are columns of the probes that the rows keep; `also` maps further
    metrics to the scores by them; systems compete by the score `lead`.
    """
    pairs = dict.fromkeys((source.run, source.pair) for source in sources)
    by_pair = {key: _counts(*key) for key in pairs}
    counts = [by_pair[source.run, source.pair] for source in sources]
    quota = even_quota([count for own in counts for count in own.values()], most)
    chosen = {name: expression for name, (_, expression) in (filters or {}).items()}
    made = (*measures.values(), *chosen.values())
    roots = {*further, *(root for expression in made for root in expression.meta.root_names())}
    shown = {name: measures[name].cast(pl.Float64).round(4) for name in scores}
    frames = [
        _sentences(
            source,
            metric,
            {variant: min(1.0, quota / count) for variant, count in own.items()},
            shown | chosen,
            {*roots, *texts},
            also,
        )
        for source, own in zip(sources, counts, strict=True)
    ]
    rows, slices = sliced(pl.concat(frames, how="diagonal"))
    there = [name for name in rows.columns if not rows[name].is_null().all()]
    texts = {name: label for name, label in texts.items() if name in there}
    others = {
        _by(name, other): (scores[name], other) for other, names in also.items() for name in names
    }
    both = ("output", "varied_output")
    return Explorer(
        rows=rows,
        texts=texts,
        scores={**scores, **{name: label for name, (label, _) in others.items()}},
        filters={
            "pair": "languages",
            "variant": "perturbation",
            "system": "system",
            **{name: label for name, (label, _) in (filters or {}).items()},
            **({"length": "length"} if rows["length"].n_unique() > 1 else {}),
            **slices,
        },
        item="item",
        within=("pair",),
        along=("variant", "system"),
        rivals="system",
        lead=lead,
        compared=both if all(name in texts for name in both) else None,
        metrics={
            **dict.fromkeys(scores, metric if others else ""),
            **{name: other for name, (_, other) in others.items()},
        },
        fields={"perturbation": "variant", "language": "target_language"},
        words={name: words for name, words in _WORDS.items() if name in texts},
        orders={name: order for name, order in _ORDERS.items() if name in texts},
        languages={
            name: "source_language" if name in _OF_SOURCE else "target_language" for name in texts
        },
        note=_note(rows.height, sum(sum(own.values()) for own in counts)),
    )


def _by(score: str, metric: str) -> str:
    """The column of a score by a further metric."""
    return f"{score}:{metric}"


def _length() -> pl.Expr:
    """The length of the source in words, in classes that a reader can choose from."""
    size = pl.col("words").list.len()
    classes = pl.lit(None, pl.String)
    for low, high in reversed(tuple(pairwise(_LENGTHS))):
        classes = pl.when(size < high).then(pl.lit(f"{low} to {high - 1} words")).otherwise(classes)
    longest = pl.when(size >= _LENGTHS[-1]).then(pl.lit(f"{_LENGTHS[-1]} words or more"))
    return longest.otherwise(classes)


def even_quota(counts: Iterable[int], most: int) -> float:
    """How many each cell may show so that all together show as many as they may.

    >>> even_quota([10, 20, 300], 130), even_quota([10, 20], 100)
    (100.0, 20)
    """
    left, quota = float(most), 0
    ascending = sorted(counts)
    for place, count in enumerate(ascending):
        cells = len(ascending) - place
        if count * cells > left:
            return left / cells
        left -= count
        quota = count
    return quota


def _counts(run: Run, pair: Pair) -> dict[str, int]:
    """How many rows there are of each variant; draws count one by one."""
    counts = pl.concat(
        part["variant"].value_counts() for part in run.parts(pair, columns=["variant"])
    )
    by_variant = dict(counts.group_by("variant").sum().iter_rows())
    by_variant.pop(IDENTITY, None)
    return by_variant


def _sentences(
    source: Source,
    metric: str,
    shares: Mapping[str, float],
    columns: Mapping[str, pl.Expr],
    further: Iterable[str],
    also: Mapping[str, Sequence[str]],
) -> pl.DataFrame:
    """The rows of one system on one pair, of each variant the share that is shown."""
    frames: list[pl.DataFrame] = []
    before = 0
    pair = source.pair
    read = sorted({*_PLACES, *further})
    parts = source.run.parts(pair, source.name, metric, read)
    others = [_scored(source, other, names) for other, names in also.items()]
    for part, *beside in zip(parts, *others, strict=True):
        part = pl.concat([part, *beside], how="horizontal")
        items = part["item"].unique(maintain_order=True)
        # Multiples of the golden ratio spread any share of items evenly over the corpus, and what
        # is in a small share is in every larger one: a sentence comes with its variants.
        turns = (np.arange(before, before + len(items)) * _GOLDEN) % 1
        before += len(items)
        frames.append(
            part.with_columns(
                share=pl.col("variant").replace_strict(
                    shares, default=None, return_dtype=pl.Float64
                )
            )
            .join(pl.DataFrame({"item": items, "turn": turns}), on="item", maintain_order="left")
            .filter(pl.col("turn") < pl.col("share"))
            .with_columns(
                **columns,
                length=_length(),
                pair=pl.lit(str(pair)),
                source_language=pl.lit(pair.source),
                target_language=pl.lit(pair.target),
                system=pl.lit(source.system),
            )
            .drop("share", "turn")
        )
    return pl.concat(frames)


def _scored(source: Source, metric: str, names: Sequence[str]) -> Iterator[pl.DataFrame]:
    """Scores by a further metric, part by part."""
    for part in source.run.parts(source.pair, source.name, metric, names):
        yield part.select(pl.col(name).round(3).alias(_by(name, metric)) for name in names)


def _note(shown: int, there: int) -> str:
    if shown == there:
        return ""
    return (
        f"Here are {shown:,} of the {there:,} samples: equally many of each system, language pair "
        "and perturbation (all, where there are fewer), spread evenly over the corpus. Findings, "
        "figures and tables are made of all samples."
    )


def sliced(rows: pl.DataFrame) -> tuple[pl.DataFrame, dict[str, str]]:
    """Rows with a column for each that has several values but not many, and their labels.

    >>> rows, labels = sliced(pl.DataFrame({"slices": ['{"domain": "news"}', '{"domain": "law"}']}))
    >>> labels, rows["slice:domain"].to_list()
    ({'slice:domain': 'domain'}, ['news', 'law'])
    """
    if SLICES not in rows.columns:
        return rows, {}
    texts = rows[SLICES].drop_nulls().unique(maintain_order=True).to_list()
    known: dict[str, dict[str, str]] = {text: json.loads(text) for text in texts}
    labels = {}
    for name in dict.fromkeys(name for values in known.values() for name in values):
        values = {text: found.get(name) for text, found in known.items()}
        if 1 < len(set(values.values())) <= _MOST:
            labels[f"slice:{name}"] = name
            column = rows[SLICES].replace_strict(values, default=None, return_dtype=pl.String)
            rows = rows.with_columns(column.alias(f"slice:{name}"))
    return rows.drop(SLICES), labels
