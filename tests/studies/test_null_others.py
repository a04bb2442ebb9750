"""Paraphrases, surface and false repairs: what does not translate is found out nothing about."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from hyperbaton.corpus.paraphrases import paraphrases
from hyperbaton.pipeline import Corpus, Job, Pair, Run, RunOptions, Starter, execute
from hyperbaton.report.contents import Contents
from hyperbaton.studies.isometry.study import BLEU, CHRF, Isometry, ShippedPairs
from hyperbaton.studies.layer.experiment import Experiment
from hyperbaton.studies.registry import load_contents
from hyperbaton.studies.repairs import Repairs
from hyperbaton.studies.surface import Surface
from tests.studies.null_systems import NULLS, assert_nothing_said, null_answers, recorded

DE_EN, EN_DE = Pair("de", "en"), Pair("en", "de")
ISOMETRY = (Isometry(), (ShippedPairs(DE_EN),), (CHRF, BLEU, "Paraphrase:letters"))
SURFACE = (Surface(perturbations="upper; addFinalMark"), (Starter(EN_DE, 80),), ("chrF",))
REPAIRS = (Repairs(), tuple(Repairs().corpora([], "en-de,en-fr,en-es,en-it")), ("chrF",))
Asked = tuple[Experiment, Sequence[Corpus], tuple[str, ...]]
STUDIES: dict[str, Asked] = {"isometry": ISOMETRY, "surface": SURFACE, "repairs": REPAIRS}


def _run(folder: Path, asked: Asked, *systems: str) -> Run:
    study, corpora, metrics = asked
    job = Job(
        study,
        tuple(corpora),
        systems,
        metrics,
        options=RunOptions(poles=False, workers=0, cached=False),
    )
    return execute(job, folder)


def _contents(folder: Path, asked: Asked, *systems: str) -> Contents:
    _run(folder, asked, *systems)
    return load_contents([folder])


@pytest.fixture(scope="module")
def rows(
    tmp_path_factory: pytest.TempPathFactory, plain_detectors: None
) -> dict[str, list[dict[str, str]]]:
    """The probes of each study, by pair."""
    found: dict[str, list[dict[str, str]]] = {}
    for name, asked in STUDIES.items():
        run = _run(tmp_path_factory.mktemp("rows") / name, asked, "copy")
        pair = run.pairs[0]
        found[name] = run.table(pair, "copy").to_dicts()
    return found


def _real(name: str, rows: Sequence[dict[str, str]], careful: float) -> dict[str, str]:
    """A translator that has the reference of most sentences, and sometimes loses a word."""
    rng = random.Random(f"{name} {careful}")
    answers: dict[str, str] = {}
    for row in rows:
        wanted = row["varied_reference"] if name != "surface" else row["reference"]
        for text, answer in ((row["source"], row["reference"]), (row["varied"], wanted)):
            words = answer.split()
            if rng.random() > careful:
                del words[rng.randrange(len(words))]
            answers.setdefault(text, " ".join(words) or answer)
    return answers


def _items(rows: Sequence[dict[str, str]]) -> list[list[str]]:
    items: dict[str, list[str]] = {}
    for row in rows:
        items.setdefault(row["item"], [row["source"]]).append(row["varied"])
    return list(items.values())


def _only_first(asked: Asked) -> Asked:
    """The same on one language pair, whose answers are recorded."""
    return (asked[0], asked[1][:1], asked[2])


@pytest.mark.parametrize("null", NULLS)
@pytest.mark.parametrize("name", STUDIES)
def test_nothing_is_found_out_about_a_system_that_does_not_translate(
    name: str, null: str, rows: dict[str, list[dict[str, str]]], tmp_path: Path
) -> None:
    real = _real(name, rows[name], careful=0.9)
    better = recorded(tmp_path / "real.jsonl", real)
    answers = null_answers(null, real, _items(rows[name]))
    system = recorded(tmp_path / "null.jsonl", answers)
    contents = _contents(tmp_path / "run", _only_first(STUDIES[name]), better, system)
    # Beside a system that translates: neither is said to do better than the other.
    assert any("null.jsonl" in caution for caution in contents.cautions)
    assert not [one for one in contents.contests if any("null" in system for system in one.ranks)]
    assert not [finding for finding in contents.findings if "null" in finding.claim]
    alone = _contents(tmp_path / "alone", _only_first(STUDIES[name]), system)
    assert_nothing_said(alone, "null.jsonl")


@pytest.mark.parametrize("name", STUDIES)
def test_systems_that_translate_are_compared(
    name: str, rows: dict[str, list[dict[str, str]]], tmp_path: Path
) -> None:
    good, bad = (
        recorded(tmp_path / f"{word}.jsonl", _real(name, rows[name], careful))
        for word, careful in (("good", 1.0), ("bad", 0.2))
    )
    contents = _contents(tmp_path / "run", _only_first(STUDIES[name]), good, bad)
    assert not [caution for caution in contents.cautions if "left out" in caution]
    assert {len(contest.ranks) for contest in contents.contests} == {2}


def test_paraphrases_go_with_similarity_beyond_chance(
    rows: dict[str, list[dict[str, str]]], tmp_path: Path
) -> None:
    system = recorded(tmp_path / "good.jsonl", _real("isometry", rows["isometry"], 1.0))
    found = _contents(tmp_path / "run", ISOMETRY, system).findings
    [finding] = [one for one in found if one.id == "I6"]
    assert finding.n == len(paraphrases("de", "en"))
    assert finding.verdict in ("holds", "does not hold")  # weak, or more than that
    assert finding.value > 0.1
