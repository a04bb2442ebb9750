"""Files that belong together are read side by side, and must be equally long."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.opening import open_corpus
from hyperbaton.language.sentence import Sentence


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(line + "\n" for line in lines))
    return path


def block(name: str, word: str) -> str:
    return f"# sent_id = {name}\n1\t{word}\t_\tX\t_\t_\t0\troot\t_\t_\n"


def test_source_and_references(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"a.{x}", f"{x}1", f"{x}2") for x in ("en", "de", "ref2")]
    first, second = open_corpus(*paths)
    assert (first.id, first.source, first.reference) == ("1", "en1", "de1")
    assert second.columns == {"reference2": "ref22"}


@pytest.mark.parametrize(("short", "long"), [(2, 5), (5, 2)])
def test_uneven_files_are_named_with_both_counts(short: int, long: int, tmp_path: Path) -> None:
    one = write(tmp_path / "a.en", *"x" * short)
    other = write(tmp_path / "a.de", *"y" * long)
    corpus = open_corpus(one, other)
    for _ in range(2):
        next(corpus)  # what is whole is read before the end is known
    with pytest.raises(
        HyperbatonError, match=rf"a\.en has {short} lines but .*a\.de has {long} lines"
    ):
        next(corpus)


def test_parsed_and_plain_files_go_together(tmp_path: Path) -> None:
    one = write(tmp_path / "a.conllu", block("s1", "Hello"), block("s2", "Bye"))
    other = write(tmp_path / "a.de", "Hallo", "Tschüss")
    first, second = open_corpus(one, other, languages=("en", "de"))
    assert isinstance(first.source, Sentence)
    assert (first.source.language, first.reference) == ("en", "Hallo")
    assert (second.id, second.source_text, second.reference_text) == ("s2", "Bye", "Tschüss")


def test_parsed_files_must_hold_the_same_items(tmp_path: Path) -> None:
    one = write(tmp_path / "a.conllu", block("s1", "Hello"))
    other = write(tmp_path / "b.conllu", block("s9", "Hallo"))
    with pytest.raises(HyperbatonError, match=r"item 1 is 's1' in .*a\.conllu but 's9' in"):
        list(open_corpus(one, other))


def test_standard_input_only_once() -> None:
    with pytest.raises(HyperbatonError, match="only one of the files"):
        list(open_corpus("-", "-"))


def test_memory_does_not_grow_with_the_corpus(tmp_path: Path) -> None:
    text, parsed = tmp_path / "a.de", tmp_path / "a.conllu"
    with text.open("w") as lines, parsed.open("w") as blocks:
        for i in range(1_500):
            lines.write("Tom sagt etwas. " * 500 + "\n")
            blocks.write(block(f"s{i}", "x" * 8_000) + "\n")
    assert text.stat().st_size + parsed.stat().st_size > 20_000_000
    tracemalloc.start()
    count = sum(1 for _ in open_corpus(parsed, text))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 1_500
    assert peak < 2_000_000
