"""BLEU (Papineni et al. 2002), of sentences and corpora, as sacreBLEU and the papers compute it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics.metric import Level, Metric, Scores, Segments, Statistics, versions
from hyperbaton.metrics.tokens import Tokens, settle, tokenise

if TYPE_CHECKING:
    from hyperbaton.metrics.kernels.ngrams import Counts

Flags = npt.NDArray[np.bool_]

_SMOOTH_VALUES = {"floor": 0.1, "add-k": 1.0}


@dataclass(frozen=True)
class BLEU(Metric):
    """Clipped n-gram precision with a brevity penalty.

    `effective=auto` leaves out the orders a text is too short for at sentence level, as sacreBLEU
    does. `convention=paper` is nltk's unsmoothed BLEU with the translation as the reference.

    >>> BLEU().sentence_scores(["the cat sat on a mat"], ["the cat sat on the mat"]).round(4)
    array([0.5373])
    >>> BLEU(convention="paper").sentence_scores(["so it is"], ["so it is"])
    array([0.])
    """

    name: ClassVar[str] = "BLEU"
    percent: ClassVar[bool] = True

    order: int = 4
    smooth: Literal["none", "floor", "add-k", "exp"] = "exp"
    value: float | None = None
    tokens: Tokens = "auto"
    effective: Literal["auto", "yes", "no"] = "auto"
    lowercase: bool = False
    symmetric: bool = False
    convention: Literal["default", "paper"] = "default"

    def __post_init__(self) -> None:
        if self.order < 1:
            raise HyperbatonError(f"'{self}': order must be 1 or more")
        if self.convention == "paper" and (self.smooth not in ("exp", "none") or self.value):
            raise HyperbatonError(f"'{self}': the paper's BLEU is unsmoothed; leave smooth out")

    def for_language(self, language: str) -> Self:
        """With the tokenizer of the language, where none is named."""
        return replace(self, tokens=settle(self.tokens, language))

    def measure(self, segments: Segments) -> Statistics:
        """As sacreBLEU: lengths of hypothesis and reference, matches by order, n-grams by order."""
        from hyperbaton.metrics.kernels.ngrams import counts
        from hyperbaton.metrics.kernels.texts import intern

        pairs = intern(segments)
        found = counts(pairs, tokenise(pairs.texts, self.tokens, self.lowercase), self.order)
        if self.convention == "paper":
            found = found.swapped()
        if not self.symmetric:
            return _rows(found)
        return np.concatenate([_rows(found), _rows(found.swapped())], axis=-1)

    def from_statistics(self, statistics: Statistics, level: Level) -> Scores:
        """The score, or the mean of both directions."""
        if not self.symmetric:
            return self._one_way(statistics, level)
        there, back = np.split(statistics, 2, axis=-1)
        return (self._one_way(there, level) + self._one_way(back, level)) / 2

    def _one_way(self, statistics: Statistics, level: Level) -> Scores:
        matches = statistics[..., 2 : 2 + self.order]
        totals = statistics[..., 2 + self.order :]
        precisions, present = self._precisions(matches, totals)
        counted = present if self._is_effective(level) else np.ones_like(present)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(precisions, where=counted, out=np.zeros_like(precisions))
            mean = np.exp(logs.sum(axis=-1) / counted.sum(axis=-1))
            shortness = np.minimum(1 - statistics[..., 1] / statistics[..., 0], 0)
        return np.where(matches.any(axis=-1), np.exp(shortness) * mean, 0.0)

    def _precisions(self, matches: Statistics, totals: Statistics) -> tuple[Statistics, Flags]:
        """The smoothed precisions, and which orders come before the first that has no n-gram."""
        if self._smoothing == "add-k":
            extra = np.where(np.arange(self.order) > 0, self._value, 0.0)
            matches, totals = matches + extra, totals + extra
        present = np.logical_and.accumulate(totals > 0, axis=-1)
        missed = present & (matches == 0)
        if self._smoothing == "exp":
            matches = np.where(missed, 0.5 ** np.cumsum(missed, axis=-1), matches)
        elif self._smoothing == "floor":
            matches = np.where(missed, self._value, matches)
        precisions = np.divide(matches, totals, where=present, out=np.zeros_like(totals))
        return precisions, present

    @property
    def _smoothing(self) -> str:
        return "none" if self.convention == "paper" else self.smooth

    @property
    def _value(self) -> float:
        return _SMOOTH_VALUES.get(self.smooth, 0.0) if self.value is None else self.value

    def _is_effective(self, level: Level) -> bool:
        if self.effective == "auto":
            return level == "sentence" and self.convention == "default"
        return self.effective == "yes"

    def fields(self, level: Level) -> dict[str, str]:
        """sacreBLEU's own fields, and the roles where they are not the usual ones."""
        smooth = self._smoothing
        if smooth in _SMOOTH_VALUES:
            smooth = f"{smooth}[{self._value:.2f}]"
        roles = {"roles": "both"} if self.symmetric else {}
        if self.convention == "paper":
            roles = {"roles": "translation is the reference"}
        return {
            "nrefs": "1",
            "case": "lc" if self.lowercase else "mixed",
            "eff": "yes" if self._is_effective(level) else "no",
            "tok": settle(self.tokens),
            "smooth": smooth,
            "version": versions("sacrebleu")["sacrebleu"],
            **({} if self.order == 4 else {"order": str(self.order)}),
            **roles,
        }


def _rows(found: Counts) -> Statistics:
    lengths = np.stack([found.hypothesis_length, found.reference_length], axis=-1)
    return np.concatenate([lengths, found.matches, found.hypothesis], axis=-1)
