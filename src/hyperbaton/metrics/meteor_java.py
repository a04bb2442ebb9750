"""METEOR 1.5 (Denkowski and Lavie 2014): the authors' own program, run by Java."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from hyperbaton.base.errors import HyperbatonError, MissingExtra
from hyperbaton.language.languages import base
from hyperbaton.metrics.metric import Level, Metric, Scores, Segments, Statistics

__all__ = ["METEOR15"]

JAR = "METEOR_JAR"
_CODES = {"cs": "cz", "sv": "se", "nb": "no", "nn": "no"}
"""Where the program's code of a language is not the usual one."""
_WIDTH = 23


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


def _batches(lines: Iterable[str], size: int) -> Iterator[list[str]]:
    rest = iter(lines)
    while batch := list(islice(rest, size)):
        yield batch


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
        for batch in _batches(lines, 32):
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
