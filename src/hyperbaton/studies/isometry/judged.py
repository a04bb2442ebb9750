"""The rows that the whole study is made of: pairs, their translations, what detectors say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hyperbaton.errors import HyperbatonError
from hyperbaton.metrics import METRICS
from hyperbaton.pipeline import Run
from hyperbaton.studies.isometry.study import BLEU, CHRF, DETECTOR, PARAPHRASE
from hyperbaton.studies.sides import dataset_name, read_sides
from hyperbaton.studies.sources import Source, short_names, sources
from hyperbaton.studies.votes import OUTCOMES, Votes, vote

__all__ = ["SIDES", "Judged", "judged_runs"]

SIDES = ("source", "target")
_TEXTS = ("source", "varied", "output", "varied_output")


@dataclass(frozen=True, eq=False)
class Judged:
    """One data set translated by one system: texts, probabilities, surface similarities."""

    system: str
    dataset: str
    detectors: tuple[str, ...]
    items: tuple[str, ...]
    source: tuple[str, ...]
    varied: tuple[str, ...]
    output: tuple[str, ...]
    varied_output: tuple[str, ...]
    probabilities: NDArray[np.float64]
    """P(paraphrase): items × detectors × the two sides."""
    chrf: NDArray[np.float64]
    """chrF̄2 in [0, 1]: items × the two sides."""
    bleu: NDArray[np.float64]
    """Symmetric BLEU in [0, 1]: items × the two sides."""
    gold: tuple[int | None, ...] = ()
    """Whether the sources are paraphrases in truth, where that is known."""
    epsilon: float = 0.5
    pair: str = ""
    """The languages, where they are known."""

    def __post_init__(self) -> None:
        if self.probabilities.shape != (len(self.items), len(self.detectors), 2):
            raise HyperbatonError(f"{self.name}: probabilities must be items × detectors × 2")

    def __len__(self) -> int:
        return len(self.items)

    @property
    def name(self) -> str:
        """System and data set in one line."""
        return f"{self.system}, {self.dataset}"

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """S: 1 where P ≥ ε; items × detectors × sides."""
        return np.asarray(self.probabilities >= self.epsilon, dtype=np.int64)

    @cached_property
    def votes(self) -> Votes:
        """M of every pair, and who agreed."""
        return vote(self.labels)

    def frame(self) -> pl.DataFrame:
        """A row per pair, with everything that is known of it."""
        columns: dict[str, object] = {"item": self.items, "s1": self.source, "s2": self.varied}
        columns |= {"f(s1)": self.output, "f(s2)": self.varied_output}
        columns |= {"M": [OUTCOMES[i] for i in self.votes.outcomes]}
        columns |= {"system": [self.system] * len(self), "data": [self.dataset] * len(self)}
        scores = {"chrF̄2": self.chrf}
        for number, name in enumerate(short_names(self.detectors)):
            scores[name] = self.probabilities[:, number]
        for name, values in scores.items():
            columns |= {f"{name} before": values[:, 0], f"{name} after": values[:, 1]}
        return pl.DataFrame(columns)


def judged_runs(runs: Sequence[Run], epsilon: float) -> list[Judged]:
    """Every system on every data set; what was not translated is left out."""
    # The data set tells the same system of two runs apart.
    found = [_judged(s, epsilon) for s in sources(runs, with_runs=False) if not s.pole]
    if not any(map(len, found)):
        raise HyperbatonError("nothing was translated: there is nothing to report")
    return [judged for judged in found if len(judged)]


def _judged(source: Source, epsilon: float) -> Judged:
    metrics = [metric for metric in source.run.metrics if metric.startswith(DETECTOR)]
    if not metrics:
        raise HyperbatonError(f"{source.run.folder} has no detector: add one with --detector")
    rows, scores = read_sides(source, PARAPHRASE, (CHRF, BLEU, *metrics))
    texts = {name: tuple(rows[name].to_list()) for name in _TEXTS}
    return Judged(
        system=source.system,
        dataset=dataset_name(source),
        detectors=tuple(getattr(METRICS.parse(metric), "detector", metric) for metric in metrics),
        items=tuple(rows["item"].to_list()),
        **texts,
        probabilities=np.stack([scores[metric] for metric in metrics], axis=1),
        chrf=scores[CHRF],
        bleu=scores[BLEU],
        gold=tuple(None if v is None else int(v) for v in rows["label"].to_list()),
        epsilon=epsilon,
        pair=str(source.pair),
    )
