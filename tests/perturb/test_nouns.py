"""Noun units by every rule, and label schemes by their labels."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hyperbaton.language.dependency_trees import recognise
from hyperbaton.language.noun_units import noun_rule, noun_units
from hyperbaton.language.sentence import Sentence


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


def test_ud_rule_takes_left_dependents_from_the_left_only() -> None:
    """What hangs on a conjunct right of the noun is no part of the unit: "und Kristin …"."""
    sentence = _sentence(
        """
        mit ADP 2 case
        Ralph PROPN 0 root
        Fiennes PROPN 2 flat
        und CCONJ 5 cc
        Kristin PROPN 2 conj
        Scott PROPN 5 flat
        Thomas PROPN 5 flat
        """,
        "de",
    )
    assert _units(sentence) == ["Ralph Fiennes", "Kristin Scott Thomas"]
    crossed = _sentence("old ADJ 3 amod\nman NOUN 0 root\nold ADJ 2 amod")
    assert _units(crossed) == ["man"]


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
CTB = """
公司 NOUN 3 nmod:assmod
的 PART 1 case
计划 NOUN 4 nsubj
成功 VERB 0 ROOT
了 PART 4 aux:asp
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
        (CLEAR, "qqq", "clear", ["Autonomous cars", "insurance liability", "manufacturers"]),
        (CTB, "zh", "ctb", ["公司", "计划"]),
    ],
)
def test_rules_of_other_labels(rows: str, language: str, scheme: str, units: list[str]) -> None:
    """The labels choose the rule, in whatever language; Chinese ones give single tokens."""
    sentence = _sentence(rows, language)
    assert recognise(sentence.deps or ()) == scheme
    assert noun_rule(sentence) == ("tokens" if scheme == "ctb" else scheme)
    assert _units(sentence) == units


def test_chinese_labels_that_look_english() -> None:
    """A short Chinese sentence may have labels of ClearNLP only; it is no English for that."""
    assert recognise(("nsubj", "ROOT", "dobj")) == "clear"
    chinese = _sentence("我 PRON 2 nsubj\n看 VERB 0 ROOT\n书 NOUN 2 dobj", "zh")
    assert noun_rule(chinese) == "tokens"
    assert _units(chinese) == ["我", "书"]


def test_rules_on_odd_input() -> None:
    """Tags of another scheme, a circle of heads and an empty word do not stop them."""
    odd = replace(_sentence(CLEAR), upos=("JJ", "NOUN", "VB", "NOUN", "NOUN", "IN", "NOUN"))
    assert _units(odd)[-1:] == ["manufacturers"]
    assert noun_units(replace(odd, heads=(1, 0, 2, 4, 2, 2, 5)))
    assert noun_units(replace(odd, words=("", *odd.words[1:])))
    for scheme in ("clear", "tiger", "ud"):
        circle = replace(odd, heads=(1, 2, 3, 4, 5, 6, 0), deps=("conj",) * 7, scheme=scheme)
        assert noun_units(circle) is not None


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


def test_unknown_labels_name_no_scheme() -> None:
    assert recognise(["SUBJ", "PRED", "OBJ"]) == recognise([]) == ""
    strange = _sentence("dogs NOUN 2 SUBJ\nbark VERB 0 PRED\nloud ADV 2 MOD")
    assert noun_rule(strange) == "tokens"
