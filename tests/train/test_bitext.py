"""Parallel text comes from tables or translation memories."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.train.bitext import read_pairs
from tests.corpus.test_tmx import HEAD, MEMORY, PAIRS


def test_a_memory_gives_the_pairs_of_two_languages(tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    path.write_text(HEAD + MEMORY)
    pairs = [(item.source_text, item.reference_text) for item in PAIRS]
    assert read_pairs(path, languages=("en", "de")) == pairs
    assert read_pairs(path, languages=("de", "en")) == [(b, a) for a, b in pairs]
    with pytest.raises(HyperbatonError, match="has no third column: leave out --tags"):
        read_pairs(path, {"news"}, ("en", "de"))


def test_a_table(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("a\tb\tnews\nc\td\tother\n \te\tnews\n")
    assert read_pairs(path) == [("a", "b"), ("c", "d")]
    assert read_pairs(path, {"news"}) == [("a", "b")]
