"""Systems against each other on what all of them translated: rankings, ties, differences."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl
import pytest

from hyperbaton.studies.layer.aggregate import Aggregate, Floats
from hyperbaton.studies.layer.ranking import Measure, difference_tables, rank_samples
from hyperbaton.studies.layer.samples import Samples

_NOISE = np.random.default_rng(3).normal(size=60)


def _entry(
    system: str,
    values: Mapping[str, float],
    corpus: str = "essays",
    run: str = "",
    control: bool = False,
) -> Samples:
    return Samples(
        [*values],
        frame=pl.DataFrame({"mark": [*values.values()]}),
        names=(system, f"{system} in {run}"),
        corpus=corpus,
        control=control,
    )


def _mean(samples: Samples) -> Aggregate:
    return samples.mean("mark")


def _items(values: Floats) -> dict[str, float]:
    return {f"i{n}": float(value) for n, value in enumerate(values)}


SCORE = Measure("mark", _mean, "marks", leads="is more marked than")


def test_the_better_system_leads_and_differences_are_paired() -> None:
    entries = [_entry("low", _items(_NOISE)), _entry("high", _items(_NOISE + 0.1))]
    [found] = rank_samples(entries, [SCORE])
    assert {name: rank for name, (rank, _) in found.ranks.items()} == {"high": 1, "low": 2}
    [duel] = found.duels
    # Each mark is higher by the same amount: the same sentences are drawn for both, and a
    # difference that is the same in every resample has no interval.
    assert duel.value == pytest.approx((0.1, np.nan, np.nan), nan_ok=True)
    assert found.sentence.startswith(
        "high is more marked than low: its mark is higher by 0.100 (no interval), p < .001"
    )
    assert found.column == "marks"


def test_less_can_come_first_and_is_called_better_by_nobody() -> None:
    entries = [_entry("low", _items(_NOISE)), _entry("high", _items(_NOISE + 0.1))]
    [found] = rank_samples(entries, [Measure("noise", _mean, lower=True)])
    assert [*found.ranks] == ["low", "high"]
    assert found.lower
    assert found.sentence.startswith("low has a lower noise than high, by 0.100 (no interval)")
    assert found.duels[0].value[0] == pytest.approx(-0.1)


def test_systems_that_cannot_be_told_apart_share_a_rank() -> None:
    other = np.random.default_rng(4).normal(size=60)
    [found] = rank_samples([_entry("a", _items(_NOISE)), _entry("b", _items(other))], [SCORE])
    assert [rank for rank, _ in found.ranks.values()] == [1, 1]
    assert found.sentence.endswith("which is not certain.")


def test_only_sentences_that_all_have_count() -> None:
    whole = _items(_NOISE)
    whole |= {f"hard{n}": -9.0 for n in range(20)}
    [found] = rank_samples([_entry("a", whole), _entry("b", _items(_NOISE))], [SCORE])
    assert found.duels[0].value == pytest.approx((0, np.nan, np.nan), nan_ok=True)


def test_only_corpora_that_all_have_count() -> None:
    entries = [
        _entry("a", _items(_NOISE)),
        _entry("b", _items(_NOISE)),
        _entry("a", _items(_NOISE + 5), "news"),
    ]
    [found] = rank_samples(entries, [SCORE])
    assert found.duels[0].value == pytest.approx((0, np.nan, np.nan), nan_ok=True)
    apart = [_entry("a", _items(_NOISE)), _entry("b", _items(_NOISE), "news")]
    assert rank_samples(apart, [SCORE]) == []
    assert difference_tables(apart, [SCORE]) == []


def test_one_system_in_two_runs_is_named_by_its_run_where_they_meet() -> None:
    entries = [_entry("a", _items(_NOISE), run="one"), _entry("a", _items(_NOISE + 1), run="two")]
    [found] = rank_samples(entries, [SCORE])
    assert [*found.ranks] == ["a in two", "a in one"]
    other = [_entry(name, _items(_NOISE), corpus, corpus) for name in "ab" for corpus in "xy"]
    assert [*rank_samples(other, [SCORE])[0].ranks] == ["a", "b"]


def test_one_system_has_no_rival() -> None:
    assert rank_samples([_entry("a", _items(_NOISE))], [SCORE]) == []
    assert difference_tables([_entry("a", _items(_NOISE))], [SCORE]) == []
    assert rank_samples([], [SCORE]) == []


def test_no_control_stands_in_a_ranking() -> None:
    entries = [_entry("a", _items(_NOISE)), _entry("copy", _items(_NOISE + 1), control=True)]
    assert rank_samples(entries, [SCORE]) == []
    assert len(difference_tables(entries, [SCORE])) == 1, "its differences are told all the same"
    [found] = rank_samples([*entries, _entry("b", _items(_NOISE + 0.1))], [SCORE])
    assert [*found.ranks] == ["b", "a"]


def test_differences_stand_in_a_table_for_all_corpora_and_for_each() -> None:
    entries = [
        _entry(name, _items(_NOISE + high), corpus)
        for name, by in (("a", (1.0, 0.0)), ("b", (0.0, 0.0)))
        for corpus, high in zip(("essays", "news"), by, strict=True)
    ]
    [table] = difference_tables(entries, [SCORE])
    assert table.data["corpus"].to_list() == ["all", "essays", "news"]
    assert table.data["difference"].to_list() == pytest.approx([0.5, 1.0, 0.0])
    assert [p < 0.05 for p in table.data["p"]] == [True, True, False]
    [alone] = difference_tables(entries[::2], [SCORE])
    assert alone.data["corpus"].to_list() == ["essays"]
