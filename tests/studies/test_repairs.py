"""False repairs: the sentences, the study, and the same share of an open translator."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.cli.main import main
from hyperbaton.language.languages import PAPER_LANGUAGES
from hyperbaton.metrics import METRICS
from hyperbaton.pipeline import Job, Pair, Run, RunOptions, execute
from hyperbaton.report import write_report
from hyperbaton.studies.registry import load_contents
from hyperbaton.studies.repairs import Repairs, directions, repairs

HEADER = "id\tkind\tlanguage\trole\tsentence\tusual\n"


def _run(folder: Path, *pairs: str, systems: Sequence[str] = ("gloss",), poles: bool = True) -> Run:
    study = Repairs()
    corpora = tuple(study.corpora([], ",".join(pairs)))
    job = Job(
        study,
        corpora,
        tuple(systems),
        ("chrF",),
        options=RunOptions(poles=poles, workers=0, cached=False),
    )
    return execute(job, folder)


def test_every_language_is_there_both_ways_and_the_two_sentences_differ() -> None:
    assert {pair[0] for pair in directions()} == {pair[1] for pair in directions()}
    assert {pair[0] for pair in directions()} == set(PAPER_LANGUAGES)
    assert len(directions()) == 14
    unusual = set()
    for source, target in directions():
        items = repairs(source, target)
        assert len({item.id for item in items}) == len(items) == 26
        for item in items:
            assert item.columns["varied"] != item.source_text
            assert item.columns["varied_reference"] != item.reference_text
            unusual.add((source, item.columns["varied"]))
    assert len(unusual) == 208


@pytest.mark.parametrize(("source", "target"), directions())
def test_the_metric_tells_the_references_apart(source: str, target: str) -> None:
    items = repairs(source, target)
    usual = [item.reference_text or "" for item in items]
    own = [item.columns["varied_reference"] for item in items]
    assert METRICS.parse("chrF").sentence_scores(own, usual).max() < 0.97


def test_the_poles_repair_everything_and_nothing(tmp_path: Path) -> None:
    run = _run(
        tmp_path / "run", "en-de", "ja-en", systems=("oracle", "literal", "gloss"), poles=False
    )
    scores = {(s.system, s.pair, s.name): s for s in Repairs().scores([run], "chrF")}
    for pair in ("en-de", "ja-en"):
        assert scores["oracle", pair, "false_repairs"].value == 1
        assert scores["literal", pair, "false_repairs"].value == 0
        assert scores["literal", pair, "false_repairs"].high > 0.1  # none of 26 is not none of all
        assert scores["literal", pair, "quality"].value == 1
        assert scores["literal", pair, "confused"].value == 0
        assert 0 < scores["gloss", pair, "false_repairs"].value < 1


def test_the_report_has_the_shares_of_all_directions_and_kinds(tmp_path: Path) -> None:
    run = _run(tmp_path / "run", "en-de", "de-en", systems=("gloss", "copy"))
    contents = load_contents([run.folder])
    pairs, kinds = contents.tables[:2]
    assert pairs.data.filter(pairs.data["system"] == "gloss")["pair"].to_list() == [
        *("all", "en-de", "de-en")
    ]
    assert pairs.data["N"].to_list()[:3] == [52, 26, 26]
    every = pairs.data.filter(system="gloss", pair="all").row(0, named=True)
    share, low, high = (round(100 * every[f"false repairs{end}"]) for end in ("", " low", " high"))
    said = f"gloss translates {share} % [{low}, {high}] of correct but unusual sentences as if"
    assert contents.headlines[0].sentence.startswith(said)
    assert {"roles", "fronting", "verse"} <= set(kinds.data["kind"])
    assert contents.explorer is not None
    assert "Den Hund biss der Mann." in contents.explorer.rows["varied"]
    write_report(contents, tmp_path / "report.html")


def test_a_table_of_ones_own_and_its_mistakes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.tsv"
    rows = ["1\troles\ten\tboth\tA b.\tB a.", "1\troles\tde\tboth\tX y.\tY x."]
    file.write_text(HEADER + "\n".join(rows) + "\n")
    (item,) = repairs("en", "de", file)
    assert (item.source_text, item.columns["varied"]) == ("B a.", "A b.")
    assert directions(file) == (("en", "de"), ("de", "en"))
    with pytest.raises(HyperbatonError, match="it has en-de, de-en"):
        repairs("en", "fr", file)
    bad = tmp_path / "bad.tsv"
    bad.write_text(HEADER + "1\troles\ten\tsometimes\tA b.\tB a.\n")
    out = str(tmp_path / "run")
    assert main(["repairs", str(bad), "-l", "en-de", "--system", "copy", "--out", out]) == 2
    error = capsys.readouterr().err
    assert "bad.tsv, line 2" in error
    assert "both, source, reference" in error


def test_pairs_that_the_file_has_not() -> None:
    with pytest.raises(HyperbatonError, match="no sentences for de-pt"):
        list(Repairs().corpus([], Pair("de", "pt")).items())


def test_a_distance_is_refused() -> None:
    assert Repairs().chosen(["BLEU"]) == ("BLEU",)
    with pytest.raises(HyperbatonError, match="takes similarities, not TER"):
        Repairs().chosen(["chrF", "TER"])
