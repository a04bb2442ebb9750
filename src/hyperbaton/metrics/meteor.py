"""METEOR: that of 2007 by nltk, and version 1.5 by the authors' own program, run by Java.

nltk has stems in many languages, synonyms in English and one set of weights (Lavie and Agarwal
2007); 1.5 has tuned weights and paraphrases (Denkowski and Lavie 2014). Do not compare the two.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar, Self, cast

import numpy as np

from hyperbaton.base.batches import batched
from hyperbaton.base.errors import HyperbatonError, MissingExtra, need
from hyperbaton.language.languages import base, name
from hyperbaton.metrics.metric import (
    Level,
    Metric,
    Scores,
    Segments,
    SentenceMetric,
    Statistics,
    versions,
)
from hyperbaton.metrics.tokens import Tokens, settle, split

_NO_STEMS = SimpleNamespace(stem=lambda word: word)
_NO_SYNONYMS = SimpleNamespace(synsets=lambda word: ())
"""What nltk is given for a language that has none."""
JAR = "METEOR_JAR"
_CODES = {"cs": "cz", "sv": "se", "nb": "no", "nn": "no"}
"""Where the program's code of a language is not the usual one."""
_WIDTH = 23


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
            "synonyms": "none" if _thesaurus(self.language) is _NO_SYNONYMS else "wordnet",
            **versions("nltk"),
        }


def _stemmer_name(language: str) -> str | None:
    snowball = need("nltk.stem.snowball", extra="nltk").SnowballStemmer
    wanted = "norwegian" if base(language) in ("nb", "nn", "no") else name(language).lower()
    return wanted if wanted in snowball.languages else None


@cache
def _stemmer(language: str) -> object:
    """The stemmer of a language, which stems each word once."""
    wanted = _stemmer_name(language)
    if wanted is None:
        return _NO_STEMS
    snowball = need("nltk.stem.snowball", extra="nltk").SnowballStemmer(wanted)
    return SimpleNamespace(stem=lru_cache(maxsize=1 << 16)(snowball.stem))


@cache
def _thesaurus(language: str) -> object:
    if base(language) != "en":
        return _NO_SYNONYMS
    wordnet = need("nltk.corpus", extra="nltk").wordnet
    try:
        wordnet.ensure_loaded()
    except LookupError:
        return _NO_SYNONYMS
    except OSError as error:
        raise HyperbatonError(
            f"the installed WordNet is damaged ({error}): python -m nltk.downloader wordnet"
        ) from None
    return wordnet


@dataclass(frozen=True)
class METEOR15(Metric):
    """METEOR with tuned weights, paraphrase tables and function words of the language.

    The environment variable METEOR_JAR names meteor-1.5.jar; without it the copy that the package
    pycocoevalcap brings is used.
    """

    name: ClassVar[str] = "METEOR-1.5"
    percent: ClassVar[bool] = True

    language: str = "en"

    def for_language(self, language: str) -> Self:
        """With the parameters of the language."""
        return replace(self, language=language)

    def measure(self, segments: Segments) -> Statistics:
        """The program's 23 statistics of each pair."""
        asked = (
            f"SCORE ||| {_line(reference)} ||| {_line(hypothesis)}"
            for hypothesis, reference in zip(segments.hypotheses, segments.references, strict=True)
        )
        rows = [[float(number) for number in answer.split()] for answer in self._ask(asked, 1)]
        return _summable(np.array(rows, np.float64).reshape(-1, _WIDTH))

    def from_statistics(self, statistics: Statistics, level: Level) -> Scores:
        """The program's score of each row."""
        rows = statistics.reshape(-1, _WIDTH).tolist()
        asked = (f"EVAL ||| {' '.join(map(str, row))}" for row in rows)
        scores = [float(answer) for answer in self._ask(asked, 2)]
        return np.array(scores, np.float64).reshape(statistics.shape[:-1])

    def _ask(self, lines: Iterable[str], answers: int) -> Iterator[str]:
        code = base(self.language)
        return _program(_jar(), _CODES.get(code, code)).ask(lines, answers)

    def fields(self, level: Level) -> dict[str, str]:
        """The program's version and options."""
        return {"options": f"-l {self.language} -norm", "meteor": "1.5"}


def _summable(rows: Statistics) -> Statistics:
    """A text that matches whole and in order has no break; its one chunk must not add up."""
    whole = (rows[:, 20] == 1) & (rows[:, 21] == rows[:, 0]) & (rows[:, 22] == rows[:, 1])
    rows[whole, 20] = 0
    return rows


def _line(text: str) -> str:
    """A text that cannot be taken for two lines or two fields."""
    return " ".join(text.replace("|||", "| | |").split())


def _jar() -> Path:
    if shutil.which("java") is None:
        raise MissingExtra("METEOR-1.5 needs Java: install a Java runtime, or use METEOR (nltk)")
    named = os.environ.get(JAR)
    if named is None:
        package = find_spec("pycocoevalcap")
        places = (package.submodule_search_locations or []) if package else []
        found = [Path(place) / "meteor" / "meteor-1.5.jar" for place in places]
        if not found:
            raise MissingExtra(
                f"METEOR 1.5 is not installed: set {JAR} to the path of meteor-1.5.jar, "
                "or pip install pycocoevalcap (English only)"
            )
        return found[0]
    if not Path(named).is_file():
        raise HyperbatonError(f"{JAR} is '{named}', which is not a file: give meteor-1.5.jar")
    return Path(named)


class _Program:
    """The running program: one line in, one or two lines out."""

    def __init__(self, jar: Path, language: str) -> None:
        command = ["java", "-Xmx2G", "-jar", str(jar), "-", "-", "-stdio", "-l", language, "-norm"]
        self._language = language
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env={**os.environ, "JAVA_TOOL_OPTIONS": "-Dfile.encoding=UTF-8"},
        )

    def ask(self, lines: Iterable[str], answers: int) -> Iterator[str]:
        """The last of the answers to each line; few lines at once, so that no pipe fills up."""
        assert self._process.stdin
        assert self._process.stdout
        for batch in batched(lines, 32):
            try:
                self._process.stdin.write("".join(f"{line}\n" for line in batch))
                self._process.stdin.flush()
            except BrokenPipeError:
                raise self._fault() from None
            for _ in batch:
                for _ in range(answers):
                    answer = self._process.stdout.readline()
                if not answer:
                    raise self._fault()
                yield answer

    def _fault(self) -> HyperbatonError:
        said = self._process.communicate()[1].strip().splitlines()
        _program.cache_clear()
        reason = next((x for x in said if not x.startswith("Picked up")), "no reason given")
        reason = reason.rpartition("Exception: ")[2]
        return HyperbatonError(f"METEOR 1.5 stopped for language '{self._language}': {reason}")


@cache
def _program(jar: Path, language: str) -> _Program:
    return _Program(jar, language)
