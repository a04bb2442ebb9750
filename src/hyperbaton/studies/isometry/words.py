"""The words of the study: what each outcome is called, and what terms mean."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["GLOSSARY", "MEANINGS"]

MEANINGS = {
    "[1,1]": ("isometric", "isometric"),
    "[0,0]": ("ambiguous", "ambiguous"),
    "[0,1]": ("made_equal", "type-1 anisometric: translation made them equal"),
    "[1,0]": ("broken_apart", "type-2 anisometric: translation broke them apart"),
    "∅": ("no_majority", "ambiguous: no majority"),
}
"""Each M as a name that can be typed, and in the paper's words."""
GLOSSARY: Mapping[str, str] = {
    "isometric": "The two sentences mean the same before translation, and so do the translations.",
    "broken apart": "They mean the same before translation, their translations do not.",
    "made equal": "They do not mean the same before translation, their translations do.",
    "both different": "They do not mean the same before translation, nor do their translations.",
    "no majority": "The detectors do not agree on what they are before and after.",
    "detector": "A program that says how likely it is that two sentences mean the same.",
    "S": "1 where a detector takes two sentences for paraphrases, else 0.",
    "M": "The labels before and after translation that most detectors give: [1,1] is isometric.",
    "chrF̄2": "How like two sentences are spelt, the same in both directions.",
}
