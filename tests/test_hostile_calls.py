"""Whatever a call is given: an answer, or a HyperbatonError of one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hyperbaton as hb
from hyperbaton.base.randomness import Rng
from hyperbaton.language.sentence import Sentence
from hyperbaton.metrics import METRICS
from hyperbaton.perturb import PERTURBATIONS
from hyperbaton.perturb.perturbation import Rewriting

ENGLISH = ["The dog sleeps in the garden.", "Tom bought a red car yesterday."]
GERMAN = ["Der Hund schläft im Garten.", "Tom hat gestern ein rotes Auto gekauft."]


class _Missing:
    """Like `pandas.NA`: compared with anything it is neither true nor false."""

    def __eq__(self, other: object) -> Any:
        return self

    __ne__ = __eq__
    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise TypeError("boolean value of NA is ambiguous")

    def __repr__(self) -> str:
        return "<NA>"


VALUES: dict[str, object] = {
    "a whole number": 3,
    "a negative one": -1,
    "one that is too large": 10**30,
    "NumPy's": np.int64(3),
    "a fraction": 1.5,
    "no number": float("nan"),
    "None": None,
    "NA": _Missing(),
    "true": True,
    "NumPy's true": np.bool_(True),
    "empty": "",
    "a name": "upper",
    "NumPy's text": np.str_("upper"),
    "half a character": "a\ud800b",
    "a NUL": "a\0b",
    "two lines": "a\nb",
    "bytes": b"upper",
    "a path": Path("no") / "file",
    "an empty list": [],
    "a list": ["upper", "lower"],
    "a list with a hole": ["upper", None],
    "a list with NA": ["upper", _Missing()],
    "a list with no number": ["upper", float("nan")],
    "a list with half a character": ["upper", "a\udfffb"],
    "a list of lists": [["upper"]],
    "a tuple of numbers": (1, 2),
    "a set": {"upper", "lower"},
    "a mapping": {"en": 3},
    "an array": np.array(["upper", "lower"]),
    "an array of numbers": np.array([1, 2]),
    "an array of two dimensions": np.array([["a", "b"], ["c", "d"]]),
    "an array of none": np.array("upper"),
    "an array with a hole": np.array(["upper", None], dtype=object),
    "a column": pl.Series(["upper", "lower"]),
    "a column with a hole": pl.Series(["upper", None]),
    "a column of numbers": pl.Series([1, 2]),
    "a frame": pl.DataFrame({"en": ["a"], "de": ["b"]}),
    "a lazy frame": pl.LazyFrame({"en": ["a"], "de": ["b"]}),
    "an expression": pl.col("a"),
    "a perturbation": PERTURBATIONS.parse("upper"),
    "a metric": METRICS.parse("chrF"),
    "an object": object(),
    "a class": str,
    "a function": lambda texts: texts,
}


def _given(function: Callable[..., object], name: str, value: object) -> object:
    return function(**{name: value})


def _calls() -> Iterator[tuple[str, Callable[[Any], object]]]:
    """Every argument of every public function, each given the value that it is called with."""

    def words(**given: Any) -> object:
        return hb.perturb(**{"texts": "a b.", "perturbation": "upper", **given})

    def read(**given: Any) -> object:
        return hb.perturb("A b c.", "reversed", **given)

    def translate(**given: Any) -> object:
        return hb.translate(**{"texts": "a", "system": "copy", "languages": "en-de", **given})

    def score(**given: Any) -> object:
        default: dict[str, Any] = {"hypotheses": ENGLISH, "references": GERMAN, "resamples": 9}
        return hb.score(**{**default, "metric": "chrF", **given})

    def show(**given: Any) -> object:
        hb.show(**{"text": "A b.", "perturbations": "upper", "parser": "plain"} | given)
        return None

    def shown(**given: Any) -> object:
        return show(**{"language": "en-de", "system": "copy"} | given)

    def surface(**given: Any) -> object:
        return hb.surface(
            **{"system": "copy", "languages": "en-de", "source": ENGLISH, "limit": 1}
            | {"perturbations": "upper", "metrics": "chrF", "poles": False}
            | given
        )

    arguments: dict[Callable[..., object], str] = {
        words: "texts perturbation language parser seed cached",
        read: "parser seed",
        translate: "texts system languages failed retry_failed cached",
        score: "hypotheses references metric sources language resamples seed",
        show: "text perturbations language system reference seed parser cached",
        shown: "language system reference",
        surface: "system languages source reference metrics limit out perturbations parsers "
        "workers engine time_limit max_memory max_cost prices cached retry_failed poles cache",
    }
    for function, names in arguments.items():
        for name in names.split():
            yield f"{function.__name__} {name}", partial(_given, function, name)
    yield "perturb to a table", lambda value: hb.perturb(value, ["upper", "lower"])
    yield "open", hb.open
    yield "Session", hb.Session
    yield "compare", lambda value: hb.compare(value, value)
    yield "study", hb.study


CALLS = dict(_calls())


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("call", CALLS)
def test_only_hyperbaton_errors_of_one_line(call: str) -> None:
    answered, said = 0, {}
    for name, value in VALUES.items():
        if call == "surface workers" and name in ("a whole number", "NumPy's"):
            continue  # processes are started as they should be
        try:
            CALLS[call](value)
            answered += 1
        except hb.HyperbatonError as error:
            said[name] = str(error)
        except Exception as error:
            raise AssertionError(f"{call}, given {name}: {error!r}") from error
    assert [name for name, text in said.items() if "\n" in text or len(text) >= 400] == []
    assert answered < len(VALUES)


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["a", None], "row 2 is missing (None)"),
        (["a", _Missing()], "row 2 is missing (<NA>)"),
        (np.array(["a", float("nan")], dtype=object), "row 2 is missing (nan)"),
        (pl.Series(["a", "b", None]), "row 3 is missing (None)"),
        (["a", 3], "row 2 is 3, which is no text"),
        (["a", "b\ud800"], "row 2 is not valid Unicode"),
        (np.array([["a"]]), "must be one column"),
        ({"b", "a"}, "must be a text or a list of texts"),
    ],
)
def test_a_text_that_is_none_is_named_by_its_row(texts: Any, said: str) -> None:
    for call in (
        lambda: hb.perturb(texts, "upper"),
        lambda: hb.perturb(texts, ["upper"]),
        lambda: hb.translate(texts, "copy", "en-de"),
        lambda: hb.score(texts, texts),
        lambda: hb.wordorder("copy", "en-de", texts, texts),
    ):
        with pytest.raises(hb.HyperbatonError) as caught:
            call()
        assert said in str(caught.value)


def test_columns_of_pandas_are_texts() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"en": ENGLISH, "de": GERMAN}, index=[7, 9])
    frame["kind"] = frame["en"].astype("category")
    assert hb.perturb(frame["en"], "upper") == [text.upper() for text in ENGLISH]
    assert hb.perturb(frame["kind"], "upper") == [text.upper() for text in ENGLISH]
    with pytest.raises(hb.HyperbatonError, match=r"texts: row 1 is missing \(<NA>\)"):
        hb.perturb(pandas.Series([pandas.NA, "a"], dtype="string"), "upper")
    options: dict[str, Any] = {"perturbations": "upper", "metrics": "chrF"}
    scores = hb.surface("copy", "en-de", frame, **options).scores
    lazy = pl.LazyFrame({"en": ENGLISH, "de": GERMAN})
    assert scores.equals(hb.surface("copy", "en-de", lazy, **options).scores)
    assert pandas.DataFrame(scores.to_dicts()).shape == scores.shape


def test_names_may_be_values_and_numbers_numpys() -> None:
    upper, chrf = PERTURBATIONS.parse("upper"), METRICS.parse("chrF")
    assert hb.perturb("a b", upper) == "A B"
    assert hb.perturb("A b", [upper, "lower"])["varied"].to_list() == ["A B", "a b"]
    shuffled = hb.perturb(ENGLISH, "wordShuffle", parser="plain", seed=3)
    assert hb.perturb(ENGLISH, "wordShuffle", parser="plain", seed=np.int64(3)) == shuffled  # type: ignore[call-overload]
    assert hb.score(ENGLISH, GERMAN, chrf) == hb.score(ENGLISH, GERMAN, "chrF")
    session = hb.surface("copy", "en-de", ENGLISH, perturbations=[upper], metrics=chrf, limit=1)
    assert set(session.scores["variant"]) == {"identity", "upper"}


def test_a_perturbation_need_not_be_registered() -> None:
    @dataclass(frozen=True)
    class Twice(Rewriting):
        name = "twice"
        category = "surface"
        needs = "text"

        def rewrite(self, sentence: Sentence, rng: Rng) -> str:
            return f"{sentence.text} {sentence.text}"

    assert hb.perturb("a b.", Twice()) == "a b. a b."
    hb.show("a b.", Twice(), parser="plain")


def test_several_metrics_give_several_scores() -> None:
    found = hb.score(ENGLISH, GERMAN, ["BLEU", "chrF"])
    assert [one.metric for one in found] == ["BLEU", "chrF"]
    assert found == [hb.score(ENGLISH, GERMAN, name) for name in ("BLEU", "chrF")]
    with pytest.raises(hb.HyperbatonError, match="empty list"):
        hb.score(ENGLISH, GERMAN, [])


def test_a_blank_text_has_its_rows_in_the_table() -> None:
    table = hb.perturb(["Aa", " ", "Bb"], ["upper", "lower"])
    assert table["item"].to_list() == ["1", "1", "2", "2", "3", "3"]
    assert table["varied"].to_list() == ["AA", "aa", None, None, "BB", "bb"]


def test_translations_are_plain_texts() -> None:
    for texts in (np.array(ENGLISH), pl.Series(ENGLISH), ENGLISH):
        for system in ("copy", lambda given: np.array(given), lambda given: iter(given)):
            found = hb.translate(texts, system, "en-de")
            assert [type(text) for text in found] == [str, str]
            assert found == ENGLISH


@pytest.mark.parametrize(
    ("system", "said"),
    [
        (lambda texts: [3, 3], "returned int instead of text"),
        (lambda texts: None, "returned NoneType instead of a list of texts"),
        (lambda texts: "abc", "returned str instead of a list of texts"),
        (lambda texts: set(texts), "returned set instead of a list of texts"),
        (lambda texts: [*texts, "more"], "returned 2 translations for 1 text"),
        (lambda texts: texts[1:], "returned 0 translations for 1 text"),
        (lambda texts: (1 // 0 for _ in texts), "ZeroDivisionError"),
        (lambda texts: [f"{text}\ud800" for text in texts], "not valid Unicode"),
        (lambda: ["a"], "takes 0 positional arguments but 1 was given"),
    ],
)
def test_answers_that_are_no_translations_are_told_of(system: Any, said: str) -> None:
    with pytest.raises(hb.HyperbatonError, match=said):
        hb.translate(ENGLISH, system, "en-de")
    session = hb.surface(system, "en-de", ENGLISH, perturbations="upper", metrics="chrF")
    assert session.contents.cautions
