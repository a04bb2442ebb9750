"""One model of samples: every study's numbers are drawn over clusters in the same way."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hyperbaton.metrics import METRICS
from hyperbaton.stats import Bootstrap, estimate, mean, pearson, ratios
from hyperbaton.studies.layer.samples import Samples, samples_of

_RNG = np.random.default_rng(5)
_MARKS = _RNG.normal(size=40)
_ITEMS = tuple(f"i{n}" for n in range(40))


def _rows() -> Samples:
    """Two rows of each sentence."""
    frame = pl.DataFrame({"mark": _MARKS, "errors": [1, 2] * 20, "same": _MARKS > 0})
    return Samples(_ITEMS, frame=frame, clusters=[n // 2 for n in range(40)])


def test_rows_of_a_cluster_are_drawn_together() -> None:
    found = _rows().mean("mark")
    sums = np.column_stack([_MARKS.reshape(20, 2).sum(axis=1), np.full(20, 2.0)])
    by_hand = estimate(sums, ratios, Bootstrap())
    assert found.value == pytest.approx(_MARKS.mean())
    assert (found.low, found.high) == pytest.approx((by_hand.interval.low, by_hand.interval.high))
    assert found.n == 20


def test_rows_without_clusters_are_drawn_one_by_one() -> None:
    found = Samples(_ITEMS).mean(_MARKS)
    by_hand = mean(_MARKS, Bootstrap()).interval
    assert (found.low, found.high) == pytest.approx((by_hand.low, by_hand.high))


def test_rows_are_chosen_by_an_expression_a_mask_or_their_items() -> None:
    rows = _rows()
    single = rows.where(pl.col("errors") == 1)
    assert len(single) == 20
    assert single.share("same").value == (_MARKS[::2] > 0).mean()
    assert single.share("same").method == "wilson"
    assert len(rows.where(_MARKS > 0)) == (_MARKS > 0).sum()
    assert rows.only(["i1", "i3"]).items == ["i1", "i3"]
    groups = {"one": pl.col("errors") == 1, "nine": pl.col("errors") == 9}
    assert [name for name, _ in rows.by(groups)] == ["one"]


def test_differences_are_paired_and_ratios_are_of_sums() -> None:
    rows = Samples(_ITEMS, groups=(("a",), ("b",)), scores={"mark": _two()})
    apart = rows.mean("mark", ("b",)) - rows.mean("mark", ("a",))
    assert np.ptp(apart.drawn) == pytest.approx(0, abs=1e-12)
    assert apart.value == pytest.approx(0.1)
    found = rows.ratio(_MARKS + 9, np.full(40, 3.0))
    assert found.value == pytest.approx((_MARKS + 9).sum() / 120)
    assert rows.difference(_MARKS, _MARKS).value == 0


def _two() -> np.ndarray:
    return np.column_stack([_MARKS, _MARKS + 0.1])


def test_all_cells_are_resampled_as_each_alone() -> None:
    gaps = np.where(_RNG.random((40, 2)) < 0.2, np.nan, _two())
    rows = Samples(_ITEMS, (("a",), ("b",)), {"gaps": gaps, "mark": _two()})
    values, drawn = rows.cell_means()
    for number, score in enumerate(rows.scores):
        for place, group in enumerate(rows.groups):
            alone = rows.mean(score, group)
            assert values[number, place] == pytest.approx(alone.value)
            np.testing.assert_allclose(drawn[:, number, place], alone.drawn, rtol=1e-5, atol=1e-6)


def test_sums_are_divided_by_their_weights() -> None:
    weights = _RNG.random((40, 2))
    rows = Samples(_ITEMS, (("a",), ("b",)), {"hits": weights / 2}, weights=weights)
    values, drawn = rows.cell_means()
    assert values == pytest.approx(np.full((1, 2), 0.5))
    assert drawn == pytest.approx(np.full(drawn.shape, 0.5))
    assert rows.mean("hits", ("b",)).value == pytest.approx(0.5)


def test_corpus_scores_come_from_the_statistics_of_rows() -> None:
    scorer = METRICS.parse("BLEU").for_language("en")
    texts = [f"the dog number {n} sees {n % 3} cats" for n in range(40)]
    others = [f"the dog number {n} saw {n % 4} cats" for n in range(40)]
    key = ("BLEU", "translations")
    table = np.asarray(scorer.statistics(texts, others), dtype=np.float64)
    rows = Samples(_ITEMS, statistics={key: table}, scorers={key: scorer})
    whole = rows.corpus_score(*key)
    assert whole.value == pytest.approx(scorer.corpus_score(texts, others))
    assert whole.low < whole.value < whole.high
    some = rows.where(np.arange(40) < 10)
    assert some.corpus_score(*key).value == pytest.approx(
        scorer.corpus_score(texts[:10], others[:10])
    )
    assert len(some.row_scores(*key)) == 10


def test_a_correlation_draws_whole_rows() -> None:
    one, other = _two(), _two() + _RNG.normal(size=(40, 2))
    found = Samples(_ITEMS).correlation(one, other)
    assert found.value == pytest.approx(pearson(one.ravel(), other.ravel()).r)
    assert found.n == 40


def test_draws_of_an_item_are_averaged_part_by_part() -> None:
    parts = [
        pl.DataFrame({"item": ["a", "a", "b"], "variant": ["x", "x", "x"], "score": [1.0, 2.0, 4]}),
        pl.DataFrame({"item": ["c", "c"], "variant": ["y", "z"], "score": [8.0, None]}),
    ]
    found = samples_of(parts, 3, {"score": pl.col("score")}, groups=[("x",), ("y",)])
    assert found.items == ("a", "b", "c")
    np.testing.assert_array_equal(found.scores["score"][:, 0], [1.5, 4.0, np.nan])
    np.testing.assert_array_equal(found.column("score", ("y",)), [np.nan, np.nan, 8.0])
