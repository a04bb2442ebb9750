"""Dependency trees: whether heads make one, and which scheme their labels are of.

A scheme is recognised by the labels themselves, never by the language: Universal Dependencies
(`ud`), ClearNLP (`clear`, spaCy's English), TIGER (`tiger`, spaCy's German) and Chinese Stanford
dependencies (`ctb`, spaCy's Chinese).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence


def _labels(names: str) -> frozenset[str]:
    return frozenset(names.split())


_UD = _labels(
    "acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse "
    "dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis "
    "punct reparandum root vocative xcomp ROOT"
)
_CLEAR = _labels(
    "ROOT acl acomp advcl advmod agent amod appos attr aux auxpass case cc ccomp compound conj "
    "csubj csubjpass dative dep det dobj expl intj mark meta neg nmod npadvmod nsubj nsubjpass "
    "nummod oprd parataxis pcomp pobj poss preconj predet prep prt punct quantmod relcl "
    "xcomp"
)
_TIGER = _labels(
    "ROOT ac adc ag ams app avc cc cd cj cm cp cvc da dep dh dm ep ju mnr mo ng nk nmc oa oa2 oc "
    "og op par pd pg ph pm pnc punct rc re rs sb sbp sp svp uc vo"
)
_CTB = _labels(
    "ROOT acl advcl:loc advmod advmod:dvp advmod:loc advmod:rcomp amod amod:ordmod appos aux:asp "
    "aux:ba aux:modal aux:prtmod auxpass case cc ccomp compound:nn compound:vc conj cop dep det "
    "discourse dobj erased etc mark mark:clf name neg nmod nmod:assmod nmod:poss nmod:prep "
    "nmod:range nmod:tmod nmod:topic nsubj nsubj:xsubj nsubjpass nummod parataxis:prnmod punct "
    "xcomp"
)
_ONLY_CTB = frozenset(label for label in _CTB if ":" in label) - {"nmod:poss", "nmod:tmod"}


def recognise(deps: Iterable[str]) -> str:
    """The scheme that knows most of these labels, or nothing where none knows half of them.

    More labels make it surer: a corpus tells more than a sentence. Labels that fit two schemes
    alike are read as UD, whose shared labels mean the same.

    >>> recognise(["nsubj", "root", "obj", "punct"]), recognise(["nsubj", "ROOT", "dobj", "punct"])
    ('ud', 'clear')
    >>> recognise(["sb", "ROOT", "nk", "oa", "punct"]), recognise(["SBJ", "OBJ", "NMOD"])
    ('tiger', '')
    """
    counts = Counter(deps)
    known = {
        "ud": sum(count for label, count in counts.items() if _is_ud(label)),
        "clear": sum(count for label, count in counts.items() if label in _CLEAR),
        "tiger": sum(count for label, count in counts.items() if label in _TIGER),
        "ctb": sum(count for label, count in counts.items() if label in _CTB),
    }
    best = max(known, key=known.__getitem__)
    return best if 2 * known[best] > counts.total() else ""


def _is_ud(label: str) -> bool:
    """Whether it is a UD relation; subtypes after the colon are a language's own affair."""
    return label.split(":")[0] in _UD and label not in _ONLY_CTB


def cycle(heads: Sequence[int]) -> list[int]:
    """Words that are their own ancestors, if there are any; a root points to itself.

    >>> cycle((1, 1, 1)), cycle((1, 2, 0, 3))
    ([], [0, 1, 2])
    """
    state = [0] * len(heads)  # 0 not seen, 1 on the way up, 2 known to reach a root
    for start in range(len(heads)):
        path = []
        word = start
        while state[word] == 0:
            state[word] = 1
            path.append(word)
            if heads[word] == word:
                break
            word = heads[word]
        else:
            if state[word] == 1:
                return path[path.index(word) :]
        for seen in path:
            state[seen] = 2
    return []
