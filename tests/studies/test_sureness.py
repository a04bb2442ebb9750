"""What a report says of how sure a number is: no certainty out of a few sentences."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from hyperbaton.cli.main import main
from hyperbaton.pipeline import Job, Pair, Run, RunOptions, Starter, execute
from hyperbaton.report import write_report
from hyperbaton.report.charts.specs import describe
from hyperbaton.report.contents import Contents
from hyperbaton.report.files.figures import write_figures
from hyperbaton.report.files.tables import write_tables
from hyperbaton.studies.isometry.study import Isometry
from hyperbaton.studies.layer.aggregate import Aggregate, gap
from hyperbaton.studies.layer.answers import with_untranslated
from hyperbaton.studies.layer.experiment import ProbeStudy
from hyperbaton.studies.registry import STUDIES, load_contents
from hyperbaton.studies.wordorder import WordOrder
from hyperbaton.studies.wordorder.outcomes import SHARES
from hyperbaton.studies.wordorder.profiles import rank_correlation

from .predictions import write_random_predictions

STUDY = WordOrder(perturbations="reversed; wordShuffle", second_look=False)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Three sentences in two languages."""
    corpora = tuple(Starter(Pair("en", target), 3) for target in ("de", "fr"))
    job = Job(
        STUDY, corpora, ("gloss", "copy"), ("BLEU",), options=RunOptions(workers=0, cached=False)
    )
    return execute(job, tmp_path_factory.mktemp("few") / "run")


@pytest.fixture(scope="module")
def contents(run: Run) -> Contents:
    return load_contents([run.folder])


def _spans(contents: Contents) -> Iterator[tuple[str, float, float]]:
    """Every interval of a report, with what it is of."""
    for finding in contents.findings:
        yield finding.claim, finding.low, finding.high
    for headline in contents.headlines:
        for name, (_, low, high) in (*headline.shares.items(), *headline.numbers.items()):
            yield f"{headline.name}: {name}", low, high
    for contest in contents.contests:
        for name, (_, (_, low, high)) in contest.ranks.items():
            yield f"{contest.score} of {name}", low, high
        for duel in contest.duels:
            yield f"{duel.first} against {duel.second}", *duel.value[1:]
    for table in contents.tables:
        for name in table.data.columns:
            if f"{name} low" in table.data.columns:
                ends = table.data[f"{name} low"], table.data[f"{name} high"]
                yield from ((f"{table.id}: {name}", *both) for both in zip(*ends, strict=True))


def test_no_interval_of_a_report_claims_certainty(contents: Contents) -> None:
    found = list(_spans(contents))
    assert len(found) > 50
    assert [one for one in found if one[1] == one[2]] == []


def test_shares_of_nothing_and_of_all_have_an_interval(run: Run, contents: Contents) -> None:
    scores = with_untranslated(STUDY.scores([run]), [run])
    found = [one for one in scores if one.name in SHARES and one.n > 1]
    assert {0.0, 1.0} <= {one.value for one in found}
    for one in found:
        assert one.high - one.low > 0.3, one
        assert 0 <= one.low <= one.value <= one.high <= 1
    for headline in contents.headlines:
        for value, low, high in headline.shares.values():
            assert low <= value <= high


