"""Predictions in the published JSON form, read and written.

One object, its keys the ids: `sentence_original` and `sentence_paraphrase` with `source` and
`target`, `gold_label`, `chrf_bar_*`, `bleu_bar_*` (0-100) and `<detector>_source`,
`<detector>_target` with each detector's probability.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from hyperbaton.base.content import read_json
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import write_text
from hyperbaton.metrics import METRICS
from hyperbaton.studies.isometry.samples import SIDES, Judged
from hyperbaton.studies.layer.aggregate import Floats
from hyperbaton.systems.faults import has_words, is_blank

__all__ = ["KeyedRows", "read_recorded", "write_recorded"]


_TEXTS = ("sentence_original", "sentence_paraphrase")
_KNOWN = ("chrf_bar", "bleu_bar")
_CHRF = "chrF(symmetric=true)"
# As the paper has it: no smoothing, so that a pair without a common 4-gram has 0.
_BLEU = "BLEU(smooth=none, tokens=13a, symmetric=true)"
Texts = dict[str, tuple[str, ...]]


def read_recorded(path: Path, epsilon: float = 0.5) -> Judged:
    """Read a file of predictions; similarities that it lacks are computed from its texts.

    The name of the file, `system.dataset….json`, names system and data set.
    """
    rows = KeyedRows(path)
    names = [name.removesuffix("_source") for name in rows.columns if name.endswith("_source")]
    detectors = tuple(n for n in names if n not in _KNOWN and f"{n}_target" in rows.columns)
    if not detectors:
        raise HyperbatonError(
            f"{path} holds no detector: columns NAME_source and NAME_target are needed"
        )
    first, second = ({side: rows.texts(part, side) for side in SIDES} for part in _TEXTS)
    probabilities = [[rows.numbers(f"{name}_{side}") for side in SIDES] for name in detectors]
    chances = np.transpose(np.array(probabilities), (2, 0, 1))
    if not ((chances >= 0) & (chances <= 1)).all():
        raise HyperbatonError(f"{path}: a probability lies outside of 0 to 1")
    chrf, bleu = _similarities(rows, first, second)
    kept = [place for place in range(len(rows.rows)) if not _is_lost(first, second, place)]
    if not kept:
        raise HyperbatonError(f"{path}: every translation is empty, so there is nothing to judge")
    items, gold = tuple(rows.rows), rows.labels("gold_label")
    system, _, dataset = path.name.removesuffix(".json").partition(".")
    return Judged(
        system=system,
        dataset=dataset or "recorded",
        detectors=detectors,
        items=tuple(items[place] for place in kept),
        source=tuple(first["source"][place] for place in kept),
        varied=tuple(second["source"][place] for place in kept),
        output=tuple(first["target"][place] for place in kept),
        varied_output=tuple(second["target"][place] for place in kept),
        probabilities=chances[kept],
        chrf=chrf[kept],
        bleu=bleu[kept],
        gold=tuple(gold[place] for place in kept),
        epsilon=epsilon,
        failed=len(items) - len(kept),
    )


def _is_lost(first: Texts, second: Texts, place: int) -> bool:
    """Whether a translation of a pair is empty though its sentence has words."""
    return any(
        is_blank(texts["target"][place]) and has_words(texts["source"][place])
        for texts in (first, second)
    )


def _similarities(rows: KeyedRows, first: Texts, second: Texts) -> tuple[Floats, Floats]:
    """chrF̄2 and symmetric BLEU of both sides: two arrays of items × sides, in [0, 1]."""
    wanted = [f"{name}_{side}" for name in _KNOWN for side in SIDES]
    if rows.have(wanted):
        columns = np.array([rows.numbers(name) for name in wanted])
        return columns[:2].T, columns[2:].T / 100
    chrf, bleu = (
        np.stack([METRICS.parse(m).sentence_scores(first[s], second[s]) for s in SIDES], axis=1)
        for m in (_CHRF, _BLEU)
    )
    return chrf, bleu


def write_recorded(path: Path, judged: Judged) -> None:
    """Write a file that `read_recorded`, or whoever reads the published ones, can read."""
    rows: dict[str, dict[str, object]] = {}
    for i, item in enumerate(judged.items):
        row: dict[str, object] = {
            "sentence_original": {"source": judged.source[i], "target": judged.output[i]},
            "sentence_paraphrase": {"source": judged.varied[i], "target": judged.varied_output[i]},
            "gold_label": judged.gold[i] if judged.gold else None,
        }
        for name, values, scale in (("chrf", judged.chrf, 1), ("bleu", judged.bleu, 100)):
            row |= {f"{name}_bar_{s}": float(values[i, j]) * scale for j, s in enumerate(SIDES)}
            row[f"{name}_bar_mean"] = float(values[i].mean()) * scale
        for k, detector in enumerate(judged.detectors):
            chances = judged.probabilities[i, k]
            row |= {f"{detector}_{s}": float(chances[j]) for j, s in enumerate(SIDES)}
        rows[item] = row
    write_text(path, json.dumps(rows, ensure_ascii=False))


class KeyedRows:
    """The rows of a file by their ids."""

    def __init__(self, path: Path) -> None:
        self.path = path
        found = read_json(path)
        rows = found if isinstance(found, dict) else {}
        if not rows or not all(isinstance(row, dict) for row in rows.values()):
            raise HyperbatonError(
                f"{path}: an object of id → prediction is needed, with at least one"
            )
        self.rows: Mapping[str, Mapping[str, object]] = rows

    @property
    def columns(self) -> Sequence[str]:
        """The names in the first row."""
        return list(next(iter(self.rows.values())))

    def have(self, names: Sequence[str]) -> bool:
        """Whether every row has all of these."""
        return all(name in row for row in self.rows.values() for name in names)

    def texts(self, part: str, name: str) -> tuple[str, ...]:
        """The text under `part` → `name` of every row."""
        texts = []
        for key, row in self.rows.items():
            inner = row.get(part)
            text = inner.get(name) if isinstance(inner, dict) else None
            if not isinstance(text, str):
                raise HyperbatonError(f"{self.path}, '{key}': no text under {part} → {name}")
            texts.append(text)
        return tuple(texts)

    def numbers(self, name: str) -> list[float]:
        """The number under a name of every row."""
        values = []
        for key, row in self.rows.items():
            value = row.get(name)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise HyperbatonError(f"{self.path}, '{key}': no number under {name}")
            try:
                values.append(float(value))
            except OverflowError:
                raise HyperbatonError(f"{self.path}, '{key}': {name} is too large") from None
        return values

    def labels(self, name: str) -> tuple[int | None, ...]:
        """0, 1 or nothing under a name of every row."""
        for key, row in self.rows.items():
            if row.get(name) not in (0, 1, None):
                raise HyperbatonError(f"{self.path}, '{key}': {name} is 0 or 1, not {row[name]}")
        values = (row.get(name) for row in self.rows.values())
        return tuple(None if value is None else int(bool(value)) for value in values)
