"""What became of every sample of a system, and its score against the projected reference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import polars as pl

from hyperbaton.alignment import ALIGNERS
from hyperbaton.alignment.aligner import Aligner, Links
from hyperbaton.alignment.gloss import Gloss
from hyperbaton.alignment.reading import can_read, read_by, reading_back
from hyperbaton.alignment.word_order import Floats, Varied, project_sentence, turnings
from hyperbaton.alignment.words import cut, spaced
from hyperbaton.language.sentence import Order, Sentence
from hyperbaton.metrics.outcomes import RULE, SampleTexts, judge
from hyperbaton.pipeline import IDENTITY, Comparison, Pair, Run
from hyperbaton.pipeline.run.layout import UNTRANSLATED
from hyperbaton.pipeline.stages.scoring import Texts, scores_of
from hyperbaton.studies.layer.samples import Measures
from hyperbaton.systems.untranslated import untranslated_signature

PROJECTED = "beta2_projected"
_SHARED = ("repaired", "carried", "lost", "mixed", UNTRANSLATED)
SHARES: Measures = {
    name: pl.when(pl.col("outcome") != "unchanged").then(pl.col("outcome") == name)
    for name in _SHARED
}
"""Shares of the samples that the variation changed, by outcome."""
_COMPARISON = Comparison(
    PROJECTED, "varied_output", "projected_reference", source="varied", identity=False
)
_TEXTS = ("source", "varied", "reference", "varied_reference", "output", "varied_output")
_MOVED = ("projected_reference", "projected_output")
_KEPT = 8
"""Parts whose references stay at hand, moved and not: all systems of a run share them."""
_CLEAN = ("item", "variant", "words", "reference", "reference_words", "output")


class _Text(NamedTuple):
    """A translation with the words of its source."""

    item: str
    source: tuple[str, ...]
    text: str
    words: tuple[str, ...]


class _Clean(NamedTuple):
    """Translations of the clean sources, and who aligns them."""

    texts: tuple[_Text, ...]
    pair: Pair
    aligner: Aligner


class _Movable(NamedTuple):
    """A translation whose words can follow those of its source."""

    source: Sequence[str]
    sentence: Sentence
    links: Links


def outcomes_signature(pair: Pair, align: str, second_look: bool) -> str:
    """The rule, the aligner with its dictionaries, and the translators that take further looks."""
    signature = ALIGNERS.parse(align).signature(pair.source, pair.target)
    looks = second_look and can_read(pair.source, pair.target)
    read = f", read in two looks by {read_by(pair.source, pair.target)}" if looks else ""
    return f"outcomes: rule {RULE}, aligned by {signature}{read}; {untranslated_signature()}"


def outcomes(run: Run, pair: Pair, system: str, align: str, second_look: bool) -> pl.DataFrame:
    """A row per probe: the projected reference, scores against it, the outcome and its reasons.

    Nothing for the control, and no outcome where a translation is missing.
    """
    parts = run.parts(pair, system, columns=_CLEAN)
    rows = pl.concat(part.filter(pl.col("variant") == IDENTITY) for part in parts)
    clean = rows.drop_nulls(["words", "reference", "reference_words"]).to_dicts()
    aligner = ALIGNERS.parse(align)
    references = [
        _Text(r["item"], tuple(r["words"]), r["reference"], tuple(r["reference_words"]))
        for r in clean
    ]
    outputs = [
        _Text(r["item"], tuple(r["words"]), r["output"], tuple(cut(r["output"], pair.target)))
        for r in clean
        if r["output"] is not None
    ]
    # Links that are given are those of the references.
    own = Gloss() if aligner.given else aligner
    both = _Clean(tuple(references), pair, aligner), _Clean(tuple(outputs), pair, own)
    known = run.record.comparisons.get("beta2")
    metrics = (known.metrics if known else None) or ()
    columns = ("item", "variant", "order", *_TEXTS, UNTRANSLATED)
    return pl.concat(
        _judged(part, pair, metrics, *both, second_look)
        for part in run.parts(pair, system, columns=columns)
    )


@lru_cache(maxsize=_KEPT)
def _movable(clean: _Clean) -> Mapping[str, _Movable]:
    """Each translation by its item: all are aligned together, those of a part once."""
    pair = clean.pair
    links = clean.aligner.align(
        [(one.source, one.words) for one in clean.texts], pair.source, pair.target
    )
    return {
        one.item: _Movable(one.source, spaced(one.text, one.words, pair.target), found)
        for one, found in zip(clean.texts, links, strict=True)
    }


def _judged(
    part: pl.DataFrame,
    pair: Pair,
    metrics: Iterable[str],
    references: _Clean,
    outputs: _Clean,
    second_look: bool,
) -> pl.DataFrame:
    keys = part.select("item", "order").rows()
    varied = tuple((item, tuple(order) if order else None) for item, order in keys)
    projected, orders = _projected(varied, references)
    part = part.with_columns(
        pl.Series("projected_reference", projected, dtype=pl.String),
        pl.Series("projected_order", orders, dtype=pl.List(pl.Int32)),
        pl.Series("projected_output", _projected(varied, outputs)[0], dtype=pl.String),
    )
    texts = Texts(part)
    scores = [
        scores_of(metric, pair, texts, [_COMPARISON])[PROJECTED].alias(f"{PROJECTED}:{metric}")
        for metric in metrics
    ]
    known = part.with_row_index("place").filter(pl.col("variant") != IDENTITY)
    known = known.drop_nulls(["reference", "output", "varied_output"])
    found = _outcomes(
        known, pair, _turnings(known, pair, [_movable(references), _movable(outputs)]), second_look
    )
    places = pl.DataFrame({"place": pl.Series(range(part.height), dtype=pl.UInt32)})
    found = places.join(found, on="place", how="left", maintain_order="left").drop("place")
    return part.select("projected_reference", "projected_order").hstack(scores).hstack(found)


@lru_cache(maxsize=_KEPT)
def _projected(
    varied: tuple[tuple[str, Order | None], ...], clean: _Clean
) -> tuple[list[str | None], list[Order | None]]:
    """Texts and orders of translations whose words moved as those of their sources."""
    texts = _movable(clean)
    moved = [
        project_sentence(order, texts[item].sentence, texts[item].links)
        if order is not None and item in texts
        else (None, None)
        for item, order in varied
    ]
    return [text for text, _ in moved], [order for _, order in moved]


def _turnings(rows: pl.DataFrame, pair: Pair, clean: Sequence[Mapping[str, _Movable]]) -> Floats:
    """What became of the source words of each row; nothing is known where no words moved.

    Links of the varied outputs come from dictionaries, so that each row is judged by itself.
    """
    links = {
        item: [translations[item].links for translations in clean]
        for item in clean[0].keys() & clean[1].keys()
    }
    moved = {
        place: Varied(clean[0][item].source, order, links[item], cut(output, pair.target))
        for place, (item, order, output) in enumerate(
            rows.select("item", "order", "varied_output").iter_rows()
        )
        if order and item in links
    }
    found = np.zeros((rows.height, 3))
    found[list(moved)] = turnings(list(moved.values()), (pair.source, pair.target))
    return found


def _outcomes(rows: pl.DataFrame, pair: Pair, turned: Floats, second_look: bool) -> pl.DataFrame:
    """The outcome of rows with all their translations, by place."""
    same_reference = pl.col("varied_reference") == pl.col("reference")
    same = (pl.col("varied") == pl.col("source")) | same_reference.fill_null(False)
    texts = {name: rows[name].to_list() for name in (*_TEXTS, *_MOVED)}
    samples = SampleTexts(
        references=texts["reference"],
        outputs=texts["output"],
        varied_references=texts["varied_reference"],
        varied_outputs=texts["varied_output"],
        projected_references=texts["projected_reference"],
        projected_outputs=texts["projected_output"],
        varied=texts["varied"],
        turning=turned,
        changed=(~rows.select(same).to_series()).to_list(),
    )
    languages = (pair.source, pair.target)
    read = reading_back(texts["source"], samples, languages) if second_look else None
    judgement = judge(samples, pair.target, read)
    found = pl.DataFrame(
        {
            "place": rows["place"],
            "outcome": pl.Series(judgement.outcomes.tolist(), dtype=pl.String),
            "content": judgement.content,
            "turned": judgement.turned,
        }
    )
    # What is no translation has no content to judge, whatever words it shares with one.
    none = rows[UNTRANSLATED].is_not_null() & (found["outcome"] != "unchanged")
    return found.with_columns(
        outcome=pl.when(none).then(pl.lit(UNTRANSLATED)).otherwise("outcome"),
        content=pl.when(none).then(0.0).otherwise("content"),
    )
