"""The structure measures: their fixed points, the definition, and tokenizers of every kind."""

from __future__ import annotations

import random
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.sentence import expand
from hyperbaton.metrics.compression import Compression
from hyperbaton.metrics.metric import Scores
from hyperbaton.metrics.structure import bigramF, idc

from .neural_models import TEXTS, Kind, make_model


def compression_rates(texts: list[str], tokenizer: str) -> Scores:
    return Compression(tokenizer=tokenizer).sentence_scores(texts, texts)


TRIAL = Path(__file__).parents[2].parent / "shared" / "models" / "trial"


@given(st.lists(st.integers(0, 12).flatmap(lambda n: st.permutations(range(n))), max_size=8))
def test_idc_is_its_definition(orders: list[list[int]]) -> None:
    expected = [
        sum(abs(i - old) for i, old in enumerate(order)) / len(order) / len(order) if order else 0
        for order in orders
    ]
    assert idc(orders) == pytest.approx(expected, abs=1e-12)


def test_fixed_points_of_idc() -> None:
    rng = random.Random(0)
    shuffled = [rng.sample(range(200), 200) for _ in range(300)]
    assert idc([list(range(50)), list(range(49, -1, -1))]).tolist() == [0, 0.5]
    assert idc(shuffled).mean() == pytest.approx(1 / 3, abs=0.005)
    # Two subwords of 1 and 3 characters exchanged: every character went 3 or 1 places.
    assert idc([expand((1, 0), (1, 3))]) == pytest.approx([(3 + 3 * 1) / 4 / 4])


def test_the_papers_phrase_shuffle() -> None:
    """The worked example of the paper: its phrases, shuffled, and the measures of the result."""
    phrases = ["The s", "chol", "ar ", "i", "s ty", "pesetti", "ng."]
    order = [6, 1, 0, 4, 2, 5, 3]
    characters = expand(order, [len(phrase) for phrase in phrases])
    original = "".join(phrases)
    assert "".join(original[i] for i in characters) == "ng.cholThe ss tyar pesettii"
    (distance,) = idc([characters])
    assert distance == pytest.approx(
        sum(abs(i - old) for i, old in enumerate(characters)) / len(original) ** 2
    )
    (kept,) = bigramF().sentence_scores(["ng.cholThe ss tyar pesettii"], [original])
    # Of 26 bigrams 4 + 3 + 2 + 0 + 3 + 6 + 2 lie within a phrase; no new ones match.
    assert kept == pytest.approx(20 / 26)


@pytest.fixture(scope="module", params=["bert", "xlm-roberta", "roberta"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers")
    kind: Kind = request.param
    return make_model(tmp_path_factory.mktemp(kind), kind)


def test_compression_counts_special_tokens(folder: Path) -> None:
    texts = [*TEXTS, TEXTS[0], "", "word " * 100]  # longer than the model reads: all is counted
    tokenizer = import_module("transformers").AutoTokenizer.from_pretrained(folder)
    lengths = [len(tokenizer.encode(text, truncation=False)) for text in texts]
    expected = [len(text) / length for text, length in zip(texts, lengths, strict=True)]
    assert lengths[-2] == 2  # nothing but the two markers
    assert compression_rates(texts, str(folder)) == pytest.approx(expected)
    assert compression_rates(texts, str(folder / "tokenizer.json")) == pytest.approx(expected)
    metric = Compression(tokenizer=str(folder))
    corpus = metric.corpus_score(texts, texts)
    assert corpus == pytest.approx(sum(map(len, texts)) / sum(lengths))
    assert metric.fields("corpus")["revision"] in metric.signature("corpus")


def test_shuffling_destroys_the_vocabulary(folder: Path) -> None:
    rng = random.Random(1)
    shuffled = ["".join(rng.sample(text, len(text))) for text in TEXTS]
    metric = Compression(tokenizer=str(folder))
    assert metric.corpus_score(shuffled, TEXTS) < metric.corpus_score(TEXTS, TEXTS)


@pytest.mark.skipif(not TRIAL.exists(), reason="needs ../shared")
def test_sentencepiece() -> None:
    import sentencepiece

    model = TRIAL / "source.spm"
    pieces = sentencepiece.SentencePieceProcessor(str(model))
    lengths = np.array([len(pieces.encode(text)) for text in TEXTS])
    characters = np.array([len(text) for text in TEXTS])
    rates = compression_rates(TEXTS, str(model))
    assert rates == pytest.approx(characters / lengths)
    closed = Compression(tokenizer=str(model), special=1).sentence_scores(TEXTS, TEXTS)
    assert closed == pytest.approx(characters / (lengths + 1))


def test_a_model_of_characters_has_a_constant_rate(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    transformers.CanineTokenizer().save_pretrained(tmp_path)
    transformers.CanineConfig().save_pretrained(tmp_path)
    rates = compression_rates(TEXTS, str(tmp_path))
    assert rates == pytest.approx([len(text) / (len(text) + 2) for text in TEXTS])


def test_mistakes_get_one_sentence(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    (tmp_path / "broken.json").write_text("{}")
    (tmp_path / "broken.model").write_text("no")
    (tmp_path / "folder").mkdir()
    for name, sentence in (
        ("nothing.json", "no tokenizer at"),
        ("broken.json", r"is not a tokenizer\.json"),
        ("broken.model", "is not a SentencePiece model"),
        ("folder", r"the tokenizer in .*folder cannot be read"),
    ):
        with pytest.raises(HyperbatonError, match=sentence):
            compression_rates(["a"], str(tmp_path / name))