def test_a_gate_on_three_sentences_does_not_pass_by_chance(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(run.folder)
    assert main(["check", folder, "--max", "lost=0.001"]) == 0
    assert main(["check", folder, "--max", "lost=0.001", "--interval"]) == 1
    assert "lost@all = 0.0000 [0.0000, 0." in capsys.readouterr().out


def test_a_gate_on_a_number_without_an_interval_ends_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    systems = ("cmd:sed s/.*/x/",)  # which has nothing in common with any reference
    job = Job(
        STUDY,
        (Starter(Pair("en", "de"), 3),),
        systems,
        ("chrF",),
        options=RunOptions(workers=0, cached=False),
    )
    run = execute(job, tmp_path / "run")
    assert main(["check", str(run.folder), "--max", "beta1=0.1"]) == 0
    assert "beta1@all = 0.0000 (no interval)" in capsys.readouterr().out
    assert main(["check", str(run.folder), "--max", "beta1=0.1", "--interval"]) == 2
    assert "has no interval" in capsys.readouterr().err


def test_a_page_on_few_sentences_says_nothing_of_nan(contents: Contents, tmp_path: Path) -> None:
    write_report(contents, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    body = page[page.index("<main") : page.index("</main>")]
    assert "(no interval)" in body
    assert not re.search(r"\b(nan|NaN|inf)\b", body)


def test_a_share_of_isometric_pairs_has_one_interval(tmp_path: Path) -> None:
    paths = [write_random_predictions(tmp_path / f"{name}.json") for name in ("good", "weak")]
    result = Isometry().recorded(paths)
    found: dict[str, set[tuple[float, ...]]] = {}
    for score in result.scores:
        if score.name == "isometric":
            found.setdefault(score.system, set()).add((score.low, score.high))
    [table] = (table for table in result.contents.tables if table.id == "T2")
    for row in table.data.filter(pl.col("M") == "[1,1]").iter_rows(named=True):
        found.setdefault(row["system"], set()).add((row["low"], row["high"]))
    contest = next(c for c in result.contents.contests if c.score == "share of isometric pairs")
    for system, (_, (_, low, high)) in contest.ranks.items():
        found.setdefault(system, set()).add((low, high))
    assert len(found) > 1
    assert all(len(ends) == 1 for ends in found.values()), found
    [duel] = contest.duels
    finding = next(f for f in result.contents.findings if f.id == "I1")
    ends = sorted(map(abs, (finding.low, finding.high)))
    assert ends == pytest.approx(sorted(map(abs, duel.value[1:])))


def test_differences_of_percents_are_differences_of_shares() -> None:
    drawn = np.random.default_rng(1).binomial(40, 0.1, (2, 1000)) / 40
    one, other = (Aggregate.of(0.1, some, 40, "wilson") for some in drawn)
    share, percent = one - other, one.times(100) - other.times(100)
    assert percent.method == share.method == "agresti-min"
    assert percent.span == pytest.approx([100 * end for end in share.span])
    assert percent.p == pytest.approx(share.p)
    assert (-percent).span == pytest.approx((-percent.value, -percent.high, -percent.low))
    assert gap(one, other, 2).method == "bca-t"


def test_a_sentence_of_several_systems_counts_once() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.random(40), rng.random(40)
    texts = [f"sentence {n}" for n in range(40)]
    alone = rank_correlation([(a, b, texts)])
    twice = rank_correlation([(a, b, texts), (a, b, texts)])
    assert (alone.n, twice.n) == (40, 40)
    assert twice.span == pytest.approx(alone.span)
    other = rank_correlation([(a, b, texts), (a, b, [f"another {n}" for n in range(40)])])
    assert other.n == 80
    assert other.high - other.low < 0.8 * (alone.high - alone.low)


def test_sentences_in_two_languages_count_once(run: Run) -> None:
    from hyperbaton.studies.layer.contents import read

    study = STUDIES.parse(run.record.study)
    assert isinstance(study, ProbeStudy)
    means = read(study, [run]).lead
    found = means.mean("beta1", system="gloss")
    assert found.n == 3
    assert math.isfinite(found.low)


def test_figures_and_tables_of_few_sentences_can_be_written(
    contents: Contents, tmp_path: Path
) -> None:
    assert len(write_figures(contents, tmp_path, ["svg"])) == len(contents.figures) > 3
    write_tables(contents, tmp_path, ["csv"])
    for path in tmp_path.glob("*.csv"):
        assert "NaN" not in path.read_text(), path.name


def test_a_correlation_has_one_interval_in_the_table_and_in_the_figure(tmp_path: Path) -> None:
    job = Job(
        STUDY,
        (Starter(Pair("en", "de"), 9),),
        ("gloss",),
        ("chrF",),
        options=RunOptions(workers=0, cached=False),
    )
    contents = load_contents([execute(job, tmp_path / "run").folder])
    [table] = (table.data for table in contents.tables if table.id == "rho")
    row = table.filter((pl.col("of") == "β1") & (pl.col("and") == "β")).row(0, named=True)
    [figure] = (figure for figure in contents.figures if figure.id == "F7")
    drawn = json.dumps(describe(figure))
    assert f'"low": {row["low"]}' in drawn
    assert f'"high": {row["high"]}' in drawn
    assert -1 <= row["low"] < row["high"] <= 1
