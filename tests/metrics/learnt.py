"""The weights of the second look at a sample, learnt from one half of the labelled sources."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hyperbaton.metrics.second_look import CLASSES
from tests.metrics.labelled import by_pair, doubtful, labelled, unused

__all__ = ["weights"]

_OLD = 8
"""Up to this set samples are by younger models, with one reader: they count one half."""


def weights() -> npt.NDArray[np.float64]:
    """A row for each class, as `WEIGHTS` has them; needs scikit-learn."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    rows = [row for row in labelled() if not unused(row)]
    found = [one for part in by_pair(rows) for one in doubtful(part)]
    numbers = np.array([numbers for _, numbers in found])
    # What is lost was told before: the few that were not are nearest to mixed.
    labels = [{"lost": "mixed"}.get(row["label"], row["label"]) for row, _ in found]
    shares = [0.5 if int(row["set"]) <= _OLD else 1.0 for row, _ in found]
    scale = StandardScaler().fit(numbers)
    model = LogisticRegression(max_iter=5000).fit(scale.transform(numbers), labels, shares)
    assert tuple(model.classes_) == CLASSES
    slopes = model.coef_ / scale.scale_
    return np.column_stack([model.intercept_ - slopes @ scale.mean_, slopes])
