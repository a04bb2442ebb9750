"""What is left of quality when words are out of order: numerator and denominator are like for like.

Half of the sentences are one word, which no order can change and which every system gets right:
β over all sentences is far above β of those whose words moved.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from hyperbaton.cli.main import main
from hyperbaton.pipeline import IDENTITY, Files, Pair, Run, RunOptions
from hyperbaton.studies.layer.running import run_study
from hyperbaton.studies.registry import load_contents
from hyperbaton.studies.wordorder import WordOrder

PAIR = Pair("en", "de")
STUDY = WordOrder(perturbations="reversed; wordShuffle")
SYSTEMS = '''
def _moved(text):
    return not text.startswith("alpha")

def rough(texts):
    """Loses every other word of odd sentences, and one in five of the others."""
    lost = lambda text: 2 if "odd" in text else 5
    return [" ".join(w for n, w in enumerate(t.split(), 1) if n % lost(t)) for t in texts]

def fails(texts):
    """The same, but it has no answer to most of what is out of order, the easier half."""
    return [
        "" if _moved(text) and len(text.split()) > 8 and "even" in text else answer
        for text, answer in zip(texts, rough(texts))
    ]

def fails_clean(texts):
    """It has no answer to some sentences in order."""
    return [
        "" if not _moved(text) and "even" in text else answer
        for text, answer in zip(texts, rough(texts))
    ]
'''
WHOLE, HOLES, NO_CLEAN = (f"python:lefts:{name}" for name in ("rough", "fails", "fails_clean"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kept")
    (folder / "lefts.py").write_text(SYSTEMS)
    words = [f"word{n}" for n in range(11)]
    lines = []
    for n in range(20):
        kind = "even" if n % 2 else "odd"
        lines.append({"id": f"one{n}", "source": f"solo{n}", "reference": f"solo{n}"})
        text = " ".join([f"alpha{n}", kind, *words[: 4 + n % 8]])
        lines.append({"id": f"many{n}", "source": text, "reference": text})
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    return folder


@pytest.fixture(scope="module")
def run(folder: Path) -> Run:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        session = run_study(
            STUDY,
            [Files(PAIR, (str(folder / "corpus.jsonl"),))],
            [WHOLE, HOLES, NO_CLEAN],
            folder / "run",
            metrics=["chrF", "LevenshteinDistance"],
            options=RunOptions(parsers={"en": "plain", "de": "plain"}, cached=False, workers=1),
        )
    return session.run


def _both(run: Run, system: str) -> pl.DataFrame:
    """The samples that have both scores."""
    columns = ["item", "variant", "beta", "beta1"]
    rows = run.table(PAIR, system, "chrF", columns=columns).filter(pl.col("variant") != IDENTITY)
    return rows.drop_nulls(["beta", "beta1"])


def _left(rows: pl.DataFrame) -> float:
    """The ratio of the means of the cells, each of which weighs as much as its samples bear."""
    cells = rows.group_by("variant").agg(pl.col("beta", "beta1").mean(), n=pl.len().clip(0, 30))
    clean, varied, weights = (cells[name].to_numpy() for name in ("beta", "beta1", "n"))
    return float((varied * weights).sum() / (clean * weights).sum())


def _score(run: Run, system: str, variant: str = "all") -> tuple[float, float, float, int]:
    [found] = [
        score
        for score in STUDY.scores([run])
        if (score.system, score.variant, score.name) == (system, variant, "kept")
    ]
    return found.value, found.low, found.high, found.n


@pytest.mark.parametrize("system", [WHOLE, HOLES, NO_CLEAN])
def test_the_first_sentence_divides_like_by_like(run: Run, system: str) -> None:
    headlines = {one.name: one for one in load_contents([run.folder]).headlines}
    said = re.search(r"keeps (\d+) % \[(\d+), (\d+)\] of its quality", headlines[system].sentence)
    assert said is not None, headlines[system].sentence
    wanted = _left(_both(run, system))
    assert int(said[1]) == round(100 * wanted)
    value, low, high, _ = _score(run, system)
    assert [int(part) for part in said.groups()] == [round(100 * x) for x in (value, low, high)]
    numbers = headlines[system].numbers
    assert numbers["quality kept"] == pytest.approx((value, low, high))
    assert numbers["β moved"][0] < numbers["β"][0]


@pytest.mark.parametrize("system", [WHOLE, HOLES, NO_CLEAN])
def test_every_kept_is_over_the_samples_that_have_both_scores(run: Run, system: str) -> None:
    rows = _both(run, system)
    for variant in ("all", "reversed", "wordShuffle"):
        some = rows if variant == "all" else rows.filter(variant=variant)
        value, low, high, count = _score(run, system, variant)
        assert value == pytest.approx(_left(some))
        # Where every resample gives the same, there is no interval.
        assert np.isnan(low) or low <= value <= high
        assert count == some.height
    assert rows.height < 40 or system == WHOLE


def test_its_interval_is_that_of_a_ratio_of_paired_means(run: Run) -> None:
    """Against a bootstrap of its own over items, with all their samples."""
    value, low, high, _ = _score(run, WHOLE)
    items = _both(run, WHOLE).group_by("item", maintain_order=True)
    sums = items.agg(pl.col("beta", "beta1").sum()).select("beta", "beta1").to_numpy()
    rng = np.random.default_rng(5)
    drawn = sums[rng.integers(0, len(sums), (20_000, len(sums)))].sum(axis=1)
    spread = (drawn[:, 1] / drawn[:, 0]).std()
    unpaired = (rng.permutation(drawn[:, 1]) / drawn[:, 0]).std()
    assert (high - low) / 4 == pytest.approx(spread, rel=0.3)
    assert unpaired > 2 * spread, "these samples do not tell pairs from singles"
    assert low < value < high


def test_a_distance_has_no_share_that_is_kept(run: Run) -> None:
    assert {s.metric for s in STUDY.scores([run]) if s.name == "kept"} == {"chrF"}


def test_check_compares_it_with_and_without_its_interval(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    values = [_score(run, system)[:3] for system in (WHOLE, HOLES, NO_CLEAN)]
    least, lowest = min(v for v, _, _ in values), min(low for _, low, _ in values)
    check = ["check", str(run.folder), "--max-failed", "99"]
    between = (least + lowest) / 2
    assert main([*check, "--min", f"kept={between}"]) == 0
    assert main([*check, "--min", f"kept={between}", "--interval"]) == 1
    assert "kept@all = " in capsys.readouterr().out


def _table(run: Run, name: str) -> pl.DataFrame:
    return next(t.data for t in load_contents([run.folder]).tables if t.id == name)


def _shared(run: Run, systems: Sequence[str]) -> dict[str, pl.DataFrame]:
    keys = ["item", "variant"]
    rows = {system: _both(run, system) for system in systems}
    for other in rows.values():
        rows = {s: mine.join(other.select(keys), on=keys, how="semi") for s, mine in rows.items()}
    return rows


def test_differences_are_over_the_samples_that_all_systems_translated(run: Run) -> None:
    """Both answer alike where they answer, so no difference between them is left."""
    table = _table(run, "differences").filter(metric="chrF", first=WHOLE, second=HOLES)
    for score in ("kept", "β1", "β2"):
        found = table.filter(score=score, perturbation="all")
        assert found["difference"].to_list() == pytest.approx([0], abs=1e-6)
    shared = _shared(run, [WHOLE, HOLES, NO_CLEAN])
    assert 0 < shared[WHOLE].height < min(_both(run, s).height for s in (WHOLE, HOLES))
    contests = {contest.column: contest for contest in load_contents([run.folder]).contests}
    assert contests["kept"].ranks[WHOLE][1][0] == pytest.approx(_left(shared[WHOLE]))
    assert [rank for rank, _ in contests["beta1"].ranks.values()] == [1, 1, 1]
    assert len({round(span[0], 6) for _, span in contests["beta1"].ranks.values()}) == 1


def test_the_table_of_quality_shows_what_is_divided_by_what(run: Run) -> None:
    rows = _table(run, "T2").filter(pl.col("system").is_in([WHOLE, HOLES]))
    for row in rows.iter_rows(named=True):
        if row["system"] == WHOLE:
            assert row["kept"] == pytest.approx(row["β1"] / row["β moved"])
        assert row["kept low"] < row["kept"] < row["kept high"]
