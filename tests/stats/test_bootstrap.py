"""Intervals agree with scipy's bootstrap and with sacreBLEU's own, within what chance allows."""

from __future__ import annotations

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest
from scipy import stats

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.stats import (
    Bootstrap,
    compare,
    estimate,
    estimates,
    mean,
    means,
    ratios,
)
from hyperbaton.stats.resample import FloatArray

WORDS = ["the", "a", "cat", "dog", "sat", "on", "mat", "and", "ran", "off", "his", "hat", "in"]


def corpus(segments: int, noise: float, seed: int) -> tuple[list[str], list[str]]:
    """Random references and hypotheses in which a share of the words was replaced."""
    rng = np.random.default_rng(seed)
    hypotheses, references = [], []
    for _ in range(segments):
        words = rng.choice(WORDS, size=rng.integers(5, 25))
        changed = np.where(rng.random(len(words)) < noise, rng.choice(WORDS, len(words)), words)
        references.append(" ".join(words))
        hypotheses.append(" ".join(changed))
    return hypotheses, references


def bleu(sums: FloatArray) -> FloatArray:
    """BLEU-4 from sacreBLEU's columns: lengths, matches of order 1-4, n-grams of order 1-4."""
    length, reference, matches, totals = sums[:, 0], sums[:, 1], sums[:, 2:6], sums[:, 6:10]
    penalty = np.minimum(0, 1 - reference / length)
    return np.asarray(100 * np.exp(penalty + np.log(matches / totals).mean(axis=1)))


@pytest.mark.parametrize("segments", [300, 3000])
def test_bleu_interval_is_that_of_sacrebleu(segments: int) -> None:
    hypotheses, references = corpus(segments, noise=0.3, seed=1)
    metric = BLEU()
    theirs = metric.corpus_score(hypotheses, [references], n_bootstrap=1000)
    statistics = metric._extract_corpus_statistics(hypotheses, [references])
    ours = estimate(statistics, bleu)
    assert ours.value == pytest.approx(theirs.score, abs=1e-9)
    # The mean of 1,000 resamples is known to error/√1000, the half width to about 4 %.
    assert ours.mean == pytest.approx(theirs._mean, abs=6 * ours.error / np.sqrt(1000))
    assert ours.interval.half_width == pytest.approx(theirs._ci, rel=0.15)


def test_paired_comparison_is_that_of_sacrebleu() -> None:
    first, references = corpus(400, noise=0.30, seed=2)
    rng = np.random.default_rng(3)
    worse = [" ".join(rng.permutation(h.split())) if rng.random() < 0.05 else h for h in first]
    metric = BLEU()
    _, scores = PairedTest(
        [("base", first), ("worse", worse)], {"BLEU": metric}, [references], "bs", n_samples=1000
    )()
    theirs = scores["BLEU"][1]
    one, two = (metric._extract_corpus_statistics(side, [references]) for side in (first, worse))
    ours = compare(one, two, bleu)
    assert not isinstance(theirs, str)
    assert ours.second.value == pytest.approx(theirs.score, abs=1e-9)
    assert ours.second.interval.half_width == pytest.approx(theirs.ci, rel=0.15)
    assert ours.difference.value == pytest.approx(ours.first.value - ours.second.value)
    assert ours.p < 0.05
    assert theirs.p_value is not None
    assert theirs.p_value < 0.05
    # Pairing is the point: the difference is known better than either score.
    assert ours.difference.interval.half_width < ours.first.interval.half_width / 2


@pytest.mark.parametrize("items", [60, 1500])
def test_mean_interval_is_that_of_scipy(items: int) -> None:
    values = np.random.default_rng(4).gamma(1.5, size=items)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=9999, method="percentile", rng=np.random.default_rng(0)
    ).confidence_interval
    spec = Bootstrap(resamples=10_000, method="percentile")
    ours = mean(values, spec).interval
    width = theirs.high - theirs.low
    assert ours.low == pytest.approx(theirs.low, abs=0.03 * width)
    assert ours.high == pytest.approx(theirs.high, abs=0.03 * width)


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(11)
    spec = Bootstrap(resamples=400, level=0.9)
    hits = sum(5.0 in mean(rng.normal(5, 2, size=80), spec).interval for _ in range(400))
    assert 0.85 <= hits / 400 <= 0.94


