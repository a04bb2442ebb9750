"""Pair classifiers: every class loads, and says what transformers itself says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.special import logit

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.detectors import DETECTORS
from hyperbaton.detectors.classifier import PairClassifier, paraphrase_index

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from tests.metrics.neural_models import Kind  # noqa: E402

from .pair_models import classifier, encoder  # noqa: E402

FIRST = ["The cat sat on the mat.", "Die Katze saß auf der Matte.", "A dog.", "", "It is raining"]
SECOND = ["The mat sat on the cat.", "Auf der Matte saß die Katze.", "A dog ran off", "x", ""]


@pytest.mark.parametrize(
    ("kind", "architecture"),
    [
        ("bert", "BertForSequenceClassification"),
        ("xlm-roberta", "XLMRobertaForSequenceClassification"),
        ("distilbert", "DistilBertForSequenceClassification"),
    ],
)
def test_probabilities_are_those_of_transformers(kind: Kind, architecture: str) -> None:
    folder = classifier(kind)
    model = getattr(transformers, architecture).from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    wanted = []
    for a, b in zip(FIRST, SECOND, strict=True):
        # As lists: a single empty string would count as no second sentence at all.
        coded = tokenizer([a], [b], return_tensors="pt", truncation="longest_first", max_length=62)
        if kind != "bert":
            coded.pop("token_type_ids", None)
        with torch.inference_mode():
            wanted.append(float(model(**coded).logits.softmax(dim=1)[0, 1]))
    detector = DETECTORS.parse(f"hf-pair:{folder}(max_tokens=62, batch_tokens=40, device=cpu)")
    found = detector.probabilities(FIRST, SECOND, "en")
    np.testing.assert_allclose(found, wanted, atol=1e-5)
    assert np.ptp(logit(found)) > 0.01
    assert "revision:" in detector.signature("en")


def test_the_class_is_found_by_name_or_number() -> None:
    turned = classifier("bert", ("paraphrase", "different"))
    forth = PairClassifier(str(turned), device="cpu").probabilities(FIRST, SECOND, "en")
    back = PairClassifier(str(turned), label="different", device="cpu")
    np.testing.assert_allclose(forth + back.probabilities(FIRST, SECOND, "en"), 1)
    numbered = PairClassifier(str(turned), label="1", device="cpu")
    np.testing.assert_array_equal(
        numbered.probabilities(FIRST, SECOND, "en"), back.probabilities(FIRST, SECOND, "en")
    )


def test_a_single_class_goes_through_the_logistic_function() -> None:
    folder = classifier("bert", ("paraphrase",))
    found = PairClassifier(str(folder), device="cpu").probabilities(FIRST, SECOND, "en")
    assert ((found > 0) & (found < 1)).all()
    assert np.ptp(logit(found)) > 0.01


def test_labels_that_say_nothing_are_refused() -> None:
    assert paraphrase_index({0: "not_duplicate", 1: "duplicate"}, "", "m") == 1
    assert paraphrase_index({0: "LABEL_0", 1: "LABEL_1"}, "", "m") == 1
    with pytest.raises(HyperbatonError, match="give label="):
        paraphrase_index({0: "cat", 1: "dog"}, "", "m")
    with pytest.raises(HyperbatonError, match="no class 'bird': it has 0 cat, 1 dog"):
        paraphrase_index({0: "cat", 1: "dog"}, "bird", "m")


def test_bad_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match="not fine-tuned to classify pairs"):
        PairClassifier(str(encoder("bert"))).probabilities(["a"], ["b"], "en")
    with pytest.raises(HyperbatonError, match="no model folder"):
        PairClassifier("./nowhere").probabilities(["a"], ["b"], "en")
    with pytest.raises(HyperbatonError, match="fetch it once with download=true"):
        PairClassifier("some/model").probabilities(["a"], ["b"], "en")
    for file in classifier("bert").iterdir():
        if file.suffix != ".safetensors":
            (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "pytorch_model.bin").write_bytes(b"no tensors")
    with pytest.raises(HyperbatonError, match="is damaged"):
        PairClassifier(str(tmp_path)).probabilities(["a"], ["b"], "en")
