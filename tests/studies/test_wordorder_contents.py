"""What the report on the word-order study says and shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from hyperbaton.pipeline import Job, Pair, Run, RunOptions, Starter, execute
from hyperbaton.report.contents import Contents, Finding
from hyperbaton.studies.layer.sentences import MOST_ROWS, explorer
from hyperbaton.studies.registry import load_contents
from hyperbaton.studies.wordorder import WordOrder
from hyperbaton.studies.wordorder.findings import findings
from hyperbaton.studies.wordorder.measures import MEASURES, SHOWN
from hyperbaton.studies.wordorder.profiles import Profiled, profiled

TABLES = ["T1", "T2", "outcomes", "T3", "T6a", "T6b", "T4", "scores", "rho"]
FIGURES = ["F1", "F2", "F5", "F6", "F7", "F8-11 BLEU", "F8-11 chrF", "F12", "F13", "F15"]


def _run(folder: Path, *systems: str, poles: bool = True) -> Run:
    job = Job(
        WordOrder(),
        tuple(Starter(Pair("en", target), 60) for target in ("de", "ja")),
        systems,
        ("BLEU", "chrF"),
        options=RunOptions(poles=poles, workers=0, cached=False),
    )
    return execute(job, folder)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return _run(tmp_path_factory.mktemp("run"), "copy")


@pytest.fixture(scope="module")
def contents(run: Run) -> Contents:
    return load_contents([run.folder])


@pytest.fixture(scope="module")
def robust(tmp_path_factory: pytest.TempPathFactory) -> Contents:
    folder = tmp_path_factory.mktemp("robust")
    return load_contents([_run(folder, "oracle", poles=False).folder])


def _table(contents: Contents, name: str) -> pl.DataFrame:
    return next(table.data for table in contents.tables if table.id == name)


def test_every_table_and_figure_of_the_paper_is_there(contents: Contents) -> None:
    assert [table.id for table in contents.tables] == TABLES
    assert [figure.id for figure in contents.figures] == FIGURES
    assert contents.signatures
    assert "2 language pairs × 16 perturbations" in contents.summary


def test_samples_are_counted_as_the_probes_are(run: Run, contents: Contents) -> None:
    counts = _table(contents, "T1")
    for pair in ("en-de", "en-ja"):
        probes = run.table(Pair.parse(pair), columns=["item", "variant"])
        for name, count in counts.select("perturbation", pair).iter_rows():
            wanted = "identity" if name == "all items" else name
            assert count == probes.filter(pl.col("variant") == wanted)["item"].n_unique()


def test_means_and_poles_are_those_of_the_scores(run: Run, contents: Contents) -> None:
    quality = _table(contents, "T2")
    oracle = quality.filter(pl.col("system") == "oracle")
    literal = quality.filter(pl.col("system") == "literal")
    assert oracle.select("β", "β1").unique().rows() == [(1, 1)]
    assert literal.select("β", "β2").unique().rows() == [(1, 1)]
    assert oracle["β1 low"].is_nan().all()  # 1 in every item, which no interval can be made of
    means = _table(contents, "scores")
    row = means.filter(
        (pl.col("metric") == "chrF")
        & (pl.col("pair") == "en-ja")
        & (pl.col("perturbation") == "verbSwaps")
    ).row(0, named=True)
    scores = run.table(Pair("en", "ja"), "copy", "chrF").filter(pl.col("variant") == "verbSwaps")
    for name, column in (("β", "beta"), ("β1", "beta1"), ("β2", "beta2"), ("α source", "alpha")):
        assert row[name] == pytest.approx(scores[column].mean())
        ends = row[f"{name} low"], row[f"{name} high"]
        assert np.isnan(ends).all() or ends[0] <= row[name] <= ends[1]
    assert row["N"] == scores["item"].n_unique()
    assert means.height == 2 * 2 * 16
    assert means["p"].is_between(0, 1).all()


def test_flips_are_counted_both_ways(run: Run, contents: Contents) -> None:
    flips = _table(contents, "T3").filter(pl.col("pair") == "en-de").row(0, named=True)
    scores = run.table(Pair("en", "de"), "copy", "BLEU").filter(pl.col("variant") != "identity")
    assert flips["N"] == scores.height
    assert flips["β1 > β"] == pytest.approx((scores["beta1"] > scores["beta"]).sum())
    halves = ((scores["beta"] <= 0.5) & (scores["beta1"] > 0.5)).sum()
    assert flips["β ≤ .5 < β1"] == pytest.approx(halves)


@pytest.fixture(scope="module")
def drawn(contents: Contents) -> dict[str, tuple[str, str]]:
    """The specification of each figure, and its SVG."""
    vl_convert = pytest.importorskip("vl_convert")
    specs = {figure.id: json.dumps(figure.chart.to_dict()) for figure in contents.figures}
    return {
        name: (spec, vl_convert.vegalite_to_svg(json.loads(spec))) for name, spec in specs.items()
    }


def test_figures_are_small_and_can_be_drawn(drawn: dict[str, tuple[str, str]]) -> None:
    for name, (spec, svg) in drawn.items():
        assert len(spec) < 400_000, name
        assert svg.startswith("<svg")
        assert "NaN" not in svg, name


def test_charts_leave_colours_to_the_theme_and_have_one_legend(
    drawn: dict[str, tuple[str, str]],
) -> None:
    for name, (spec, _) in drawn.items():
        assert not re.search(r'"#[0-9a-fA-F]{3,8}"|"scheme"|"(color|fill|stroke)": "', spec), name
    legends = {name: svg.count('mark-group role-legend"') for name, (_, svg) in drawn.items()}
    # One system needs no legend of systems.
    assert legends == {name: int(name != "F2") for name in FIGURES}


def test_the_explorer_shows_words_that_make_up_the_texts(contents: Contents) -> None:
    shown = contents.explorer
    assert shown is not None
    rows = shown.rows
    named = [*shown.texts, *shown.scores, *shown.filters, *shown.words.values()]
    assert set(named) | set(shown.orders.values()) <= set(rows.columns)
    assert set(shown.languages.values()) <= set(rows.columns)
    assert 0 < rows.height <= MOST_ROWS
    assert "identity" not in rows["variant"]
    for row in rows.head(200).iter_rows(named=True):
        ordered = [row["words"][i] for i in row["order"]]
        assert "".join(ordered).replace(" ", "") == row["varied"].replace(" ", "")
        flip = "flip" if row["beta1"] > row["beta"] else "no flip"
        assert row["flip"] == flip or abs(row["beta1"] - row["beta"]) < 1e-4


def test_of_many_sentences_a_fair_choice_is_shown(run: Run, contents: Contents) -> None:
    assert contents.explorer is not None
    everything = contents.explorer.rows
    assert contents.explorer.note == ""
    summary = _numbers(run).summary
    chosen = explorer(summary.tested, "BLEU", SHOWN, MEASURES, most=600)
    assert f"{chosen.rows.height:,} of the {everything.height:,} samples" in chosen.note
    assert chosen.rows.height == pytest.approx(600, rel=0.1)
    cells = ["pair", "variant"]
    of_all = {row[:2]: row[2] for row in everything.group_by(cells).len().iter_rows()}
    of_some = chosen.rows.group_by(cells).len()
    assert of_some.height == len(of_all)
    quota = max(of_some["len"])
    for *cell, count in of_some.iter_rows():
        assert min(of_all[tuple(cell)], quota // 2) <= count <= of_all[tuple(cell)]


def test_the_poles_decide_the_first_finding(robust: Contents, tmp_path: Path) -> None:
    faithful = load_contents([_run(tmp_path / "l", "literal", poles=False).folder])
    for contents, verdict in ((robust, "holds"), (faithful, "does not hold")):
        for finding in contents.findings[:4]:
            assert finding.id == "W1"
            assert finding.verdict == verdict
            assert finding.low <= finding.value <= finding.high
    # What is perturbed most is repaired most by the oracle: 1 − α of the reference.
    first: Finding = next(one for one in robust.findings if one.claim == "β1 > β2: oracle")
    means = _table(robust, "scores").filter(pl.col("metric") == "BLEU")
    assert first.value == pytest.approx(1 - _weighed(means, "α target"), abs=1e-6)


def _weighed(means: pl.DataFrame, score: str) -> float:
    """A mean of cells, of which those of few items weigh less."""
    weights = np.minimum(1, means["N"].to_numpy() / 30)
    return float(np.average(means[score].to_numpy(), weights=weights))


def test_what_findings_say_is_true_whatever_the_verdict(robust: Contents) -> None:
    means = _table(robust, "scores").filter(pl.col("metric") == "BLEU")
    of_variants = {
        str(name): -_weighed(rows, "β2 − β1")
        for (name,), rows in means.partition_by("perturbation", as_dict=True).items()
    }
    robustness = dict(sorted(of_variants.items(), key=lambda entry: entry[1]))
    least, *_, most = robustness
    by_claim = {one.id: one for one in robust.findings if not one.part_of}
    beta2 = _weighed(means, "β2")
    start = f"BLEU: mean β1 1.000, mean β2 {beta2:.3f}; the same source is translated in the same"
    assert f" {start}" in robust.findings[0].detail
    found = by_claim["W4"]
    assert found.statistic == "lead in β1 − β2 over the hardest rival"
    rival = re.search(r"weakest of 15 decides: functionalShuffle against (\w+)", found.detail)
    assert rival is not None
    lead = robustness["functionalShuffle"] - robustness[rival[1]]
    assert found.value == pytest.approx(lead, abs=1e-6)
    assert f"By mean β1 − β2: {most} ({robustness[most]:.3f})" in found.detail
    found = by_claim["W5"]
    assert f"By mean β2 − β1: {least} (−{robustness[least]:.3f})" in found.detail
    for finding in robust.findings:
        assert finding.detail or finding.part_of
        assert "nan" not in finding.detail
        assert not finding.adjusted < finding.p
        if finding.verdict not in ("undecided", "not asked"):
            assert finding.adjusted < 0.05


def _numbers(run: Run) -> Profiled:
    return profiled([run], "item", tuple(map(str, WordOrder().variants)), ["BLEU"])


@pytest.mark.parametrize(("floor", "size"), [(1e-9, "less"), (0.9, "more")])
def test_noise_is_compared_with_the_difference(run: Run, floor: float, size: str) -> None:
    numbers = _numbers(run)
    numbers.summary.noise["BLEU", "copy", "en-de"] = floor
    numbers.summary.noise["BLEU", "oracle", "en-de"] = 1.0
    first = findings(numbers, WordOrder().variants)[0]
    assert f"lie {floor:g} apart, {size} than this difference" in first.detail


def test_two_runs_stand_side_by_side(run: Run, tmp_path: Path) -> None:
    other = _run(tmp_path / "again", "copy", poles=False)
    both = load_contents([run.folder, other.folder])
    systems = set(_table(both, "T3")["system"])
    assert systems == {f"copy in {run.folder.name}", "copy in again"}
    assert both.explorer is not None
    assert set(both.explorer.rows["system"]) == systems
