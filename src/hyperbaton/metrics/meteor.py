"""METEOR (Lavie and Agarwal 2007) by nltk: stems in many languages, synonyms in English."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import ClassVar, Protocol, Self, cast

import numpy as np

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.language.languages import base, name
from hyperbaton.metrics.metric import Level, Scores, Segments, SentenceMetric, versions
from hyperbaton.metrics.tokens import Tokens, settle, split

__all__ = ["METEOR"]


class _Stemmer(Protocol):
    def stem(self, word: str) -> str: ...


class _Thesaurus(Protocol):
    def synsets(self, word: str) -> Iterable[object]: ...


@dataclass(frozen=True)
class METEOR(SentenceMetric):
    """Matches of words, of their stems and of synonyms, less a penalty for every break in order.

    The stemmer is the language's own (Snowball), none where it has none. Synonyms are English and
    need `python -m nltk.downloader wordnet`; the signature says whether they were there.

    >>> METEOR().sentence_scores(["it guides the action"], ["it guided the actions"]).round(4)
    array([0.9922])
    """

    name: ClassVar[str] = "METEOR"
    percent: ClassVar[bool] = True

    language: str = "en"
    tokens: Tokens = "auto"
    alpha: float = 0.9
    beta: float = 3.0
    gamma: float = 0.5

    def for_language(self, language: str) -> Self:
        """With the stemmer and the tokenizer of the language."""
        return replace(self, language=language, tokens=settle(self.tokens, language))

    def score_each(self, segments: Segments) -> Scores:
        """nltk's score, each distinct text cut once and each distinct pair scored once."""
        library = need("nltk.translate.meteor_score", extra="nltk")
        score = cast(Callable[..., float], library.single_meteor_score)
        texts = list(dict.fromkeys([*segments.hypotheses, *segments.references]))
        tokens = settle(self.tokens, self.language)
        words = dict(zip(texts, split(texts, tokens, lowercase=True), strict=True))
        stemmer, thesaurus = _stemmer(self.language), _thesaurus(self.language)

        @cache
        def rate(hypothesis: str, reference: str) -> float:
            return score(
                words[reference],
                words[hypothesis],
                stemmer=stemmer,
                wordnet=thesaurus,
                alpha=self.alpha,
                beta=self.beta,
                gamma=self.gamma,
            )

        rated = map(rate, segments.hypotheses, segments.references)
        return np.fromiter(rated, np.float64, len(segments))

    def fields(self, level: Level) -> dict[str, str]:
        """The language's parts that were found, and nltk's version."""
        need("nltk", extra="nltk")
        return {
            "tok": settle(self.tokens, self.language),
            "stem": _stemmer_name(self.language) or "none",
            "synonyms": "none" if isinstance(_thesaurus(self.language), _Nothing) else "wordnet",
            **versions("nltk"),
        }


class _Nothing:
    """What stands in for a stemmer or thesaurus that a language does not have."""

    def stem(self, word: str) -> str:
        return word

    def synsets(self, word: str) -> Iterable[object]:
        return ()


class _Remembered:
    """A stemmer that stems each word once."""

    def __init__(self, stemmer: _Stemmer) -> None:
        self.stem = lru_cache(maxsize=1 << 16)(stemmer.stem)


def _stemmer_name(language: str) -> str | None:
    snowball = need("nltk.stem.snowball", extra="nltk").SnowballStemmer
    wanted = "norwegian" if base(language) in ("nb", "nn", "no") else name(language).lower()
    return wanted if wanted in snowball.languages else None


@cache
def _stemmer(language: str) -> _Stemmer:
    wanted = _stemmer_name(language)
    if wanted is None:
        return _Nothing()
    snowball = need("nltk.stem.snowball", extra="nltk").SnowballStemmer
    return cast(_Stemmer, _Remembered(snowball(wanted)))


@cache
def _thesaurus(language: str) -> _Thesaurus:
    if base(language) != "en":
        return _Nothing()
    wordnet = need("nltk.corpus", extra="nltk").wordnet
    try:
        wordnet.ensure_loaded()
    except LookupError:
        return _Nothing()
    except OSError as error:
        raise HyperbatonError(
            f"the installed WordNet is damaged ({error}): python -m nltk.downloader wordnet"
        ) from None
    return cast(_Thesaurus, wordnet)
