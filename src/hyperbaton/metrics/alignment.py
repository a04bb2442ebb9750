"""Words as single characters, so that rapidfuzz compares sequences of words as fast as strings."""

from __future__ import annotations

from typing import Literal

from hyperbaton.metrics.segments import Segments
from hyperbaton.metrics.tokens import Tokens, tokenise

__all__ = ["Unit", "strings"]

Unit = Literal["word", "char"]


def strings(
    segments: Segments, unit: Unit, tokens: Tokens, lowercase: bool = False
) -> tuple[list[str], list[str]]:
    """Hypotheses and references with one character for each unit."""
    if unit == "char":
        return list(segments.hypotheses), list(segments.references)
    from hyperbaton.metrics.kernels.texts import decode, intern

    pairs = intern(segments)
    coded = decode(tokenise(pairs.texts, tokens, lowercase))
    return (
        [coded[i] for i in pairs.hypotheses.tolist()],
        [coded[i] for i in pairs.references.tolist()],
    )
