"""Limits on time, memory and money: a run stops before it takes more, and resumes."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hyperbaton.base.errors import HyperbatonError, OutOfBudget
from hyperbaton.pipeline import Run, RunOptions, execute
from tests.pipeline.small import job, logged, on_desk, parts

SYSTEM = "python:fake:translate(batch=20)"
A_CHARACTER = 1_000_000.0
"""The price of a million characters that makes one cost 1."""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    on_desk(tmp_path, monkeypatch)
    return tmp_path


def test_a_run_out_of_time_stops_and_resumes(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    execute(job(desk, cached=False), desk / "whole")
    with monkeypatch.context() as patch:
        ticks = count()
        clock = SimpleNamespace(monotonic=lambda: float(next(ticks)))
        patch.setattr("hyperbaton.pipeline.engine.budgets.time", clock)
        with pytest.raises(OutOfBudget) as caught:
            execute(job(desk, time_limit=20), desk / "run")
    assert str(caught.value).startswith("--time-limit is reached, after 2")
    assert str(caught.value).endswith("run the same command again, which resumes the run")
    there = parts(desk / "run")
    assert 0 < len(there) < len(parts(desk / "whole"))
    assert there.items() < parts(desk / "whole").items()
    assert execute(job(desk), desk / "run").complete
    assert parts(desk / "run") == parts(desk / "whole")


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="needs Linux")
def test_a_run_that_takes_too_much_memory_stops_and_resumes(desk: Path) -> None:
    with pytest.raises(
        OutOfBudget, match=r"--max-memory 0\.001G is reached: the run takes \d+\.\d+"
    ):
        execute(job(desk, max_memory=1_000_000), desk / "run")
    assert not Run(desk / "run").complete
    assert logged(desk) == []
    assert execute(job(desk, max_memory=10**12), desk / "run").complete


def test_no_more_is_sent_than_may_be_spent(desk: Path) -> None:
    execute(job(desk, cached=False), desk / "whole")
    (desk / "log").unlink()

    def limits(most: float) -> dict[str, Any]:
        return {"max_cost": most, "prices": {SYSTEM: A_CHARACTER}}

    for _ in range(2):  # the second time nothing is left to spend
        with pytest.raises(OutOfBudget) as caught:
            execute(job(desk, **limits(2000)), desk / "run")
        sent = sum(map(len, logged(desk)))
        assert 1000 < sent <= 2000
        assert json.loads((desk / "run" / "costs.json").read_text()) == {SYSTEM: sent}
        assert f"--max-cost 2000 is reached: {sent:.4g} is spent, and the next " in str(
            caught.value
        )
        assert str(caught.value).endswith(
            "nothing was sent. Run the same command with a larger --max-cost, which resumes the run"
        )
    assert execute(job(desk, **limits(10**6)), desk / "run").complete
    assert parts(desk / "run") == parts(desk / "whole")
    sent = sum(map(len, logged(desk)))
    assert json.loads((desk / "run" / "costs.json").read_text()) == {SYSTEM: sent}
    assert len(set(logged(desk))) <= len(logged(desk)) <= len(set(logged(desk))) + 40


def test_what_is_stored_costs_nothing(desk: Path) -> None:
    execute(job(desk), desk / "run")
    (desk / "log").unlink()
    nothing = {"max_cost": 1e-9, "prices": {SYSTEM: A_CHARACTER}}
    assert execute(job(desk, **nothing), desk / "again").complete
    assert logged(desk) == []
    assert not (desk / "again" / "costs.json").exists()


@pytest.mark.parametrize(
    ("systems", "limits", "sentence"),
    [
        ({SYSTEM: False}, {"prices": {"": 20.0}}, "no system of this run is known to cost money"),
        ({SYSTEM: False}, {"prices": {"copy": 20.0}}, f"names copy, .* it has {SYSTEM[:6]}"),
        (
            {"openai:a": True, "openai:b": True},
            {"max_cost": 5.0, "prices": {"openai:a": 20.0}},
            "the price of openai:b is not known: add --price 'openai:b=20/1M', or =0",
        ),
    ],
)
def test_a_price_that_is_missing_or_for_nobody_is_one_sentence(
    systems: dict[str, bool], limits: dict[str, object], sentence: str
) -> None:
    with pytest.raises(HyperbatonError, match=sentence):
        RunOptions(**limits).priced(systems)  # type: ignore[arg-type]


def test_a_price_for_all_is_that_of_the_paid_ones() -> None:
    options = RunOptions(max_cost=5, prices={"": 20, "openai:b": 1})
    priced = options.priced({"openai:a": True, "openai:b": True, "copy": False})
    assert priced.prices == {"openai:a": 20, "openai:b": 1}


def test_a_sum_without_a_price_is_refused() -> None:
    with pytest.raises(HyperbatonError, match="--max-cost needs the price"):
        RunOptions(max_cost=5)


def test_a_damaged_account_is_not_taken_for_an_empty_one(desk: Path) -> None:
    limits = {"max_cost": 10**6, "prices": {SYSTEM: A_CHARACTER}}
    execute(job(desk, **limits), desk / "run")
    (desk / "run" / "costs.json").write_text("{")
    with pytest.raises(HyperbatonError, match=r"costs\.json is damaged"):
        execute(job(desk, **limits), desk / "run")