def test_means_leave_out_what_has_no_value() -> None:
    values = np.random.default_rng(5).random((200, 2))
    values[::3, 1] = np.nan
    whole, part = means(values)
    assert whole.value == pytest.approx(values[:, 0].mean())
    assert part.value == pytest.approx(np.nanmean(values[:, 1]))
    assert part.interval.half_width > whole.interval.half_width
    assert whole.items == part.items == 200


def test_several_scores_share_their_resamples() -> None:
    wide = np.random.default_rng(6).random((100, 8))
    wide[:, 6:] = 0  # nothing is counted there
    found = estimates(wide, ratios)
    assert [one.value for one in found[:3]] == pytest.approx(ratios(wide.sum(axis=0)[None])[0, :3])
    assert np.isnan(found[3].value)
    assert np.isnan(found[3].interval.low)
    alone = estimate(wide[:, 0:2], ratios)
    assert alone.interval.low == pytest.approx(found[0].interval.low, rel=1e-12)


def test_a_rare_group_is_undefined_in_some_resamples() -> None:
    statistics = np.zeros((50, 2))
    statistics[7] = [3, 4]
    found = estimate(statistics, ratios)
    assert found.value == 0.75
    assert np.isnan(found.interval.low)  # one item of fifty has a value: no width, no interval
    assert found.undefined == pytest.approx(1000 * np.exp(-1), abs=60)


def test_the_seed_settles_everything() -> None:
    values = np.random.default_rng(7).random(2000)
    assert mean(values) == mean(values)
    assert mean(values) != mean(values, Bootstrap(seed=1))
    assert Bootstrap(seed=1).signature == "bs:1000|rs:1|ci:0.95|method:bca-t"


def test_one_item_claims_no_certainty() -> None:
    found = mean([3.0])
    assert found.value == 3.0
    assert np.isnan(found.interval.low)
    assert 3.0 not in found.interval
    assert not found.interval.excludes(0)


def test_equal_systems_do_not_differ() -> None:
    rows = np.column_stack([np.random.default_rng(8).random(30), np.ones(30)])
    same = compare(rows, rows, ratios)
    assert same.p == 1.0
    assert same.difference.value == 0.0
    assert np.isnan(same.difference.interval.low)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: mean([]), "there are no items"),
        (lambda: estimate([[1.0, np.nan]], ratios), "item 0 hold a NaN"),
        (lambda: mean([1.0, np.inf]), "item 1 holds an infinite value"),
        (lambda: mean(["a"]), "must be a table of numbers"),
        (lambda: estimate([[1, 2], [3]], ratios), "must be a table of numbers"),
        (lambda: estimate(np.ones((2, 2, 2)), ratios), "items × columns"),
        (lambda: estimate(np.ones((3, 4)), ratios), "2 values per row"),
        (lambda: estimate(np.ones((3, 2)), lambda sums: sums.sum()), "a row for each"),
        (lambda: compare(np.ones((3, 2)), np.ones((4, 2)), ratios), "same items: 3 items × 2"),
        (lambda: mean(np.ones((3, 2))), "call means"),
        (lambda: Bootstrap(level=95), "between 0 and 1, not 95"),
        (lambda: Bootstrap(resamples=0), "at least 1 resample"),
        (lambda: Bootstrap(seed=-1), "at least 0"),
    ],
)
def test_bad_input_gets_one_sentence(call: object, sentence: str) -> None:
    assert callable(call)
    with pytest.raises(HyperbatonError, match=sentence) as error:
        call()
    assert "\n" not in str(error.value)
