"""The printed examples of the wordorder paper, as sentences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from hyperbaton.language.sentence import Sentence

FIXTURE = Path(__file__).parent / "fixtures" / "worked-examples.json"


class Example(NamedTuple):
    """One printed example: what the perturbation made of the sentence."""

    sentence: Sentence
    perturbation: str
    random: bool
    output: tuple[str, ...]


def examples() -> list[Example]:
    """Every printed example, under the right name where the paper's label is a misprint."""
    data = json.loads(FIXTURE.read_text(encoding="utf-8"))
    sentences = {
        key: Sentence(
            tuple(row["tokens"]),
            (True,) * (len(row["tokens"]) - 1) + (False,),
            "en",
            upos=tuple(row["upos"]),
            heads=tuple(row["heads"]),
            deps=tuple(row["deps"]),
            noun_chunks=tuple((start, end) for start, end in row["noun_chunks"]),
            starts=tuple(row["starts"]),
            id=key,
        )
        for key, row in data["sentences"].items()
    }
    return [
        Example(
            sentences[row["sentence"]], row["perturbation"], row["random"], tuple(row["output"])
        )
        for row in data["examples"]
    ]
