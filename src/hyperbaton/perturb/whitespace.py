"""Surface variants of white space; they do not apply to a text that has none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.randomness import Rng
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb.perturbation import Rewriting

__all__ = ["Whitespace"]

_GAPS = {
    "double": "  ",
    "nobreak": "\u00a0",
    "thin": "\u2009",
    "tab": "\t",
    "missing": "",
}


@dataclass(frozen=True)
class Whitespace(Rewriting):
    """Spaces changed, each with probability p and one at least, or added at both ends.

    >>> text = Sentence.from_words(["Look", "at", "me!"], "en")
    >>> Whitespace().rewrite(text, Rng(0, "1", "whitespace"))
    'Look  at  me!'
    >>> Whitespace(kind="missing", p=0.1).rewrite(text, Rng(0, "1", "1"))
    'Look atme!'
    """

    name = "whitespace"
    kind: Literal["double", "nobreak", "thin", "tab", "missing", "ends"] = "double"
    p: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.p <= 1:
            raise HyperbatonError(f"whitespace: p must be above 0 and at most 1, not {self.p}")

    @property
    def random(self) -> bool:
        """Whether two draws may differ."""
        return self.p < 1 and self.kind != "ends"

    def rewrite(self, sentence: Sentence, rng: Rng) -> str | None:
        text = sentence.text
        if self.kind == "ends":
            return f" {text} " if text else None
        words = re.split(" ", text)
        gaps = len(words) - 1
        if not gaps:
            return None
        coins = rng.coins(self.p, gaps)
        if not any(coins):
            coins[rng.below(gaps)] = True
        changed = _GAPS[self.kind]
        ends = [changed if coin else " " for coin in coins]
        return "".join(word + end for word, end in zip(words, [*ends, ""], strict=True))
