"""A random sample of a corpus of learners: whole sentences, drawn by the seed alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.cli.main import main
from hyperbaton.corpus.item import Item
from hyperbaton.pipeline import Pair
from hyperbaton.studies.grammar.corpora import SHIPPED
from hyperbaton.studies.grammar.study import Grammar

PAIR = Pair("en", "de")
WRITTEN = [f"She go home {n} time ." for n in range(40)]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Forty sentences and two corrections of each; the second leaves every fourth as it is."""
    once = [line.replace("go", "goes") for line in WRITTEN]
    twice = [line.replace("go", "went") if n % 4 else line for n, line in enumerate(WRITTEN)]
    paths = []
    for name, lines in (("x", WRITTEN), ("a", once), ("b", twice)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
        paths.append(str(tmp_path / name))
    return paths


def kept(files: list[str], **options: int) -> list[Item]:
    return list(Grammar(**options).corpus(files, PAIR).items())  # type: ignore[arg-type]


def sentences(items: list[Item]) -> list[str]:
    return list(dict.fromkeys(item.columns["varied"] for item in items))


def test_every_correction_of_a_drawn_sentence_is_there_in_the_order_of_the_file(
    files: list[str],
) -> None:
    everything, some = kept(files), kept(files, sample=12)
    drawn = sentences(some)
    assert len(drawn) == 12
    assert some == [item for item in everything if item.columns["varied"] in drawn]
    assert sentences(some) != sentences(everything)[:12]


def test_a_sample_is_drawn_of_the_corpora_of_a_matrix_too(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    toml = tmp_path / "matrix.toml"
    toml.write_text(
        'systems = ["copy"]\nmetrics = ["BLEU"]\nsample = 30\n\n'
        '[[corpus]]\nlanguages = "en-de"\nnoisy = "x"\ncorrected = "a"\n'
    )
    for further, sentences in (["--sample", "12"], 12), ([], 30):
        words = ["grammar", "--config", str(toml), "--out", str(tmp_path / str(sentences))]
        words += ["--no-report", "--workers", "0", "--no-cache", "--format", "json"]
        assert main([*words, *further]) == 0
        scores = json.loads(capsys.readouterr().out)["scores"]
        assert {row["n"] for row in scores if row["name"] == "RB"} == {sentences}


def test_a_larger_sample_has_the_smaller_one(files: list[str]) -> None:
    assert set(sentences(kept(files, sample=5))) < set(sentences(kept(files, sample=20)))


def test_another_seed_draws_others_and_the_same_seed_the_same(files: list[str]) -> None:
    assert kept(files, sample=12, seed=1) == kept(files, sample=12, seed=1)
    assert sentences(kept(files, sample=12, seed=1)) != sentences(kept(files, sample=12))


def test_a_sample_of_more_than_there_is_takes_all(files: list[str]) -> None:
    assert kept(files, sample=99) == kept(files)


def test_the_corpus_says_that_it_was_drawn(files: list[str]) -> None:
    whole = Grammar().corpus(files, PAIR).identity
    assert "at random" not in whole
    assert (
        ", 12 sentences at random (seed 3), "
        in Grammar(sample=12, seed=3).corpus(files, PAIR).identity
    )


def test_an_m2_file_and_the_shipped_sentences_can_be_drawn_from() -> None:
    for corpus in (
        Grammar(sample=7).corpus([str(SHIPPED)], PAIR),
        Grammar(sample=7).demo_corpus(PAIR),
    ):
        assert len(sentences(list(corpus.items()))) == 7


@pytest.mark.parametrize("spec", [{"sample": -1}, {"sample": 5, "errors": "errors(rate=0.1)"}])
def test_what_cannot_be_drawn_is_refused(spec: dict[str, int | str]) -> None:
    with pytest.raises(HyperbatonError, match="sample"):
        Grammar(**spec)  # type: ignore[arg-type]
