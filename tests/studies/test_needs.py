"""A study asks for a parser only where its perturbations go by what words are."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.perturb import PERTURBATIONS, needed, parse_all
from hyperbaton.pipeline import Job, Pair, Run, RunOptions, execute
from hyperbaton.studies.registry import STUDIES
from tests.cli.command import call

PAIR = Pair("qu", "ay")
"""Two languages for which nobody has a parser installed."""


def run(folder: Path, study: str, **options: dict[str, str]) -> Run:
    (folder / "a.qu").write_text("huk iskay kimsa tawa pichqa suqta.\nhuk, iskay kimsa tawa!\n")
    (folder / "a.ay").write_text("maya paya kimsa pusi phisqa suxta.\nmaya, paya kimsa pusi!\n")
    design = STUDIES.parse(study)
    corpus = design.corpus([str(folder / "a.qu"), str(folder / "a.ay")], PAIR)
    parsers = options.get("parsers", {})
    job = Job(
        design,
        (corpus,),
        ("copy",),
        ("chrF",),
        options=RunOptions(workers=0, cached=False, parsers=parsers),
    )
    return execute(job, folder / "run")


def test_words_are_enough_for_what_moves_words(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    found = run(tmp_path, "wordorder(perturbations=reversed, second_look=false)")
    rows = found.table(PAIR).filter(variant="reversed")
    assert rows["varied"].to_list()[0] == "suqta pichqa tawa kimsa iskay huk."
    assert rows["varied_reference"].to_list()[0] == "suxta phisqa pusi kimsa paya maya."
    assert set(found.record.parsers.values()) == {"plain|version:1"}
    told = [line for line in caplog.messages if "the plain tokenizer splits the words" in line]
    assert len(told) == 2, "once a language"
    assert "no parser for qu is installed" in told[0]


def test_characters_need_no_words(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    found = run(tmp_path, "wordorder(perturbations=FullShuffle, second_look=false)")
    assert set(found.record.parsers.values()) == {"none"}
    assert "no parser" not in caplog.text


def test_trees_need_a_parser_and_the_message_says_what_does_not(tmp_path: Path) -> None:
    study = 'wordorder(perturbations="reversed; treeMirrorPre", second_look=false)'
    with pytest.raises(HyperbatonError, match=r"no parser for qu .* take --parser qu=plain"):
        run(tmp_path, study)
    assert not (tmp_path / "run" / "run.json").exists()
    plain = run(tmp_path, study, parsers={"qu": "plain", "ay": "plain"})
    assert set(plain.table(PAIR)["variant"]) == {"identity", "reversed"}


def test_errors_on_the_surface_are_made_in_words(tmp_path: Path) -> None:
    """A text in one piece has no word to misspell."""
    found = run(tmp_path, 'surface(perturbations="errors(kinds=keyboard)")')
    rows = found.table(PAIR).filter(variant="errors(kinds=keyboard)")
    assert rows.height == 2
    assert found.record.parsers == {"qu-ay source": "plain|version:1"}


@pytest.mark.parametrize(("name", "status"), [("reversed", 0), ("nounSwaps", 2)])
def test_show_needs_no_more_than_perturb(name: str, status: int) -> None:
    done = call("show", "-l", "qu", "huk iskay kimsa tawa pichqa suqta.", "--with", name)
    assert done.returncode == status, done.stderr
    assert "no parser for qu is installed" in done.stderr


@pytest.mark.parametrize(
    ("names", "need"),
    [
        (["wordorder"], "parse"),
        (["surface"], "text"),
        (["reversed", "upper"], "words"),
        (["NeighbourFlip(p=0.3, unit=word)"], "words"),
        (["NeighbourFlip(p=0.3)"], "text"),
        (["identity"], "text"),
        (["nounSwaps", "upper"], "parse"),
        (["errors"], "parse"),
        (["errors(kinds=keyboard)"], "words"),
    ],
)
def test_what_perturbations_need(names: list[str], need: str) -> None:
    assert needed(parse_all(names)) == need


def test_every_perturbation_says_what_it_needs() -> None:
    said = {"PoS": "parse", "tree": "parse", "random": "words"}
    for name in set(PERTURBATIONS.names()) - {"PhraseShuffle", "NeighbourFlip", "errors"}:
        one = PERTURBATIONS.parse(name)
        assert one.needs == said.get(one.category, "text"), name
