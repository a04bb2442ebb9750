"""Dictionaries and tables that are shipped: read whole, or refused in a sentence."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.dictionary import read_lexicon, read_rows

ROWS = b"house\tHaus\t90\tGeb\xc3\xa4ude\t4\nfoo\t\nbar\n"


def test_the_rows_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "en-de.links.xz"
    path.write_bytes(lzma.compress(ROWS))
    assert read_rows(path) == {"house": "Haus\t90\tGebäude\t4", "foo": "", "bar": ""}
    assert read_lexicon(path).find("foo") == ""


@pytest.mark.parametrize(
    "content", [lzma.compress(ROWS)[:-9], b"", b"house\tHaus\n", lzma.compress(b"\xff\t\n")]
)
def test_a_damaged_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "en-de.tsv.xz"
    path.write_bytes(content)
    with pytest.raises(HyperbatonError, match=r"en-de\.tsv\.xz is damaged: install hyperbaton"):
        read_rows(path)
