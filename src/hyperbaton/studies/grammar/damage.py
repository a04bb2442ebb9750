"""Where the damage of a single error lies in the translation, counted from the error itself.

The word that stands for the error comes from the links of a whole corpus.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from hyperbaton.alignment import ALIGNERS
from hyperbaton.alignment.aligner import Aligner
from hyperbaton.alignment.attention import Attention
from hyperbaton.metrics.tokens import settle, split
from hyperbaton.pipeline import IDENTITY, Pair, Run
from hyperbaton.studies.grammar.samples import LearnerSamples


def pivot(correction: int, links: Iterable[tuple[int, int]]) -> int | None:
    """The place in the clean translation that the corrected word is aligned to.

    The first of several; None where the word is aligned to nothing.

    >>> pivot(2, [(0, 0), (2, 5), (2, 4)])
    4
    """
    return min((target for source, target in links if source == correction), default=None)


def divergence(words: Sequence[str], others: Sequence[str], at: int) -> list[int]:
    """The places of the words that the others lack, relative to `at` in the clean translation.

    The paper's figure marks the words of the clean translation that the noisy one lacks; its
    formula takes the words of the noisy one that the clean one lacks. The example of the paper:

    >>> clean = "Ich möchte mit Kindern spielen und ihr Lächeln den ganzen Tag sehen".split()
    >>> noisy = "Ich will mit den Kindern spielen und sie den ganzen Tag sehen".split()
    >>> divergence(clean, noisy, 7), divergence(noisy, clean, 7)
    ([-6, -1, 0], [-6, 0])
    """
    known = set(others)
    return [place - at for place, word in enumerate(words) if word not in known]


_READ = ("variant", "errors", "place", "clean_words", "source", "output", "varied_output")
_SCHEMA = {
    "pivot": pl.Int32(),
    "figure": pl.List(pl.Int32()),
    "formula": pl.List(pl.Int32()),
    "links": pl.String(),
}


def damage(run: Run, pair: Pair, system: str, align: str) -> pl.DataFrame:
    """A row per probe: where the error is in the translation, and how far off each change is.

    All null for sentences with several errors, or none, or where the error is linked to nothing;
    `links` says by whom the words were linked.
    """
    rows = run.table(pair, system, columns=_READ).with_row_index("row")
    translated = rows.filter((pl.col("variant") != IDENTITY) & pl.col("output").is_not_null())
    tokens = settle("auto", pair.target)
    clean = split(translated["output"].to_list(), tokens)
    noisy = split(translated["varied_output"].fill_null("").to_list(), tokens)
    pairs = list(zip(translated["clean_words"].to_list(), clean, strict=True))
    aligner = _aligner(align, system, pair)
    if isinstance(aligner, Attention):
        texts = list(translated.select("source", "output").iter_rows())
        links = aligner.align(pairs, pair.source, pair.target, texts)
    else:
        links = aligner.align(pairs, pair.source, pair.target)
    places: list[tuple[object, ...]] = [(None, None, None, str(aligner))] * rows.height
    sentences = translated.iter_rows(named=True)
    for row, words, others, linked in zip(sentences, clean, noisy, links, strict=True):
        at = pivot(row["place"], linked) if row["errors"] == 1 else None
        if at is not None and row["varied_output"] is not None:
            figure, formula = divergence(words, others, at), divergence(others, words, at)
            places[row["row"]] = (at, figure, formula, str(aligner))
    return pl.DataFrame(places, _SCHEMA, orient="row")


def _aligner(align: str, system: str, pair: Pair) -> Aligner:
    """The aligner, which for `attention` is the system itself or, where it shows none, `gloss`."""
    aligner = ALIGNERS.parse(align)
    if not isinstance(aligner, Attention) or aligner.system:
        return aligner
    own = aligner.of(system)
    return own if own.attends(pair.source, pair.target) else ALIGNERS.parse("gloss")


def linked_by(systems: Sequence[LearnerSamples]) -> str:
    """By whom words were linked, with the systems where that is not the same for all."""
    by: dict[str, list[str]] = {}
    for samples in systems:
        if "links" in samples.frame.columns:
            for name in samples.frame["links"].drop_nulls().unique():
                by.setdefault(name, []).append(str(samples))
    if len(by) <= 1:
        return "".join(by)
    return "; ".join(f"{name} ({', '.join(who)})" for name, who in by.items())


def target_words(samples: LearnerSamples, column: str) -> list[list[str]]:
    """The words of each translation as damage is counted in them."""
    return split(samples.frame[column].to_list(), settle("auto", samples.source.pair.target))


def spread(rows: pl.DataFrame) -> dict[str, float]:
    """How far the damage of some rows lies, by either convention: n words, µ, σ and γ1 (γ)."""
    numbers: dict[str, float] = {}
    for convention in ("figure", "formula"):
        places = rows[convention].drop_nulls().explode().drop_nulls().to_numpy()
        if len(places) > 1:
            four = zip("nµσγ", moments(places), strict=True)
            numbers |= {f"{convention} {name}": number for name, number in four}
    return numbers


class Moments(NamedTuple):
    """µ, σ and γ1 of a population of n values; γ1 is NaN where all values are equal."""

    n: int
    mean: float
    deviation: float
    skewness: float


def moments(values: ArrayLike) -> Moments:
    """The first three moments of a population, as the paper gives them for its figures.

    >>> moments([0, 0, 0, 4])
    Moments(n=4, mean=1.0, deviation=1.7320508075688772, skewness=1.1547005383792517)
    """
    x = np.asarray(values, dtype=np.float64)
    mean = float(x.mean())
    centred = x - mean
    deviation = float(np.sqrt(np.mean(centred**2)))
    # Rounding leaves a trace of a deviation in equal values; its cube root has no meaning.
    flat = deviation <= 1e-14 * abs(mean)
    third = float("nan") if flat else float(np.mean((centred / deviation) ** 3))
    return Moments(len(x), mean, deviation, third)


def distances(lists: Sequence[pl.Series], farthest: int, fewest: int) -> list[tuple[int, float]]:
    """The share of damaged words at each distance, nothing of fewer words than `fewest`.

    What lies beyond the farthest is taken together.

    >>> distances([pl.Series([[-9, 0], None]), pl.Series([[1, 0]])], farthest=5, fewest=4)
    [(-5, 0.25), (0, 0.5), (1, 0.25)]
    """
    pooled = pl.concat(lists).drop_nulls().explode().drop_nulls()
    places = pooled.clip(-farthest, farthest).to_numpy()
    if len(places) < fewest:
        return []
    values, counts = np.unique(places, return_counts=True)
    return list(zip(values.tolist(), (counts / len(places)).tolist(), strict=True))
