"""The commands wordorder, demo and check, as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import GO, TOM, call

QUICK = ("--workers", "0", "--no-cache")


def _corpus(folder: Path) -> tuple[Path, Path]:
    source, reference = folder / "in.en.conllu", folder / "in.de.conllu"
    source.write_text(TOM + GO)
    reference.write_text(TOM + GO)
    return source, reference


def _wordorder(folder: Path, *more: str | Path) -> tuple[str | Path, ...]:
    source, reference = _corpus(folder)
    files = ("-s", source, "-r", reference, "-l", "en-de")
    return ("wordorder", *files, "--out", folder / "run", *QUICK, *more)


def test_a_corpus_of_trees_ends_in_a_report(tmp_path: Path) -> None:
    done = call(*_wordorder(tmp_path, "--system", "copy", "-m", "chrF"))
    assert (done.returncode, done.stderr) == (0, "")
    answer, scope, *_ = done.stdout.splitlines()
    assert answer.startswith("copy keeps ")
    assert scope.startswith("copy on 2 items in 1 language pair × 16 perturbations")
    page = (tmp_path / "run" / "report.html").read_text()
    assert "robust or faithful" in page
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["command"].startswith("hyperbaton wordorder -s ")
    assert record["systems"].keys() == {"copy", "oracle", "literal"}
    added = call(*_wordorder(tmp_path, "--system", "copy", "-m", "Levenshtein", "--no-report"))
    assert added.returncode == 0
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert list(record["metrics"]) == ["chrF", "Levenshtein"]


def test_a_matrix_in_toml(tmp_path: Path) -> None:
    _corpus(tmp_path)
    (tmp_path / "matrix.toml").write_text(
        'systems = ["copy"]\nmetrics = ["chrF"]\ndraws = 2\nperturbations = ["wordShuffle"]\n'
        '[[corpus]]\nlanguages = "en-de"\nsource = "in.en.conllu"\nreference = "in.de.conllu"\n'
        '[[corpus]]\nlanguages = "en-fr"\nshipped = true\nlimit = 5\nsystems = ["cmd:cat"]\n'
    )
    options = ("--config", tmp_path / "matrix.toml", "--out", tmp_path / "run", *QUICK)
    done = call("wordorder", *options, "--no-poles", "--no-report")
    assert (done.returncode, done.stderr) == (0, "")
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["study"] == "wordorder(perturbations=wordShuffle, draws=2)"
    assert {system: list(pairs) for system, pairs in record["systems"].items()} == {
        "copy": ["en-de", "en-fr"],
        "cmd:cat": ["en-fr"],
    }
    assert record["progress"]["en-fr"]["items"] == 5


def test_check_answers_with_an_exit_code(tmp_path: Path) -> None:
    call(*_wordorder(tmp_path, "--system", "copy", "-m", "chrF", "--no-report"))
    good = call("check", tmp_path / "run", "--min", "beta=0.99")
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout.startswith("ok   copy en-de chrF: beta@identity = 1.0000")
    assert call("check", tmp_path / "run", "--min", "beta=0.99").stdout == good.stdout
    bad = call("check", tmp_path / "run", "--min", "beta1=0.99", "--max", "beta2=0.5")
    assert bad.returncode == 1
    failed = [line for line in bad.stdout.splitlines() if not line.startswith(" ")]
    assert [line[:4] for line in failed] == ["FAIL", "FAIL"]
    assert [line[-13:] for line in failed] == ["wanted ≥ 0.99", " wanted ≤ 0.5"]
    for wrong in ((), ("--min", "beta1=0.4", "--metric", "BLEU")):
        refused = call("check", tmp_path / "run", *wrong)
        assert refused.returncode == 2
        assert refused.stderr.count("\n") == 1


def test_the_demo_on_part_of_the_starter_corpus(tmp_path: Path) -> None:
    options = ("--languages", "ja", "--limit", "8", "--no-open", "--out", tmp_path / "demo")
    done = call("demo", "--system", "copy", *options, *QUICK)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == f"report: {tmp_path / 'demo' / 'report.html'}"
    assert (tmp_path / "demo" / "report.html").stat().st_size > 100_000


def test_the_demo_runs_on_the_translator_that_comes_along(tmp_path: Path) -> None:
    options = ("--languages", "de", "--limit", "4", "--no-open", "--out", tmp_path / "demo")
    done = call("demo", "--no-report", *options, *QUICK)
    assert done.returncode == 0
    record = json.loads((tmp_path / "demo" / "run.json").read_text())
    steered = {f"steered(mode={mode})" for mode in ("robust", "faithful")}
    assert record["systems"].keys() == {"bundled", *steered, "oracle", "literal"}
    assert record["systems"]["bundled"]["en-de"].startswith("bundled|en-de|")


def test_the_demo_of_each_study_has_a_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for study in ("surface", "repairs"):
        done = call("demo", study, "--system", "copy", "--limit", "2", "--no-open", "--no-report")
        assert done.returncode == 0, done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {
        "hyperbaton-demo-surface",
        "hyperbaton-demo-repairs",
    }


def test_the_demo_names_the_languages_it_has(tmp_path: Path) -> None:
    done = call("demo", "--languages", "de,xx", "--no-open", "--out", tmp_path / "demo")
    assert done.returncode == 2
    assert "the demo of wordorder is not in 'xx': it has en-de, en-fr" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "demo").exists()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--system", "copi"), "unknown system 'copi'. Did you mean 'copy'?"),
        (("--system", "copy", "-m", "BLUE"), "unknown metric 'BLUE'"),
        ((), "no system for en-de"),
        (("--system", "copy", "--with", "reversd"), "unknown perturbation 'reversd'"),
        (("--system", "copy", "--draws", "0"), "at least 1 draw"),
        (("--system", "copy", "--parser", "de="), "write it as LANG=SPEC"),
        (("--system", "copy", "--config", "none.toml"), "none.toml cannot be read"),
    ],
)
def test_a_mistake_gets_one_sentence(tmp_path: Path, more: tuple[str, ...], message: str) -> None:
    done = call(*_wordorder(tmp_path, *more))
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_uneven_files_are_told_before_anything_is_done(tmp_path: Path) -> None:
    (tmp_path / "a.en").write_text("One.\nTwo.\n")
    (tmp_path / "a.de").write_text("Eins.\n")
    files = ("-s", tmp_path / "a.en", "-r", tmp_path / "a.de", "-l", "en-de")
    parsers = ("--parser", "en=plain", "--parser", "de=plain")
    done = call("wordorder", *files, *parsers, "--system", "copy", "--out", tmp_path / "r", *QUICK)
    assert done.returncode == 2
    assert "a.en has 2 lines but" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "r" / "run.json").exists()


def test_a_run_of_another_configuration_is_refused(tmp_path: Path) -> None:
    call(*_wordorder(tmp_path, "--system", "copy", "-m", "chrF", "--no-report"))
    other = call(*_wordorder(tmp_path, "--system", "copy", "-m", "chrF", "--draws", "3"))
    assert other.returncode == 2
    assert "is a run of another configuration (study: wordorder, not wordorder(draws=3))" in (
        other.stderr
    )
