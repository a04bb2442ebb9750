"""The scores of the word-order study: poles, copies by hand, the authors' convention."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl
import pytest
from scipy import stats

from hyperbaton.base.randomness import Rng
from hyperbaton.corpus.item import Item
from hyperbaton.language.sentence import Sentence
from hyperbaton.metrics import METRICS
from hyperbaton.metrics.tokens import split
from hyperbaton.perturb import PERTURBATIONS
from hyperbaton.pipeline import Items, Job, Pair, Run, RunOptions, Starter, execute
from hyperbaton.studies.layer.means import Means
from hyperbaton.studies.layer.samples import Samples, read_samples
from hyperbaton.studies.layer.sources import Source, sources
from hyperbaton.studies.wordorder import WordOrder
from hyperbaton.studies.wordorder.measures import MEASURES

SHARED = Path(__file__).parents[3] / "shared" / "data" / "tatoeba"
SIMILARITIES = (
    "BLEU",
    "BLEU(smooth=none)",
    "chrF",
    "chrF++",
    "Levenshtein",
    "Levenshtein(unit=char)",
    "ROUGE-L",
    "ExactMatch",
    "bigramF",
)
"""κ in [0, 1] that need no model."""
EN_DE = Pair("en", "de")


@pytest.mark.parametrize("target", ["de", "ja", "zh"])
def test_the_poles_are_exactly_one(target: str, tmp_path: Path) -> None:
    pair = Pair("en", target)
    corpus = Starter(pair)
    short = [
        Item(f"short{n}", *_both(words, target)) for n, words in enumerate(("Go .", "Yes", "A"))
    ]
    job = Job(
        WordOrder(),
        (Items(pair, [*islice(corpus.items(), 60), *short]),),
        systems=(),
        only={str(pair): ("copy",)},
        metrics=SIMILARITIES,
        options=RunOptions(workers=0, cached=False),
    )
    run = execute(job, tmp_path)
    for metric in SIMILARITIES:
        low, high = METRICS.parse(metric).range
        assert (low, high) == (0, 1)
        oracle = run.table(pair, "oracle", metric)
        literal = run.table(pair, "literal", metric)
        assert (oracle["beta1"] == 1).all(), metric
        assert (literal["beta2"] == 1).all(), metric
        assert (oracle["beta"] == 1).all()
        assert (literal["beta"] == 1).all()
        assert oracle["beta2"].equals(literal["beta1"]) or not METRICS.parse(metric).symmetric
        for name in ("beta1", "beta2", "alpha", "alpha_target"):
            assert literal[name].is_between(0, 1).all()


def _both(words: str, target: str) -> tuple[Sentence, Sentence]:
    return (
        Sentence.from_words(words.split(), "en"),
        Sentence.from_words(words.split(), target),
    )


def test_copy_gives_the_numbers_of_a_calculation_by_hand(tmp_path: Path) -> None:
    source = Sentence.from_words(["a", "b", "c", "d", "e", "."], "en")
    reference = Sentence.from_words(["a", "b", "x", "d", "e", "."], "de")
    job = Job(
        WordOrder(perturbations="reversed"),
        (Items(EN_DE, [Item("1", source, reference)]),),
        ("copy",),
        ("Levenshtein", "BLEU(order=1)"),
        options=RunOptions(workers=0, cached=False),
    )
    run = execute(job, tmp_path)
    table = run.table(EN_DE, "copy", "Levenshtein").filter(pl.col("variant") == "reversed")
    assert table["varied"].to_list() == ["e d c b a ."]
    assert table["varied_reference"].to_list() == ["e d x b a ."]
    # "a b c d e ." against "a b x d e .": one of six words differs.
    assert table["beta"].to_list() == [pytest.approx(5 / 6)]
    # "e d c b a ." against "a b x d e .": only the final mark stands where it stood.
    assert table["beta1"].to_list() == [pytest.approx(1 / 6)]
    # "e d c b a ." against "e d x b a ."
    assert table["beta2"].to_list() == [pytest.approx(5 / 6)]
    # "a b c d e ." against "e d c b a .": c and the mark stay.
    assert table["alpha"].to_list() == [pytest.approx(2 / 6)]
    assert table["alpha_target"].to_list() == [pytest.approx(2 / 6)]
    unigrams = run.table(EN_DE, "copy", "BLEU(order=1)").filter(pl.col("variant") == "reversed")
    # Five of six words match in any order.
    for name in ("beta", "beta1", "beta2"):
        assert unigrams[name].to_list() == [pytest.approx(5 / 6)]
    assert unigrams["alpha"].to_list() == [1.0]


def test_a_perturbation_counts_where_it_applies_to_both_sides(tmp_path: Path) -> None:
    long, short = "a b c d e f .", "a b c ."
    items = [
        Item("both", *_both(long, "de")),
        Item("source", Sentence.from_words(long.split()), Sentence.from_words(short.split())),
        Item("reference", Sentence.from_words(short.split()), Sentence.from_words(long.split())),
    ]
    study = WordOrder(perturbations="reversed")
    job = Job(
        study,
        (Items(EN_DE, items),),
        ("copy",),
        ("chrF",),
        options=RunOptions(workers=0, cached=False),
    )
    table = execute(job, tmp_path).table(EN_DE)
    assert table.filter(pl.col("variant") == "reversed")["item"].to_list() == ["both"]
    assert table.filter(pl.col("variant") == "identity")["item"].to_list() == [
        "both",
        "source",
        "reference",
    ]


def test_draws_are_averaged_and_the_first_is_the_only_one_without_chance(tmp_path: Path) -> None:
    study = WordOrder(perturbations="wordShuffle; reversed", draws=4)
    items = list(islice(Starter(EN_DE).items(), 20))
    job = Job(
        study,
        (Items(EN_DE, items),),
        ("copy",),
        ("chrF",),
        options=RunOptions(workers=0, cached=False),
    )
    run = execute(job, tmp_path)
    table = run.table(EN_DE, "copy", "chrF")
    draws = table.group_by("variant").agg(pl.col("draw").n_unique())
    assert dict(draws.iter_rows()) == {"identity": 1, "wordShuffle": 4, "reversed": 1}
    shuffled = table.filter((pl.col("variant") == "wordShuffle") & (pl.col("draw") == 2))
    first = shuffled.row(0, named=True)
    sentence = next(item.source for item in items if item.id == first["item"])
    assert isinstance(sentence, Sentence)
    drawn = PERTURBATIONS.parse("wordShuffle").vary(
        sentence, Rng(0, first["item"], "wordShuffle", 2)
    )
    assert drawn is not None
    assert first["varied"] == drawn.text
    _, found = _read(run, "chrF")
    by_hand = table.filter(
        (pl.col("item") == found.items[0]) & (pl.col("variant") == "wordShuffle")
    )["beta1"].mean()
    assert found.column("beta1", ("wordShuffle",))[0] == pytest.approx(by_hand)


def _read(run: Run, metric: str) -> tuple[Source, Samples]:
    """The scores of the first system, item by item."""
    source = sources([run])[0]
    return source, read_samples(source, metric, MEASURES)


def test_intervals_flips_and_noise(tmp_path: Path) -> None:
    job = Job(
        WordOrder(perturbations="reversed"),
        (Starter(EN_DE),),
        ("copy",),
        ("BLEU",),
        options=RunOptions(workers=0, cached=False),
    )
    run = execute(job, tmp_path)
    means = Means(tuple(MEASURES))
    means.add(*_read(run, "BLEU"))
    table = run.table(EN_DE, "copy", "BLEU").filter(pl.col("variant") == "reversed")
    where = {"system": "copy", "pair": "en-de"}
    for score in ("beta", "beta1", "beta2", "alpha", "alpha_target"):
        mean = means.mean(score, **where)
        values = table[score].to_numpy()
        assert mean.value == pytest.approx(values.mean())
        # The normal approximation is an independent way to the same interval.
        error = 1.96 * values.std() / np.sqrt(len(values))
        assert mean.low == pytest.approx(values.mean() - error, abs=0.35 * error)
        assert mean.high == pytest.approx(values.mean() + error, abs=0.35 * error)
    flips = (table["beta1"] > table["beta"]).mean()
    assert means.mean("flip", **where).value == pytest.approx(flips)
    halves = ((table["beta"] <= 0.5) & (table["beta1"] > 0.5)).mean()
    assert means.mean("flip_half", **where).value == pytest.approx(halves)


def test_a_system_that_wavers_has_noise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wavering.py").write_text(
        "calls = [0]\n"
        "def translate(texts):\n"
        "    calls[0] += 1\n"
        "    return [f'{text} {calls[0]}' for text in texts]\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    job = Job(
        WordOrder(perturbations="reversed"),
        (Starter(EN_DE, 12),),
        ("python:wavering:translate(batch=1000)",),
        ("chrF",),
        options=RunOptions(workers=0, cache=tmp_path / "cache"),
    )
    run = execute(job, tmp_path / "run")
    rows = run.table(EN_DE, run.systems[0]).filter(pl.col("variant") == "identity")
    assert rows["output"].str.ends_with(" 1").all()
    assert rows["varied_output"].str.ends_with(" 2").all()


@pytest.mark.filterwarnings("ignore::UserWarning:nltk")
@pytest.mark.parametrize("system", ["copy", "literal"])
def test_the_paper_convention_is_nltks_bleu_with_the_authors_roles(
    paper_run: Run, system: str
) -> None:
    bleu_score = pytest.importorskip("nltk.translate.bleu_score")
    table = paper_run.table(EN_DE, system, "BLEU(convention=paper)")
    assert table["item"].n_unique() == 1000
    columns = {
        "beta": ("output", "reference"),
        "beta1": ("varied_output", "reference"),
        "beta2": ("varied_output", "varied_reference"),
        # α takes gold as the reference, as one would.
        "alpha": ("source", "varied"),
        "alpha_target": ("reference", "varied_reference"),
    }
    between = 0
    # One variant in turn of each item, so that 1,000 real items take seconds in nltk.
    for number, rows in enumerate(table.partition_by("item", maintain_order=True)):
        row = rows.row(number % rows.height, named=True)
        for name, (translation, gold) in columns.items():
            tokens = split([row[translation], row[gold]], "13a")
            # The translation is the reference, the gold text the hypothesis.
            expected = bleu_score.sentence_bleu([tokens[0]], tokens[1])
            assert row[name] == pytest.approx(expected, abs=1e-12)
            between += 0 < expected < 1
    assert between > 500


@pytest.fixture(scope="module")
def paper_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """1,000 real items, with words cut at spaces."""
    if not SHARED.exists():
        pytest.skip("needs ../shared")
    lines = {
        side: [line.rstrip("\n") for line in islice((SHARED / f"en-de.{side}").open(), 1000)]
        for side in ("en", "de")
    }
    items = [
        Item(str(n), Sentence.from_words(e.split(), "en"), Sentence.from_words(d.split(), "de"))
        for n, (e, d) in enumerate(zip(lines["en"], lines["de"], strict=True), 1)
    ]
    study = WordOrder(
        perturbations="reversed; wordShuffle; shuffleHalvesFirst; shuffleHalvesLast",
        convention="paper",
    )
    job = Job(
        study,
        (Items(EN_DE, items),),
        ("copy",),
        ("BLEU",),
        options=RunOptions(workers=0, cached=False),
    )
    return execute(job, tmp_path_factory.mktemp("paper"))


def test_the_paper_convention_adds_a_final_mark_and_its_own_seed(tmp_path: Path) -> None:
    items = [Item("1", *_both("a b c d e f g", "de"))]
    study = WordOrder(perturbations="shuffleHalvesLast", convention="paper", draws=3)
    job = Job(study, (Items(EN_DE, items),), ("copy",), options=RunOptions(workers=0, cached=False))
    run = execute(job, tmp_path)
    assert run.metrics == ("BLEU(convention=paper)", "LevenshteinDistance")
    table = run.table(EN_DE)
    assert set(table["source"]) == {"a b c d e f g ."}
    assert table["variant"].to_list() == ["identity", "shuffleHalvesLast(convention=paper)"]


WORDS = "the cat saw a dog and the bird ate of it in an old barn ."
TAGS = "DET NOUN VERB DET NOUN CCONJ DET NOUN VERB ADP PRON ADP DET ADJ NOUN PUNCT"


def _long_items(count: int) -> list[Item]:
    words, upos = WORDS.split(), TAGS.split()
    return [
        Item(
            str(n),
            Sentence(tuple(words), (True,) * len(words), "en", upos=tuple(upos)),
            Sentence(tuple(words), (True,) * len(words), "de", upos=tuple(upos)),
        )
        for n in range(count)
    ]


@pytest.mark.parametrize(("convention", "shared"), [("default", True), ("paper", False)])
def test_source_and_reference_share_a_draw_or_do_not(
    convention: Literal["default", "paper"], shared: bool, tmp_path: Path
) -> None:
    study = WordOrder(perturbations="wordShuffle; reversed", convention=convention)
    job = Job(
        study,
        (Items(EN_DE, _long_items(12)),),
        ("copy",),
        options=RunOptions(workers=0, cached=False),
    )
    run = execute(job, tmp_path)
    rows = run.table(EN_DE)
    # Both sides have the same words here, so that a shared draw gives the same order.
    drawn = rows.filter(pl.col("variant") == "wordShuffle")
    assert (drawn["varied"] == drawn["varied_reference"]).all() == shared
    fixed = rows.filter(pl.col("variant") == "reversed")
    assert (fixed["varied"] == fixed["varied_reference"]).all()
    notes = " ".join(study.contents([run]).notes)
    told = "share one draw of a perturbation" if shared else "are drawn apart, as the paper does"
    assert f"Source and reference {told}." in notes


def test_a_system_that_promises_nothing_about_batches_is_named_beside_its_noise(
    tmp_path: Path,
) -> None:
    study = WordOrder(perturbations="reversed")
    systems = ("copy", "cmd:cat")
    job = Job(
        study, (Items(EN_DE, _long_items(4)),), systems, options=RunOptions(workers=0, cached=False)
    )
    execute(job, tmp_path)
    run = Run(tmp_path)
    assert run.record.batch_bound == {"cmd:cat": ("en-de",)}
    same = ": sources that came out the same when they were translated again"
    copying, piped = (note for note in study.contents([run]).notes if same in note)
    assert copying == f"copy{same}: 100.0 % (en-de)."
    assert piped.startswith(f"cmd:cat{same}, in other batches; this system does not promise")
    assert piped.endswith(": 100.0 % (en-de).")


def test_draws_that_change_nothing_are_counted_and_can_be_drawn_again(tmp_path: Path) -> None:
    items = Items(EN_DE, _long_items(40))
    shares = []
    for redraw in (False, True):
        study = WordOrder(perturbations="verbSwaps; reversed", redraw=redraw)
        job = Job(
            study, (items,), ("copy",), ("chrF",), options=RunOptions(workers=0, cached=False)
        )
        run = execute(job, tmp_path / str(redraw))
        rows = run.table(EN_DE).filter(pl.col("variant") == "verbSwaps")
        table = next(t.data for t in study.contents([run]).tables if t.id == "T1")
        told = dict(table.select("perturbation", "unchanged").iter_rows())
        assert told["verbSwaps"] == pytest.approx((rows["source"] == rows["varied"]).mean())
        assert told["reversed"] == 0
        shares.append(told["verbSwaps"])
    # Two verbs change places in one draw of two.
    assert 0.25 < shares[0] < 0.75
    assert shares[1] == 0


def test_a_correlation_is_over_items_or_over_samples(tmp_path: Path) -> None:
    job = Job(
        WordOrder(perturbations="reversed; wordShuffle; shuffleHalvesFirst"),
        (Starter(EN_DE, 40),),
        ("copy",),
        ("chrF",),
        options=RunOptions(workers=0, cached=False),
    )
    run = execute(job, tmp_path)
    rows = run.table(EN_DE, "copy", "chrF").with_columns(pl.col("words").list.len().alias("length"))
    varied = rows.filter(pl.col("variant") != "identity")
    units: tuple[Literal["item", "sample"], ...] = ("item", "sample")
    for unit in units:
        contents = WordOrder("reversed; wordShuffle; shuffleHalvesFirst", unit=unit).contents([run])
        table = next(table for table in contents.tables if table.id == "rho")
        assert f"over {unit}s" in table.title
        found = table.data.filter((table.data["of"] == "β1") & (table.data["and"] == "length"))
        lengths = dict(rows.select("item", "length").iter_rows())
        means = varied.group_by("item", maintain_order=True).agg(pl.col("beta1").mean())
        of = means if unit == "item" else varied
        oracle = stats.spearmanr(of["beta1"], [lengths[item] for item in of["item"]]).statistic
        row = found.row(0, named=True)
        assert row["ρ"] == pytest.approx(oracle)
        assert row["low"] < row["ρ"] < row["high"]
        assert row[f"{unit}s"] == of.height
        falls = next(f for f in contents.findings if f.claim.startswith("β1 falls"))
        assert falls.value == pytest.approx(-oracle)
        assert falls.n == 40
