"""Word order: answers that do not belong to their sentences confirm no claim, real ones do."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from hyperbaton.pipeline import Job, Pair, Run, RunOptions, Starter, execute
from hyperbaton.report.contents import Contents
from hyperbaton.studies.registry import load_contents
from hyperbaton.studies.wordorder import WordOrder
from tests.studies.null_systems import NULLS, assert_nothing_said, null_answers, recorded

PAIR = Pair("en", "de")
STUDY = WordOrder(
    perturbations="nounSwaps; functionalShuffle; treeMirrorIn; reversed; shuffleHalvesFirst",
    redraw=True,
    second_look=False,
)
ITEMS = 120


def _run(folder: Path, *systems: str) -> Run:
    corpora = (Starter(PAIR, ITEMS),)
    job = Job(
        STUDY, corpora, systems, ("BLEU",), options=RunOptions(poles=False, workers=0, cached=False)
    )
    return execute(job, folder)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    folder = tmp_path_factory.mktemp("rows")
    return _run(folder / "run", "copy").table(PAIR, "copy").to_dicts()


@pytest.fixture(scope="module")
def real(rows: list[dict[str, str]]) -> dict[str, str]:
    """Mostly repaired with a word lost, in long sentences less often; else carried over."""
    rng = random.Random(5)
    answers = {row["source"]: row["reference"] for row in rows}
    for row in rows:
        words = row["reference"].split()
        if rng.random() < 1.1 - len(words) / 30:
            del words[rng.randrange(len(words))]
            answers.setdefault(row["varied"], " ".join(words))
        answers.setdefault(row["varied"], row["varied_reference"])
    return answers


def _items(rows: list[dict[str, str]]) -> list[list[str]]:
    items: dict[str, list[str]] = {}
    for row in rows:
        items.setdefault(row["item"], [row["source"]]).append(row["varied"])
    return list(items.values())


def _contents(folder: Path, answers: Mapping[str, str], *more: str) -> Contents:
    _run(folder / "run", recorded(folder / "answers.jsonl", answers), *more)
    return load_contents([folder / "run"])


@pytest.mark.parametrize("null", NULLS)
def test_nothing_is_found_out_about_a_system_that_does_not_translate(
    null: str, rows: list[dict[str, str]], real: dict[str, str], tmp_path: Path
) -> None:
    answers = null_answers(null, real, _items(rows))
    assert_nothing_said(_contents(tmp_path, answers), "answers.jsonl")


def test_claims_hold_of_a_system_that_translates(real: dict[str, str], tmp_path: Path) -> None:
    contents = _contents(tmp_path, real)
    robust = next(finding for finding in contents.findings if finding.id == "W1")
    assert robust.verdict == "holds"
    assert "By chance" in robust.detail
    (caution,) = contents.cautions
    assert "recorded translations, and no sentence comes again" in caution
    assert "repairs" in contents.headlines[0].sentence


def test_a_null_system_beside_a_real_one_takes_no_part(
    rows: list[dict[str, str]], real: dict[str, str], tmp_path: Path
) -> None:
    for name in ("alone", "both"):
        (tmp_path / name).mkdir()
    alone = _contents(tmp_path / "alone", real)
    null = recorded(tmp_path / "null.jsonl", null_answers("permuted", real, _items(rows)))
    both = _contents(tmp_path / "both", real, null)
    assert [(f.claim, f.verdict) for f in both.findings] == [
        (f.claim, f.verdict) for f in alone.findings
    ]
    assert both.contests == []
    assert any("null.jsonl is left out of every finding" in one for one in both.cautions)


def test_answers_to_moved_words_that_are_lost_are_neither_repaired_nor_carried_over(
    rows: list[dict[str, str]], real: dict[str, str], tmp_path: Path
) -> None:
    """Clean sources are translated well, the others at random: fluent text favours β1 a little."""
    clean = {row["source"] for row in rows}
    moved = {text: answer for text, answer in real.items() if text not in clean}
    shuffled = null_answers("permuted", moved, [])
    found = _contents(tmp_path, {**real, **shuffled}).findings
    held = {one.id for one in found if one.verdict == "holds"}
    # How much perturbations leave, and that nothing flips.
    assert held == {"W12", "W16"}
