"""The published chrF̄2 and symmetric BLEU of 1,997 paraphrase pairs and their translations."""

from __future__ import annotations

import json

import numpy as np
import pytest

from hyperbaton.metrics import METRICS

from .texts import SHARED

FILES = ["fair-wmt19.wmt.wmtp.json", "standard-wmt16.wmt.wmtp.json"]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("side", ["source", "target"])
@pytest.mark.parametrize(
    ("spec", "column", "scale"),
    [
        ("chrF(symmetric=true)", "chrf_bar", 1),
        ("BLEU(smooth=none, tokens=13a, symmetric=true)", "bleu_bar", 100),
    ],
)
def test_stored_scores_come_out_again(
    file: str, side: str, spec: str, column: str, scale: int
) -> None:
    path = SHARED / "isometry" / file
    if not path.exists():
        pytest.skip("needs ../shared")
    rows = list(json.loads(path.read_text(encoding="utf-8")).values())
    assert len(rows) == 1997
    scores = METRICS.parse(spec).sentence_scores(
        [row["sentence_original"][side] for row in rows],
        [row["sentence_paraphrase"][side] for row in rows],
    )
    stored = [row[f"{column}_{side}"] for row in rows]
    np.testing.assert_allclose(scores * scale, stored, rtol=0, atol=1e-9)
