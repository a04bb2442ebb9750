"""Predictions in the published JSON form, read and written.

One object, its keys the ids: `sentence_original` and `sentence_paraphrase` with `source` and
`target`, `gold_label`, `chrf_bar_*`, `bleu_bar_*` (0-100) and `<detector>_source`,
`<detector>_target` with each detector's probability.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hyperbaton.errors import HyperbatonError
from hyperbaton.files import write_text
from hyperbaton.studies.isometry.judged import SIDES, Judged
from hyperbaton.studies.isometry.surface import surface

__all__ = ["read_recorded", "write_recorded"]

_TEXTS = ("sentence_original", "sentence_paraphrase")
_KNOWN = ("chrf_bar", "bleu_bar")
Row = Mapping[str, object]


def read_recorded(path: Path, epsilon: float = 0.5) -> Judged:
    """Read a file of predictions; similarities that it lacks are computed from its texts.

    The name of the file, `system.dataset….json`, names system and data set.
    """
    rows = _rows(path)
    detectors = _detectors(rows, path)
    first, second = ({side: _text(rows, part, side, path) for side in SIDES} for part in _TEXTS)
    probabilities = [[_column(rows, f"{d}_{side}", path) for side in SIDES] for d in detectors]
    chances = np.transpose(np.array(probabilities), (2, 0, 1))
    if not ((chances >= 0) & (chances <= 1)).all():
        raise HyperbatonError(f"{path}: a probability lies outside of 0 to 1")
    chrf, bleu = _similarities(rows, first, second, path)
    system, _, dataset = path.name.removesuffix(".json").partition(".")
    return Judged(
        system=system,
        dataset=dataset or "recorded",
        detectors=detectors,
        items=tuple(rows),
        source=first["source"],
        varied=second["source"],
        output=first["target"],
        varied_output=second["target"],
        probabilities=chances,
        chrf=chrf,
        bleu=bleu,
        gold=tuple(_gold(row.get("gold_label"), key, path) for key, row in rows.items()),
        epsilon=epsilon,
    )


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
            row |= {
                f"{detector}_{s}": float(judged.probabilities[i, k, j]) for j, s in enumerate(SIDES)
            }
        rows[item] = row
    write_text(path, json.dumps(rows, ensure_ascii=False))


def _rows(path: Path) -> dict[str, Row]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise HyperbatonError(f"there is no file {path}") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise HyperbatonError(f"{path} is not JSON: {error}") from None
    if not (isinstance(found, dict) and found and all(isinstance(r, dict) for r in found.values())):
        raise HyperbatonError(f"{path}: an object of id → prediction is needed, with at least one")
    return found


def _detectors(rows: Mapping[str, Row], path: Path) -> tuple[str, ...]:
    names = [key.removesuffix("_source") for key in next(iter(rows.values()))]
    first = next(iter(rows.values()))
    found = tuple(
        n for n in names if n not in _KNOWN and {f"{n}_source", f"{n}_target"} <= set(first)
    )
    if not found:
        raise HyperbatonError(
            f"{path} holds no detector: columns NAME_source and NAME_target are needed"
        )
    return found


def _text(rows: Mapping[str, Row], part: str, side: str, path: Path) -> tuple[str, ...]:
    texts = []
    for key, row in rows.items():
        pair = row.get(part)
        text = pair.get(side) if isinstance(pair, dict) else None
        if not isinstance(text, str):
            raise HyperbatonError(f"{path}, '{key}': no text under {part} → {side}")
        texts.append(text)
    return tuple(texts)


def _column(rows: Mapping[str, Row], name: str, path: Path) -> list[float]:
    values = []
    for key, row in rows.items():
        value = row.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise HyperbatonError(f"{path}, '{key}': no number under {name}")
        values.append(float(value))
    return values


def _gold(value: object, key: str, path: Path) -> int | None:
    if value in (0, 1, None):
        return None if value is None else int(bool(value))
    raise HyperbatonError(f"{path}, '{key}': gold_label is 0 or 1, not {value}")


def _similarities(
    rows: Mapping[str, Row],
    first: Mapping[str, tuple[str, ...]],
    second: Mapping[str, tuple[str, ...]],
    path: Path,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    wanted = [f"{name}_{side}" for name in _KNOWN for side in SIDES]
    if all(_has(row, wanted) for row in rows.values()):
        columns = np.array([_column(rows, name, path) for name in wanted])
        return columns[:2].T, columns[2:].T / 100
    return surface([(first[side], second[side]) for side in SIDES])


def _has(row: Row, names: Iterable[str]) -> bool:
    return all(name in row for name in names)
