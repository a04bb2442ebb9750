"""The grammar study on twelve sentences: by hand, by sacreBLEU, by nltk."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from sacrebleu.metrics.bleu import BLEU

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.cli.options.matrix import read_matrix
from hyperbaton.corpus.m2 import read_m2
from hyperbaton.pipeline import Job, Pair, Run, RunOptions, execute
from hyperbaton.studies.glossary import glossary
from hyperbaton.studies.grammar.corpora import M2, SHIPPED, Aligned
from hyperbaton.studies.grammar.samples import learner_samples, pooled
from hyperbaton.studies.grammar.study import Grammar
from hyperbaton.studies.grammar.tables import PUBLISHED, correlations, tables
from hyperbaton.studies.registry import STUDIES, load_contents
from tests.cli.command import call

# As written, edits, translation of the sentence as written, of the corrected sentence.
ROWS = [
    ("She go home .", ["1 2|||R:VERB:SVA|||goes"], "Sie geht heim .", "Sie geht heim ."),
    ("He have a dog .", ["1 2|||R:VERB:SVA|||has"], "Er hat einen Hund .", "Er hat einen Hund ."),
    ("I am live here .", ["1 2|||U:VERB|||"], "Ich bin hier am Leben .", "Ich wohne hier ."),
    ("We like dog .", ["2 3|||R:NOUN:NUM|||dogs"], "Wir mögen Hund .", "Wir mögen Hunde ."),
    ("They eats fish .", ["1 2|||R:VERB:SVA|||eat"], "Sie isst Fisch .", "Sie essen Fisch ."),
    (
        "Tom go in school .",
        ["1 2|||R:VERB:SVA|||goes", "2 3|||R:PREP|||to"],
        "Tom geht in Schule .",
        "Tom geht zur Schule .",
    ),
    (
        "She not like the tea .",
        ["1 2|||R:OTHER|||does not", "3 4|||U:DET|||"],
        "Sie mag nicht den Tee .",
        "Sie mag keinen Tee .",
    ),
    (
        "It is a old car .",
        ["2 3|||R:DET|||an"],
        "Es ist ein altes Auto .",
        "Es ist ein altes Auto .",
    ),
    ("Anna is here .", ["-1 -1|||noop|||-NONE-"], "", ""),
    ("Odd so very .", ["0 1|||UNK|||-NONE-"], "", ""),
    ("What odd .", ["0 1|||Um|||-NONE-"], "", ""),
    ("i see it .", ["0 1|||R:ORTH|||I"], "Ich sehe es .", "Ich sehe es ."),
]
KEPT = [row for row in ROWS if row[2]]


def write_m2(path: Path) -> Path:
    blocks = [
        "\n".join([f"S {row[0]}", *(f"A {edit}|||REQUIRED|||-NONE-|||0" for edit in row[1])])
        for row in ROWS
    ]
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("grammar")
    study = Grammar()
    corpus = study.corpus([str(write_m2(folder / "some.m2"))], Pair("en", "de"))
    answers = {}
    for item, row in zip(corpus.items(), KEPT, strict=True):
        answers[item.columns["varied"]] = row[2]
        answers[item.source_text] = row[3]
    lines = [json.dumps({"text": text, "translation": to}) for text, to in answers.items()]
    recorded = folder / "answers.jsonl"
    recorded.write_text("\n".join(lines) + "\n", encoding="utf-8")
    job = Job(
        design=study,
        corpora=(corpus,),
        systems=(f"file:{recorded}",),
        metrics=("BLEU", "METEOR"),
        options=RunOptions(workers=0, cached=False),
    )
    return execute(job, folder / "run")


def test_only_sentences_with_errors_count_and_the_others_are_named(run: Run) -> None:
    [corpus] = run.record.corpora.values()
    assert "left out: 1 (only UNK edits)" in corpus
    assert "left out: 1 (only Um edits)" in corpus
    assert "left out: 1 (no error)" in corpus
    assert run.record.progress["en-de"].items == len(KEPT)


def test_a_command_without_a_report_prints_the_findings_too(run: Run) -> None:
    brief, whole = Grammar().brief([run]), Grammar().contents([run])
    assert brief.findings
    assert list(map(str, brief.findings)) == list(map(str, whole.findings))
    assert list(map(str, brief.headlines)) == list(map(str, whole.headlines))


def test_robustness_by_hand(run: Run) -> None:
    ([samples], _) = learner_samples([run])
    same = [row[2] == row[3] for row in KEPT]
    assert samples.share("same").value == pytest.approx(sum(same) / len(same))
    assert sum(same) == 4


def test_corpora_taken_together_are_as_one(run: Run) -> None:
    [samples], metric = learner_samples([run])
    first = pl.int_range(pl.len()) < 4
    parts = [samples.where(first), samples.where(~first)]
    together = pooled(parts)
    assert together.share("same").value == samples.share("same").value
    assert together.noise_ratio(metric).value == pytest.approx(samples.noise_ratio(metric).value)
    assert together.share("same").value != parts[0].share("same").value
    corpora = [replace(part, corpus=f"en-de: {name}") for part, name in zip(
        [*parts, parts[0]], ("JFLEG", "Lang-8", "FCE"), strict=True
    )]  # fmt: skip
    [table] = (one.data for one in tables(corpora, metric) if one.id == "T1")
    rows = dict(table.select("run", "sentences").iter_rows())
    assert rows["ALL"] == len(samples) + len(parts[0])
    assert rows["ALL without Lang-8"] == 2 * len(parts[0])


def test_f_bleu_and_noise_ratio_are_sacrebleus(run: Run) -> None:
    ([samples], metric) = learner_samples([run])
    assert metric == "BLEU"
    texts = run.table(Pair("en", "de"), run.systems[0]).filter(pl.col("variant") != "identity")
    bleu = BLEU()
    target = bleu.corpus_score(texts["varied_output"].to_list(), [texts["output"].to_list()]).score
    source = bleu.corpus_score(texts["varied"].to_list(), [texts["source"].to_list()]).score
    found = {s.name: s.value for s in Grammar().scores([run]) if s.variant == "all"}
    assert found["f-BLEU"] == pytest.approx(target)
    assert found["NR"] == pytest.approx((100 - target) / (100 - source))
    each = BLEU(effective_order=True)
    by_hand = [
        (100 - each.sentence_score(y, [clean_y]).score)
        / (100 - each.sentence_score(x, [clean_x]).score)
        for y, clean_y, x, clean_x in texts.select(
            "varied_output", "output", "varied", "source"
        ).iter_rows()
    ]
    assert samples.noise_ratios("BLEU") == pytest.approx(np.array(by_hand))


def test_a_language_without_spaces_has_words_to_discount_by(tmp_path: Path) -> None:
    """As many as the metric counts: cut at spaces, a Japanese sentence would be one word."""
    rows = {
        "He go to school .": "彼は学校に行くます。",
        "He goes to school.": "彼は学校に行きます。",
        "She like a dog .": "彼女は犬を好む。",
        "She likes a dog.": "彼女は犬が好きです。",
    }
    blocks = ("S He go to school .\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0",
              "S She like a dog .\nA 1 2|||R:VERB:SVA|||likes|||REQUIRED|||-NONE-|||0")  # fmt: skip
    (tmp_path / "some.m2").write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    answers = [{"text": k.replace(" .", "."), "translation": v} for k, v in rows.items()]
    recorded = tmp_path / "answers.jsonl"
    recorded.write_text("\n".join(map(json.dumps, answers)) + "\n", encoding="utf-8")
    pair = Pair("en", "ja")
    corpus = Grammar().corpus([str(tmp_path / "some.m2")], pair)
    metric = "BLEU(tokens=char)"
    job = Job(
        Grammar(),
        (corpus,),
        (f"file:{recorded}",),
        (metric,),
        options=RunOptions(workers=0, cached=False),
    )
    ([samples], _) = learner_samples([execute(job, tmp_path / "run")])
    plain, discounted = (samples.noise_ratio(metric, discount=which) for which in (False, True))
    clean = ["He goes to school.", "She likes a dog."]
    before = sum(len(text.replace(" ", "")) for text in clean)
    after = sum(len(rows[text]) for text in clean)
    assert discounted.value == pytest.approx(plain.value * before / after)
    assert discounted.low < discounted.high


def test_f_meteor_is_nltks(run: Run) -> None:
    nltk = pytest.importorskip("nltk.translate.meteor_score")
    stemmer = pytest.importorskip("nltk.stem.snowball").SnowballStemmer("german")
    found = {s.name: s.value for s in Grammar().scores([run]) if s.variant == "all"}
    texts = run.table(Pair("en", "de"), run.systems[0]).filter(pl.col("variant") != "identity")

    class Nothing:
        def synsets(self, word: str) -> list[object]:
            return []

    by_nltk = [
        nltk.single_meteor_score(
            clean.lower().split(), noisy.lower().split(), stemmer=stemmer, wordnet=Nothing()
        )
        for clean, noisy in zip(texts["output"], texts["varied_output"], strict=True)
    ]
    assert found["f-METEOR"] == pytest.approx(100 * np.mean(by_nltk))


def test_the_errors_are_typed_and_marked(run: Run) -> None:
    rows = run.table(Pair("en", "de")).filter(pl.col("variant") != "identity")
    assert rows["variant"].to_list()[:3] == ["R:VERB:SVA", "R:VERB:SVA", "U:VERB"]
    double = rows.filter(pl.col("errors") == 2).row(1, named=True)
    assert double["variant"] == "several"
    assert double["types"] == ["R:OTHER", "U:DET"]
    assert [double["noisy_words"][i] for i in double["noisy_marks"]] == ["not", "the"]
    assert [double["clean_words"][i] for i in double["clean_marks"]] == ["does", "not"]
    assert double["place"] is None


def test_the_damage_of_single_errors_is_placed(run: Run) -> None:
    where = run.whole(Pair("en", "de"), run.systems[0])
    assert where is not None
    rows = run.table(Pair("en", "de")).hstack(where)
    fish = rows.filter(pl.col("source").str.contains("fish") & (pl.col("variant") != "identity"))
    [row] = fish.to_dicts()
    assert row["pivot"] == 1
    assert row["figure"] == [0]


def test_words_linked_by_attention_where_a_system_shows_it(run: Run, tmp_path: Path) -> None:
    study = Grammar(align="attention")
    corpus = study.corpus([str(write_m2(tmp_path / "some.m2"))], Pair("en", "de"))
    systems = ("bundled", *run.systems)
    job = Job(
        study, (corpus,), systems, metrics=("BLEU",), options=RunOptions(workers=0, cached=False)
    )
    found = execute(job, tmp_path / "run")
    own, other = (found.whole(Pair("en", "de"), system) for system in systems)
    assert own is not None
    assert other is not None
    assert own["pivot"].count() > 3
    before = run.whole(Pair("en", "de"), run.systems[0])
    assert before is not None
    assert other["pivot"].to_list() == before["pivot"].to_list()
    notes = " ".join(load_contents([found.folder]).notes)
    assert "linked by attention(system=bundled) (bundled" in notes
    assert "gloss (file:" in notes


def test_the_report_holds_every_table_and_says_what_happened(run: Run) -> None:
    contents = load_contents([run.folder])
    assert {"T1", "F1", "noise", "F5"} <= {table.id for table in contents.tables}
    assert "as if they had none" in contents.headlines[0].sentence
    assert any("left out" in note for note in contents.notes)
    assert {finding.verdict for finding in contents.findings} <= {
        "holds",
        "does not hold",
        "undecided",
        "not asked",
    }


def test_what_was_not_translated_is_told(tmp_path: Path) -> None:
    """As are pairs without a noise ratio, each once, however many systems translated them."""
    texts = ["S I like it ,too .\nA 3 4|||R:ORTH|||, too", "S She go .\nA 1 2|||R:VERB|||goes"]
    lines = [f"{text}|||REQUIRED|||-NONE-|||0\n" for text in texts]
    (tmp_path / "some.m2").write_text("\n".join(lines), encoding="utf-8")
    answers = [
        {"text": text, "translation": "Ja."} for text in ("I like it, too.", "I like it ,too.")
    ]
    recorded = tmp_path / "answers.jsonl"
    recorded.write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    study = Grammar()
    corpus = study.corpus([str(tmp_path / "some.m2")], Pair("en", "de"))
    job = Job(
        study,
        (corpus,),
        (f"file:{recorded}", "copy"),
        ("BLEU",),
        options=RunOptions(workers=0, cached=False),
    )
    notes = load_contents([execute(job, tmp_path / "run").folder]).notes
    [told] = [note for note in notes if "not translated" in note]
    assert told.startswith("file:answers.jsonl, en-de: 1 sentence was not translated")
    assert any(note.startswith("Without a noise ratio of its own: 1 pair of") for note in notes)


def test_every_type_of_error_that_ships_is_explained() -> None:
    said = glossary("grammar")["type of error"]
    codes = {code for learner in read_m2(SHIPPED) for e in learner.edits if e.applies
             for code in e.type.split(":")}  # fmt: skip
    assert len(codes) > 20
    assert not [code for code in codes if not re.search(rf"\b{code}\b", said)]


def test_one_system_has_nobody_to_be_compared_with(run: Run) -> None:
    contents = load_contents([run.folder])
    assert contents.contests == []
    assert "differences" not in {table.id for table in contents.tables}


def test_systems_are_ranked_by_robustness_likeness_and_noise(
    run: Run, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Who spells each word backwards magnifies nothing: texts lie as far apart as the sources."""
    folder = tmp_path_factory.mktemp("ranked")
    study = Grammar()
    corpus = study.corpus([str(write_m2(folder / "some.m2"))], Pair("en", "de"))
    texts = {text for item in corpus.items() for text in (item.source_text, item.columns["varied"])}
    spelt = {text: re.sub(r"\w+", lambda word: word[0][::-1], text) for text in texts}
    lines = [json.dumps({"text": text, "translation": to}) for text, to in spelt.items()]
    (folder / "back.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    back = f"file:{folder / 'back.jsonl'}"
    job = Job(
        study,
        (corpus,),
        (run.systems[0], back, "copy"),
        ("BLEU",),
        options=RunOptions(workers=0, cached=False),
    )
    contents = load_contents([execute(job, folder / "run").folder])
    robust, like, noise = contents.contests
    assert [contest.score for contest in contents.contests] == ["RB", "f-BLEU", "NR"]
    assert (like.column, noise.lower) == ("translations", True)
    [backwards] = (name for name in robust.ranks if "back" in name)
    [system] = (name for name in robust.ranks if "back" not in name)
    assert robust.ranks[system][1][0] == pytest.approx(100 * 4 / len(KEPT))
    assert robust.ranks[backwards][1][0] == 0
    assert robust.ranks[backwards][1][2] > 10, "none of nine sentences is no proof of none at all"
    assert noise.ranks[backwards][1][0] == pytest.approx(1)
    assert "copy" not in robust.ranks
    table = next(table.data for table in contents.tables if table.id == "differences")
    assert table.filter(second="copy")["score"].to_list() == ["RB", "f-BLEU", "NR"] * 2


def test_claims_are_tested_on_no_control(
    run: Run, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A copier has a noise ratio of 1 whatever the errors are."""
    folder = tmp_path_factory.mktemp("claimed")
    study = Grammar()
    corpus = study.corpus([str(write_m2(folder / "some.m2"))], Pair("en", "de"))
    alone, beside = (
        load_contents(
            [
                execute(
                    Job(
                        study,
                        (corpus,),
                        systems,
                        ("BLEU",),
                        options=RunOptions(workers=0, cached=False),
                    ),
                    out,
                ).folder
            ]
        )
        for systems, out in (
            ((run.systems[0],), folder / "alone"),
            ((run.systems[0], "copy"), folder / "beside"),
        )
    )
    assert alone.findings
    assert list(map(str, beside.findings)) == list(map(str, alone.findings))
    assert "No claim is tested on copy, a control." in beside.summary


def test_four_texts_with_error_and_damage_marked(run: Run) -> None:
    shown = load_contents([run.folder]).explorer
    assert shown is not None
    assert [*shown.texts] == ["varied", "source", "varied_output", "output"]

    def marked(row: dict[str, list[str]], text: str) -> list[str]:
        places = map(int, row[shown.marks[text]])
        return [row[shown.words[text]][place] for place in places]

    fish, school = (
        shown.rows.filter(pl.col("source").str.contains(word)).row(0, named=True)
        for word in ("fish", "school")
    )
    assert [marked(fish, text) for text in shown.texts] == [["eats"], ["eat"], ["isst"], ["essen"]]
    assert (fish["figure"], fish["formula"]) == ([0], [0])
    assert shown.labels == {"output": "figure", "varied_output": "formula"}
    assert [marked(school, text) for text in shown.texts] == [
        ["go", "in"],
        ["goes", "to"],
        ["in"],
        ["zur"],
    ]
    assert school["figure"] is None


@pytest.mark.parametrize("several", [False, True])
def test_files_by_the_names_of_the_study(tmp_path: Path, several: bool) -> None:
    pytest.importorskip("errant")
    for name, word in (("a", "go"), ("b", "goes"), ("c", "went")):
        (tmp_path / name).write_text(f"She {word} home .\n", encoding="utf-8")
    right = ["b", "c"] if several else ["b"]
    paths = [tmp_path / name for name in ("a", *right)]
    toml = tmp_path / "matrix.toml"
    corrected = json.dumps(right if several else "b")
    toml.write_text(f'[[corpus]]\nlanguages = "en-de"\nnoisy = "a"\ncorrected = {corrected}\n')
    [corpus] = read_matrix(toml, "grammar").corpora
    assert corpus == Aligned(Pair("en", "de"), tuple(paths))
    done = call("grammar", "--noisy", paths[0], "--corrected", *paths[1:], "-l", "en-de",
                "--system", "copy", "--out", tmp_path / "run", "--no-cache", "--workers", "0",
                "--format", "json", "--no-report")  # fmt: skip
    assert done.returncode == 0, done.stderr
    scores = json.loads(done.stdout)["scores"]
    assert {row["n"] for row in scores if row["name"] != "untranslated"} == {len(right)}


def test_corrections_without_sentences_are_refused(tmp_path: Path) -> None:
    toml = tmp_path / "matrix.toml"
    toml.write_text('[[corpus]]\nlanguages = "en-de"\ncorrected = "b"\n')
    with pytest.raises(HyperbatonError, match='needs noisy = "FILE"'):
        read_matrix(toml, "grammar")


def test_the_published_correlations() -> None:
    found = correlations(PUBLISHED, ["RB", "f-BLEU", "f-METEOR"])
    assert [round(r, 3) for r in found.values()] == [-0.823, -0.711, -0.714]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("S a b\nA 1 5|||R:X|||c|||REQUIRED|||-NONE-|||0\n", "some.m2, line 2.*outside"),
        (
            "S a b c\nA 0 2|||R:X|||d|||REQUIRED|||-NONE-|||0\n"
            "A 1 3|||R:X|||e|||REQUIRED|||-NONE-|||0\n",
            "some.m2, line 3.*overlap",
        ),
        ("A 0 1|||R:X|||c|||REQUIRED|||-NONE-|||0\n", "some.m2, line 1"),
    ],
)
def test_broken_m2_names_file_and_line(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "some.m2"
    path.write_text(text, encoding="utf-8")
    corpus = Grammar().corpus([str(path)], Pair("en", "de"))
    with pytest.raises(HyperbatonError, match=words):
        list(corpus.items())


def test_files_that_are_not_aligned_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("One .\nTwo .\n", encoding="utf-8")
    (tmp_path / "b").write_text("One !\n", encoding="utf-8")
    corpus = Grammar().corpus([str(tmp_path / "a"), str(tmp_path / "b")], Pair("en", "de"))
    with pytest.raises(HyperbatonError, match="b ends before line 2"):
        list(corpus.items())


def test_several_corrections_are_items_of_their_own(tmp_path: Path) -> None:
    for name, text in (
        ("a", "Das Haus sind schön ."),
        ("b", "Das Haus ist schön ."),
        ("c", "Die Häuser sind schön ."),
    ):
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    paths = [str(tmp_path / name) for name in "abc"]
    study = Grammar()
    items = list(study.corpus(paths, Pair("de", "en")).items())
    assert [item.id for item in items] == ["1.0", "1.1"]
    probes = list(study.probes(items, Pair("de", "en"), lambda *a: []))
    assert [p.columns["errors"] for p in probes if p.columns] == [1, 1]


def test_a_correction_given_twice_makes_nothing_surer(tmp_path: Path) -> None:
    """Corrections of one sentence are drawn together: copies of them add no evidence."""
    nouns = ("Haus", "Buch", "Auto", "Kind", "Bild", "Dorf", "Jahr", "Land")
    wrong = [f"Das {noun} sind {'sehr ' * n}schön ." for n, noun in enumerate(nouns)]
    right = [line.replace("sind", "ist" if n % 2 else "war") for n, line in enumerate(wrong)]
    for name, lines in (("a", wrong), ("b", right), ("c", right)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = []
    for names in ("ab", "abc"):
        corpus = Grammar().corpus([str(tmp_path / name) for name in names], Pair("de", "en"))
        job = Job(
            Grammar(), (corpus,), ("copy",), ("BLEU",), options=RunOptions(workers=0, cached=False)
        )
        run = execute(job, tmp_path / names)
        found.append({s.name: (s.value, s.low, s.high) for s in Grammar().scores([run])})
    once, twice = found
    assert once["f-BLEU"][1] < once["f-BLEU"][0] < once["f-BLEU"][2]
    for name, span in once.items():
        assert twice[name] == pytest.approx(span, nan_ok=True)


def test_errors_made_on_purpose(tmp_path: Path) -> None:
    study = STUDIES.parse('grammar(errors="errors(rate=0.2)")')
    assert str(study) == 'grammar(errors="errors(rate=0.2)")'
    corpus = study.demo_corpus(Pair("en", "de"), 20)
    job = Job(
        design=study,
        corpora=(corpus,),
        systems=("gloss",),
        options=RunOptions(workers=0, cached=False),
    )
    found = execute(job, tmp_path / "run")
    ([samples], _) = learner_samples([found])
    assert len(samples) >= 18
    assert samples.share("same").value < 1


def test_the_demo_says_that_its_sentences_are_easy(tmp_path: Path) -> None:
    study = STUDIES.parse("grammar")
    told = []
    few = tmp_path / "few.m2"
    few.write_text("\n\n".join(SHIPPED.read_text().split("\n\n")[:5]) + "\n")
    own = M2(Pair("en", "de"), (few,))
    for at, corpus in enumerate((study.demo_corpus(Pair("en", "de"), 5), own)):
        job = Job(
            design=study,
            corpora=(corpus,),
            systems=("gloss",),
            options=RunOptions(workers=0, cached=False),
        )
        told.append(load_contents([execute(job, tmp_path / str(at)).folder]).openings)
    assert len(told[0]) == 1
    assert "Text of real learners is harder: in JFLEG 3 to 4 %" in told[0][0]
    assert told[1] == []


@pytest.mark.parametrize(
    "spec",
    [
        "grammar(annotator=x)",
        "grammar(align=nothing)",
        'grammar(errors="errors(rate=2)")',
        "grammar(errors=errors, tokenised=true)",
    ],
)
def test_bad_options_are_one_sentence(spec: str) -> None:
    with pytest.raises(HyperbatonError):
        STUDIES.parse(spec)
