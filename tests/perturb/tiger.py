"""German UD trees turned into TIGER style: no parser with TIGER labels can be had for tests.

Prepositions head their nouns, as in TIGER, and relations get the labels nearest to theirs; since
many UD relations have no one label there, one of several is drawn by the place in the sentence.
"""

from __future__ import annotations

from dataclasses import replace

from hyperbaton.language.sentence import Sentence

_LABELS = {
    "nsubj": ("sb",),
    "obj": ("oa",),
    "iobj": ("da",),
    "obl": ("mo", "op", "da"),
    "nmod": ("ag", "mnr", "pg"),
    "det": ("nk",),
    "amod": ("nk",),
    "nummod": ("nk",),
    "compound": ("nk", "pnc"),
    "flat": ("pnc", "nk"),
    "appos": ("app", "nk"),
    "conj": ("cj",),
    "cc": ("cd",),
    "punct": ("punct",),
    "root": ("ROOT",),
    "advmod": ("mo", "ng"),
    "mark": ("cp", "cm"),
    "xcomp": ("oc", "pd"),
    "acl": ("rc", "oc"),
    "advcl": ("mo", "re"),
}


def as_tiger(sentence: Sentence) -> Sentence:
    """The same words and tags under a tree in TIGER's manner."""
    heads, deps = list(sentence.heads or ()), list(sentence.deps or ())
    labels = []
    for i, dep in enumerate(deps):
        choices = _LABELS.get(dep.split(":")[0], ("par", "mo", "nk"))
        labels.append(choices[i % len(choices)])
    for i, dep in enumerate(deps):
        noun = heads[i]
        if dep == "case" and i < noun and (sentence.upos or ())[i] == "ADP":
            heads[i] = heads[noun] if heads[noun] != noun else i
            labels[i] = labels[noun] if heads[i] != i else "ROOT"
            heads[noun], labels[noun] = i, "nk"
            deps[noun] = "nk"
    return replace(
        sentence, heads=tuple(heads), deps=tuple(labels), noun_chunks=None, scheme="tiger"
    )
