"""Contractions: syntactic words that are written as one, such as French "aux" (à + les)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hyperbaton.language.sentence import Sentence


@dataclass(frozen=True)
class Contraction:
    """The words [start, end) of a sentence are written as `form`."""

    start: int
    end: int
    form: str


def as_written(sentence: Sentence, contractions: Sequence[Contraction]) -> Sentence:
    """The sentence in words that occur in its text.

    Where the parts spell the written form ("do" + "n't") they stay words of their own, with no
    space between. Where they do not ("à" + "les") they become one word, which takes the place in
    the tree of the part nearest to the root (the first of several): nothing that the others
    govern can stand above it, so the result is a tree again.

    >>> s = Sentence(("vers", "à", "les", "bois"), (True, True, True, False), "fr",
    ...              ("ADP", "ADP", "DET", "NOUN"), (3, 3, 3, 3), ("case", "case", "det", "root"))
    >>> w = as_written(s, [Contraction(1, 3, "aux")])
    >>> w.words, w.upos, w.heads
    (('vers', 'aux', 'bois'), ('ADP', 'ADP', 'NOUN'), (2, 2, 2))
    """
    words, spaces = list(sentence.words), list(sentence.spaces)
    merged: list[Contraction] = []
    for contraction in contractions:
        start, end, form = contraction.start, contraction.end, contraction.form
        spaces[start : end - 1] = [False] * (end - start - 1)
        letters = "".join(words[start:end])
        if len(letters) == len(form) and letters.lower() == form.lower():
            at = 0
            for i in range(start, end):
                words[i] = form[at : at + len(words[i])]
                at += len(words[i])
        else:
            merged.append(contraction)
    spaced = replace(sentence, words=tuple(words), spaces=tuple(spaces))
    return _merge(spaced, merged) if merged else spaced


def _merge(sentence: Sentence, contractions: Sequence[Contraction]) -> Sentence:
    size = len(sentence)
    words, spaces = list(sentence.words), list(sentence.spaces)
    depths = _depths(sentence.heads) if sentence.heads else [0] * size
    place = list(range(size))
    for c in contractions:
        top = min(range(c.start, c.end), key=depths.__getitem__)
        words[top], spaces[top] = c.form, spaces[c.end - 1]
        place[c.start : c.end] = [top] * (c.end - c.start)
    keep = [i for i in range(size) if place[i] == i]
    new = {old: position for position, old in enumerate(keep)}
    at = [new[place[i]] for i in range(size)]
    chunks = sentence.noun_chunks
    return replace(
        sentence,
        words=tuple(words[i] for i in keep),
        spaces=tuple(spaces[i] for i in keep),
        upos=sentence.upos and tuple(sentence.upos[i] for i in keep),
        heads=sentence.heads and tuple(at[sentence.heads[i]] for i in keep),
        deps=sentence.deps and tuple(sentence.deps[i] for i in keep),
        noun_chunks=chunks and tuple((at[a], at[b - 1] + 1) for a, b in chunks),
        starts=tuple(at[i] for i in sentence.starts),
    )


def _depths(heads: Sequence[int]) -> list[int]:
    """How many steps lead from each word to its root; in a circle, to where it closes."""
    depths = [-1] * len(heads)
    for start in range(len(heads)):
        path = []
        word = start
        while depths[word] < 0 and heads[word] != word:
            depths[word] = 0  # on the way: a circle ends here
            path.append(word)
            word = heads[word]
        depth = max(depths[word], 0)
        depths[word] = depth
        for below in reversed(path):
            depth += 1
            depths[below] = depth
    return depths
