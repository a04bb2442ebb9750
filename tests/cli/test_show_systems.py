"""`hyperbaton show --system`: one sentence and its variants through translators."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.cli.main import main
from hyperbaton.cli.terminal.marking import moved_and_missing
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import SYSTEMS
from tests.cli.command import TOM


@pytest.fixture
def tom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A parsed sentence, and a folder of stored translations that nobody else uses."""
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "x.conllu"
    path.write_text(TOM)
    return str(path)


def _show(tom: str, *more: str) -> list[str]:
    return ["show", "--conllu", tom, "-l", "en-de", *more]


def test_each_variant_with_its_translation_and_what_became_of_it(
    tom: str, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("--with", "reversed", "--with", "adverbVerbSwap")
    assert main(_show(tom, "--system", "gloss", *names)) == 0
    assert (
        capsys.readouterr().out
        == """\
unchanged       Tom saw the old dog near a house.
  gloss         Tom sah die alt Hund Nähe ein Haus.

reversed        [house a near dog old the saw] Tom.
  gloss         [Haus ein Nähe Hund alt die sah] Tom.  → carried over

adverbVerbSwap  does not apply

[Brackets]: moved; in a translation, compared with that of the unchanged sentence.
"""
    )


def test_systems_beside_each_other_with_a_reference(
    tom: str, capsys: pytest.CaptureFixture[str]
) -> None:
    reference = ("--reference", "Tom sah den alten Hund bei einem Haus.", "--parser", "plain")
    systems = ("--system", "gloss", "--system", "copy")
    assert main(_show(tom, *systems, "--with", "reversed", *reference)) == 0
    shown = capsys.readouterr().out
    assert "  reference  Tom sah den alten Hund bei einem Haus.\n" in shown
    assert "  gloss      [Haus ein Nähe Hund alt die sah] Tom.  → carried over  β1 0." in shown
    copied = "  copy       [house a near dog old the saw] Tom.  → untranslated (copied)  β1 0."
    assert copied in shown
    assert "β1: BLEU against the reference" in shown


def test_a_system_that_fails_is_named_and_stops_no_other(
    tom: str, capsys: pytest.CaptureFixture[str]
) -> None:
    failing = ("--system", "cmd:false", "--system", "gloss", "--system", "nope")
    assert main(_show(tom, *failing, "--with", "reversed")) == 1
    shown = capsys.readouterr().out
    assert "cmd:false: " in shown
    assert "nope: unknown system 'nope'" in shown
    assert "→ carried over" in shown


def test_a_variant_that_comes_back_empty_is_named_and_hides_no_other(
    tom: str, capsys: pytest.CaptureFixture[str]
) -> None:
    system = ("--system", "cmd:sed 's/^house.*//;s/saw/sah/'")
    assert main(_show(tom, *system, "--with", "reversed", "--with", "nounSwaps")) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("→")[1] for line in lines if "→ empty" in line] == [" empty"]
    assert sum("  → " in line for line in lines) == 2
    always = ("--system", "cmd:sed s/.*//", "--with", "reversed")
    assert main(_show(tom, *always)) == 2
    assert "the translation is empty" in capsys.readouterr().err


def test_the_only_system_that_fails_is_an_error(
    tom: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(_show(tom, "--system", "oracle", "--with", "reversed")) == 2
    assert "'oracle' answers with references" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--system", "copy", "x"], "which languages? Name the pair for --system: -l en-de"),
        (["--system", "copy", "-l", "de", "x"], "'de' is not a language pair"),
        (["--reference", "y", "x"], "--reference is for --system"),
        (["--system", "copy", "-l", "en-de", "--reference", " ", "x"], "--reference is empty"),
    ],
)
def test_mistakes(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_colour(tom: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--system", "gloss", "--with", "reversed", "--color", "always")
    assert main(_show(tom, *arguments)) == 0
    shown = capsys.readouterr().out
    assert "\x1b[1;33mHaus ein Nähe Hund alt die sah\x1b[0m Tom." in shown
    assert "→ carried over\x1b[0m" in shown


def test_words_without_spaces_are_compared_too() -> None:
    text = "本を彼は読んだ。"
    moved, missing = moved_and_missing("彼は本を読んだ。", text, "ja")
    assert [text[start:end] for start, end in moved] == ["本を"]
    assert missing == []


def test_show_does_not_wait_for_another_process(
    tom: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, system = "Tom saw the old dog near a house.", "cmd:sed s/house/Haus/"
    with Store(tmp_path / "cache") as study, SYSTEMS.parse(system).open("en", "de") as translator:
        assert translator.stored
        assert study.claim(translator.signature, [text]) == {text}
        assert main(_show(tom, "--system", system, "--with", "reversed")) == 0
    assert "Tom saw the old dog near a Haus." in capsys.readouterr().out
