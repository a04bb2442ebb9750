"""Metrics that read with a model, in the study: on a small folder that is made up."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hyperbaton.metrics.neural import comet
from hyperbaton.studies.layer.experiment import Score
from hyperbaton.studies.layer.session import Session
from tests.metrics.neural_models import make_model
from tests.metrics.test_neural_comet import STAND_IN

from .asking import on_damaged
from .damaged import write_damaged

SHUFFLED, MARK = "critical_id20_shuffled", "minor_id28_final_punc_removed"
Found = dict[tuple[str, str], Score]


def _session(tmp_path: Path, metrics: list[str]) -> Session:
    """Some metrics on five translations, each shuffled and without its mark."""
    write_damaged(tmp_path / "made")
    return on_damaged(tmp_path / "made", tmp_path / "run", metrics)


def _asked(tmp_path: Path, metric: str) -> Found:
    """What a metric makes of them."""
    session = _session(tmp_path, [metric])
    return {(s.variant, s.name): s for s in session.study.scores([session.run])}


@pytest.mark.parametrize("metric", ["Cosine(encoder=ngrams)", "TranslatedCosine(encoder=ngrams)"])
def test_cosines_of_encoders(tmp_path: Path, metric: str) -> None:
    found = _asked(tmp_path, metric)
    assert found[SHUFFLED, "noticed"].value == 1
    assert found[MARK, "strength"].value < found[SHUFFLED, "strength"].value
    # Only the one that knows the source gives a copy of it nothing.
    fooled = found["copiedSource", "fooled"]
    assert fooled.n == 5
    assert fooled.value == 0


@pytest.mark.usefixtures("plain_detectors")
def test_a_paraphrase_detector(tmp_path: Path) -> None:
    found = _asked(tmp_path, "Paraphrase:words")
    assert found[SHUFFLED, "noticed"].value == 1
    assert found["emptyText", "fooled"].value == 0


def test_cross_likelihood_of_the_shipped_translator(tmp_path: Path) -> None:
    found = _asked(tmp_path, "Paraphrase:likelihood:bundled")
    assert found[SHUFFLED, "noticed"].n == 5
    assert found[SHUFFLED, "noticed"].value > 0.5
    assert found["anotherSentence", "noticed"].value == 1


def test_bertscore_and_bleurt(tmp_path: Path) -> None:
    for needed in ("torch", "transformers", "bert_score"):
        pytest.importorskip(needed)
    from tests.metrics.test_neural_bleurt import make_bleurt

    bert = make_model(tmp_path / "bert", "bert")
    found = _asked(tmp_path / "one", f"BERTScore(model={bert}, layer=2)")
    assert found[SHUFFLED, "noticed"].n == 5
    assert found["emptyText", "noticed"].value == 1
    bleurt = make_bleurt(tmp_path / "bleurt", False)
    found = _asked(tmp_path / "two", f"BLEURT(model={bleurt})")
    assert found[SHUFFLED, "tied"].value == 0
    session = _session(tmp_path / "claim", ["BLEU", f"BERTScore(model={bert}, layer=2)"])
    claim = session.contents.findings[0]
    assert claim.verdict == "not asked"  # random weights tell no sentence from another
    assert "another sentence costs it nothing certain" in claim.detail


def test_edit_distance_does_not_decide_a_claim_about_bertscore(tmp_path: Path) -> None:
    claim = _session(tmp_path, ["BLEU", "Levenshtein"]).contents.findings[0]
    assert claim.id == "W17"
    assert claim.verdict == "not asked"
    assert "needs BERTScore or BLEURT, which it is about" in claim.detail
    assert "edit distance alone: BLEU minus Levenshtein" in claim.detail


def test_comet_reads_the_source_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "worker.py"
    script.write_text(STAND_IN)
    monkeypatch.setattr(comet, "_SCRIPT", script)
    comet._started.cache_clear()
    found = _asked(tmp_path / "run", f"COMET(model=any, python={sys.executable})")
    # The stand-in rates by length: it sees the missing mark, and is fooled by all that is long.
    assert found[MARK, "noticed"].value == 1
    assert found["doubledText", "noticed"].value == 0
    comet._started.cache_clear()
