"""Recorded predictions: the published tables come out, and so do those of a file made here."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.cli.main import main
from hyperbaton.studies.isometry.recorded import read_recorded
from hyperbaton.studies.isometry.samples import PairSamples
from hyperbaton.studies.isometry.tables import agreement, label_correlation, tables

from .predictions import CASES, SHARED, write_predictions

PUBLISHED = {
    "fair-wmt19.wmt.wmtp.json": {
        "M": {"[1,1]": 1394, "[0,0]": 182, "[0,1]": 147, "[1,0]": 35, "∅": 239},
        "full, base & large, mBERT & base, mBERT & large, none": [837, 490, 262, 169, 239],
        "pooled": 0.2686,
        "majority": 0.2569,
    },
    "standard-wmt16.wmt.wmtp.json": {
        "M": {"[1,1]": 1106, "[0,0]": 305, "[0,1]": 65, "[1,0]": 265, "∅": 256},
        "full, base & large, mBERT & base, mBERT & large, none": [673, 502, 360, 206, 256],
        "pooled": 0.2688,
        "majority": 0.2880,
    },
}


@pytest.mark.parametrize("file", list(PUBLISHED))
def test_published_tables_come_out(file: str) -> None:
    path = SHARED / "isometry" / file
    if not path.exists():
        pytest.skip("needs ../shared")
    judged = read_recorded(path)
    wanted = PUBLISHED[file]
    assert judged.votes.counts() == wanted["M"]
    counts = {kind: sum(found.values()) for kind, found in agreement(judged).items()}
    large, base, bert = "xlm-roberta-large", "xlm-roberta-base", "bert-base-multilingual-cased"
    kinds = ["full", f"{large} & {base}", f"{base} & {bert}", f"{large} & {bert}", "none"]
    assert [counts[kind] for kind in kinds] == list(wanted.values())[1]
    for procedure, n in (("pooled", 3 * 2 * 1997), ("majority", 2 * (1997 - counts["none"]))):
        strength = label_correlation(judged, "chrF̄2", procedure)
        assert strength is not None
        assert round(strength.test.r, 4) == wanted[procedure]
        assert strength.test.n == n
        assert strength.test.band == "weak"
        assert strength.test.p < 1e-50


def _table(judged: PairSamples, name: str) -> pl.DataFrame:
    return next(t.data for t in tables([judged]) if t.id == name)


def test_outcomes_of_a_file_made_here(tmp_path: Path) -> None:
    judged = read_recorded(write_predictions(tmp_path / "mine.some.set.json"))
    assert (judged.system, judged.dataset) == ("mine", "some.set")
    table = _table(judged, "T2")
    found = dict(table.select("M", "count").iter_rows())
    assert found == {"[1,1]": 2, "[0,0]": 1, "[0,1]": 1, "[1,0]": 1, "∅": 1}
    assert table["share"].sum() == pytest.approx(1)
    kinds = dict(_table(judged, "F5").select("agreement", "count").iter_rows())
    assert kinds == {
        "full": 2,
        "large & base": 2,
        "large & small": 1,
        "base & small": 0,
        "none": 1,
    }
    shown = _table(judged, "T4")
    assert shown["M"].to_list() == ["[1,1]", "[1,1]", "[0,0]", "[0,1]", "[1,0]", "∅"]


def test_a_higher_epsilon_moves_pairs(tmp_path: Path) -> None:
    judged = read_recorded(write_predictions(tmp_path / "mine.json"), epsilon=0.85)
    # The first pair falls to [1,0]; the second to [0,0] through base's [0,1] and the others.
    assert judged.votes.counts() == {"[1,1]": 0, "[0,0]": 2, "[0,1]": 0, "[1,0]": 2, "∅": 2}


def test_both_procedures_against_scipy(tmp_path: Path) -> None:
    judged = read_recorded(write_predictions(tmp_path / "mine.json"))
    x, y = [], []
    for number, (source, target, _) in enumerate(CASES):
        for place, side in enumerate((source, target)):
            for probability in side:
                x.append(number / 10 + place / 100)
                y.append(float(probability >= 0.5))
    oracle = stats.pearsonr(x, y, alternative="greater")
    pooled = label_correlation(judged, "chrF̄2", "pooled")
    assert pooled is not None
    assert pooled.test.n == 36
    assert pooled.test.r == pytest.approx(oracle.statistic)
    assert pooled.test.p == pytest.approx(oracle.pvalue)
    assert stats.t.sf(pooled.t, 34) == pytest.approx(oracle.pvalue)
    x = [number / 10 + place / 100 for number in range(5) for place in range(2)]
    y = [int(m[place]) for *_, m in CASES[:5] for place in (1, 3)]
    majority = label_correlation(judged, "BLEU", "majority")
    assert majority is not None
    oracle = stats.pearsonr(x, y, alternative="greater")
    assert majority.test.r == pytest.approx(oracle.statistic)
    assert _table(judged, "T3").height == 4


def test_missing_similarities_are_computed(tmp_path: Path) -> None:
    path = write_predictions(tmp_path / "mine.set.json", similarities=False)
    judged = read_recorded(path)
    assert judged.chrf[0, 0] > 0.5 > judged.chrf[2, 0]
    rows = json.loads(path.read_text())
    for row, chrf, bleu in zip(rows.values(), judged.chrf, judged.bleu, strict=True):
        for at, side in enumerate(("source", "target")):
            row |= {f"chrf_bar_{side}": chrf[at], f"bleu_bar_{side}": 100 * bleu[at]}
    path.write_text(json.dumps(rows))
    again = read_recorded(path)
    np.testing.assert_allclose(again.bleu, judged.bleu, atol=1e-12)
    np.testing.assert_array_equal(again.chrf, judged.chrf)


def test_mistakes_are_named(tmp_path: Path) -> None:
    path = write_predictions(tmp_path / "mine.json")
    good = json.loads(path.read_text())
    changes: list[tuple[Callable[[dict[str, object]], object], str]] = [
        (lambda row: row.pop("sentence_original"), "'3': no text under sentence_original → source"),
        (lambda row: row.pop("base.pawsx.2_target"), "'3': no number under base.pawsx.2_target"),
        (lambda row: row.update({"base.pawsx.2_target": 1.5}), "outside of 0 to 1"),
        (lambda row: row.update({"gold_label": 7}), "gold_label is 0 or 1, not 7"),
    ]
    for change, message in changes:
        bad = json.loads(json.dumps(good))
        change(bad["3"])
        path.write_text(json.dumps(bad))
        with pytest.raises(HyperbatonError, match=message):
            read_recorded(path)
    path.write_text("{")
    with pytest.raises(HyperbatonError, match="not JSON"):
        read_recorded(path)
    path.write_text('{"0": {"sentence_original": {}}}')
    with pytest.raises(HyperbatonError, match="holds no detector"):
        read_recorded(path)


def test_pairs_with_an_empty_translation_are_left_out_and_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = write_predictions(tmp_path / "mine.some.json")
    rows = json.loads(path.read_text())
    rows["0"]["sentence_original"]["target"] = ""
    rows["3"]["sentence_paraphrase"]["target"] = " "
    path.write_text(json.dumps(rows))
    judged = read_recorded(path)
    whole = read_recorded(write_predictions(tmp_path / "whole.some.json"))
    assert (judged.items, judged.failed) == (("1", "2", "4", "5"), 2)
    assert judged.probabilities.tolist() == whole.probabilities[[1, 2, 4, 5]].tolist()
    assert judged.frame["label"].to_list() == [1, 1, 1, 1]
    for form in ("text", "json"):
        assert main(["isometry", "--recorded", str(path), "--format", form]) == 1
        told = capfd.readouterr()
        assert "mine, some failed on 2 of 6 pairs: the translation is empty" in told.err
    assert main(["isometry", "--recorded", str(tmp_path / "whole.some.json")]) == 0
    for row in rows.values():
        row["sentence_original"]["target"] = ""
    path.write_text(json.dumps(rows))
    assert main(["isometry", "--recorded", str(path)]) == 2
    assert "every translation is empty" in capfd.readouterr().err
