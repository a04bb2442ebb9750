"""One line of valid Unicode: whoever answers, and by whatever way an answer gets into the store."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.cli.main import main
from hyperbaton.systems.faults import sound
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import Translation

BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
BAD = {
    "one\ntwo": "one two",
    "one\u2028two\u2029": "one two",
    "one\x85two\x1ethree": "one two three",
    "\ufeffone": "one",
    "\ufeff": "",
    "one\0two": None,
    "one\ud800two": None,
}


@given(st.text(st.characters(exclude_categories=[])), st.text())
def test_a_sound_answer_is_one_line_and_stays_as_it_is(text: str, fault: str) -> None:
    for answer in (Translation(text), Translation(None, fault), Translation(text, fault)):
        made = sound(answer)
        assert sound(made) == made
        assert (made.text is None) == bool(made.fault)
        said = made.fault if made.text is None else made.text
        assert len(said.splitlines()) <= 1
        assert "\0" not in said
        said.encode()


def answers(texts: Sequence[str]) -> list[str]:
    """A translator that answers each number with one of the bad texts."""
    return [list(BAD)[int(text)] for text in texts]


def test_every_way_into_the_store_has_the_same_gate(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save("s", {text: Translation(text) for text in BAD})
        found = store.lookup("s", BAD)
    assert {text: answer.text for text, answer in found.items()} == BAD


@pytest.mark.parametrize("stored", [True, False])
def test_translate_writes_a_line_for_each_line(
    stored: bool, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    source = tmp_path / "in.txt"
    source.write_text("".join(f"{n}\n" for n in range(len(BAD))))
    command = ["translate", "--system", f"python:{__name__}:answers", "-l", "en-de", str(source)]
    command += ["--cache", str(tmp_path / "cache")] if stored else ["--no-cache"]
    for _ in range(2):  # the second time from the store
        assert main(command) == 1
        lines = capfdbinary.readouterr().out.decode().split("\n")[:-1]
        assert lines == [text or "" for text in BAD.values()]


def test_commands_answer_in_one_line(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """As a program under Windows writes: a mark at the start, and lines that hold others."""
    script = tmp_path / "system.py"
    script.write_text(
        "import sys\n"
        "lines = sys.stdin.buffer.read().split(b'\\n')[:-1]\n"
        "sys.stdout.buffer.write(b'\\xef\\xbb\\xbf')\n"
        "for line in lines:\n"
        "    more = b'\\0' if b'nul' in line else '\\u2028and'.encode()\n"
        "    sys.stdout.buffer.write(line + more + b'\\n')\n"
    )
    (tmp_path / "in.txt").write_text("one\nnul\ntwo\n")
    system = f"cmd:{sys.executable} {script}"
    assert main(
        ["translate", "--system", system, "-l", "en-de", "--cache", str(tmp_path / "cache"),
         str(tmp_path / "in.txt")]
    ) == 1  # fmt: skip
    captured = capfdbinary.readouterr()
    assert captured.out.decode() == "one and\n\ntwo and\n"
    assert b"text 2: returned a NUL character" in captured.err


RECORDED = ["--system", "recorded:x", "-l", "en-de"]


def _imported(tmp_path: Path, translations: Sequence[str], *more: str) -> int:
    rows = [{"source": str(n), "translation": text} for n, text in enumerate(translations)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    cache = ["--cache", str(tmp_path / "cache")]
    return main(["import", str(tmp_path / "a.jsonl"), *RECORDED, *cache, *more])


def test_import_stores_single_lines(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    translations = ["one\ntwo", "three\u2028four", "\ufefffive", "six"]
    assert _imported(tmp_path, translations) == 0
    captured = capfdbinary.readouterr()
    assert captured.out == b"4 translations imported for recorded:x\n"
    assert b"in 3 translations line breaks became spaces, or a byte order mark was left out" in (
        captured.err
    )
    (tmp_path / "in.txt").write_text("0\n1\n2\n3\n")
    command = ["translate", *RECORDED, "--cache", str(tmp_path / "cache")]
    assert main([*command, str(tmp_path / "in.txt")]) == 0
    assert capfdbinary.readouterr().out.decode() == "one two\nthree four\nfive\nsix\n"
    # What is the same but for that is no other translation.
    assert _imported(tmp_path, translations) == 0


@pytest.mark.parametrize(
    ("text", "fault"), [("a\0b", "a NUL character"), ("a\ud800", "half a character")]
)
def test_import_refuses_what_no_line_can_hold(
    text: str, fault: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert _imported(tmp_path, ["one", text]) == 2
    err = capfdbinary.readouterr().err.decode()
    assert fault in err
    assert "a.jsonl" in err
    with Store(tmp_path / "cache") as store:
        assert store.holdings() == []
