"""Similarities with a calibrated threshold, and recorded probabilities."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.paraphrases import LabelledPair, paraphrases
from hyperbaton.detectors import DETECTORS
from hyperbaton.detectors.calibration import (
    Curve,
    calibrate,
    fit_curves,
    read_calibration,
    to_json,
)
from hyperbaton.detectors.detector import Pair
from hyperbaton.detectors.metric import Paraphrase
from hyperbaton.metrics import METRICS
from hyperbaton.systems.shipped.bundled import Bundled


def test_calibration_finds_the_threshold_between_the_classes() -> None:
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 2, 400)
    similarity = np.where(labels == 1, rng.uniform(0.7, 1, 400), rng.uniform(0, 0.68, 400))
    curve = calibrate(similarity, labels)
    assert 0.68 <= curve.threshold <= 0.7
    assert ((curve.probability(similarity) >= 0.5) == (labels == 1)).all()
    with pytest.raises(HyperbatonError, match="not more similar"):
        calibrate(1 - similarity, labels)


def test_a_calibration_is_stored_by_language(tmp_path: Path) -> None:
    data = {
        language: [LabelledPair("a" * n, "b" * n, int(n > limit)) for n in range(1, 21)]
        for language, limit in (("de", 5), ("en", 15))
    }

    def similarities(pairs: list[Pair], language: str) -> np.ndarray:
        return np.array([len(a) / 20 for a, _ in pairs])

    curves = fit_curves(similarities, data)  # type: ignore[arg-type]
    path = tmp_path / "calibration.json"
    path.write_text(to_json("cosine:m", curves))
    assert read_calibration(path, "de").threshold == pytest.approx(5.5 / 20)
    assert read_calibration(path, "en-GB").threshold == pytest.approx(15.5 / 20)
    assert read_calibration(path, "fr") == curves["*"]
    assert read_calibration(path, "de").probability([5.5 / 20])[0] == pytest.approx(0.5)


def test_an_uncalibrated_similarity_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match="train detector --calibrate 'cosine:m'"):
        DETECTORS.parse("cosine:m").probabilities(["a"], ["b"], "de")
    with pytest.raises(HyperbatonError, match="not both"):
        DETECTORS.parse("cosine:m(threshold=0.5, calibration=c.json)").signature("de")
    (tmp_path / "c.json").write_text("{}")
    with pytest.raises(HyperbatonError, match="is not a calibration"):
        read_calibration(tmp_path / "c.json", "de")


def test_cosine_follows_the_metric() -> None:
    pytest.importorskip("torch")
    from .pair_models import encoder

    texts = ["The cat sat on the mat.", "A dog ran off."], ["The cat sat on the mat.", "雨"]
    cosines = METRICS.parse(f"SentenceCosine(model={encoder('bert')}, device=cpu)")
    wanted = Curve(0.7, 15).probability(cosines.sentence_scores(*texts))
    detector = DETECTORS.parse(f"cosine:{encoder('bert')}(threshold=0.7, slope=15.0, device=cpu)")
    np.testing.assert_allclose(detector.probabilities(*texts, "en"), wanted, atol=1e-9)
    assert detector.probabilities(*texts, "en")[0] > 0.98
    assert "threshold:0.7" in detector.signature("en")


def test_likelihood_follows_the_metric() -> None:
    pytest.importorskip("torch")
    from tests.systems.models import converted

    folder = converted("multilingual")
    detector = DETECTORS.parse(f"likelihood:ct2:{folder}(beam=1)(into=de, threshold=0.9)")
    same, other = "The cat sat on the mat.", "We read a book about the old city."
    found = detector.probabilities([same, same], [same, other], "en")
    # The same sentence explains its own translation exactly as well: similarity 1.
    assert found[0] == pytest.approx(float(Curve(0.9).probability([1.0])[0]))
    assert found[1] < found[0]
    assert "model:" in detector.signature("en")
    with pytest.raises(HyperbatonError, match="cannot say how likely"):
        DETECTORS.parse("likelihood:copy(threshold=0.5)").probabilities(["a"], ["b"], "en")


@pytest.mark.skipif(not (Bundled.folder / "model.bin").is_file(), reason="not in this checkout")
def test_the_shipped_likelihood_detector_needs_no_options() -> None:
    detector = DETECTORS.parse("likelihood:bundled")
    assert "threshold:" in detector.signature("de")
    first = ["Er kam gestern an.", "Er kam gestern an.", "Es regnet.", "Es regnet. " * 400]
    second = ["Gestern kam er an.", "Der Hund schläft.", "Es regnet.", "Es schneit. " * 400]
    same, other, equal, long = detector.probabilities(first, second, "de")
    assert min(same, equal) > 0.8
    assert other < 0.5
    assert 0 <= long <= 1  # too long for the model: the beginning is read


def test_recorded_probabilities(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    rows = [
        {"first": "a", "second": "b", "probability": 0.2},
        {"first": "a", "second": "b", "probability": 0.7, "language": "en"},
    ]
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")
    detector = DETECTORS.parse(f"recorded:{path}")
    assert detector.probabilities(["a"], ["b"], "de").tolist() == [0.2]
    assert detector.probabilities(["a"], ["b"], "en").tolist() == [0.7]
    with pytest.raises(HyperbatonError, match="no probability for 'b' and 'a'"):
        detector.probabilities(["b"], ["a"], "en")
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"first": "a", "second": "b", "probability": 2}\n')
    with pytest.raises(HyperbatonError, match=r"line 1: 2.0 is not a probability"):
        DETECTORS.parse(f"recorded:{bad}").probabilities(["a"], ["b"], "en")


def test_pairs_that_were_not_recorded_can_be_left_out(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"first": "a", "second": "b", "probability": 0.2}\n')
    detector = DETECTORS.parse(f"recorded:{path}(commutative=true, partial=true)")
    found = detector.probabilities(["b", "a"], ["a", "c"], "de")
    np.testing.assert_array_equal(found, [0.2, np.nan])
    shipped = DETECTORS.parse("recorded:e5-pair(commutative=true)")
    for language in ("de", "en"):
        items = paraphrases(language, None)
        first = [item.source_text for item in items]
        second = [str(item.columns["varied"]) for item in items]
        assert len(shipped.probabilities(first, second, language)) == 120


@pytest.mark.usefixtures("plain_detectors")
def test_a_detector_is_a_metric() -> None:
    metric = METRICS.parse("Paraphrase:words")
    assert isinstance(metric, Paraphrase)
    assert metric.symmetric
    with pytest.raises(HyperbatonError, match="language"):
        metric.sentence_scores(["a"], ["b"])
    german = metric.for_language("de")
    assert german.sentence_scores(["Es regnet heute"], ["Heute regnet es"]).tolist() == [1]
    assert "commutative:yes" in german.signature("sentence")
    spec = "Paraphrase:hf-pair:m/x(commutative=true)()"
    assert str(METRICS.parse(spec)) == spec
