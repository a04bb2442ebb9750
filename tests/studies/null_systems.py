"""Systems that do not translate, made of the rows of a run: nothing may be found out about them."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from hyperbaton.report.contents import Contents

NULLS = ("permuted", "exchanged", "slipped", "random", "constant", "copied")


def null_answers(
    name: str, real: Mapping[str, str], items: Sequence[Sequence[str]]
) -> dict[str, str]:
    """What a system that does not translate answers; `items` are the texts of each sentence."""
    rng = random.Random(f"null {name}")
    texts = list(real)
    if name == "permuted":
        answers = [real[text] for text in texts]
        rng.shuffle(answers)
        return dict(zip(texts, answers, strict=True))
    if name in ("exchanged", "slipped"):
        others = list(items)
        if name == "exchanged":
            rng.shuffle(others)
        found: dict[str, str] = {}
        for mine, theirs in zip(items, [*others[1:], others[0]], strict=True):
            for place, text in enumerate(mine):
                found.setdefault(text, real[theirs[min(place, len(theirs) - 1)]])
        return found
    if name == "random":
        words = [word for answer in real.values() for word in answer.split()]
        return {
            text: " ".join(rng.choices(words, k=len(answer.split())))
            for text, answer in real.items()
        }
    return {text: text if name == "copied" else "So ist das eben." for text in texts}


def recorded(path: Path, answers: Mapping[str, str]) -> str:
    """A system that answers so."""
    rows = ({"text": text, "translation": answer} for text, answer in answers.items())
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return f"file:{path}"


def assert_nothing_said(contents: Contents, system: str) -> None:
    """No claim holds or fails, no sentence says what the system does, and the reader is told."""
    assert {finding.verdict for finding in contents.findings} <= {"undecided", "not asked"}
    assert any(f"{system} is left out" in one or f"{system}, " in one for one in contents.cautions)
    for headline in contents.headlines:
        if system in headline.name:
            assert "there is no translation to judge" in headline.sentence
    assert "hold here" not in contents.summary
    assert not [one for one in contents.contests if any(system in name for name in one.ranks)]
