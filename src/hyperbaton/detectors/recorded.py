"""`recorded:FILE`: probabilities that a detector elsewhere gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import DATA
from hyperbaton.corpus.tables import json_objects
from hyperbaton.detectors.detector import Detector, Pair, Probabilities

SHIPPED = DATA / "detectors" / "e5-pair.jsonl"


@dataclass(frozen=True)
class Recorded(Detector):
    """JSON Lines with `first`, `second` and `probability`; `language` may be added.

    `commutative=true` also finds a pair that was recorded in the other order. `recorded:e5-pair`
    is the file that is shipped: what e5-pair(trained=edits) said of the pairs of the demo.
    """

    name: ClassVar[str] = "recorded"
    positional: ClassVar[str | None] = "path"

    path: str
    commutative: bool = False
    partial: bool = False
    """Leave out pairs that the file does not have."""

    @property
    def _file(self) -> Path:
        return SHIPPED if self.path == "e5-pair" else Path(self.path).expanduser()

    def judge(self, pairs: Sequence[Pair], language: str) -> Probabilities:
        """What the file says of each pair."""
        known = _read(self._file, self.commutative)
        found = []
        for pair in pairs:
            probability = known.get((language, *pair), known.get(("", *pair)))
            if probability is None and not self.partial:
                raise HyperbatonError(
                    f"{self.path} has no probability for '{pair[0]}' and '{pair[1]}' ({language})"
                )
            found.append(np.nan if probability is None else probability)
        return np.array(found)

    def fields(self, language: str) -> dict[str, str]:
        """The hash of the file."""
        return {"content": fingerprint([self._file])}


@lru_cache(maxsize=8)
def _read(path: Path, symmetric: bool) -> Mapping[tuple[str, str, str], float]:
    found: dict[tuple[str, str, str], float] = {}
    for where, row in json_objects(path):
        try:
            first, second = str(row["first"]), str(row["second"])
            probability = float(str(row["probability"]))
        except (KeyError, ValueError):
            raise HyperbatonError(
                f'{where}: {{"first": …, "second": …, "probability": …}} is needed'
            ) from None
        if not 0 <= probability <= 1:
            raise HyperbatonError(f"{where}: {probability} is not a probability")
        pair = (min(first, second), max(first, second)) if symmetric else (first, second)
        key = (str(row.get("language", "")), *pair)
        if found.setdefault(key, probability) != probability:
            raise HyperbatonError(f"{where}: the same pair has another probability above")
    return found
