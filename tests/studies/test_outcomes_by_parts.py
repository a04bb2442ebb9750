"""Outcomes are judged part by part, and are those of the whole corpus at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from polars.testing import assert_frame_equal

from hyperbaton.pipeline import Job, Pair, Run, RunOptions, Starter, execute
from hyperbaton.studies.grammar.study import Grammar
from hyperbaton.studies.wordorder import WordOrder
from hyperbaton.studies.wordorder.outcomes import outcomes

PAIRS = (Pair("en", "de"), Pair("en", "ja"))
STUDY = WordOrder(perturbations="reversed;wordShuffle")
JOB = Job(
    STUDY,
    tuple(Starter(pair, 20) for pair in PAIRS),
    ("gloss",),
    ("chrF",),
    options=RunOptions(part=7, workers=0, cached=False),
)


def _files(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "whole" / "gloss" / "en-de").iterdir())


def test_parts_say_what_the_whole_corpus_says(tmp_path: Path) -> None:
    run = execute(JOB, tmp_path)
    assert _files(tmp_path) == [f"part-{part:05d}.parquet" for part in range(3)]
    for pair in PAIRS:
        for system in ("gloss", "oracle", "literal"):
            at_once = outcomes(Run(tmp_path), pair, system, "gloss", second_look=True)
            assert at_once["outcome"].n_unique() > 1
            found = run.whole(pair, system)
            assert found is not None
            assert_frame_equal(found, at_once, check_exact=True)
            columns = ["item", "outcome", "beta2_projected"]
            table = run.table(pair, system, "chrF", columns=columns)
            assert table["outcome"].to_list() == at_once["outcome"].to_list()
            assert table["beta2_projected"].equals(at_once["beta2_projected:chrF"])


def test_only_a_lost_part_is_judged_again(tmp_path: Path) -> None:
    run = execute(JOB, tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.parquet")}
    changed = {path: path.stat().st_mtime_ns for path in before}
    lost = run.layout.whole("gloss", PAIRS[0], 1)
    lost.unlink()
    assert run.missing() == ["gloss, en-de: no further scores for 1 of 3 parts"]
    execute(JOB, tmp_path)
    assert {path: path.read_bytes() for path in before} == before
    assert [path for path in before if path.stat().st_mtime_ns != changed[path]] == [lost]


def test_a_run_that_was_judged_at_once_is_read_and_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = replace(JOB, corpora=JOB.corpora[:1])
    columns = ["item", "outcome", "projected_reference"]
    with monkeypatch.context() as patch:
        patch.setattr(WordOrder, "by_parts", False)
        execute(job, tmp_path)
        assert _files(tmp_path) == ["part-00000.parquet"]
    assert Run(tmp_path).complete
    before = Run(tmp_path).table(PAIRS[0], "gloss", columns=columns)
    execute(job, tmp_path)
    assert len(_files(tmp_path)) == 3
    assert_frame_equal(Run(tmp_path).table(PAIRS[0], "gloss", columns=columns), before)


@pytest.mark.parametrize("align", ["fast_align", "pharaoh:links"])
def test_what_needs_all_items_is_judged_at_once(align: str) -> None:
    assert not WordOrder(align=align).by_parts
    assert not Grammar(align=align).by_parts
    assert WordOrder().by_parts
    assert Grammar().by_parts
