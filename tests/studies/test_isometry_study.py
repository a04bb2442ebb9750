"""The study as a run: probes, outputs, detectors, findings, tables, figures, page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import decimal
from hyperbaton.corpus.paraphrases import paraphrases
from hyperbaton.detectors import DETECTORS
from hyperbaton.metrics import METRICS
from hyperbaton.pipeline import IDENTITY, Job, Pair, Run, RunOptions, execute
from hyperbaton.report import write_report
from hyperbaton.report.contents import Contents
from hyperbaton.report.files.figures import figure_bytes
from hyperbaton.studies.isometry.claims import Asked
from hyperbaton.studies.isometry.figures import contours, density, figures, levels
from hyperbaton.studies.isometry.findings import cautions, report
from hyperbaton.studies.isometry.samples import pair_samples, read_pairs
from hyperbaton.studies.isometry.study import BLEU, CHRF, Isometry, PairedFiles, ShippedPairs
from hyperbaton.studies.isometry.tables import detector_rows
from hyperbaton.studies.registry import STUDIES, load_contents

PAIR = Pair("de", "en")
LIMIT = 90


def _job(detectors: tuple[str, ...], systems: tuple[str, ...] = ("literal", "copy")) -> Job:
    return Job(
        design=Isometry(),
        corpora=(ShippedPairs(PAIR, LIMIT),),
        systems=systems,
        metrics=(CHRF, BLEU, *(f"Paraphrase:{name}" for name in detectors)),
        options=RunOptions(workers=0, cached=False, command="hyperbaton isometry"),
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, plain_detectors: None) -> Run:
    """Human translations and copies of the shipped pairs, judged by one detector, then three."""
    folder = tmp_path_factory.mktemp("runs") / "shipped"
    execute(_job(("words",)), folder)
    outputs = sorted((folder / "outputs").rglob("*.parquet"))
    before = [path.stat().st_mtime_ns for path in outputs]
    recorded = _recorded_twice(folder.parent / "p.jsonl")
    done = execute(_job(("words", "letters", recorded)), folder)
    # A detector more translates nothing again.
    assert [path.stat().st_mtime_ns for path in outputs] == before
    return done


def _recorded_twice(path: Path) -> str:
    """A third detector: it takes all German pairs for paraphrases and no English one."""
    rows = []
    for language, probability in (("de", 0.9), ("en", 0.2)):
        for target in ("de", "en"):
            for item in paraphrases(target, None):
                for second in (item.source_text, item.columns["varied"]):
                    row = {"first": item.source_text, "second": second, "language": language}
                    rows.append({**row, "probability": probability})
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return f"recorded:{path}"


def test_probes_are_the_pair_and_its_first_sentence_twice(run: Run) -> None:
    rows = run.table(PAIR, "literal")
    assert rows.height == 2 * LIMIT
    assert (
        rows.filter(pl.col("variant") == IDENTITY)
        .select((pl.col("source") == pl.col("varied")).all())
        .item()
    )
    first = rows.filter(pl.col("variant") == "paraphrase").row(0, named=True)
    item = paraphrases("de", "en")[0]
    assert (first["source"], first["varied"]) == (item.source_text, item.columns["varied"])
    assert (first["output"], first["varied_output"]) == (
        item.reference_text,
        item.columns["varied_reference"],
    )
    assert (first["tag"], first["label"]) == ("word-order", "1")


def test_judged_pairs_are_what_detectors_and_metrics_say(run: Run) -> None:
    literal, copy = read_pairs([run], epsilon=0.5)
    assert (literal.system, literal.label, len(literal)) == ("literal", "human translation", LIMIT)
    assert literal.name == f"human translation, shipped pairs, the first {LIMIT}"
    german, english = ([*paraphrases(language, None)][:LIMIT] for language in ("de", "en"))
    for place, name in enumerate(("words", "letters")):
        detector = DETECTORS.parse(name)
        for side, (items, language) in enumerate(((german, "de"), (english, "en"))):
            wanted = detector.probabilities(
                [i.source_text for i in items], [i.columns["varied"] for i in items], language
            )
            np.testing.assert_array_equal(literal.probabilities[:, place, side], wanted)
    wanted = METRICS.parse("chrF(symmetric=true)").sentence_scores(
        [i.source_text for i in english], [i.columns["varied"] for i in english]
    )
    np.testing.assert_array_equal(literal.chrf[:, 1], wanted)
    np.testing.assert_array_equal(literal.chrf[:, 0], copy.chrf[:, 0])
    # What copies its source has the same similarity on both sides.
    np.testing.assert_array_equal(copy.chrf[:, 0], copy.chrf[:, 1])
    assert set(literal.frame["label"]) == {0, 1}
    assert (literal.probabilities[:, 2] == [0.9, 0.2]).all()


@pytest.fixture(scope="module")
def contents(run: Run) -> Contents:
    return load_contents([run.folder])


def test_tables(contents: Contents) -> None:
    tables = {table.id: table.data for table in contents.tables}
    assert list(tables) == ["T1", "T2", "labels", "F5", "T3", "T4", "differences"]
    assert tables["T2"].group_by("system").agg(pl.col("count").sum())["count"].to_list() == [90, 90]
    assert tables["F5"].group_by("system").agg(pl.col("count").sum())["count"].to_list() == [90, 90]
    assert tables["T1"]["pairs"].to_list() == [LIMIT] * 3
    assert (
        tables["labels"].group_by("system").agg(pl.col("pairs").sum())["pairs"].to_list()
        == [LIMIT] * 2
    )
    assert set(tables["labels"]["true label"]) == {"paraphrase", "no paraphrase"}
    assert set(tables["T3"]["procedure"]) == {"majority", "pooled"}
    pooled = tables["T3"].filter(pl.col("procedure") == "pooled")
    assert set(pooled["n"]) == {3 * 2 * LIMIT}


def test_a_command_without_a_report_prints_findings_and_tables_too(
    run: Run, contents: Contents
) -> None:
    brief = Isometry().brief([run])
    assert list(map(str, brief.findings)) == list(map(str, contents.findings))
    assert {*Isometry().command.printed} <= {table.id for table in brief.tables}


def test_findings_name_systems_and_the_paper(contents: Contents) -> None:
    asked = [one for one in contents.findings if one.verdict != "not asked"]
    assert [one.id for one in asked if not one.part_of] == [f"I{n}" for n in range(1, 9)]
    assert all(f.low <= f.value <= f.high for f in asked)
    assert "human translation against copy: " in asked[0].detail
    by = "The better first, by corpus BLEU on these texts: human translation 100.0"
    assert by in asked[0].detail
    assert "The paper: FAIR 69.8 and 68.6 %, WMT16 55.4 and 54.1 %." in asked[0].detail
    assert any("when they were translated again: 100.0 % (" in note for note in contents.notes)


def test_controls_stand_in_no_ranking_but_in_the_differences(contents: Contents) -> None:
    assert contents.contests == []
    apart = next(t.data for t in contents.tables if t.id == "differences")
    assert {*apart["first"], *apart["second"]} == {"human translation", "copy"}


def test_figures_can_be_drawn_and_the_page_written(contents: Contents, tmp_path: Path) -> None:
    assert [figure.id for figure in contents.figures] == ["F4", "F5", "F6", "F7"]
    for figure in contents.figures:
        drawing = figure_bytes(figure, "svg").decode()
        assert len(re.findall(r"<path", drawing)) > 5
    write_report(contents, tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Kinds of agreement" in page


def test_panels_stand_in_the_order_of_the_systems(run: Run, contents: Contents) -> None:
    wanted = [judged.label for judged in read_pairs([run], epsilon=0.5)]
    assert wanted != sorted(wanted)
    for figure in contents.figures:
        facet = figure.chart.to_dict()["facet"]
        assert facet.get("row", facet)["sort"] == wanted, figure.id


def test_panels_name_the_data_set_only_where_there_are_several(run: Run) -> None:
    one, two = read_pairs([run], epsilon=0.5)
    other = two.of_dataset("other pairs")
    for systems, names in (
        ([one, two], [one.label, two.label]),
        ([one, other], [one.name, f"{two.label}, other pairs"]),
    ):
        assert figures(systems)[1].chart.to_dict()["facet"]["sort"] == names


def test_the_first_screen_says_all_five_outcomes_of_each_system(contents: Contents) -> None:
    *_, literal, copy = contents.headlines
    for headline in (literal, copy):
        assert list(headline.shares) == [
            *("isometric", "both different", "made equal", "broken apart", "no majority")
        ]
        assert sum(value for value, _, _ in headline.shares.values()) == pytest.approx(1)
        assert all(name in headline.sentence for name in headline.shares)
    assert literal.name.startswith("human translation, ")
    assert set(literal.shares) <= set(contents.glossary)


def test_sentences_can_be_chosen_by_what_is_known_of_them(contents: Contents) -> None:
    shown = contents.explorer
    assert shown is not None
    assert list(shown.filters.values()) == ["outcome", "true label", "system", "data set"]
    assert set(shown.rows["label"]) == {"paraphrase", "no paraphrase"}
    assert shown.texts["f(s2)"] == "translation of the second"
    assert shown.scores["words after"] == "P(paraphrase), translations, by words"
    assert shown.scores["chrF̄2 before"] == "chrF̄2 of the sources"


@pytest.mark.parametrize(
    ("right", "yes", "said"),
    [
        (1.0, 0.5, ""),
        (0.5, 0.5, "are not better than always saying “paraphrase”"),
        (0.58, 0.5, "are not clearly better than always saying “paraphrase”"),
        (0.7, 0.2, "are not better than always saying “no paraphrase”"),
        (1.0, 1.0, ""),  # one label only: there is nothing to tell apart
    ],
)
def test_detectors_that_tell_no_more_than_a_constant_are_named_first(
    right: float, yes: float, said: str
) -> None:
    size = 100
    gold = tuple(int(i < yes * size) for i in range(size))
    # Errors are spread over both labels.
    wrong = {i * 37 % size for i in range(round((1 - right) * size))}
    told = np.array([[[abs(label - (i in wrong))] * 2] for i, label in enumerate(gold)], float)
    texts = ("x",) * size
    columns = ("source", "varied", "output", "varied_output")
    frame = pl.DataFrame(
        {"item": list(map(str, range(size))), **dict.fromkeys(columns, texts), "label": gold}
    )
    none = np.zeros((size, 2))
    judged = pair_samples(frame, {CHRF: none, BLEU: none}, {"one": told[:, 0]}, "some", "data")
    found = cautions([judged])
    assert len(found) == bool(said)
    assert all(said in caution for caution in found)
    contents = report("pairs", [judged])
    assert contents.opening == " ".join(found)
    assert contents.openings[: len(found)] == found
    sure, _ = contents.headlines
    known = re.search(r"Macro-F1 on the 100 labelled pairs of data: one (\S+)\.", sure.sentence)
    scores = [row["macro-F1"] for row in detector_rows([judged])]
    assert ([decimal(float(str(score)), ".2f") for score in scores]) == (
        [known[1]] if known else []
    )
    assert known or "Not known for data" in sure.sentence


def test_what_was_not_translated_is_left_out(tmp_path: Path, plain_detectors: None) -> None:
    one, two = tmp_path / "one.de", tmp_path / "two.de"
    one.write_text("Eins.\nZwei.\n\nDrei.\n")
    two.write_text("Eine Eins.\nEine Zwei.\nX.\nEine Drei.\n")
    corpus = PairedFiles(PAIR, (one, two))
    assert [item.id for item in corpus.items()] == ["1", "2", "4"]
    answers = tmp_path / "answers.tsv"
    texts = ("Eins.", "Eine Eins.", "Zwei.", "Drei.", "Eine Drei.")
    answers.write_text("".join(f"{text}\t{text.upper()}\n" for text in texts))
    job = Job(
        design=Isometry(0.7),
        corpora=(corpus,),
        systems=(f"file:{answers}",),
        metrics=(CHRF, BLEU, "Paraphrase:letters"),
        options=RunOptions(workers=0, cached=False),
    )
    judged = read_pairs([execute(job, tmp_path / "run")], epsilon=0.7)[0]
    assert judged.items == ("1", "4")
    assert judged.frame["output"].to_list() == ["EINS.", "DREI."]
    study = STUDIES.parse(Run(tmp_path / "run").record.study)
    assert study == Isometry(0.7)


def test_translations_by_people_tell_which_system_is_better(
    tmp_path: Path, plain_detectors: None
) -> None:
    texts = {
        "one.de": ["Eins zwei drei vier.", "Der Hund sieht das alte Haus.", "Leer."],
        "two.de": ["Zwei eins drei vier.", "Das alte Haus sieht der Hund.", "Auch leer."],
        "one.en": ["One two three four.", "The dog sees the old house.", ""],
        "two.en": ["Two one three four.", "The old house sees the dog.", "Empty too."],
    }
    for name, lines in texts.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    corpus = PairedFiles(PAIR, tuple(tmp_path / name for name in texts))
    known = [(i.reference_text, i.columns["varied_reference"]) for i in corpus.items()]
    assert known == list(zip(texts["one.en"][:2], texts["two.en"][:2], strict=True))
    job = Job(
        design=Isometry(),
        corpora=(corpus,),
        systems=("copy", "literal"),
        metrics=(CHRF, BLEU, "Paraphrase:letters"),
        options=RunOptions(workers=0, cached=False),
    )
    copied, human = read_pairs([execute(job, tmp_path / "run")], epsilon=0.5)
    # The one named last is the better one, by its translations.
    [(better, other)], how = Asked([copied, human]).rivals()
    assert (better.system, other.system) == (human.system, copied.system)
    assert "by corpus BLEU on these texts" in how
    assert better.frame["varied_output"].to_list() == texts["two.en"][:2]


def test_corpora_and_mistakes(tmp_path: Path) -> None:
    table = tmp_path / "pairs.tsv"
    table.write_text("a b\tb a\t1\nc d\td e\t0\n")
    items = list(PairedFiles(PAIR, (table,)).items())
    assert [item.columns["label"] for item in items] == ["1", "0"]
    assert "pairs.tsv" in PairedFiles(PAIR, (table,)).identity
    with pytest.raises(HyperbatonError, match="there is no file"):
        PairedFiles(PAIR, (tmp_path / "nowhere",))
    with pytest.raises(HyperbatonError, match=r"two aligned files, from four .* not from 3 files"):
        PairedFiles(PAIR, (table, table, table))
    with pytest.raises(HyperbatonError, match="at most 1"):
        Isometry(1.5)


def test_contour_lines_enclose_their_share() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.beta(2, 5, 4000), rng.beta(5, 2, 4000)
    values = density(x, y)
    assert values.sum() == pytest.approx(1)
    for mass, level in zip((0.25, 0.5, 0.75, 0.9), levels(values), strict=True):
        assert values[values >= level].sum() == pytest.approx(mass, abs=0.02)
        lines = np.array(contours(values, level))
        assert ((lines >= 0) & (lines <= 1)).all()
        # Every point where lines meet is met by an even number of ends: the lines are closed.
        ends = np.concatenate([lines[:, :2], lines[:, 2:]])
        _, counts = np.unique(ends.round(4), axis=0, return_counts=True)
        assert (counts % 2 == 0).all()
