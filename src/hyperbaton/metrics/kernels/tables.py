"""The class of every character, for each tokenizer that the automaton of `tokenise` can run."""

from __future__ import annotations

import sys
from functools import cache

import numpy as np
import numpy.typing as npt

from hyperbaton.metrics.kernels.characters import WHITE
from hyperbaton.metrics.kernels.tokenise import ALONE, DASH, DIGIT, MARK, OTHER, SPACE

__all__ = ["TABLES", "Classes", "mteval", "table"]

Classes = npt.NDArray[np.uint8]

# Read as sacreBLEU compares them: it writes the two supplementary ranges with four-digit escapes,
# so that they become U+2001..U+2A6D and U+2F81..U+2FA1 and the ideographs beyond U+FFFF are words.
_CHINESE = (
    *((0x3400, 0x4DB5), (0x4E00, 0x9FA5), (0x9FA6, 0x9FBB), (0xF900, 0xFA2D), (0xFA30, 0xFA6A)),
    *((0xFA70, 0xFAD9), (0x2001, 0x2A6D), (0x2F81, 0x2FA1), (0xFF00, 0xFFEF), (0x2E80, 0x2EFF)),
    *((0x3000, 0x303F), (0x31C0, 0x31EF), (0x2F00, 0x2FDF), (0x2FF0, 0x2FFF), (0x3100, 0x312F)),
    *((0x31A0, 0x31BF), (0xFE10, 0xFE1F), (0xFE30, 0xFE4F), (0x2600, 0x26FF), (0x2700, 0x27BF)),
    *((0x3200, 0x32FF), (0x3300, 0x33FF)),
)
_ALONE = '{|}~[\\]^_`!"#$%&()*+:;<=>?@/'


def _blank() -> Classes:
    classes = np.full(sys.maxunicode + 1, OTHER, np.uint8)
    classes[WHITE] = SPACE
    return classes


def mteval() -> Classes:
    """mteval-v13a: punctuation apart, full stops, commas and dashes by the digits beside them."""
    classes = _blank()
    classes[[ord(c) for c in _ALONE]] = ALONE
    classes[[ord(c) for c in ".,"]] = MARK
    classes[[ord(c) for c in "0123456789"]] = DIGIT
    classes[ord("-")] = DASH
    return classes


def _chinese() -> Classes:
    classes = mteval()
    for first, last in _CHINESE:
        classes[first : last + 1] = ALONE
    classes[WHITE] = SPACE
    return classes


def _international() -> Classes:
    import regex

    classes = _blank()
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    for kind, pattern in ((MARK, r"\p{P}"), (ALONE, r"\p{S}"), (DIGIT, r"\p{N}")):
        classes[[m.start() for m in regex.finditer(pattern, everything)]] = kind
    return classes


def _characters() -> Classes:
    classes = np.full(sys.maxunicode + 1, ALONE, np.uint8)
    classes[WHITE] = SPACE
    return classes


def _chrf_words() -> Classes:
    classes = _blank()
    classes[[ord(c) for c in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"]] = MARK
    return classes


TABLES = {
    "none": _blank,
    "13a": mteval,
    "zh": _chinese,
    "intl": _international,
    "char": _characters,
    "chrF words": _chrf_words,
}


@cache
def table(name: str) -> Classes:
    """The classes of one tokenizer, made once."""
    return TABLES[name]()
