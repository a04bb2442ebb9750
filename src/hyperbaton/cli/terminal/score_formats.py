"""How `hyperbaton score` prints: sacreBLEU's line, its JSON, or a table for a paper."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hyperbaton import __version__
from hyperbaton.base.wording import decimal, decimal_bounds
from hyperbaton.metrics import Metric

if TYPE_CHECKING:  # loads scipy, which only an interval needs
    from hyperbaton.stats import Estimate


@dataclass(frozen=True)
class Result:
    """One corpus score of one system, on the scale it is printed on."""

    system: str
    metric: Metric
    signature: str
    """The metric's own, and how the interval was drawn."""
    score: float
    form: str
    """The number format of the score."""
    fields: Mapping[str, str] = field(default_factory=dict)
    estimate: Estimate | None = None
    p: float | None = None
    """Of the difference from the first system."""

    @property
    def text(self) -> str:
        """The score with its interval, where there is one."""
        score = decimal(self.score, self.form)
        if self.estimate is None:
            return score
        interval = self.estimate.interval
        return f"{score} {decimal_bounds(interval.low, interval.high, self.form)}"


def number_format(factor: int, digits: int | None) -> str:
    """One digit after the decimal point on the scale of 100 and three on that of 1, or `digits`."""
    return f".{(1 if factor == 100 else 3) if digits is None else digits}f"


def _as_text(results: Sequence[Result], digits: int | None) -> str:
    several = len({result.system for result in results}) > 1
    lines = []
    for result in results:
        head = f"{result.system}: " if several else ""
        test = "" if result.p is None else f" (p = {decimal(result.p, '.4f')} against the first)"
        lines.append(f"{head}{result.signature} = {result.text}{test}")
    return "\n".join(lines)


def _number(value: float, digits: int | None) -> float | None:
    if not math.isfinite(value):
        return None  # JSON has no NaN
    return value if digits is None else round(value, digits)


def _as_json(results: Sequence[Result], digits: int | None) -> str:
    entries = [_entry(result, digits) for result in results]
    return json.dumps(entries[0] if len(entries) == 1 else entries, indent=1, ensure_ascii=False)


def _entry(result: Result, digits: int | None) -> dict[str, str | float | None]:
    entry: dict[str, str | float | None] = {
        "name": str(result.metric),
        "system": result.system,
        "level": "corpus",
        "score": _number(result.score, digits),
        "signature": result.signature,
    }
    if result.estimate is not None:
        interval = result.estimate.interval
        entry |= {
            "confidence_mean": _number(result.estimate.mean, digits),
            "confidence_var": _number(interval.half_width, digits),
            "confidence_low": _number(interval.low, digits),
            "confidence_high": _number(interval.high, digits),
            "confidence_level": interval.level,
        }
    if result.p is not None:
        entry["p_value"] = result.p
    return {**entry, **result.fields, "hyperbaton": __version__}


def _as_latex(results: Sequence[Result], digits: int | None) -> str:
    from hyperbaton.report.files.latex import latex_text

    systems = list(dict.fromkeys(result.system for result in results))
    metrics = list(dict.fromkeys(result.metric for result in results))
    cells = {(result.system, result.metric): result.text for result in results}
    rows = [
        ["system", *(latex_text(str(metric)) for metric in metrics)],
        *([latex_text(one), *(cells[one, metric] for metric in metrics)] for one in systems),
    ]
    head, *body = [" & ".join(row) + r" \\" for row in rows]
    signatures = dict.fromkeys(f"% {result.signature}" for result in results)
    begin = rf"\begin{{tabular}}{{l{'r' * len(metrics)}}}"
    frame = [begin, r"\toprule", head, r"\midrule", *body, r"\bottomrule", r"\end{tabular}"]
    return "\n".join([*signatures, *frame])


def sentences_as_json(
    columns: Sequence[tuple[str, Metric, Sequence[float]]], digits: int | None
) -> str:
    """The sentence scores of each system and metric."""
    entries = [
        {
            "name": str(metric),
            "system": system,
            "level": "sentence",
            "signature": metric.signature("sentence"),
            "scores": [_number(score, digits) for score in scores],
        }
        for system, metric, scores in columns
    ]
    return json.dumps(entries[0] if len(entries) == 1 else entries, ensure_ascii=False)


FORMATS: dict[str, Callable[[Sequence[Result], int | None], str]] = {
    "text": _as_text,
    "json": _as_json,
    "latex": _as_latex,
}
