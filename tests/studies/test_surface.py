"""The surface study, and with it the report that a study has without saying anything."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item
from hyperbaton.pipeline import Items, Job, Pair, Run, RunOptions, Starter, execute
from hyperbaton.report import Contents, write_report
from hyperbaton.report.contents import Headline
from hyperbaton.report.page.page import page
from hyperbaton.studies.registry import load_contents
from hyperbaton.studies.surface import Surface

EN_DE = Pair("en", "de")
TEXTS = ("Look at me!", 'He said "no" twice.', "Where is it")


@pytest.fixture
def answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A translator that does not see case, but everything else."""
    _module(tmp_path, monkeypatch, "blind", "t.lower()")
    return "python:blind:answer"


def _module(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, answer: str) -> None:
    (folder / f"{name}.py").write_text(
        f"def answer(texts):\n    return [{answer} for t in texts]\n"
    )
    monkeypatch.syspath_prepend(str(folder))


def _run(folder: Path, study: Surface, items: list[Item], *systems: str) -> Run:
    job = Job(
        study,
        (Items(EN_DE, items),),
        systems,
        ("chrF", "BLEU"),
        options=RunOptions(workers=0, cached=False),
    )
    return execute(job, folder)


def test_outputs_are_the_same_where_the_system_does_not_look(tmp_path: Path, answers: str) -> None:
    study = Surface(perturbations="upper; quotes; whitespace; addFinalMark")
    items = [Item(str(n), text) for n, text in enumerate(TEXTS)]
    run = _run(tmp_path / "run", study, items, answers)
    scores = {(s.variant, s.name): s for s in study.scores([run], "chrF")}
    assert scores["upper", "same"].value == scores["upper", "same_words"].value == 1
    assert scores["upper", "similarity"].value == 1
    assert scores["upper", "same"].n == 3
    assert scores["quotes", "same"].value == 0
    assert scores["quotes", "same_words"].value == 1
    assert scores["quotes", "same"].n == 1
    # chrF does not count white space, the outputs are not the same for all that.
    assert scores["whitespace", "similarity"].value == 1
    assert scores["whitespace", "same"].value == 0
    assert scores["addFinalMark", "same"].n == 1
    assert scores["identity", "same"].value == 1
    # Of few items every sample counts alike: 3 of 8.
    assert scores["all", "same"].value == pytest.approx(3 / 8)
    # Without references there is no quality, and nothing pretends that there is.
    assert {name for _, name in scores} == {"same", "same_words", "similarity"}


def test_the_first_sentence_says_how_often_the_translation_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _module(tmp_path, monkeypatch, "loud", "'So laut!' if t.isupper() else t.replace('a', 'o')")
    answers = "python:loud:answer"
    study = Surface(perturbations="upper; quotes; whitespace; addFinalMark")
    items = [Item(str(n), text) for n, text in enumerate(TEXTS)]
    contents = load_contents([_run(tmp_path / "run", study, items, answers).folder])
    [first] = contents.headlines
    # Of 3 + 1 + 3 + 1 changes the 3 capitals change words, and all but the quotes something.
    said = rf"{answers} changes the words of 38 % \[\d+, \d+\] of its translations .+ \(100 % \["
    assert re.match(said, first.sentence)
    assert first.sentence in contents.answers
    assert_sentence_equals_table(first, contents)
    assert contents.summary in page(contents).partition("</header>")[0]


def assert_sentence_equals_table(first: Headline, contents: Contents) -> None:
    """The shares of single changes are 1 minus those of the table of all means."""
    column = "share of outputs with the same words"
    table = contents.tables[0].data.filter(pl.col(column).is_not_null())
    known = dict(zip(table["perturbation"], table[column], strict=True))
    shown = {name: 1 - value for name, (value, _, _) in first.numbers.items()}
    assert shown == pytest.approx({name: known[name] for name in shown})
    assert set(first.percent) == set(shown)
    told = [int(share) for share in re.findall(r"(\d+) %(?: \[[^]]*\])?(?= when )", first.sentence)]
    ends = [f(shown.values()) for f in (min, max)]
    assert told == [round(100 * (1 - end)) for end in ends]


def test_with_references_the_loss_of_quality_is_told(tmp_path: Path, answers: str) -> None:
    study = Surface(perturbations="upper; dropFinalMark")
    items = [Item("1", "Look at me!", "look at me!"), Item("2", "Go on.", "go on.")]
    run = _run(tmp_path / "run", study, items, answers, "copy")
    scores = {(s.system, s.variant, s.name): s.value for s in study.scores([run], "BLEU")}
    system = next(system for system in run.systems if system != "copy")
    assert scores[system, "identity", "quality"] == 1
    assert scores[system, "upper", "varied_quality"] == 1
    assert scores[system, "upper", "loss"] == 0
    assert scores[system, "dropFinalMark", "loss"] > 0


def test_the_report_shows_means_differences_and_sentences(tmp_path: Path, answers: str) -> None:
    study = Surface(perturbations="upper; dropFinalMark")
    items = list(Starter(EN_DE, 12).items())
    run = _run(tmp_path / "run", study, items, answers, "copy")
    contents = load_contents([run.folder])
    assert [table.id for table in contents.tables] == ["scores", "differences"]
    assert [figure.id for figure in contents.figures] == ["F shares", "F chrF", "F BLEU"]
    rows = contents.tables[1].data
    same = rows.filter((rows["score"] == "share of identical outputs") & (rows["metric"] == "chrF"))
    by_variant = {row["perturbation"]: row for row in same.iter_rows(named=True)}
    assert by_variant["upper"]["difference"] == 1
    assert by_variant["dropFinalMark"]["difference"] == 0
    assert by_variant["all"]["difference"] == pytest.approx(0.5)
    assert contents.explorer is not None
    assert contents.explorer.rows.height == 2 * len(items) * 2
    assert "12 items in 1 language pair." in contents.summary
    write_report(contents, tmp_path / "report.html")
    assert "share of identical outputs" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_only_perturbations_of_the_surface_are_taken() -> None:
    with pytest.raises(HyperbatonError, match="reversed changes more than the surface"):
        Surface(perturbations="upper; reversed")
