"""Random sentences with random trees, for properties that must hold of all of them."""

from __future__ import annotations

from hypothesis import strategies as st

from hyperbaton.language.languages import PAPER_LANGUAGES
from hyperbaton.language.sentence import Sentence

TAGS = (
    "ADJ",
    "ADP",
    "ADV",
    "AUX",
    "CCONJ",
    "DET",
    "NOUN",
    "PRON",
    "PROPN",
    "PUNCT",
    "SCONJ",
    "VERB",
)
LABELS = ("acl", "amod", "case", "compound", "det", "flat", "nmod:poss", "nsubj", "obj", "punct")
WORDS = (
    "a",
    "Haus",
    "n't",
    "U.S.",
    ",",
    "(",
    ")",
    '"',
    "«",
    "我",
    "爱",
    "です",
    "3,5",
    "ё",
    "l'",
    ".",
)


@st.composite
def trees(draw: st.DrawFn, size: int) -> tuple[int, ...]:
    """The heads of one tree: every word hangs on one that was attached before it."""
    attached = draw(st.permutations(range(size)))
    heads = [0] * size
    heads[attached[0]] = attached[0]
    for place, word in enumerate(attached[1:], 1):
        heads[word] = attached[draw(st.integers(0, place - 1))]
    return tuple(heads)


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    """A text of one to three sentences in one of the paper's languages."""
    sizes = draw(st.lists(st.integers(1, 9), min_size=1, max_size=3))
    total = sum(sizes)
    starts = [sum(sizes[:i]) for i in range(len(sizes))]
    heads = [
        start + head
        for start, size in zip(starts, sizes, strict=True)
        for head in draw(trees(size))
    ]

    def column(values: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(draw(st.lists(st.sampled_from(values), min_size=total, max_size=total)))

    cuts = draw(st.none() | st.sets(st.integers(0, total)).map(sorted))
    return Sentence(
        column(WORDS),
        tuple(draw(st.lists(st.booleans(), min_size=total, max_size=total))),
        draw(st.sampled_from(PAPER_LANGUAGES)),
        upos=column(TAGS),
        heads=tuple(heads),
        deps=column(LABELS),
        noun_chunks=None if cuts is None else tuple(zip(cuts[::2], cuts[1::2], strict=False)),
        starts=tuple(starts),
        scheme="ud",
        id=str(draw(st.integers(0, 999))),
    )
