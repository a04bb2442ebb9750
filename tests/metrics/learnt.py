"""The weights of both looks at a sample, learnt from labelled samples and from nonsense."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperbaton.alignment.words import cut
from hyperbaton.metrics.outcomes import judge
from hyperbaton.metrics.second_look import CLASSES
from hyperbaton.sentence import Sentence
from tests.metrics.labelled import Row, by_pair, labelled, languages, reading, samples
from tests.metrics.ordinary import ordinary

__all__ = ["Numbers", "learn", "lessons", "nonsense", "numbers", "weights"]

Floats = npt.NDArray[np.float64]

_OLDEST = 9
"""Sets before this one are by younger models."""
_SHARES = {"16": 2.0, "nonsense": 0.6}
"""How much a sample of ordinary text and one of nonsense counts; all others count 1."""
_STRENGTH = 0.1
"""The inverse of the pull to small weights (C)."""
_ONE_IN = 3
"""Of so many samples, one has a twin in nonsense."""


class Numbers(NamedTuple):
    """Samples with what is weighed of them."""

    rows: list[Row]
    words: Floats
    readings: Floats
    clear: npt.NDArray[np.bool_]
    """Where nothing is weighed."""


def lessons() -> list[Row]:
    """The samples that the weights are learnt from: sets 9 to 14 without `gloss`, and set 16."""
    old = [
        row for row in labelled() if int(row["set"]) >= _OLDEST and not row["id"].endswith("/gloss")
    ]
    return [*old, *(row for row in ordinary() if row["set"] == "16")]


def nonsense(rows: Sequence[Row]) -> list[Row]:
    """Samples with the words of another one's output in a jumble; in turns, with both outputs."""
    made = []
    for part in by_pair(rows):
        target = languages(part[0])[1]
        shuffled = random.Random(target)
        for place in range(0, len(part), _ONE_IN):
            row, other = part[place], part[(place + len(part) // 2) % len(part)]
            if other["source"] == row["source"]:
                continue
            words = cut(other["varied_output"], target)
            shuffled.shuffle(words)
            own = {"label": "lost", "varied_output": Sentence.from_words(words, target).text}
            if place % (2 * _ONE_IN):
                own |= {name: other[name] for name in ("output", "projected_output")}
            made.append({**row, **own, "set": "nonsense"})
    return made


def numbers(rows: Sequence[Row]) -> Numbers:
    """What is weighed of samples, pair by pair."""
    found = []
    for part in by_pair(rows):
        texts = samples(part)
        told = judge(texts, languages(part[0])[1])
        read = np.array(reading(part, texts)(range(len(part))))
        found.append(Numbers(part, told.words, read, told.clear))
    return Numbers(
        [row for part in found for row in part.rows],
        np.concatenate([part.words for part in found]),
        np.concatenate([part.readings for part in found]),
        np.concatenate([part.clear for part in found]),
    )


def learn(columns: Floats, rows: Sequence[Row], clear: npt.NDArray[np.bool_]) -> Floats:
    """A row for each class: what it begins with, and a weight for each column; needs scikit-learn.

    What is lost is told from all else; the others are told apart without it.
    """
    left = np.flatnonzero(~clear)
    labels = np.array([row["label"] for row in rows])[left]
    shares = np.array([_SHARES.get(row["set"], 1.0) for row in rows])[left]
    kept = labels != CLASSES[0]
    lost = _fitted(columns[left], ~kept, shares)
    return np.vstack([lost, _fitted(columns[left][kept], labels[kept], shares[kept])])


def _fitted(columns: Floats, labels: npt.NDArray[np.generic], shares: Floats) -> Floats:
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    scale = StandardScaler().fit(columns)
    model = LogisticRegression(C=_STRENGTH, max_iter=5000)
    model.fit(scale.transform(columns), labels, shares)
    slopes = model.coef_ / scale.scale_
    return np.column_stack([model.intercept_ - slopes @ scale.mean_, slopes])


def weights() -> tuple[Floats, Floats]:
    """The weights of the first look and of the second."""
    rows = lessons()
    known = numbers([*rows, *nonsense(rows)])
    both = np.column_stack([known.words, known.readings])
    return learn(known.words, known.rows, known.clear), learn(both, known.rows, known.clear)
