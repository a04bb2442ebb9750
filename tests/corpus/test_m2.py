"""M2: several annotators, edits that correct nothing, and what broken files are told."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.m2 import Edit, Learner, read_m2, read_m2_items

CWEB = Path(__file__).parents[3] / "shared" / "data" / "cweb"

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
    assert fine.annotators == (0,)
    assert (fine.applicable(0), fine.corrected(0)) == ((), ("Fine", "."))
    assert good.corrected() == ("so", "good")


def test_m2_as_probes(tmp_path: Path) -> None:
    """The corrected sentence is the source, the sentence as written varies it, as designed."""
    read(tmp_path, FILE)
    cat, fine, good = read_m2_items(tmp_path / "a.m2")
    assert cat == Item(
        "1.0",
        "The cat sat on the mat .",
        None,
        {
            "varied": "The cat sat at mat .",
            "annotator": "0",
            "types": "R:PREP M:DET",
            "edits": '[[3, 4, "R:PREP", "on"], [4, 4, "M:DET", "the"]]',
            "left_out": "",
        },
    )
    assert (fine.id, fine.source, fine.columns["varied"]) == ("2", "Fine .", "Fine .")
    assert fine.columns["left_out"] == "no error"
    assert (good.id, good.columns["left_out"]) == ("3", "")
    later = next(read_m2(tmp_path / "a.m2"))
    assert later.left_out(1) == ""
    assert later.left_out(2) == "annotator 2 did not see it"


def test_why_a_sentence_does_not_count() -> None:
    words = ("so", "good")
    unclear = Learner("1", words, (Edit(0, 1, "Um", ""), Edit(1, 2, "UNK", "")))
    assert unclear.left_out() == "only UNK and Um edits"
    assert Learner("1", words, (Edit(0, 1, "R:X", "so"),)).left_out() == "its edits change nothing"
    assert Learner("1", words, (Edit(0, 2, "U:X", ""),)).left_out() == "nothing is left of it"
    assert Learner("1", words, ()).left_out() == "no error"


def test_corrections_in_any_order() -> None:
    words = ("She", "go", "at", "the", "home", "yesterday")
    edits = (
        Edit(5, 6, "R:ADV", "last night"),
        Edit(2, 4, "U:PREP", ""),
        Edit(1, 2, "R:VERB:TENSE", "went"),
    )
    learner = Learner("1", words, edits)
    assert learner.corrected() == ("She", "went", "home", "last", "night")


WORD = st.text("ab,é", min_size=1, max_size=3)


def _m2(learner: Learner) -> str:
    """A sentence as ERRANT writes it: a deletion is nothing at all, `noop` where none is wrong."""
    lines = [f"S {' '.join(learner.words)}"]
    for edit in learner.edits or (Edit(-1, -1, "noop", ""),):
        correction = "-NONE-" if edit.type == "noop" else edit.correction
        fields = (edit.type, correction, "REQUIRED", "-NONE-", str(edit.annotator))
        lines.append("|||".join([f"A {edit.start} {edit.end}", *fields]))
    return "\n".join(lines) + "\n\n"


@given(st.lists(WORD, max_size=6), st.data())
def test_what_is_written_is_read_again(words: list[str], data: st.DataObject) -> None:
    size = len(words)
    edits = []
    at = 0
    while at < size:
        end = data.draw(st.integers(at, size))
        correction = " ".join(data.draw(st.lists(WORD, max_size=2)))
        kind = data.draw(st.sampled_from(["R:X", "UNK", "Um", "M:DET"]))
        edits.append(Edit(at, end, kind, correction, data.draw(st.integers(0, 2))))
        at = end + 1
    learner = Learner("1", tuple(words), tuple(edits) or (Edit(-1, -1, "noop", ""),))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.m2"
        path.write_text(_m2(learner), encoding="utf-8")
        assert list(read_m2(path)) == [learner]


@pytest.mark.skipif(not CWEB.is_dir(), reason="needs ../shared")
@pytest.mark.parametrize("name", ["CWEB-G.dev.m2", "CWEB-S.dev.m2"])
def test_a_real_corpus_comes_back_byte_for_byte(name: str) -> None:
    text = (CWEB / name).read_text(encoding="utf-8")
    learners = list(read_m2(CWEB / name))
    assert "".join(map(_m2, learners)).rstrip("\n") == text.rstrip("\n")
    counts = Counter(lear.left_out(a) for lear in learners for a in lear.annotators)
    assert set(counts) == {"", "no error"}


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
        (
            "S a b\nA 0 2|||x|||y|||R|||-|||0\nA 1 2|||x|||y|||R|||-|||0\n",
            "line 3: .* overlap; keep one",
        ),
    ],
)
def test_broken_files(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match=rf"a\.m2, {message}"):
        read(tmp_path, text)
