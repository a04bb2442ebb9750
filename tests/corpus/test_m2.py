"""M2: several annotators, edits that correct nothing, and what broken files are told."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.corpus import Edit, Item, Learner, open_corpus, read_m2
from hyperbaton.errors import HyperbatonError

# The first sentence is the example of the CoNLL-2014 task description's format, retold.
FILE = """\
S The cat sat at mat .
A 3 4|||R:PREP|||on|||REQUIRED|||-NONE-|||0
A 4 4|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 1 2|||UNK|||cat|||REQUIRED|||-NONE-|||1
A 2 3|||Um||||||REQUIRED|||-NONE-|||1
A 4 5|||R:NOUN|||a mat||the mat|||REQUIRED|||-NONE-|||1

S Fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S so so good
A 0 1|||U:ADV|||-NONE-|||REQUIRED|||-NONE-|||0
"""


def read(tmp_path: Path, text: str) -> list[Learner]:
    path = tmp_path / "a.m2"
    path.write_text(text)
    return list(read_m2(path))


def test_annotators_and_corrections(tmp_path: Path) -> None:
    cat, fine, good = read(tmp_path, FILE)
    assert cat.annotators == (0, 1)
    assert " ".join(cat.corrected(0)) == "The cat sat on the mat ."
    assert " ".join(cat.corrected(1)) == "The cat sat at a mat ."
    assert cat.applicable(1) == (Edit(4, 5, "R:NOUN", "a mat", 1),)
    assert cat.corrected(only=cat.edits[0]) == ("The", "cat", "sat", "on", "mat", ".")
    assert fine.annotators == (0,)
    assert (fine.applicable(0), fine.corrected(0)) == ((), ("Fine", "."))
    assert good.corrected() == ("so", "good")


def test_m2_as_pairs(tmp_path: Path) -> None:
    read(tmp_path, FILE)
    items = list(open_corpus(tmp_path / "a.m2", annotator=1))
    assert items[0] == Item("1", "The cat sat at mat .", "The cat sat at a mat .")
    assert items[1] == Item("2", "Fine .", "Fine .")


@given(st.lists(st.integers(0, 2), min_size=4, max_size=12), st.data())
def test_corrections_are_splices(gaps: list[int], data: st.DataObject) -> None:
    """The same words as when the edits are spliced in from the right, one by one."""
    bounds = [sum(gaps[:i]) for i in range(1, len(gaps) + 1)]
    spans = list(zip(bounds[::2], bounds[1::2], strict=False))
    words = tuple(f"w{i}" for i in range(bounds[-1]))
    edits = [Edit(a, b, "R:X", data.draw(st.sampled_from(["", "x", "y z"]))) for a, b in spans]
    spliced = list(words)
    for edit in reversed(edits):
        spliced[edit.start : edit.end] = edit.correction.split()
    assert Learner("1", words, tuple(edits)).corrected() == tuple(spliced)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A 0 1|||x|||y|||R|||-|||0\n", "line 1: a sentence of an M2 file begins with 'S '"),
        ("S a b\nA 0 1|||x|||y\n", "line 2: an edit is written"),
        ("S a b\nB 0 1|||x|||y|||R|||-|||0\n", "line 2: an edit is written"),
        ("S a b\nA 0 x|||x|||y|||R|||-|||0\n", "line 2: start, end and annotator"),
        ("S a b\nA 0|||x|||y|||R|||-|||0\n", "line 2: start, end and annotator"),
        ("S a b\nA 1 3|||x|||y|||R|||-|||0\n", "line 2: the edit 1 3 lies outside .* 2 words"),
        ("S a b\nA 0 2|||x|||y|||R|||-|||0\nA 1 2|||x|||y|||R|||-|||0\n", "line 1: .* overlap"),
    ],
)
def test_broken_files(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match=rf"a\.m2, {message}"):
        read(tmp_path, text)
