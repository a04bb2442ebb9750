"""What two sentences have in common on the surface: numbers that do not depend on their order."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq, Levenshtein

from hyperbaton.detectors.detector import Pair
from hyperbaton.language.languages import base, writes_spaces
from hyperbaton.metrics import METRICS

__all__ = ["FEATURES", "features", "is_negation", "tokens"]

FEATURES = (
    "chrF",
    "BLEU",
    "jaccard",
    "same_bag",
    "length_difference",
    "only_in_longer",
    "only_in_shorter",
    "edit_distance",
    "common_subsequence",
    "inversions",
    "displacement",
    "exchanged",
    "numbers_differ",
    "numbers_inverted",
    "names_differ",
    "names_inverted",
    "negations_differ",
    "common_start",
    "common_end",
    "log_length",
    "trigram_cosine",
    "case_or_spacing_only",
)
"""The names of the columns, in order."""

_WORDS = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*")
_CHARACTERS = re.compile(r"\d+(?:[.,]\d+)*|[A-Za-zÀ-ɏ]+|[^\W\d_]")
_NEGATIONS = {
    "en": "no not never none nobody nothing neither nor without cannot",
    "de": "nicht kein keine keinen keinem keiner keines nie niemals nichts niemand ohne weder noch",
    "fr": "ne pas jamais rien personne aucun aucune sans ni non",
    "es": "no nunca jamás nada nadie ningún ninguno ninguna sin ni tampoco",
    "it": "non mai niente nulla nessuno nessuna senza né",
    "ru": "не нет никогда ничего никто без ни",
    "zh": "不 没 無 无 非 未",
    "ja": "な ず ぬ 不 無 非 未",
    "ko": "안 않 못 없",
}
FloatArray = NDArray[np.float64]


def features(pairs: Sequence[Pair], language: str) -> FloatArray:
    """One row a pair; the same row, to the last bit, when the two sentences change places."""
    ordered = [(min(pair), max(pair)) for pair in pairs]
    first, second = [a for a, _ in ordered], [b for _, b in ordered]
    chrf = METRICS.parse("chrF(symmetric=true)").sentence_scores(first, second)
    bleu = METRICS.parse("BLEU(symmetric=true)").for_language(language)
    scores = bleu.sentence_scores(first, second)
    rows = [_row(a, b, language) for a, b in ordered]
    return np.column_stack([chrf, scores, np.array(rows, dtype=np.float64)])


def _row(one: str, two: str, language: str) -> list[float]:
    cased, other_cased = tokens(one, language), tokens(two, language)
    a, b = ([w.casefold() for w in words] for words in (cased, other_cased))
    bag, other = Counter(a), Counter(b)
    extra = sorted(((bag - other).total(), (other - bag).total()))
    longest = max(len(a), len(b), 1)
    shared, places = _shared(a, b)
    moved = [abs(i - j) for i, j in enumerate(places)]
    numbers = ([w for w in words if w[0].isdigit()] for words in (a, b))
    names = (_names(words) for words in (cased, other_cased))
    no, other_no = (_negations(words, language) for words in (a, b))
    return [
        (bag & other).total() / max((bag | other).total(), 1),
        float(bag == other),
        (max(len(a), len(b)) - min(len(a), len(b))) / longest,
        extra[1] / longest,
        extra[0] / longest,
        Levenshtein.distance(a, b) / longest,
        LCSseq.similarity(a, b) / longest,
        _inverted(places),
        sum(moved) / max(shared, 1) ** 2,
        float(_is_exchange(a, b)),
        *_list_difference(*numbers),
        *_list_difference(*names),
        float(abs(no - other_no) % 2),
        _common_start(a, b) / longest,
        _common_start(a[::-1], b[::-1]) / longest,
        math.log(longest),
        _cosine(_trigrams(one), _trigrams(two)),
        float(a == b),
    ]


def tokens(text: str, language: str) -> list[str]:
    """Words and numbers without marks; characters where no spaces are written."""
    pattern = _WORDS if writes_spaces(language) else _CHARACTERS
    return pattern.findall(text)


def _names(words: Sequence[str]) -> list[str]:
    """Words with a capital that do not open the sentence: names, or German nouns."""
    return [word for word in words[1:] if word[0].isupper()]


def is_negation(word: str, language: str) -> bool:
    """Whether a word in small letters denies something."""
    return word in _negation_words(base(language))


def _negations(words: Sequence[str], language: str) -> int:
    return sum(is_negation(word, language) for word in words)


@lru_cache(maxsize=64)
def _negation_words(language: str) -> frozenset[str]:
    return frozenset(_NEGATIONS.get(language, "").split())


def _shared(a: Sequence[str], b: Sequence[str]) -> tuple[int, list[int]]:
    """The words both have, each paired with its next occurrence, and where they stand in b."""
    where: dict[str, list[int]] = {}
    for place, word in enumerate(b):
        where.setdefault(word, []).append(place)
    found = [where[word].pop(0) for word in a if where.get(word)]
    ranks = {place: rank for rank, place in enumerate(sorted(found))}
    return len(found), [ranks[place] for place in found]


def _inverted(places: Sequence[int]) -> float:
    """The share of pairs of words that stand the other way round."""
    total = len(places) * (len(places) - 1) // 2
    wrong = sum(places[i] < places[j] for i in range(len(places)) for j in range(i))
    return wrong / total if total else 0.0


def _list_difference(a: Sequence[str], b: Sequence[str]) -> tuple[float, float]:
    """How much of the lists differs as bags, and how much of what is shared is inverted."""
    bag, other = Counter(a), Counter(b)
    differs = 1 - (bag & other).total() / max((bag | other).total(), 1) if a or b else 0.0
    return differs, _inverted(_shared(a, b)[1])


def _is_exchange(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether the two differ in two places only, each of which has the other's word."""
    if len(a) != len(b):
        return False
    places = [i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y]
    return len(places) == 2 and (a[places[0]], a[places[1]]) == (b[places[1]], b[places[0]])


def _common_start(a: Sequence[str], b: Sequence[str]) -> int:
    for place, (x, y) in enumerate(zip(a, b, strict=False)):
        if x != y:
            return place
    return min(len(a), len(b))


def _trigrams(text: str) -> Counter[str]:
    padded = f"  {text.casefold()}  "
    return Counter(padded[i : i + 3] for i in range(len(padded) - 2))


def _cosine(one: Counter[str], two: Counter[str]) -> float:
    dot = sum(one[gram] * two[gram] for gram in sorted(one.keys() & two.keys()))
    size = sum(n * n for n in one.values()) * sum(n * n for n in two.values())
    return dot / math.sqrt(size)
