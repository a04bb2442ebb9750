"""The resampled counts are those of n draws with replacement, however they were drawn."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy import stats

from hyperbaton.stats import resample
from hyperbaton.stats.resample import count_vectors, resampled_sums

FEW, MANY = 50, 4000  # on either side of the change of method


@pytest.mark.parametrize("items", [1, 2, FEW, 1023, 1024, MANY])
def test_every_resample_holds_as_many_items_as_the_data(items: int) -> None:
    sums = resampled_sums(np.ones((items, 1)), 130, seed=1)
    assert sums.shape == (130, 1)
    assert (sums == items).all()


@pytest.mark.parametrize("items", [FEW, MANY])
def test_counts_have_the_multinomial_moments(items: int) -> None:
    # Three indicator columns: their sums are the counts of three items.
    watched = np.zeros((items, 3))
    watched[[0, items // 2, items - 1], [0, 1, 2]] = 1
    counts = resampled_sums(watched, 20_000, seed=3)
    assert counts.mean(axis=0) == pytest.approx(np.ones(3), abs=0.03)
    assert counts.var(axis=0) == pytest.approx(np.full(3, 1 - 1 / items), abs=0.05)
    share = np.bincount(counts.ravel().astype(int), minlength=7)[:7] / counts.size
    assert share == pytest.approx(stats.binom.pmf(range(7), items, 1 / items), abs=0.004)


@pytest.mark.parametrize("items", [FEW, MANY])
def test_the_variance_of_a_sum_is_that_of_draws_with_replacement(items: int) -> None:
    values = np.random.default_rng(0).gamma(2.0, size=(items, 2))
    sums = resampled_sums(values, 4000, seed=5)
    error = values.std(axis=0) * np.sqrt(items)
    assert np.abs(sums.mean(axis=0) - values.sum(axis=0)).max() < 5 * error.max() / np.sqrt(4000)
    assert sums.std(axis=0) == pytest.approx(error, rel=0.06)
    # The covariance of two columns must survive as well.
    expected = np.cov(values.T, bias=True)[0, 1] * items
    assert np.cov(sums.T)[0, 1] == pytest.approx(expected, abs=0.08 * error.prod())


def test_a_resample_above_its_size_is_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resample, "_SLACK", 0.0)  # half of the Poisson totals are now above n
    values = np.random.default_rng(0).gamma(2.0, size=(MANY, 1))
    both = np.column_stack([values, np.ones(MANY)])
    sums = resampled_sums(both, 1000, seed=2)
    assert (sums[:, 1] == MANY).all()
    assert sums[:, 0].std() == pytest.approx(values.std() * np.sqrt(MANY), rel=0.08)


@pytest.mark.parametrize("items", [FEW, MANY])
def test_calls_on_the_same_items_are_paired(items: int) -> None:
    values = np.random.default_rng(1).random((items, 3))
    together = resampled_sums(values, 70, seed=9)
    for column in range(3):
        apart = resampled_sums(values[:, [column]], 70, seed=9)
        assert apart[:, 0] == pytest.approx(together[:, column], rel=1e-12)
    assert not np.allclose(together, resampled_sums(values, 70, seed=10))


def test_whole_numbers_are_summed_exactly() -> None:
    counts = np.random.default_rng(2).integers(0, 100, size=(MANY, 5)).astype(float)
    sums = resampled_sums(counts, 100, seed=4)
    assert np.array_equal(sums, np.floor(sums))
    # A fraction in one column turns the product to double precision: the others must not change.
    mixed = np.column_stack([counts, np.full(MANY, 0.1)])
    assert np.array_equal(resampled_sums(mixed, 100, seed=4)[:, :5], sums)


def test_count_vectors_count_every_draw() -> None:
    parts = list(count_vectors(40, 50_000, seed=6))
    counts = np.concatenate(parts)
    assert len(parts) > 1
    assert counts.shape == (50_000, 40)
    assert (counts.sum(axis=1) == 40).all()
    assert counts.mean(axis=0) == pytest.approx(np.ones(40), abs=0.03)


def test_memory_is_bounded_by_the_data_not_by_the_resamples() -> None:
    data = np.ones((50_000, 2))
    tracemalloc.start()
    resampled_sums(data, 500, seed=0)  # as indices this would be 200 MB, as rows 400 MB
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6


@pytest.mark.parametrize("items", [FEW, MANY])
def test_what_is_kept_for_the_next_call_changes_nothing(
    items: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = np.random.default_rng(3).random((items, 2))
    first, again = (resampled_sums(values, 100, seed=6) for _ in range(2))
    monkeypatch.setattr(resample, "_KEPT", 0)
    assert np.array_equal(first, again)
    assert np.array_equal(first, resampled_sums(values, 100, seed=6))
