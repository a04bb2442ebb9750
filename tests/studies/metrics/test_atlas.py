"""The study of metrics: known metrics come out as what they are, counts are those of sacreBLEU."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline import Pair
from hyperbaton.report import write_figures, write_tables
from hyperbaton.studies.layer.running import run_study
from hyperbaton.studies.metrics.contents import findings
from hyperbaton.studies.metrics.kinds import DAMAGES, NONE, ORDER
from hyperbaton.studies.metrics.noticing import read_atlas
from hyperbaton.studies.metrics.stored import FOLDER
from hyperbaton.studies.metrics.study import Metrics

from .asking import EN_DE, NOW, by_name, on_damaged, on_references, planted

DEMETR = Path(__file__).parents[4] / "shared" / "data" / "demetr"


@pytest.mark.usefixtures("plugin")
def test_metrics_that_see_nothing_come_out_as_what_they_are(tmp_path: Path) -> None:
    names = ["constant", "random", "length"]
    session = on_references(tmp_path / "run", ["Planted", *map(planted, names[1:])])
    found = by_name(session)
    assert found["Planted", "all", "tied"].value == 1
    assert found["Planted", "all", "noticed"].value == 0
    assert ("Planted", "all", "strength") not in found  # there is no loss to measure it by
    chance = found[planted("random"), "all", "noticed"]
    assert chance.low < 0.5 < chance.high
    length = planted("length")
    assert found[length, "wordShuffle", "tied"].value > 0.9  # a capital may be one letter more
    assert found[length, "cut(share=0.5)", "noticed"].value == 1
    said = {head.name: head.sentence for head in session.contents.headlines}
    assert "gives every text the same score" in said["Planted"]
    assert "no better than a coin" in said[planted("random")]
    assert "is blind to order of words (ties on" in said[length]
    assert not set(said) & set(DAMAGES), "none of them is recommended for anything"
    ranked = {name for contest in session.contents.contests for name in contest.ranks}
    assert not ranked & {"Planted", planted("random")}


@pytest.mark.usefixtures("plugin")
def test_a_metric_of_order_alone_and_one_of_words_alone_are_found_out(tmp_path: Path) -> None:
    order, words = planted("order"), planted("words")
    session = on_references(tmp_path / "run", [order, words, "BLEU"])
    found = by_name(session)
    assert found[order, "reversed", "noticed"].value > 0.9
    assert found[words, "reversed", "tied"].value > 0.9
    assert found[order, "cut(share=0.5)", "tied"].value == 1
    assert found[words, "cut(share=0.5)", "noticed"].value == 1
    said = {head.name: head.sentence for head in session.contents.headlines}
    assert "is blind to words missing" in said[order]
    assert said[ORDER].startswith("To detect damage to the order of words, use BLEU")
    assert f"{words} is blind to it" in said[ORDER]
    assert "is blind to order of words" in said[words]
    assert "blind" not in said["BLEU"]
    table = next(table.data for table in session.contents.tables if table.id == "T8")
    row = table.filter((table["damage"] == ORDER) & (table["first"] == order)).to_dicts()[0]
    assert row["second"] == words
    assert row["difference low"] > 0.5
    assert row["p"] < 0.001


@pytest.mark.usefixtures("plugin")
def test_the_claim_about_forgiving_metrics_is_decided_by_them(tmp_path: Path) -> None:
    order, words = planted("order"), planted("words")
    session = on_references(tmp_path / "run", [order, words, "BLEU", "Levenshtein"])
    atlas = read_atlas([session.run])
    for lead, metric, told in ((order, words, "holds"), (words, order, "does not hold")):
        named = {"BLEU": atlas.readings[lead], "BERTScore": atlas.readings[metric]}
        claim = findings(replace(atlas, readings=named))[0]
        assert (claim.id, claim.verdict) == ("W17", told)
        assert "BLEURT and Levenshtein were not asked" in claim.detail
    assert session.contents.findings[0].verdict == "not asked"


def test_metrics_that_are_lower_for_better_texts_are_read_the_other_way(tmp_path: Path) -> None:
    session = on_references(
        tmp_path / "run", ["LevenshteinDistance", "Levenshtein"], "reversed; lower"
    )
    found = by_name(session)
    for variant in ("reversed", "lower", "emptyText", "cut(share=0.25)"):
        both = {found[m, variant, "noticed"].value for m in ("LevenshteinDistance", "Levenshtein")}
        assert both == {1.0}, variant


def test_severity_and_fakes(tmp_path: Path) -> None:
    session = on_references(tmp_path / "run", ["chrF", "ExactMatch"], "upper")
    found = by_name(session)
    assert found["chrF", "cut", "ranked"].value == 1
    assert found["ExactMatch", "cut", "ranked"].value == 0.5  # ties all
    assert found["chrF", "emptyText", "fooled"].value == 0
    assert found["ExactMatch", "anotherSentence", "fooled"].value == 1
    assert 0.9 < found["chrF", "anotherSentence", "strength"].value < 1.1


def test_by_language_and_all_together(tmp_path: Path) -> None:
    study = Metrics(perturbations="upper; reversed")
    pairs = [Pair("en", "de"), Pair("en", "ja")]
    corpora = [study.demo_corpus(pair, 12) for pair in pairs]
    session = run_study(study, corpora, (), tmp_path / "run", metrics=["chrF"], options=NOW)
    scores = study.scores([session.run])
    assert [*dict.fromkeys(s.pair for s in scores)] == ["all", "en-de", "en-ja"]
    every = by_name(session, "all")
    assert every["chrF", "reversed", "noticed"].n == 24
    assert every["chrF", "upper", "noticed"].n == 12  # Japanese has no capitals
    assert ("chrF", "upper", "noticed") not in by_name(session, "en-ja")
    atlas = read_atlas([session.run])
    assert atlas.families["upper"] in DAMAGES
    assert atlas.families["emptyText"] == NONE


def test_the_report_has_the_map_and_every_cell_its_sentences(tmp_path: Path) -> None:
    session = on_references(tmp_path / "run", ["BLEU", "chrF"], "upper; reversed; whitespace", 20)
    contents = session.contents
    assert {figure.id for figure in contents.figures} == {"F1", "F2", "F3"}
    explorer = contents.explorer
    assert explorer is not None
    assert explorer.fields["damage"] == "variant"
    cells = set(explorer.rows.select("metric", "variant").iter_rows())
    assert {("chrF", "whitespace"), ("BLEU", "reversed"), ("BLEU", "emptyText")} <= cells
    blind = explorer.rows.filter(explorer.rows["metric"] == "chrF")
    assert set(blind.filter(blind["variant"] == "whitespace")["outcome"]) == {"tied"}
    write_figures(replace(contents, figures=contents.figures[:1]), tmp_path / "paper", ["pdf"])
    write_tables(contents, tmp_path / "paper", ["tex"])
    assert [*(tmp_path / "paper").glob("*.pdf")]
    assert [*(tmp_path / "paper").glob("*.tex")]


def test_no_system_is_asked(tmp_path: Path) -> None:
    study = Metrics(perturbations="upper")
    with pytest.raises(HyperbatonError, match="metrics asks no system: leave out copy"):
        run_study(study, [study.demo_corpus(EN_DE, 2)], ("copy",), tmp_path / "r", options=NOW)


@pytest.mark.skipif(not DEMETR.is_dir(), reason="needs ../shared")
def test_counts_are_those_of_sacrebleu(tmp_path: Path) -> None:
    kinds = ("critical_id11_gender", "critical_id10_numbers_replaced", "minor_id14_word_swap")
    folder = tmp_path / "demetr"
    folder.mkdir()
    for kind in kinds:
        (folder / f"{kind}.json").write_bytes((DEMETR / f"{kind}.json").read_bytes())
    session = on_damaged(folder, tmp_path / "run", ["BLEU", "chrF"])
    found = by_name(session, "all")
    stored = json.loads((FOLDER / "demetr-strings.json").read_text(encoding="utf-8"))
    scorers = {"BLEU": BLEU(effective_order=True), "chrF": CHRF()}
    for kind in kinds:
        rows = json.loads((folder / f"{kind}.json").read_text())
        for name, scorer in scorers.items():
            counts: Counter[str] = Counter()
            for row in rows:
                if row["pert_check"]:
                    better, worse = (
                        scorer.sentence_score(row[text], [row["eng_sent"]]).score
                        for text in ("mt_sent", "pert_sent")
                    )
                    apart = better - worse
                    counts["noticed"] += apart > 1e-6
                    counts["tied"] += abs(apart) <= 1e-6
                    counts["n"] += 1
            for what in ("noticed", "tied"):
                score = found[name, kind, what]
                assert score.n == counts["n"]
                assert round(score.value * score.n) == counts[what], (kind, name, what)
            # The numbers that are stored, and stand on the page of the atlas, are the same.
            n, noticed, tied, _ = stored["damage"][kind][name]
            assert n == counts["n"]
            assert round(noticed[0] * n) == counts["noticed"]
            assert round(tied[0] * n) == counts["tied"]


def test_of_each_damage_as_many_sentences_are_shown_as_are_told() -> None:
    from hyperbaton.studies.metrics.contents import _few

    rows = pl.DataFrame(
        {
            "variant": ["often"] * 100 + ["rare"] * 6,
            "noticed": [True] * 76 + [False] * 24 + [True] * 5 + [False],
        }
    ).with_columns(pl.lit(1).alias(name) for name in _COLUMNS)
    shown = _few(rows.with_columns(seen="noticed"), 10)
    counts = shown.group_by("variant", "seen").len().sort("variant", "seen").rows()
    assert counts == [
        ("often", False, 5),
        ("often", True, 5),
        ("rare", False, 1),
        ("rare", True, 5),
    ]


_COLUMNS = (
    "whole",
    "damaged",
    "drop",
    "order",
    "words",
    "draw",
    "severity",
    "tied",
    "full",
    "fooled",
)
