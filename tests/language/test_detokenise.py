"""Tokenised words to text: as sacremoses does it, and better where a clitic is split off."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.language.detokenise import detokenised, spaces_after

JFLEG = Path(__file__).parents[3] / "shared/data/jfleg/dev.src"


@pytest.mark.parametrize(
    ("words", "language", "text"),
    [
        ("I ca n't go , and you 'd better stay .", "en", "I can't go, and you'd better stay."),
        ('He said " no " ( twice ) .', "en", 'He said "no" (twice).'),
        ("In twenty years ' time it costs $ 5 .", "en", "In twenty years' time it costs $5."),
        ("Vous can not ?", "fr", "Vous cannot ?"),
        ("C' est l' ami d' Anne !", "fr", "C'est l'ami d'Anne !"),
        ("L' uomo dell' acqua .", "it", "L'uomo dell'acqua."),
        ("我 爱 你 。", "zh", "我爱你。"),
        ("", "en", ""),
        (".", "en", "."),
    ],
)
def test_examples(words: str, language: str, text: str) -> None:
    assert detokenised(words.split(), language) == text
    assert len(spaces_after(words.split(), language)) == len(words.split())


@pytest.mark.skipif(not JFLEG.is_file(), reason="needs ../shared/data")
def test_as_sacremoses_but_for_the_clitics_that_it_leaves_alone() -> None:
    moses = pytest.importorskip("sacremoses").MosesDetokenizer("en")
    lines = JFLEG.read_text(encoding="utf-8").splitlines()
    ours = [detokenised(line.split()) for line in lines]
    theirs = [
        moses.detokenize(line.split(), unescape=False).replace(" n't", "n't") for line in lines
    ]
    same = sum(a == b.replace("can not", "cannot") for a, b in zip(ours, theirs, strict=True))
    assert same / len(lines) > 0.99
