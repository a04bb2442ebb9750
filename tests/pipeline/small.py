"""A small corpus, and a translator that logs every text it is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

import pytest

from hyperbaton.corpus.item import Item
from hyperbaton.language.sentence import Sentence
from hyperbaton.pipeline import Items, Job, Pair, RunOptions
from hyperbaton.studies.wordorder import WordOrder

__all__ = ["FAKE", "STUDY", "corpus", "job", "job_of", "logged", "on_desk", "parts"]

STUDY = WordOrder(perturbations="reversed; wordShuffle")
FAKE = """
import os, time

def translate(texts):
    with open(os.environ["LOG"], "a") as log:
        log.write("".join(text + "\\n" for text in texts))
    time.sleep(float(os.environ.get("PAUSE", "0")))
    if os.environ.get("FAIL") and any(os.environ["FAIL"] in text for text in texts):
        raise ValueError("no such word")
    return [text.upper() for text in texts]
"""
WORDS = ("the", "old", "cat", "sleeps", "near", "a", "warm", "stove", "all", "day")


def _sentence(number: int, language: str) -> Sentence:
    size = 6 + number % 4
    words = [f"{word}{number}" if i == 2 else word for i, word in enumerate(WORDS[:size])]
    return Sentence.from_words([*words, "."], language)


def corpus(items: int = 40, languages: str = "en-de") -> Items:
    """Items of 7 to 10 words, each with a word of its own."""
    pair = Pair.parse(languages)
    rows = [
        Item(f"i{n}", _sentence(n, pair.source), _sentence(n + 1, pair.target))
        for n in range(items)
    ]
    return Items(pair, rows)


def job(folder: Path, **changes: object) -> Job:
    """A job on the small corpus, with its own store of translations."""
    settings: dict[str, object] = {
        "design": STUDY,
        "corpora": (corpus(),),
        "systems": ("python:fake:translate(batch=20)",),
        "metrics": ("Levenshtein",),
    }
    options: dict[str, object] = {"part": 16, "workers": 0, "cache": folder / "cache"}
    return job_of({**settings, **options, **changes})


def job_of(settings: Mapping[str, object]) -> Job:
    """A job of its fields and of those of its options."""
    names = {field.name for field in fields(RunOptions)}
    options = RunOptions(**{k: v for k, v in settings.items() if k in names})  # type: ignore[arg-type]
    return Job(
        **{k: v for k, v in settings.items() if k not in names},  # type: ignore[arg-type]
        options=options,
    )


def on_desk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the translator into a folder and work there."""
    (folder / "fake.py").write_text(FAKE)
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("LOG", str(folder / "log"))
    monkeypatch.delitem(__import__("sys").modules, "fake", raising=False)


def logged(folder: Path) -> list[str]:
    """Every text that the translator was given."""
    log = folder / "log"
    return log.read_text().splitlines() if log.exists() else []


def parts(folder: Path) -> dict[str, bytes]:
    """The bytes of every part of a run."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*.parquet"))
    }
