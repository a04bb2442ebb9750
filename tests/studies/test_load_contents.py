"""Runs of several studies in one report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.report import Contents, Finding
from hyperbaton.studies.registry import load_contents


@dataclass
class _Study:
    """A study that finds how many runs it was given."""

    name: str

    def contents(self, runs: list[object]) -> Contents:
        finding = Finding(f"claim of {self.name}", "runs", len(runs), 0, 9, "holds")
        return Contents(self.name, "", [finding], [], [], None, [self.name], "")


@pytest.fixture
def studies(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder's name is the study that ran in it."""

    def opened(folder: Path) -> SimpleNamespace:
        return SimpleNamespace(record=SimpleNamespace(study=folder.name))

    monkeypatch.setattr("hyperbaton.studies.registry.Run", opened)
    monkeypatch.setattr("hyperbaton.studies.registry.STUDIES", SimpleNamespace(parse=_Study))
    monkeypatch.setattr("hyperbaton.studies.layer.answers.cautions", lambda runs: ["Take care."])
    monkeypatch.setattr("hyperbaton.studies.layer.own_noise.recorded_cautions", lambda runs: [])
    monkeypatch.setattr("hyperbaton.studies.metrics.stored.blind_spots", lambda study, runs: [])


@pytest.mark.usefixtures("studies")
def test_each_study_gets_its_own_runs() -> None:
    one = load_contents([Path("a/order"), Path("b/order")])
    assert [finding.value for finding in one.findings] == [2]
    both = load_contents([Path("a/order"), Path("a/pairs"), Path("b/order")])
    assert both.title == "order · pairs"
    wanted = [
        replace(one.findings[0], run="order"),
        replace(one.findings[0], claim="claim of pairs", value=1, run="pairs"),
    ]
    # From Python 3.13 on a value with nan in it is not equal to its copy.
    assert [str(finding) for finding in both.findings] == [str(finding) for finding in wanted]
    assert both.signatures == ["order: order", "pairs: pairs"]
    assert one.cautions == ["Take care."]
    assert both.cautions == ["order: Take care.", "pairs: Take care."]


def test_no_run_is_a_mistake() -> None:
    with pytest.raises(HyperbatonError, match="no run was given"):
        load_contents([])
