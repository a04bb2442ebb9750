"""Pharaoh files: what is written is read back, and a mistake is named with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.alignment import ALIGNERS
from hyperbaton.alignment.pharaoh import Pharaoh, read_pharaoh, write_pharaoh
from hyperbaton.base.errors import HyperbatonError

PAIRS = [(["a", "b"], ["x", "y"]), (["c"], ["z"])]
LINKS = st.sets(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=8)


@given(st.lists(LINKS.map(lambda links: tuple(sorted(links))), max_size=5))
def test_written_links_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, alignments: list[tuple[tuple[int, int], ...]]
) -> None:
    path = tmp_path_factory.mktemp("pharaoh") / "links"
    write_pharaoh(path, alignments)
    assert read_pharaoh(path) == alignments


def test_a_file_gives_the_links_of_the_pairs(tmp_path: Path) -> None:
    path = tmp_path / "links.txt"
    path.write_text("1-0 0-1 1-0\r\n\n")
    aligner = ALIGNERS.parse(f"pharaoh:{path}")
    assert aligner.align(PAIRS) == [((0, 1), (1, 0)), ()]
    assert ALIGNERS.parse(str(aligner)) == aligner
    before = aligner.signature()
    path.write_text("0-0\n0-0\n\n")
    assert aligner.signature() != before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("0-0\n0-0 1:1\n", r"line 2: '1:1' is not a link: write source-target, as 0-0"),
        ("0-0\n-1-0\n", r"line 2: '-1-0' is not a link"),
        (
            "0-0\n0-1\n",
            r"line 2: the link 0-1 is outside the pair, which has 1 source and 1 target",
        ),
        ("2-0\n\n", r"line 1: the link 2-0 is outside the pair"),
        ("0-0\n", r"has 1 line for 2 sentence pairs"),
        ("", r"has 0 lines for 2 sentence pairs"),
    ],
)
def test_mistakes_name_file_and_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "bad.align"
    path.write_text(content)
    with pytest.raises(HyperbatonError, match=r"bad\.align.*" + message):
        Pharaoh(str(path)).align(PAIRS)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match="there is no alignment file"):
        Pharaoh(str(tmp_path / "none")).align(PAIRS)
    with pytest.raises(HyperbatonError, match="there is no alignment file"):
        Pharaoh(str(tmp_path / "none")).signature()
    with pytest.raises(HyperbatonError, match="is a folder"):
        Pharaoh(str(tmp_path)).align(PAIRS)
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(HyperbatonError, match="not a text file"):
        Pharaoh(str(binary)).align(PAIRS)
