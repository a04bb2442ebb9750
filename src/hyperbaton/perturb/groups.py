"""Groups of perturbations by name: the 16 of the wordorder study, the grid of the structure study.

A group is written like a perturbation: `wordorder`, `structure-grid(tokenizer=PATH)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import Value, split
from hyperbaton.perturb.perturbation import PERTURBATIONS, Perturbation

__all__ = ["CHAR_FLIP", "CHAR_PHRASE", "GROUPS", "WORDORDER", "parse_all"]

WORDORDER = (
    "treeMirrorPre",
    "treeMirrorPost",
    "treeMirrorIn",
    "rotateAroundRoot",
    "wordShuffle",
    "reversed",
    "shuffleHalvesFirst",
    "shuffleHalvesLast",
    "nounSwaps",
    "verbSwaps",
    "nounVerbSwap",
    "nounVerbMismatched",
    "adverbVerbSwap",
    "nounAdjSwap",
    "functionalShuffle",
    "verbAtBeginning",
)
SURFACE = (
    "upper",
    "lower",
    "title",
    "firstUpper",
    "firstLower",
    "addFinalMark",
    "dropFinalMark",
    "apostrophe",
    "apostrophe(style=straight)",
    "apostrophe(style=missing)",
    "quotes",
    "quotes(style=straight)",
    "whitespace",
    "whitespace(kind=nobreak)",
    "whitespace(kind=missing)",
    "whitespace(kind=ends)",
)

SUBWORD_PHRASE = (0.9, 0.8, 0.65, 0.5, 0.35, 0.2, 0.1)
SUBWORD_FLIP = (0.9, 0.8, 0.6, 0.5, 0.4, 0.2, 0.1)
CHAR_PHRASE = (0.975, 0.95, 0.9, 0.8, 0.65, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.075, 0.05)
CHAR_FLIP = (0.8, 0.65, 0.5, 0.4, 0.3, 0.2, 0.1, 0.075, 0.05, 0.035, 0.025, 0.01)


def _named(names: Iterable[str]) -> list[Perturbation]:
    return [PERTURBATIONS.parse(name) for name in names]


def _wordorder(options: Mapping[str, Value]) -> list[Perturbation]:
    _no_more(options, "wordorder")
    return _named(WORDORDER)


def _surface(options: Mapping[str, Value]) -> list[Perturbation]:
    _no_more(options, "surface")
    return _named(SURFACE)


def _characters(options: Mapping[str, Value]) -> list[Perturbation]:
    _no_more(options, "char-grid")
    from hyperbaton.perturb.units import FullShuffle, Identity, NeighbourFlip, PhraseShuffle

    return [
        Identity(),
        FullShuffle(),
        *(PhraseShuffle(p=p) for p in CHAR_PHRASE),
        *(NeighbourFlip(p=p) for p in CHAR_FLIP),
    ]


def _structure(options: Mapping[str, Value]) -> list[Perturbation]:
    rest = dict(options)
    tokenizer = rest.pop("tokenizer", None)
    _no_more(rest, "structure-grid")
    if not isinstance(tokenizer, str):
        raise HyperbatonError(
            "structure-grid moves subwords too and needs the model's tokenizer: "
            "structure-grid(tokenizer=PATH); char-grid is its half without subwords"
        )
    from hyperbaton.perturb.units import FullShuffle, NeighbourFlip, PhraseShuffle

    return [
        *_characters({}),
        FullShuffle("subword", tokenizer),
        *(PhraseShuffle(p, "subword", tokenizer) for p in SUBWORD_PHRASE),
        *(NeighbourFlip(p, "subword", tokenizer) for p in SUBWORD_FLIP),
    ]


GROUPS: Mapping[str, Callable[[Mapping[str, Value]], list[Perturbation]]] = {
    "wordorder": _wordorder,
    "structure-grid": _structure,
    "char-grid": _characters,
    "surface": _surface,
}
"""Each group with what makes its members from the options in its brackets."""


def parse_all(names: Iterable[str]) -> list[Perturbation]:
    """The perturbations that these names and names of groups stand for, each once.

    >>> [str(p) for p in parse_all(["reversed", "wordorder"])][:3]
    ['reversed', 'treeMirrorPre', 'treeMirrorPost']
    """
    found: dict[Perturbation, None] = {}
    for name in names:
        parsed = split(name)
        group = GROUPS.get(parsed.name)
        members = [PERTURBATIONS.parse(name)] if group is None else group(parsed.options)
        found.update(dict.fromkeys(members))
    return list(found)


def _no_more(options: Mapping[str, Value], group: str) -> None:
    for option in options:
        raise HyperbatonError(f"the group '{group}' has no parameter '{option}'")
