"""Corpus scores out of a finished run, without its texts."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import sacrebleu

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline import Job, Pair, Run, RunOptions, Starter, execute
from hyperbaton.stats import Bootstrap, compare, mean
from hyperbaton.studies.wordorder import WordOrder

PAIR = Pair("en", "de")
METRICS = ("BLEU", "chrF", "TER", "Levenshtein")
REVERSED = pl.col("variant") == "reversed"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("runs")
    job = Job(
        design=WordOrder(perturbations="reversed; wordShuffle", draws=2),
        corpora=(Starter(PAIR, 25),),
        systems=("gloss", "copy"),
        metrics=METRICS,
        options=RunOptions(part=10, workers=0, cached=False),
    )
    return execute(job, folder / "run")


def _sacrebleu(metric: str, rows: pl.DataFrame, hypothesis: str, reference: str) -> float:
    texts = rows[hypothesis].to_list(), [rows[reference].to_list()]
    if metric == "BLEU":
        return float(sacrebleu.corpus_bleu(*texts).score)
    if metric == "chrF":
        return float(sacrebleu.corpus_chrf(*texts).score)
    return float(sacrebleu.corpus_ter(*texts).score)


@pytest.mark.parametrize("metric", ["BLEU", "chrF", "TER"])
@pytest.mark.parametrize("system", ["gloss", "copy", "oracle", "literal"])
def test_it_is_what_sacrebleu_says_of_the_texts(run: Run, metric: str, system: str) -> None:
    table = run.table(PAIR, system)
    for rows in (None, REVERSED, pl.col("source").str.len_chars() < 60, pl.col("draw") == 1):
        chosen = table if rows is None else table.filter(rows)
        for name, texts in (
            ("beta", ("output", "reference")),
            ("beta2", ("varied_output", "varied_reference")),
            ("alpha", ("varied", "source")),
        ):
            found = run.corpus_score(PAIR, system, metric, name, rows)
            assert 100 * found.value == pytest.approx(_sacrebleu(metric, chosen, *texts), abs=1e-9)
            low, high = found.interval.low, found.interval.high
            assert system in ("oracle", "literal") or low <= found.value <= high
            assert found.items == chosen["item"].n_unique()


def test_items_are_resampled_with_all_their_rows(run: Run) -> None:
    items, sums = run.statistics(PAIR, "gloss", "BLEU", "beta1")
    assert list(items) == run.table(PAIR)["item"].unique(maintain_order=True).to_list()
    _, reversed_ = run.statistics(PAIR, "gloss", "BLEU", "beta1", REVERSED)
    _, rest = run.statistics(PAIR, "gloss", "BLEU", "beta1", ~REVERSED)
    np.testing.assert_array_equal(sums, reversed_ + rest)


def test_a_metric_without_statistics_has_its_mean(run: Run) -> None:
    scores = run.table(PAIR, "gloss", "Levenshtein").filter(REVERSED)["beta1"].to_numpy()
    found = run.corpus_score(PAIR, "gloss", "Levenshtein", "beta1", REVERSED)
    wanted = mean(scores)
    assert found.value == pytest.approx(wanted.value)
    assert found.interval.low == pytest.approx(wanted.interval.low)


def test_differences_are_paired(run: Run) -> None:
    found = run.corpus_difference(PAIR, "gloss", "copy", "chrF", "beta")
    one, two = (run.corpus_score(PAIR, system, "chrF", "beta") for system in ("gloss", "copy"))
    assert (found.first, found.second) == (one, two)
    assert found.difference.value == pytest.approx(one.value - two.value)
    # The two share what is easy and what is hard: paired, less of it is left to chance.
    assert found.difference.error < np.hypot(one.error, two.error)
    same = run.corpus_difference(PAIR, "copy", "copy", "BLEU", "beta1", REVERSED)
    assert np.isnan([same.difference.interval.low, same.difference.interval.high]).all()


def test_what_one_system_lacks_is_left_out_for_both(run: Run, tmp_path: Path) -> None:
    from hyperbaton.metrics import METRICS as REGISTRY
    from hyperbaton.pipeline.run.parts import read_part, read_stamp, write_part

    torn = Run(tmp_path / "run")
    shutil.copytree(run.folder, torn.folder)
    path = torn.layout.scores("copy", PAIR, "BLEU", 1)
    rows = read_part(path)
    gap = pl.int_range(pl.len()) == 3
    holes = rows.with_columns(
        pl.when(~gap).then(pl.col(name)).alias(name) for name in ("beta1", "beta1.statistics")
    )
    write_part(path, holes, read_stamp(path))
    found = torn.corpus_difference(PAIR, "gloss", "copy", "BLEU", "beta1")
    kept = torn.table(PAIR, "copy", "BLEU")["beta1"].is_not_null()
    assert (~kept).sum() == 1
    scorer = REGISTRY.parse("BLEU").for_language("de")
    by_hand = []
    for system in ("gloss", "copy"):
        table = run.table(PAIR, system).filter(kept)
        sums = scorer.statistics(table["varied_output"].to_list(), table["reference"].to_list())
        items = table["item"].to_list()
        by_hand.append(
            [sums[[i == item for i in items]].sum(axis=0) for item in dict.fromkeys(items)]
        )
    wanted = compare(by_hand[0], by_hand[1], lambda total: scorer.from_statistics(total, "corpus"))
    assert found == wanted


def test_no_text_is_read(run: Run, tmp_path: Path) -> None:
    bare = Run(tmp_path / "run")
    shutil.copytree(run.folder, bare.folder)
    shutil.rmtree(bare.folder / "outputs")
    for metric in METRICS:
        found = bare.corpus_score(PAIR, "gloss", metric, "beta2", REVERSED)
        assert found == run.corpus_score(PAIR, "gloss", metric, "beta2", REVERSED)


def test_the_bootstrap_can_be_chosen(run: Run) -> None:
    wide, narrow = (
        run.corpus_score(PAIR, "gloss", "BLEU", "beta", bootstrap=Bootstrap(level=level)).interval
        for level in (0.99, 0.5)
    )
    assert (wide.level, narrow.level) == (0.99, 0.5)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_statistics_do_not_show_in_tables(run: Run) -> None:
    names = [*run.table(PAIR, "gloss", "BLEU").columns, *run.scores().columns]
    assert not [name for name in names if "statistics" in name]
    column = "beta.statistics"
    assert run.table(PAIR, "gloss", "BLEU", [column])[column].dtype == pl.Array(pl.Float64, 10)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"comparison": "bleu1"}, r"compares nothing as 'bleu1' \(it has: beta, beta1"),
        ({"metric": "METEOR"}, r"has no beta by METEOR: it has BLEU, chrF"),
        ({"rows": pl.col("variant") == "none"}, r"has no beta of these rows in en-de"),
    ],
)
def test_what_is_not_there_is_one_sentence(
    run: Run, change: dict[str, object], message: str
) -> None:
    asked: dict[str, object] = {"metric": "BLEU", "comparison": "beta", "rows": None, **change}
    with pytest.raises(HyperbatonError, match=message):
        run.corpus_score(PAIR, "gloss", **asked)  # type: ignore[arg-type]
