"""Predictions in the published JSON form.

One object, its keys the ids: `sentence_original` and `sentence_paraphrase` with `source` and
`target`, `gold_label`, `chrf_bar_*`, `bleu_bar_*` (0-100) and `<detector>_source`,
`<detector>_target` with each detector's probability.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from hyperbaton.base.content import read_json
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics import METRICS
from hyperbaton.studies.isometry.samples import SIDES, PairSamples, pair_samples
from hyperbaton.studies.isometry.study import BLEU, CHRF
from hyperbaton.studies.layer.aggregate import Floats
from hyperbaton.systems.faults import has_words, is_blank

_KNOWN = {CHRF: ("chrf_bar", 1), BLEU: ("bleu_bar", 100)}
"""The similarities that a file may hold, and what they are at most."""
# As the paper has it: no smoothing, so that a pair without a common 4-gram has 0.
_COMPUTED = {CHRF: CHRF, BLEU: "BLEU(smooth=none, tokens=13a, symmetric=true)"}


def read_recorded(path: Path, epsilon: float = 0.5) -> PairSamples:
    """Read a file of predictions; similarities that it lacks are computed from its texts.

    The name of the file, `system.dataset….json`, names system and data set.
    """
    rows = _Rows(path)
    columns = list(next(iter(rows.by_id.values())))
    known = [name for name, _ in _KNOWN.values()]
    names = [name.removesuffix("_source") for name in columns if name.endswith("_source")]
    detectors = [n for n in names if n not in known and f"{n}_target" in columns]
    if not detectors:
        raise HyperbatonError(
            f"{path} holds no detector: columns NAME_source and NAME_target are needed"
        )
    texts = {
        column: rows.texts(f"sentence_{which}", side)
        for column, which, side in (
            ("source", "original", "source"),
            ("varied", "paraphrase", "source"),
            ("output", "original", "target"),
            ("varied_output", "paraphrase", "target"),
        )
    }
    chances = {name: rows.sides(name) for name in detectors}
    if not all(((values >= 0) & (values <= 1)).all() for values in chances.values()):
        raise HyperbatonError(f"{path}: a probability lies outside of 0 to 1")
    similar = {metric: _similarity(rows, metric, texts) for metric in _KNOWN}
    lost = [
        any(is_blank(text) and has_words(of) for text, of in ((y, x), (y2, x2)))
        for x, x2, y, y2 in zip(*texts.values(), strict=True)
    ]
    if all(lost):
        raise HyperbatonError(f"{path}: every translation is empty, so there is nothing to judge")
    kept = ~np.array(lost)
    frame = pl.DataFrame(
        {"item": list(rows.by_id), **texts, "label": rows.labels("gold_label")},
        schema_overrides={"label": pl.Int64},
    )
    system, _, dataset = path.name.removesuffix(".json").partition(".")
    return pair_samples(
        frame.filter(kept),
        {metric: values[kept] for metric, values in similar.items()},
        {name: values[kept] for name, values in chances.items()},
        system,
        dataset or "recorded",
        epsilon=epsilon,
        failed=sum(lost),
    )


def _similarity(rows: _Rows, metric: str, texts: dict[str, list[str]]) -> Floats:
    """One similarity of both sides in [0, 1], as recorded or computed: rows × sides."""
    wanted = [f"{name}_{side}" for name, _ in _KNOWN.values() for side in SIDES]
    if all(name in row for row in rows.by_id.values() for name in wanted):
        name, most = _KNOWN[metric]
        return rows.sides(name) / most
    scorer = METRICS.parse(_COMPUTED[metric])
    sides = (("source", "varied"), ("output", "varied_output"))
    return np.stack([scorer.sentence_scores(texts[a], texts[b]) for a, b in sides], axis=1)


class _Rows:
    """The rows of a file by their ids; what is missing is told with its place."""

    def __init__(self, path: Path) -> None:
        self.path = path
        content = read_json(path)
        rows = content if isinstance(content, dict) else {}
        if not rows or not all(isinstance(row, dict) for row in rows.values()):
            raise HyperbatonError(
                f"{path}: an object of id → prediction is needed, with at least one"
            )
        self.by_id: dict[str, dict[str, object]] = rows

    def texts(self, part: str, name: str) -> list[str]:
        """The text under `part` → `name` of every row."""
        texts = []
        for key, row in self.by_id.items():
            inner = row.get(part)
            text = inner.get(name) if isinstance(inner, dict) else None
            if not isinstance(text, str):
                raise HyperbatonError(f"{self.path}, '{key}': no text under {part} → {name}")
            texts.append(text)
        return texts

    def sides(self, name: str) -> Floats:
        """The numbers under a name of every row: rows × sides."""
        return np.array([self._numbers(f"{name}_{side}") for side in SIDES]).T

    def _numbers(self, name: str) -> list[float]:
        values = []
        for key, row in self.by_id.items():
            value = row.get(name)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise HyperbatonError(f"{self.path}, '{key}': no number under {name}")
            try:
                values.append(float(value))
            except OverflowError:
                raise HyperbatonError(f"{self.path}, '{key}': {name} is too large") from None
        return values

    def labels(self, name: str) -> list[int | None]:
        """0, 1 or nothing under a name of every row."""
        for key, row in self.by_id.items():
            if row.get(name) not in (0, 1, None):
                raise HyperbatonError(f"{self.path}, '{key}': {name} is 0 or 1, not {row[name]}")
        values = (row.get(name) for row in self.by_id.values())
        return [None if value is None else int(bool(value)) for value in values]
