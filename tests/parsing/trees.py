"""What must hold of every parsed sentence."""

from __future__ import annotations

from hyperbaton.language.sentence import Sentence
from hyperbaton.parsing.natasha_parser import is_tree
from hyperbaton.parsing.parser import normalise

UPOS = frozenset(
    {"ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN"}
    | {"PUNCT", "SCONJ", "SYM", "VERB", "X"}
)


def check(sentence: Sentence, text: str) -> None:
    """It spells its text, its parts of speech are universal, each of its sentences is a tree."""
    assert sentence.text == normalise(text)
    assert all(word and word.strip() == word for word in sentence.words)
    assert sentence.upos is not None
    assert sentence.heads is not None
    assert sentence.deps is not None
    assert set(sentence.upos) <= UPOS
    assert all(sentence.deps)
    assert sentence.starts[0] == 0
    for start, end in sentence.spans:
        own = [
            -1 if sentence.heads[i] == i else sentence.heads[i] - start for i in range(start, end)
        ]
        assert start == end == 0 or is_tree(own), (text, own)
    for first, last in sentence.noun_chunks or ():
        assert 0 <= first < last <= len(sentence)


def facts(sentence: Sentence) -> tuple[str, dict[str, str]]:
    """The root, and the word of each relation to it."""
    assert sentence.heads is not None
    assert sentence.deps is not None
    root = next(i for i, head in enumerate(sentence.heads) if head == i)
    related = {
        sentence.deps[i]: sentence.words[i]
        for i, head in enumerate(sentence.heads)
        if head == root and i != root
    }
    return sentence.words[root], related
