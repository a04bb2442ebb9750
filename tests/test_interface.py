"""The interface in Python: what `hyperbaton.__all__` names, and what it answers to mistakes."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import hyperbaton as hb
from hyperbaton.metrics import METRICS
from hyperbaton.perturb import PERTURBATIONS, perturb_all
from hyperbaton.studies import SHIPPED_STUDIES
from hyperbaton.systems.programs.function import name_of, names_of
from hyperbaton.systems.system import SYSTEMS

ROOT = Path(__file__).parents[1]
ENGLISH = ["The dog sleeps in the garden.", "Tom bought a red car yesterday."]
GERMAN = ["Der Hund schläft im Garten.", "Tom hat gestern ein rotes Auto gekauft."]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))


def test_every_public_name_is_there_and_documented() -> None:
    page = (ROOT / "docs" / "python.md").read_text("utf-8")
    for name in hb.__all__:
        assert getattr(hb, name) is not None
        assert name in page or name in (*SHIPPED_STUDIES, "__version__", "Scored"), name
    assert set(SHIPPED_STUDIES) <= set(hb.__all__)
    assert set(hb.__all__) <= set(dir(hb))


def test_the_package_imports_nothing_heavy() -> None:
    code = (
        "import sys, hyperbaton; "
        "print([m for m in ('numpy', 'polars', 'numba', 'ctranslate2') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=900, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("room", "registry"),
    [
        ("metrics", "METRICS"),
        ("perturb", "PERTURBATIONS"),
        ("systems", "SYSTEMS"),
        ("parsing", "PARSERS"),
        ("detectors", "DETECTORS"),
        ("encoders", "ENCODERS"),
        ("tasks", "TASKS"),
        ("alignment", "ALIGNERS"),
        ("studies", "STUDIES"),
    ],
)
def test_each_room_has_its_registry(room: str, registry: str) -> None:
    found = getattr(importlib.import_module(f"hyperbaton.{room}"), registry)
    assert found.names()
    assert found.names()[0] in repr(found)


def test_the_room_of_perturbations_can_be_called_whoever_imported_it_first() -> None:
    for first in ("", "import hyperbaton.perturb; ", "from hyperbaton.perturb import GROUPS; "):
        code = f"{first}import hyperbaton as hb; print(hb.perturb('It rains.', 'upper'))"
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=900, check=True
        )
        assert done.stdout == "IT RAINS.\n"


def test_perturb_draws_as_the_command_does() -> None:
    from hyperbaton.language.sentence import Sentence

    texts = ["one two three four five six seven .", "", "eight nine ten eleven twelve more words ."]
    found = hb.perturb(texts, "wordShuffle", language="en", parser="plain", seed=3, cached=False)
    pairs = [(text, n) for text, n in zip(texts, "123", strict=True) if text]
    sentences = [replace(Sentence.from_words(text.split(), "en"), id=n) for text, n in pairs]
    draws = perturb_all(sentences, [PERTURBATIONS.parse("wordShuffle")], seed=3)
    expected = [draw.variant.text.split() for draw in draws if draw.variant]
    assert found[1] is None
    assert [text.replace(".", " .").split() for text in found if text] == expected


def test_perturb_gives_a_table_of_several() -> None:
    table = hb.perturb(ENGLISH, ["upper", "reversed"], parser="plain", cached=False)
    assert table.columns == ["item", "source", "variant", "varied", "changed"]
    assert table["item"].to_list() == ["1", "1", "2", "2"]
    assert table["varied"][0] == ENGLISH[0].upper()


def test_score_is_the_metric_and_sacrebleu() -> None:
    import sacrebleu

    hyps = ["the cat sat on the mat today", "he went home", "a b c d e f"]
    refs = ["the cat sat on a mat today", "he went home soon", "a b c d e g"]
    found = hb.score(hyps, pl.Series(refs), "BLEU")
    assert float(found) == pytest.approx(sacrebleu.corpus_bleu(hyps, [refs]).score)
    assert 0 <= found.low <= found.value <= found.high <= 100
    each = METRICS.parse("BLEU").sentence_scores(hyps, refs) * 100
    assert found.sentences.tolist() == pytest.approx(each.tolist())
    assert "BLEU" in found.signature


def test_a_function_translates_as_a_list_one_by_one_or_told_the_languages() -> None:
    def one(text: str) -> str:
        return text.upper()

    def told(texts: list[str], source: str, target: str) -> list[str]:
        return [f"{source}>{target} {text}" for text in texts]

    def pipeline(texts: list[str]) -> list[dict[str, str]]:
        return [{"translation_text": text[::-1]} for text in texts]

    assert hb.translate(["ab", "cd"], one, "en-de") == ["AB", "CD"]
    assert hb.translate("ab", told, "en-de") == "en>de ab"
    assert hb.translate("ab", pipeline, "en-de") == "ba"
    assert hb.translate(["ab"], lambda texts: (t + "!" for t in texts), "en-de") == ["ab!"]


def test_functions_of_one_name_stay_apart() -> None:
    functions = [lambda texts, mark=mark: [t + mark for t in texts] for mark in "!?"]
    names = names_of(functions)
    assert len(set(names)) == 2
    answers = []
    for name in names:
        with SYSTEMS.parse(name).open("en", "de") as translator:
            answers.append(translator.translate(["a"])[0].text)
    assert answers == ["a!", "a?"]
    assert names_of(functions) == names  # the same call resumes the same run
    for name in names:
        assert str(SYSTEMS.parse(name)) == name


def test_translations_of_a_function_are_stored_only_under_its_version() -> None:
    calls = []

    def own(texts: list[str]) -> list[str]:
        calls.append(len(texts))
        return texts

    hb.translate(["a"], own, "en-de")
    hb.translate(["a"], own, "en-de")
    assert len(calls) == 2
    own.version = "1"  # type: ignore[attr-defined]
    hb.translate(["a"], own, "en-de")
    hb.translate(["a"], own, "en-de")
    assert len(calls) == 3
    own.version = "2"  # type: ignore[attr-defined]
    hb.translate(["a"], own, "en-de")
    assert len(calls) == 4


def test_a_text_that_fails_is_told_of_or_replaced() -> None:
    def picky(text: str) -> str:
        if text == "bad":
            raise ValueError("no such word")
        return text

    with pytest.raises(hb.HyperbatonError, match=r"1 of 2 texts failed.*Text 2: .*no such word"):
        hb.translate(["good", "bad"], picky, "en-de")
    assert hb.translate(["good", "bad"], picky, "en-de", failed="") == ["good", ""]


def copying(texts: list[str]) -> list[str]:
    return [f"{text} " * 2 for text in texts]


def small(system: object, **options: object) -> hb.Session:
    given = {"perturbations": "reversed", "parsers": {"": "plain"}, "poles": False, **options}
    return hb.study("wordorder", system, "en-de", ENGLISH, GERMAN, metrics="chrF", **given)  # type: ignore[arg-type]


def test_a_session_tells_what_it_is_and_what_became_of_each_sentence(tmp_path: Path) -> None:
    session = small(["gloss", copying], out=tmp_path / "run")
    assert repr(session).startswith("<Session wordorder(")
    assert "2 items en-de" in repr(session)
    assert str(tmp_path / "run") in repr(session)
    judged = session.scores.filter(pl.col("variant") == "reversed", pl.col("system") == "gloss")
    assert judged["outcome"].null_count() == 0
    shares = session.outcomes
    carried = shares.filter(
        pl.col("outcome") == "carried", pl.col("system") == "gloss", pl.col("variant") == "all"
    )
    assert carried["share"].to_list() == [(judged["outcome"] == "carried").mean()]
    opened = hb.open(str(tmp_path / "run"))
    assert opened.scores.equals(session.scores)
    assert hb.Session(tmp_path / "run").outcomes.equals(shares)


def test_a_study_without_outcomes_says_so() -> None:
    session = hb.surface("copy", "en-de", ENGLISH, perturbations="upper", metrics="chrF")
    with pytest.raises(hb.HyperbatonError, match=r"surface does not tell repaired"):
        _ = session.outcomes
    assert session.scores.height


def test_runs_side_by_side(tmp_path: Path) -> None:
    first, second = small("gloss", out=tmp_path / "a"), small("copy")
    both = hb.compare(tmp_path / "a", second)
    assert both.scores.height == first.scores.height + second.scores.height
    assert both.scores["run"].n_unique() == 2
    assert set(both.summary["system"]) == {"gloss", "copy"}
    assert "gloss" in str(both)
    with pytest.raises(hb.HyperbatonError, match="two runs or more"):
        hb.compare(tmp_path / "a")
    with pytest.raises(hb.HyperbatonError, match="has 2 runs"):
        _ = both.run


def test_texts_come_from_frames() -> None:
    frame = pl.DataFrame({"id": [1, 2], "source": ENGLISH, "reference": GERMAN})
    by_language = pl.DataFrame({"en": ENGLISH, "de": GERMAN})
    runs = [
        hb.surface("copy", "en-de", *texts, perturbations="upper", metrics="chrF").scores
        for texts in ((ENGLISH, GERMAN), (frame,), (by_language,), (frame["source"], GERMAN))
    ]
    assert all(run.equals(runs[0]) for run in runs)


def test_outputs_come_from_frames(tmp_path: Path) -> None:
    """Translations made elsewhere, a column for each system, whatever it is called."""
    loud = [*GERMAN, *map(str.upper, GERMAN)]
    sources = [*ENGLISH, *map(str.upper, ENGLISH)]
    outputs = pl.DataFrame({"source": sources, "GPT-4 (a, b)": GERMAN * 2, "loud": loud})
    how = {"perturbations": "upper", "metrics": "chrF"}
    for out in (None, tmp_path / "run", tmp_path / "run"):  # the last resumes
        summary = hb.surface(outputs, "en-de", ENGLISH, out=out, **how).summary
        same = summary.filter(name="same", variant="upper")
        assert dict(same.select("system", "value").iter_rows()) == {"GPT-4 (a, b)": 1, "loud": 0}
    with pytest.raises(hb.HyperbatonError, match="no translations: add a column"):
        hb.surface(outputs.select("source"), "en-de", ENGLISH)


@pytest.mark.usefixtures("plain_detectors")
def test_studies_of_lines_take_lists() -> None:
    metrics = ["chrF", "Paraphrase:words()"]
    scores = hb.isometry("copy", "de-en", GERMAN, GERMAN[::-1], metrics=metrics).scores
    chosen = scores.filter(pl.col("variant") != "identity", pl.col("metric") == "chrF")
    assert chosen["varied"].to_list() == GERMAN[::-1]


WRONG: dict[str, Callable[[], object]] = {
    "no such system": lambda: hb.translate("a", "bundeld", "en-de"),
    "a number as system": lambda: hb.translate("a", 3, "en-de"),  # type: ignore[call-overload]
    "a class as system": lambda: hb.wordorder(dict, "en-de"),
    "a number as languages": lambda: hb.translate("a", "copy", 3),  # type: ignore[call-overload]
    "one language": lambda: hb.translate("a", "copy", "en"),
    "a number as text": lambda: hb.translate(3, "copy", "en-de"),  # type: ignore[call-overload]
    "a missing text": lambda: hb.translate(["a", None], "copy", "en-de"),  # type: ignore[list-item]
    "nan": lambda: hb.perturb(["a", float("nan")], "upper"),  # type: ignore[list-item]
    "bytes": lambda: hb.perturb(b"a", "upper"),  # type: ignore[arg-type]
    "no such perturbation": lambda: hb.perturb("a", "reversd"),
    "a group": lambda: hb.perturb("a", "wordorder"),
    "nothing to perturb with": lambda: hb.perturb("a", []),
    "a number as perturbation": lambda: hb.perturb("a", 3),  # type: ignore[call-overload]
    "no language": lambda: hb.perturb("a", "upper", language=None),  # type: ignore[call-overload]
    "an odd seed": lambda: hb.perturb("a", "upper", seed="x"),  # type: ignore[call-overload]
    "unequal lengths": lambda: hb.score(["a"], ["a", "b"]),
    "nothing to score": lambda: hb.score([], []),
    "no such metric": lambda: hb.score("a", "a", "BLUE"),
    "a number as metric": lambda: hb.score("a", "a", 3),  # type: ignore[call-overload]
    "sources that a metric needs": lambda: hb.score("a", "a", "COMET"),
    "odd resamples": lambda: hb.score("a", "a", resamples=0),
    "no run": lambda: hb.open("no/such/run"),
    "a number as run": lambda: hb.open(3),  # type: ignore[arg-type]
    "no runs": lambda: hb.Session(),
    "no such study": lambda: hb.study("wordoder", "copy"),
    "no such option": lambda: hb.wordorder("copy", "en-de", ENGLISH, GERMAN, colour=1),
    "a limit below 1": lambda: hb.wordorder("copy", "en-de", limit=-1),
    "a limit in words": lambda: hb.wordorder("copy", "en-de", limit="x"),
    "a reference without a source": lambda: hb.wordorder("copy", "en-de", None, GERMAN),
    "a list and a file": lambda: hb.wordorder("copy", "en-de", ENGLISH, "x.de"),
    "a file and a list": lambda: hb.wordorder("copy", "en-de", "x.en", GERMAN),
    "a file that is not there": lambda: hb.wordorder("copy", "en-de", "x.en", "x.de"),
    "fewer references": lambda: hb.wordorder("copy", "en-de", ENGLISH, GERMAN[:1]),
    "a frame without texts": lambda: hb.wordorder("copy", "en-de", pl.DataFrame({"x": ["a"]})),
    "a number as metrics": lambda: hb.wordorder("copy", "en-de", ENGLISH, GERMAN, metrics=3),
    "no systems": lambda: hb.wordorder([], "en-de", ENGLISH, GERMAN),
    "a number as folder": lambda: hb.wordorder("copy", "en-de", ENGLISH, GERMAN, out=3),
    "lists where files are read": lambda: hb.repairs("copy", "en-de", ENGLISH, GERMAN),
    "an encoder that is a function": lambda: hb.structure(copying, "de-en"),
    "a sentence that is none": lambda: hb.show(3),  # type: ignore[arg-type]
    "show without words": lambda: hb.show(" "),
    "show with one language": lambda: hb.show("a b", system="copy", language="en"),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_a_mistake_is_one_sentence(mistake: str) -> None:
    with pytest.raises(hb.HyperbatonError) as caught:
        WRONG[mistake]()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_the_name_of_a_system_is_its_own() -> None:
    assert name_of("bundled(beam=4)") == "bundled(beam=4)"
    assert name_of(SYSTEMS.parse("bundled(beam=4)")) == "bundled(beam=4)"
