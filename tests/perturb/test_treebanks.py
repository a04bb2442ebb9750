"""Every perturbation on real sentences with gold trees, in the paper's eight languages."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from hyperbaton.corpus.conllu import read_conllu
from hyperbaton.language.dependency_trees import recognise
from hyperbaton.language.languages import PAPER_LANGUAGES, writes_spaces
from hyperbaton.language.noun_units import noun_rule, noun_units
from hyperbaton.language.sentence import Sentence, is_permutation
from hyperbaton.parsing.catalogue import NoParser
from hyperbaton.parsing.opening import open_parser
from hyperbaton.parsing.parser import normalise
from hyperbaton.parsing.plain import Plain
from hyperbaton.perturb import Perturbation, Reordering, Rewriting, parse_all, perturb, perturb_all

PUD = Path(__file__).parents[3] / "shared" / "data" / "ud-pud"
pytestmark = pytest.mark.skipif(not PUD.is_dir(), reason="needs ../shared")

ALL = parse_all(["wordorder", "char-grid", "surface"])
TEXT_OPTIONS = parse_all(
    [
        "nounVerbSwap(pairing=text)",
        "nounVerbMismatched(pairing=text)",
        "adverbVerbSwap(pairing=text)",
        "nounAdjSwap(pairing=text)",
        "functionalShuffle(words=text)",
        "verbAtBeginning(verbs=text)",
    ]
)


@cache
def _sentences(language: str) -> list[Sentence]:
    items = read_conllu(PUD / f"{language}_pud.conllu", language)
    return [item.source for item in items if isinstance(item.source, Sentence)]


@pytest.mark.parametrize("language", PAPER_LANGUAGES)
def test_every_order_is_a_permutation_and_none_is_never_drawn(language: str) -> None:
    sentences = _sentences(language)
    assert len(sentences) == 500
    applied: dict[Perturbation, int] = dict.fromkeys([*ALL, *TEXT_OPTIONS], 0)
    for sentence, perturbation, _, variant in perturb_all(sentences, [*ALL, *TEXT_OPTIONS]):
        if variant is None:
            continue
        applied[perturbation] += 1
        if isinstance(perturbation, Reordering):
            order = variant.order
            assert order is not None
            assert is_permutation(order, len(perturbation.units(sentence)))
            if perturbation.unit == "word":
                assert order[-1] == len(sentence) - 1
    never = {str(perturbation) for perturbation, count in applied.items() if not count}
    orders = {p for p in applied if isinstance(p, Reordering)}
    assert not never & {str(p) for p in orders}
    few = {str(p): applied[p] for p in orders if applied[p] < 50}
    assert not few
    assert never <= {str(p) for p in ALL if isinstance(p, Rewriting)}


@pytest.mark.parametrize("language", PAPER_LANGUAGES)
def test_text_comes_back_as_it_was_written(language: str) -> None:
    lines = (PUD / f"{language}_pud.conllu").read_text(encoding="utf-8").splitlines()
    texts = [line[len("# text = ") :] for line in lines if line.startswith("# text = ")]
    for sentence, text in zip(_sentences(language), texts, strict=True):
        assert sentence.text == text.rstrip(" ")
        assert sentence.arrange(range(len(sentence))) == sentence.text


STRAY = re.compile(r"\w['’] \w|\w- \w| -\w| ['’]\w")
"""What a wrong gap looks like: after an elision, at a hyphen, before a clitic."""


@pytest.mark.parametrize("language", ["fr", "it", "de", "en"])
def test_no_stray_space_at_elisions_and_hyphens(language: str) -> None:
    """Where the text itself has no such gap, no order of its words has one."""
    clean = [s for s in _sentences(language) if not re.search(r"['’-] | ['’-]", s.text)]
    assert len(clean) > 300
    stray = []
    for draw in perturb_all(clean, parse_all(["wordorder"])):
        if draw.variant is not None and STRAY.search(draw.variant.text):
            stray.append(draw.variant.text)
    assert not stray


@pytest.mark.parametrize("language", PAPER_LANGUAGES)
def test_everyday_text_comes_back_as_it_was_written(language: str) -> None:
    """Cut by the plain tokenizer, or by the parser where that has to be."""
    other = "de" if language == "en" else language
    lines = (PUD.parent / "tatoeba" / f"en-{other}.{language}").read_text(encoding="utf-8")
    texts = [normalise(line) for line in lines.splitlines() if line.strip()]
    if writes_spaces(language):
        sentences = list(Plain().open(language).parse(texts))
    else:
        try:
            opened = open_parser(language, cache=False)
        except NoParser as missing:
            pytest.skip(str(missing))
        with opened as parser:
            texts = texts[:300]
            sentences = list(parser.parse(texts))
    for sentence, text in zip(sentences, texts, strict=True):
        assert sentence.text == text
        assert sentence.arrange(range(len(sentence))) == text


@pytest.mark.parametrize("language", PAPER_LANGUAGES)
def test_gold_trees_are_recognised_as_ud(language: str) -> None:
    sentences = _sentences(language)
    assert recognise(label for s in sentences for label in s.deps or ()) == "ud"
    for sentence in sentences:
        assert noun_rule(sentence) == "ud"
        last = 0
        for start, end in noun_units(sentence):
            assert last <= start < end <= len(sentence)
            last = end
            assert not {"VERB", "PUNCT"} & set((sentence.upos or ())[start:end][-1:])


@pytest.mark.parametrize("language", ["ja", "zh"])
def test_case_does_not_apply_without_case(language: str) -> None:
    """Not even to a sentence with foreign letters in it."""
    for sentence in _sentences(language):
        for perturbation in parse_all(["upper", "lower", "title", "firstUpper", "firstLower"]):
            assert perturb(sentence, perturbation) is None
