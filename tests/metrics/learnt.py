"""The weights of all looks at a sample, learnt from labelled samples and from nonsense."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperbaton.alignment.words import cut
from hyperbaton.language.sentence import Sentence
from hyperbaton.metrics.outcome_rules import CLASSES, THERE
from hyperbaton.metrics.outcomes import judge
from tests.metrics.labelled import Row, by_pair, labelled, languages, reading, samples
from tests.metrics.ordinary import ordinary

__all__ = [
    "Worded",
    "learn",
    "lessons",
    "nonsense",
    "read_anew",
    "schooling",
    "stored_readings",
    "weights",
    "worded",
]

Floats = npt.NDArray[np.float64]

_READINGS = Path(__file__).parent / "labelled-readings.npz"
_OLDEST = 9
"""Sets before this one are by younger models."""
_ORDINARY = ("16", "18", "19")
"""Sets of ordinary translators that are learnt from."""
_SHARES = {**dict.fromkeys(_ORDINARY, 4.0), "nonsense": 2.4}
"""How much a sample of ordinary text and one of nonsense counts; all others count 1."""
_MIXED = 0.6
"""What *mixed* gets on top, so that each translator's shares come out nearest to the readers' (sets
15 to 20)."""
_STRENGTH = 0.1
"""The inverse of the pull to small weights (C)."""
_ONE_IN = 3
"""Of so many samples, one has a twin in nonsense."""


class Worded(NamedTuple):
    """Samples, pair by pair, with what is weighed of their words."""

    rows: list[Row]
    words: Floats
    clear: npt.NDArray[np.bool_]
    """Where nothing is weighed."""


def lessons() -> list[Row]:
    """The samples that the weights are learnt from: sets 9 to 14 without `gloss`, 16, 18 and 19."""
    old = [
        row for row in labelled() if int(row["set"]) >= _OLDEST and not row["id"].endswith("/gloss")
    ]
    return [*old, *(row for row in ordinary() if row["set"] in _ORDINARY)]


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


def worded(rows: Sequence[Row]) -> Worded:
    """What is weighed of the words of samples."""
    parts = by_pair(rows)
    told = [judge(samples(part), languages(part[0])[1]) for part in parts]
    return Worded(
        [row for part in parts for row in part],
        np.concatenate([one.words for one in told]),
        np.concatenate([one.clear for one in told]),
    )


def read_anew(rows: Sequence[Row]) -> Floats:
    """What translators find likely of samples, pair by pair; takes minutes for thousands."""
    parts = by_pair(rows)
    looks = [reading(part, samples(part)) for part in parts]
    return np.concatenate(
        [
            np.column_stack([np.array(look(range(len(part)))) for look in both])
            for part, both in zip(parts, looks, strict=True)
        ]
    )


def stored_readings() -> Floats:
    """What `read_anew` said of all lessons and all nonsense when the weights were learnt."""
    with np.load(_READINGS) as file:
        return np.asarray(file["readings"], dtype=np.float64)


def learn(columns: Floats, rows: Sequence[Row], clear: npt.NDArray[np.bool_]) -> Floats:
    """A row for each class: what it begins with, and a weight for each column; needs scikit-learn.

    What is lost is told from all else; the others are told apart without it.
    """
    left = np.flatnonzero(~clear)
    labels = np.array([row["label"] for row in rows])[left]
    shares = np.array([_SHARES.get(row["set"], 1.0) for row in rows])[left]
    kept = labels != CLASSES[0]
    lost = _fitted(columns[left], ~kept, shares)
    found = np.vstack([lost, _fitted(columns[left][kept], labels[kept], shares[kept])])
    found[CLASSES.index("mixed"), 0] += _MIXED
    return found


def _fitted(columns: Floats, labels: npt.NDArray[np.generic], shares: Floats) -> Floats:
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    scale = StandardScaler().fit(columns)
    model = LogisticRegression(C=_STRENGTH, max_iter=5000)
    model.fit(scale.transform(columns), labels, shares)
    slopes = model.coef_ / scale.scale_
    return np.column_stack([model.intercept_ - slopes @ scale.mean_, slopes])


@cache
def schooling() -> Worded:
    """All samples that the weights are learnt from, with nonsense."""
    rows = lessons()
    return worded([*rows, *nonsense(rows)])


def weights(known: Worded, readings: Floats) -> tuple[Floats, ...]:
    """The weights of the first look, the second and the third."""
    seen = [known.words, readings[:, : len(THERE)], readings[:, len(THERE) :]]
    return tuple(
        learn(np.column_stack(seen[:looks]), known.rows, known.clear) for looks in (1, 2, 3)
    )


if __name__ == "__main__":
    # Reads all lessons anew, stores what translators said, and prints the weights.
    known = schooling()
    np.savez_compressed(_READINGS, readings=read_anew(known.rows).astype(np.float16))
    for learnt in weights(known, stored_readings()):
        print(np.round(learnt, 2).tolist())
