"""How `hyperbaton score` prints: sacreBLEU's line, its JSON, or a table for a paper."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hyperbaton import __version__
from hyperbaton.base.wording import decimal
from hyperbaton.metrics import Metric
from hyperbaton.stats import Estimate

__all__ = ["FORMATS", "Result", "rounded", "scale", "sentences_as_json"]


@dataclass(frozen=True)
class Result:
    """One corpus score of one system, on the scale it is printed on."""

    system: str
    metric: Metric
    factor: int
    fields: Mapping[str, str] = field(default_factory=dict)
    score: float = 0.0
    estimate: Estimate | None = None
    p: float | None = None
    bootstrap: str = ""

    def with_score(self, score: float) -> Result:
        """The score alone."""
        return replace(self, score=score)

    def with_estimate(self, found: Estimate, p: float | None, bootstrap: str) -> Result:
        """The score with its interval, and the test of its difference from the first system."""
        return replace(self, score=found.value, estimate=found, p=p, bootstrap=bootstrap)

    @property
    def signature(self) -> str:
        """The metric's own, and how the interval was drawn."""
        own = self.metric.signature("corpus")
        return f"{own}|{self.bootstrap}" if self.bootstrap else own


def scale(metric: Metric, wanted: int) -> int:
    """What scores are multiplied by: only those that the field prints on a scale of 0 to 100."""
    return wanted if metric.percent else 1


def rounded(score: float, factor: int, digits: int | None) -> str:
    """A score as it is printed."""
    default = 1 if factor == 100 else 3
    return decimal(score, f".{default if digits is None else digits}f")


def _interval(result: Result, digits: int | None) -> str:
    found = result.estimate
    if found is None:
        return ""
    if math.isnan(found.interval.low):
        return " (no interval)"
    low, high = (
        rounded(end, result.factor, digits) for end in (found.interval.low, found.interval.high)
    )
    return f" [{low}, {high}]"


def _as_text(results: Sequence[Result], digits: int | None) -> str:
    several = len({result.system for result in results}) > 1
    lines = []
    for result in results:
        head = f"{result.system}: " if several else ""
        score = rounded(result.score, result.factor, digits)
        test = "" if result.p is None else f" (p = {decimal(result.p, '.4f')} against the first)"
        lines.append(f"{head}{result.signature} = {score}{_interval(result, digits)}{test}")
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
    systems = list(dict.fromkeys(result.system for result in results))
    metrics = list(dict.fromkeys(result.metric for result in results))
    cells = {
        (result.system, result.metric): rounded(result.score, result.factor, digits)
        + _interval(result, digits)
        for result in results
    }
    signatures = dict.fromkeys(f"% {result.signature}" for result in results)
    return "\n".join(
        [
            *signatures,
            f"\\begin{{tabular}}{{l{'r' * len(metrics)}}}",
            r"\toprule",
            " & ".join(["system", *(_escaped(str(metric)) for metric in metrics)]) + r" \\",
            r"\midrule",
            *(
                " & ".join([_escaped(system), *(cells[system, metric] for metric in metrics)])
                + r" \\"
                for system in systems
            ),
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _escaped(text: str) -> str:
    return "".join(
        rf"\char{ord(mark)}{{}}" if mark in "\\^~" else "\\" * (mark in "&%$#_{}") + mark
        for mark in text
    )


def sentences_as_json(
    columns: Sequence[tuple[str, Metric, int, list[float]]], digits: int | None
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
        for system, metric, _, scores in columns
    ]
    return json.dumps(entries[0] if len(entries) == 1 else entries, ensure_ascii=False)


FORMATS: dict[str, Callable[[Sequence[Result], int | None], str]] = {
    "text": _as_text,
    "json": _as_json,
    "latex": _as_latex,
}
