"""Sentences are chosen by length and by the columns of their corpus."""

from __future__ import annotations

import json
from pathlib import Path

from hyperbaton.pipeline import Files, Pair, RunOptions
from hyperbaton.studies.layer.running import run_study
from hyperbaton.studies.wordorder import WordOrder


def test_a_column_of_the_corpus_is_a_filter(tmp_path: Path) -> None:
    lines = [
        {
            "id": f"i{n}",
            "source": " ".join(f"word{k}" for k in range(8 + 8 * n)),
            "reference": " ".join(f"wort{k}" for k in range(8 + 8 * n)),
            "domain": "news" if n % 2 else "law",
            "note": "n" * 99,
            "year": "2020",
        }
        for n in range(6)
    ]
    path = tmp_path / "corpus.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    corpus = Files(Pair("en", "de"), (str(path),))
    parsers = {"en": "plain", "de": "plain"}
    session = run_study(
        WordOrder(perturbations="reversed"),
        [corpus],
        ["copy"],
        tmp_path / "run",
        metrics=["chrF", "BLEU"],
        options=RunOptions(parsers=parsers, cached=False, workers=1),
    )
    shown = session.contents.explorer
    assert shown is not None
    assert shown.filters["slice:domain"] == "domain"
    assert "slice:note" not in shown.filters
    assert "slice:year" not in shown.filters  # one value is no choice
    rows = {row["item"]: row for row in shown.rows.iter_rows(named=True)}
    assert [rows[f"i{n}"]["slice:domain"] for n in range(6)] == ["law", "news"] * 3
    assert rows["i0"]["length"] == "6 to 10 words"
    assert rows["i5"]["length"] == "41 words or more"
    assert shown.scores["beta1:BLEU"] == "β1"
    assert shown.metrics["beta1:BLEU"] == "BLEU"
    assert str(session).startswith(WordOrder.title)
    assert "finished" in session.contents.facts
    assert "machine" in session.contents.facts
