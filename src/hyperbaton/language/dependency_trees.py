"""Dependency trees: whether heads make one, the scheme of their labels, and their noun units.

A scheme is recognised by the labels themselves, never by the language: Universal Dependencies
(`ud`), ClearNLP (`clear`, spaCy's English), TIGER (`tiger`, spaCy's German) and Chinese Stanford
dependencies (`ctb`, spaCy's Chinese). A noun unit is what moves as one when a perturbation moves
nouns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from hyperbaton.language.languages import base
from hyperbaton.language.sentence import Sentence


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
Span = tuple[int, int]
_HEADS = frozenset({"NOUN", "PROPN", "PRON"})
_SINGLE = frozenset({"NOUN", "PRON"})
_LEFT = frozenset({"det", "amod", "nummod", "compound", "flat", "clf"})
_CLAUSES = frozenset({"acl", "advcl", "ccomp", "xcomp", "csubj", "parataxis"})
_BARRED = _CLAUSES | {"case", "punct"}
# The relations of spaCy's `noun_chunks`: spacy.lang.en and spacy.lang.de, syntax_iterators.py.
_CLEAR_NOUNS = frozenset(
    {"oprd", "nsubj", "dobj", "nsubjpass", "pcomp", "pobj", "dative", "appos", "attr", "ROOT"}
)
_TIGER_NOUNS = frozenset(
    {"sb", "oa", "da", "nk", "mo", "ag", "ROOT", "root", "cj", "pd", "og", "app"}
)


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


def noun_rule(sentence: Sentence) -> str:
    """Which rule finds the noun units: given, ud, clear, tiger, tokens or none.

    Labels of a scheme that has no rule, such as the Chinese one, give single tokens.
    """
    if sentence.noun_chunks is not None:
        return "given"
    if sentence.upos is None:
        return "none"
    if sentence.heads is None or sentence.deps is None:
        return "tokens"
    scheme = sentence.scheme or recognise(sentence.deps)
    if scheme == "clear" and base(sentence.language) == "zh":
        return "tokens"  # a few Chinese labels alone can look like ClearNLP's
    return scheme if scheme in ("ud", "clear", "tiger") else "tokens"


def noun_units(sentence: Sentence) -> tuple[Span, ...]:
    """The half-open spans of the noun units, from left to right, none overlapping another.

    >>> sentence = Sentence(("the", "big", "dog", "barks"), (True, True, True, False), "en",
    ...     upos=("DET", "ADJ", "NOUN", "VERB"), heads=(2, 2, 3, 3),
    ...     deps=("det", "amod", "nsubj", "root"))
    >>> noun_units(sentence)
    ((0, 3),)
    """
    if sentence.noun_chunks is not None:
        return _apart(sentence.noun_chunks)
    match noun_rule(sentence):
        case "ud":
            return _apart(_by_ud(sentence))
        case "clear":
            return tuple(_by_clear(sentence))
        case "tiger":
            return tuple(_by_tiger(sentence))
        case "tokens":
            return _by_token(sentence)
    return ()


def _apart(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans that overlap no earlier one; of those with the same start, the longest."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        if span[0] < span[1] and (not kept or span[0] >= kept[-1][1]):
            kept.append(span)
    return tuple(kept)


def _by_token(sentence: Sentence) -> tuple[Span, ...]:
    upos = sentence.upos or ()
    return tuple((i, i + 1) for i, tag in enumerate(upos) if tag in _SINGLE)


def _by_ud(sentence: Sentence) -> list[Span]:
    """A noun, name or pronoun with its contiguous left dependents and the rest of its flat name."""
    upos, heads, deps = sentence.upos or (), sentence.heads or (), sentence.deps or ()
    units = []
    for noun, tag in enumerate(upos):
        if tag in _HEADS:
            start, end = noun, noun + 1
            while start > 0 and _belongs(start - 1, noun, heads, deps, left=True):
                start -= 1
            # UD hangs the second half of a name on the first, so `flat` lies to the right.
            while end < len(upos) and _belongs(end, noun, heads, deps, left=False):
                end += 1
            units.append((start, end))
    return units


def _belongs(
    word: int, noun: int, heads: tuple[int, ...], deps: tuple[str, ...], *, left: bool
) -> bool:
    """Whether the way up from a word ends at the noun by a relation inside a noun unit.

    The dependent of the noun that the way ends with must stand on the same side of it: what hangs
    on a conjunct to the right of the noun is no part of what stands to its left.
    """
    for _ in heads:  # as many steps as there are words: heads in a circle end too
        relation = deps[word].split(":")[0]
        if relation in _BARRED or heads[word] == word:
            return False
        if heads[word] == noun:
            if left:
                return word < noun and (relation in _LEFT or deps[word] == "nmod:poss")
            return word > noun and relation == "flat"
        word = heads[word]
    return False


def _by_clear(sentence: Sentence) -> Iterator[Span]:
    """A noun in the place of one, with all that stands and hangs to its left, as English spaCy."""
    upos, heads, deps = sentence.upos or (), sentence.heads or (), sentence.deps or ()
    edges = _left_edges(heads)
    last = -1
    for noun, tag in enumerate(upos):
        if tag not in _HEADS or edges[noun] <= last:
            continue
        first = noun
        if deps[noun] == "conj":
            first = heads[noun]
            while deps[first] == "conj" and heads[first] < first:
                first = heads[first]
        if deps[first] in _CLEAR_NOUNS:
            last = noun
            yield edges[noun], noun + 1


def _by_tiger(sentence: Sentence) -> Iterator[Span]:
    """The same in German, with close appositions to the right ("eine Tasse Tee")."""
    upos, heads, deps = sentence.upos or (), sentence.heads or (), sentence.deps or ()
    edges = _left_edges(heads)
    close: dict[int, int] = {}
    for word, head in enumerate(heads):
        if word > head and deps[word] == "nk" and upos[word] in ("NOUN", "PROPN"):
            close[head] = word
    last = -1
    for noun, tag in enumerate(upos):
        if tag in _HEADS and deps[noun] in _TIGER_NOUNS and edges[noun] > last and noun > last:
            last = close.get(noun, noun)
            yield edges[noun], last + 1


def _left_edges(heads: Sequence[int]) -> list[int]:
    """The leftmost word of the subtree of each word."""
    edges = list(range(len(heads)))
    for word in range(len(heads)):
        # A head that a word as far left has reached has been passed by all that is above it.
        above = heads[word]
        while edges[above] > word:
            edges[above] = word
            above = heads[above]
    return edges
