"""All looks at samples: their weights, and that further ones are taken where they are needed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from hyperbaton.metrics.outcome_rules import (
    BACK,
    CLASSES,
    FIRST,
    SECOND,
    THERE,
    THIRD,
    WORDS,
    weigh,
)
from hyperbaton.metrics.outcomes import ERRORS, Looks, SampleTexts, judge
from tests.metrics.labelled import Row, agreement, by_pair, judged, labelled, languages
from tests.metrics.ordinary import DATA, ordinary

shared = pytest.mark.skipif(
    not (DATA / "ntrex").is_dir() or not (DATA / "tatoeba").is_dir(), reason="needs ../shared/data"
)


CLEAN = "Der alte Mann liest am Abend die Zeitung."


@shared
def test_the_weights_are_what_the_labels_teach() -> None:
    pytest.importorskip("sklearn")
    from tests.metrics.learnt import schooling, stored_readings, weights

    learnt = weights(schooling(), stored_readings())
    for weight, taught in zip((FIRST, SECOND, THIRD), learnt, strict=True):
        assert taught == pytest.approx(weight, abs=0.02)


@shared
def test_translators_still_find_likely_what_was_stored() -> None:
    from tests.metrics.learnt import read_anew, schooling, stored_readings

    places = [at for at, row in enumerate(schooling().rows) if languages(row) == ("en", "de")][::25]
    again = read_anew([schooling().rows[at] for at in places])
    # Another make of processor reads a little otherwise.
    assert again == pytest.approx(stored_readings()[places], abs=0.3)
    assert np.abs(again - stored_readings()[places]).mean() < 0.03


def test_there_is_a_weight_for_each_number() -> None:
    assert FIRST.shape == (len(CLASSES), 1 + len(WORDS))
    assert SECOND.shape == (len(CLASSES), 1 + len(WORDS) + len(THERE))
    assert THIRD.shape == (len(CLASSES), 1 + len(WORDS) + len(THERE) + len(BACK))


WORDED = np.array([[0.8, 0.8, 0.3, 0.8, 0.5, 0.1, 0.1, 1.0, 0.8, 0.6]])
"""What words say where they leave it open."""


@pytest.mark.parametrize(
    ("there", "back", "outcomes"),
    [
        # reads as a clean translation does
        ((1.0, 0.0), (0.0, 0.0, 0.0, 2.0, 0.5), ("repaired", "repaired")),
        # neither sentence can be read
        ((0.0, -1.5), (-3.0, -8.0, -1.5, 0.0, 0.5), ("mixed", "mixed")),
        # the varied source can
        ((-1.5, -1.0), (-2.0, -5.0, 1.5, -1.0, 2.0), ("carried", "carried")),
    ],
)
def test_each_number_pulls_its_way(
    there: tuple[float, ...], back: tuple[float, ...], outcomes: tuple[str, str]
) -> None:
    seen = np.column_stack([WORDED, [there]]), np.column_stack([WORDED, [there], [back]])
    told = [
        weigh(numbers, weights)[0] for numbers, weights in zip(seen, (SECOND, THIRD), strict=True)
    ]
    assert tuple(one.item() for one in told) == outcomes


@pytest.mark.parametrize(
    ("there", "outcome", "further"),
    [((-3.0, -2.0), "carried", []), ((0.0, -0.5), "carried", [3])],
)
def test_only_what_is_not_clear_is_read(
    there: tuple[float, float], outcome: str, further: list[int]
) -> None:
    asked: tuple[list[int], list[int]] = ([], [])

    def read_there(places: Sequence[int]) -> list[tuple[float, ...]]:
        asked[0].extend(places)
        return [there] * len(places)

    def read_back(places: Sequence[int]) -> list[tuple[float, ...]]:
        asked[1].extend(places)
        return [(-2.0, -5.0, 1.5, -1.0, 2.0)] * len(places)

    outputs = [
        CLEAN,  # the clean translation
        "Die Zeitung liest am Abend der alte Mann.",  # the varied one
        "Ganz andere Wörter stehen hier.",  # lost
        "Der alte Mann liest die Zeitung.",
        "Der alte Mann liest die Zeitung.",  # the draw changed nothing
    ]
    size = len(outputs)
    texts = SampleTexts(
        [CLEAN] * size,
        [CLEAN] * size,
        [outputs[1]] * size,
        outputs,
        changed=[True, True, True, True, False],
    )
    told = judge(texts, "de", Looks(read_there, read_back))
    assert told.outcomes.tolist() == ["repaired", "carried", "lost", outcome, "unchanged"]
    assert asked == ([3], further)


@pytest.mark.parametrize(
    ("sets", "size", "share", "kappa"),
    [
        # Learnt from all but `gloss`: that the rule still knows them.
        ("9 10 11", 1399, 0.85, 0.72),
        ("13", 210, 0.82, 0.67),
        ("14", 120, 0.86, 0.55),
    ],
)
def test_agreement_on_the_starter_corpus(sets: str, size: int, share: float, kappa: float) -> None:
    # Together: each pair of languages has its models loaded once.
    rows = judged([row for row in labelled() if row["set"] in sets.split()])
    assert len(rows) == size
    found = agreement(rows)
    assert found[0] >= share
    assert found[1] >= kappa


@cache
def _ordinary(number: str) -> tuple[list[Row], list[tuple[str, str]]]:
    """The samples of a set that three readers read, and what readers and rule say."""
    rows = [row for part in by_pair(_of_set(number)) for row in part]
    return rows, judged(rows)


def _of_set(number: str) -> list[Row]:
    return [row for row in ordinary() if row["set"] == number]


@shared
@pytest.mark.parametrize(
    ("number", "size", "least", "news", "off"),
    [("15", 360, 0.81, 0.82, 0.10), ("17", 800, 0.86, 0.80, 0.05), ("20", 640, 0.87, 0.82, 0.05)],
)
def test_agreement_on_ordinary_text_that_the_weights_were_not_learnt_from(
    number: str, size: int, least: float, news: float, off: float
) -> None:
    rows, pairs = _ordinary(number)
    assert len(rows) == size
    share, kappa = agreement(pairs)
    assert share >= least
    assert kappa >= least - 0.13
    long = [pair for row, pair in zip(rows, pairs, strict=True) if row["item"].startswith("ntrex")]
    assert agreement(long)[0] >= news
    # Another make of processor reads a little otherwise.
    assert max(abs(rule - read) for _, read, rule in _shares(number)) <= off + 0.01


def _shares(number: str) -> list[tuple[str, float, float]]:
    """For each translator an outcome, its share by reading and its share by rule."""
    rows, pairs = _ordinary(number)
    found = []
    for system in sorted({row["system"] for row in rows}):
        own = [pair for row, pair in zip(rows, pairs, strict=True) if row["system"] == system]
        read, rule = zip(*own, strict=True)
        found += [(name, read.count(name) / len(own), rule.count(name) / len(own))
                  for name in CLASSES]  # fmt: skip
    return found


@shared
def test_the_errors_of_shares_are_those_of_the_labels() -> None:
    every = [one for number in ("15", "17", "20") for one in _shares(number)]
    for name, error in ERRORS.items():
        own = np.array([both for outcome, *both in every if outcome == name])
        read, rule = own.T
        found = np.sqrt(((rule - read) ** 2).sum() / (rule * (1 - rule)).sum())
        assert found == pytest.approx(error, abs=0.02)


@shared
def test_further_looks_are_surer() -> None:
    rows, pairs = _ordinary("20")
    assert agreement(pairs)[0] > agreement(judged(rows, read=False))[0] + 0.04


@pytest.mark.parametrize(
    ("named", "weights"),
    [("by words alone", FIRST), ("with the second look", SECOND), ("with the third", THIRD)],
)
def test_the_page_has_the_weights_of_the_code(named: str, weights: np.ndarray) -> None:
    page = (Path(__file__).parents[2] / "docs" / "outcomes.md").read_text("utf-8")
    rows = page.partition(f"| {named} |")[2].partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert [name for name, *_ in cells] == [
        "begins with",
        *(WORDS + THERE + BACK)[: weights.shape[1] - 1],
    ]
    shown = [[float(cell.replace("−", "-")) for cell in row[1:]] for row in cells]
    assert shown == weights.T.tolist()
