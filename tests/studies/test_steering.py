"""How well systems can be steered: one that obeys, one that does not listen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from hyperbaton.corpus.starter import starter
from hyperbaton.pipeline import Job, Pair, Run, RunOptions, Starter, execute
from hyperbaton.report.contents import Contents
from hyperbaton.studies.registry import load_contents
from hyperbaton.studies.wordorder import WordOrder
from hyperbaton.studies.wordorder.headlines import steered
from hyperbaton.systems.system import SYSTEMS, Mode, System, Translation, Translator

PAIRS = (Pair("en", "de"), Pair("en", "fr"))
STUDY = WordOrder(perturbations="reversed; wordShuffle")


def _letters(text: str) -> str:
    """What is left of a text when its words are moved."""
    return "".join(sorted(text.lower().replace(" ", "")))


class _Answers(Translator):
    def __init__(self, mode: Mode, source: str, target: str) -> None:
        self.signature = f"told|{mode}|{source}-{target}"
        self._known = {
            _letters(item.source_text): item.reference_text for item in starter(source, target)
        }
        self._words = SYSTEMS.parse("gloss").open(source, target)
        self._mode = mode

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        if self._mode == "faithful":
            return self._words.translate(texts)
        return [Translation(self._known[_letters(text)]) for text in texts]


@dataclass(frozen=True)
class Told(System):
    """Repairs everything, unless it is told to be faithful: then it goes word for word."""

    name: ClassVar[str] = "told"
    mode: Mode = "plain"
    deaf: bool = False

    def open(self, source: str, target: str) -> Translator:
        return _Answers("plain" if self.deaf else self.mode, source, target)


@dataclass(frozen=True)
class Follows(System):
    """Goes word for word without being told."""

    name: ClassVar[str] = "follows"

    def open(self, source: str, target: str) -> Translator:
        return _Answers("faithful", source, target)


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SYSTEMS._builtin, "told", f"{__name__}:Told")
    monkeypatch.setitem(SYSTEMS._builtin, "follows", f"{__name__}:Follows")


def _run(folder: Path, *systems: str) -> Run:
    corpora = tuple(Starter(pair, 12) for pair in PAIRS)
    return execute(
        Job(STUDY, corpora, systems, ("BLEU",), options=RunOptions(workers=0, cached=False)), folder
    )


def test_the_obedient_and_the_deaf(tmp_path: Path) -> None:
    asked = [f"told({deaf}mode={mode})" for mode in ("robust", "faithful") for deaf in ("", "X")]
    systems = [name.replace("Xmode", "deaf=true, mode") for name in asked]
    run = _run(tmp_path / "run", "told", *systems)
    scores = {(s.system, s.pair, s.variant, s.name): s for s in STUDY.scores([run])}
    for pair in ("en-de", "en-fr"):
        beta1, projected = (
            {
                mode: scores[f"told(mode={mode})", pair, "all", name].value
                for mode in ("robust", "faithful")
            }
            for name in ("beta1", "beta2_projected")
        )
        found = scores["told", pair, "all", "steerability"]
        assert found.value == pytest.approx(beta1["robust"] - beta1["faithful"])
        assert 0 < found.low < found.value < found.high
        found = scores["told", pair, "all", "steerability_projected"]
        assert found.value == pytest.approx(projected["faithful"] - projected["robust"])
        deaf = scores["told(deaf=true)", pair, "all", "steerability"]
        assert deaf.value == 0
        assert math.isnan(deaf.low)  # no width is no interval
    one, other = (scores["told", str(pair), "all", "steerability"].value for pair in PAIRS)
    both = scores["told", "all", "all", "steerability"].value
    assert min(one, other) <= both <= max(one, other)


def test_the_report_has_the_table_and_only_where_there_are_modes(tmp_path: Path) -> None:
    run = _run(tmp_path / "run", "told(mode=robust)", "told(mode=faithful)", "gloss")
    contents = load_contents([run.folder])
    table = contents.tables[-1]
    assert table.id == "steerability"
    assert table.data["system"].to_list() == ["told"] * 3
    assert table.data["pair"].to_list() == ["all", "en-de", "en-fr"]
    plain = load_contents([_run(tmp_path / "plain", "told(mode=robust)", "gloss").folder])
    assert "steerability" not in [table.id for table in plain.tables]


def test_modes_of_one_system_may_come_from_two_runs(tmp_path: Path) -> None:
    one = _run(tmp_path / "one", "told(mode=robust)")
    two = _run(tmp_path / "two", "told(mode=faithful)")
    contents = load_contents([one.folder, two.folder])
    assert contents.tables[-1].data["system"].to_list() == ["told"] * 3


def _said(contents: Contents) -> list[str]:
    return [str((f.claim, f.value, f.low, f.high)) for f in contents.findings]


def test_no_claim_is_tested_on_a_system_that_was_told_what_to_do(tmp_path: Path) -> None:
    """Nor on a control: what it says is known before."""
    alone = load_contents([_run(tmp_path / "alone", "follows").folder])
    assert "No claim" not in alone.summary
    told = ("told(mode=robust)", "told(mode=faithful)")
    beside = load_contents([_run(tmp_path / "beside", "follows", *told, "copy").folder])
    assert _said(beside) == _said(alone)
    assert beside.summary.startswith("follows on 24 items in 2 language pairs × 2 perturbations. ")
    assert (
        "No claim is tested on told(mode=robust), told(mode=faithful), which were told what to "
        "do, or on copy, a control."
    ) in beside.summary
    none = load_contents([_run(tmp_path / "none", *told).folder])
    assert not none.findings
    assert "no claim is tested." in none.summary


def test_a_claim_on_translators_is_judged_for_each(tmp_path: Path) -> None:
    """On average both repair; one of them does not, so not every system does."""
    contents = load_contents([_run(tmp_path / "run", "told", "follows").folder])
    first, *parts = contents.findings
    assert first.id == "W1"
    verdicts = {finding.claim: finding for finding in parts}
    one, other = verdicts["β1 > β2: told"], verdicts["β1 > β2: follows"]
    assert one.verdict == "holds"
    assert one.value + other.value > 0
    assert (first.value, first.low, first.high) == (other.value, other.low, other.high)
    assert first.verdict != "holds"
    assert "The weakest of 4 decides: follows" in first.detail
    assert "count sentences" in first.detail


def test_only_the_mode_may_differ() -> None:
    assert not steered(["steered(mode=robust)", "steered(beam=1, mode=faithful)", "bundled"])
    assert steered(["a(beam=1, mode=robust)", "a(beam=1, mode=faithful)"]) == {
        "a(beam=1)": {"robust": "a(beam=1, mode=robust)", "faithful": "a(beam=1, mode=faithful)"}
    }
