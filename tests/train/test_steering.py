"""Text for steering: what each mode is taught, the same each time, in every language."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from hyperbaton.cli.main import main
from hyperbaton.corpus.starter import starter
from hyperbaton.train.steering import Row, Steering, sentence

PAIR = ("I have never seen such a large dog.", "Ich habe nie so einen großen Hund gesehen.")
LINKS = ((0, 0), (1, 1), (2, 2), (3, 7), (4, 3), (5, 4), (6, 5), (7, 6), (8, 8))


def rows(**settings: object) -> list[Row]:
    made = Steering(**settings)  # type: ignore[arg-type]
    return list(made.rows([PAIR], [LINKS], ("en", "de")))


def test_robust_answers_as_if_nothing_had_moved_and_faithful_moves_with_it() -> None:
    robust, faithful = rows(orders=("reversed",), draws=1, sound=0.0, noisy=0.0)
    assert robust == ("robust", "dog large a such seen never have I.", PAIR[1])
    assert faithful == (
        "faithful",
        "dog large a such seen never have I.",
        "Hund großen einen so gesehen nie habe Ich.",
    )


def test_sound_sentences_are_left_alone() -> None:
    assert rows(draws=1, orders=("identity",), sound=1.0, noisy=0.0)[0] == ("robust", *PAIR)
    drawn = Steering(sound=0.5, noisy=0.0, draws=0)
    many = [(f"Number {n} is my favourite.", f"Nummer {n} mag ich.") for n in range(2000)]
    counts = Counter(row.mode for row in drawn.rows(many, [()] * len(many), ("en", "de")))
    assert 900 < counts["robust"] < 1100
    assert 420 < counts["faithful"] < 580


def test_misspelt_sources_are_for_robust_only() -> None:
    found = rows(draws=0, sound=0.0, noisy=1.0, noise=("errors(rate=0.5)",))
    assert [mode for mode, _, _ in found] == ["robust"]
    assert found[0][1] != PAIR[0]
    assert found[0][2] == PAIR[1]


def test_a_pair_gives_the_same_rows_wherever_it_stands() -> None:
    other = ("Nobody knows what he really wants.", "Niemand weiß, was er wirklich will.")
    alone = list(Steering().rows([PAIR], [LINKS], ("en", "de")))
    among = list(Steering().rows([other, PAIR], [(), LINKS], ("en", "de")))
    assert among[-len(alone) :] == alone
    assert list(Steering(seed=1).rows([PAIR], [LINKS], ("en", "de"))) != alone


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "it", "ru", "ja", "zh"])
def test_words_give_the_text_back(language: str) -> None:
    for item in starter(language, None)[:100]:
        text = " ".join(item.source_text.split())
        assert sentence(text, language).text == text


def test_the_command_writes_both_directions_and_links_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("systran_align")
    text = tmp_path / "en-de.tsv"
    lines = [f"{PAIR[0]}\t{PAIR[1]}\tgood\n", "Go on, nobody else is here.\tWeiter so.\tbad\n"]
    text.write_text("".join(lines))
    arguments = ["train", "steering", "--pair", "en-de", str(text), "--tags", "good"]
    arguments += ["--held-out", "0", "--out", str(tmp_path / "out")]
    assert main(arguments) == 0
    first = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert set(first) == {
        *(f"{pair}.{mode}.tsv" for pair in ("en-de", "de-en") for mode in ("robust", "faithful")),
        *("en-de.links", "en-de.links.made-of"),
    }
    assert b"Weiter" not in first["en-de.robust.tsv"]
    assert "linking" in capsys.readouterr().err
    assert main(arguments) == 0
    assert "linking" not in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == first
    text.write_text("".join(lines[:1]) * 2)
    assert main(arguments) == 0
    assert "linking" in capsys.readouterr().err


def test_only_an_order_of_words_can_be_projected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "en-de.tsv"
    text.write_text("\t".join(PAIR) + "\n")
    arguments = ["train", "steering", "--pair", "en-de", str(text), "--out", str(tmp_path / "out")]
    for order in ("upper", "FullShuffle"):
        assert main([*arguments, "--with", order]) == 2
        assert "an order of words" in capsys.readouterr().err


def test_no_torch_is_needed(tmp_path: Path) -> None:
    text = tmp_path / "en-de.tsv"
    text.write_text("\t".join(PAIR) + "\n")
    (tmp_path / "links").write_text(" ".join(f"{i}-{j}" for i, j in LINKS) + "\n")
    arguments = ["train", "steering", "--pair", "en-de", str(text), "--held-out", "0"]
    arguments += ["--align", f"pharaoh:{tmp_path / 'links'}", "--out", str(tmp_path / "out")]
    code = "import sys; sys.modules['torch'] = None; from hyperbaton.cli.main import main; "
    code += f"sys.exit(main({arguments!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
