"""Grammar: answers that do not belong to their sentences confirm no claim, real ones do."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from hashlib import blake2b
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from hyperbaton.alignment.pharaoh import write_pharaoh
from hyperbaton.corpus.starter import starter
from hyperbaton.metrics.tokens import split
from hyperbaton.pipeline import Corpus, Job, Pair, RunOptions, execute
from hyperbaton.report.contents import Contents
from hyperbaton.studies.grammar.study import Grammar
from hyperbaton.studies.registry import load_contents
from tests.studies.null_systems import NULLS, assert_nothing_said, null_answers, recorded

PAIR = Pair("en", "de")
FORM, CHOICE = "R:VERB:FORM", "R:NOUN"
WORDS = ("cloud", "anvil", "ferry", "onion", "tulip", "wagon", "badge", "crumb", "pearl", "hedge")


def _tokens(text: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]", text)


def _word(*words: str) -> str:
    """A made-up word that depends on the stems of a word and of those before it."""
    digest = blake2b(" ".join(word[:4].lower() for word in words).encode()).digest()
    return "".join("bdfgklmnprst"[digest[n] % 12] + "aeiou"[digest[-n] % 5] for n in (1, 2, 3))


def translation(text: str) -> str:
    """Word by word: endings do not matter, another word changes the three after it as well."""
    words = _tokens(text)
    made = [_word(*words[max(0, n - 3) : n + 1]) for n in range(len(words))]
    return " ".join(b if b.isalnum() is False else a for a, b in zip(made, words, strict=True))


def _m2(path: Path) -> Path:
    rng, blocks = random.Random(4), []
    for item in islice(starter("en", "de"), 200):
        words = _tokens(item.source_text)
        long = [n for n, word in enumerate(words) if len(word) > 3]
        for errors in (1, 1, 1, 2, 4):
            block, edits = list(words), []
            for n in sorted(rng.sample(long, min(errors, len(long)))):
                form = rng.random() < 0.25
                block[n] = f"{words[n]}s" if form else rng.choice(WORDS)
                kind = FORM if form else CHOICE
                edits.append(f"A {n} {n + 1}|||{kind}|||{words[n]}|||REQUIRED|||-NONE-|||0")
            blocks.append("\n".join([f"S {' '.join(block)}", *edits]))
    rng.shuffle(blocks)
    path.write_text("\n\n".join(dict.fromkeys(blocks)) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return Grammar().corpus([str(_m2(tmp_path_factory.mktemp("m2") / "some.m2"))], PAIR)


@pytest.fixture(scope="module")
def items(corpus: Corpus) -> list[list[str]]:
    return [[item.source_text, item.columns["varied"]] for item in corpus.items()]


def _contents(
    corpus: Corpus, items: list[list[str]], folder: Path, answers: Mapping[str, str]
) -> Contents:
    """Each word is linked to the one in its place, as far as the answer goes."""
    lengths = [len(words) for words in split([answers[clean] for clean, _ in items], "13a")]
    sources = [len(_tokens(clean)) for clean, _ in items]
    links = [
        tuple((n, n) for n in range(min(sides))) for sides in zip(sources, lengths, strict=True)
    ]
    write_pharaoh(folder / "links", links)
    study = Grammar(align=f"pharaoh:{folder / 'links'}")
    systems = (recorded(folder / "answers.jsonl", answers),)
    execute(
        Job(study, (corpus,), systems, ("BLEU",), options=RunOptions(workers=0, cached=False)),
        folder / "run",
    )
    return load_contents([folder / "run"])


@pytest.mark.parametrize("null", NULLS)
def test_nothing_is_found_out_about_a_system_that_does_not_translate(
    null: str, corpus: Corpus, items: list[list[str]], tmp_path: Path
) -> None:
    real = {text: translation(text) for both in items for text in both}
    answers = null_answers(null, real, items)
    assert_nothing_said(_contents(corpus, items, tmp_path, answers), "answers.jsonl")


def test_claims_hold_of_a_system_that_translates(
    corpus: Corpus, items: list[list[str]], tmp_path: Path
) -> None:
    real = {text: translation(text) for both in items for text in both}
    contents = _contents(corpus, items, tmp_path, real)
    told = {one.id: one for one in contents.findings if not one.part_of}
    assert not [caution for caution in contents.cautions if "left out" in caution]
    assert "magnifies the noise" in contents.headlines[0].sentence
    for claim in ("G3", "G9", "G10"):
        assert told[claim].verdict == "holds", told[claim].detail
    assert told["G1"].verdict == "not asked"
    assert told["G1"].detail == "needs three corpora"
    # All damage lies to the right of an error: a number without spread, which decides nothing.
    sides = {one.claim: one for one in contents.findings if one.id == "G13" and one.part_of}
    early, late = sides.values()
    assert (early.value, late.value) == pytest.approx((1, -1))
    assert np.isnan([early.low, late.low]).all()
    # Less than where translations have nothing to do with their sentences: NR divides by noise.
    assert told["G4"].verdict == "undecided"
    assert "By chance" in told["G4"].detail
