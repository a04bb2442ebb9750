"""Groups of perturbations by name: the 16 of the wordorder study, the grid of the structure study.

A group is written like a perturbation: `wordorder`, `structure-grid(tokenizer=PATH)`.
"""

from __future__ import annotations

from collections.abc import Iterable

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import Parsed, split
from hyperbaton.perturb.perturbation import PERTURBATIONS, Perturbation

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


_NAMED = {"wordorder": WORDORDER, "surface": SURFACE}
GROUPS = ("wordorder", "structure-grid", "char-grid", "surface")


def parse_all(names: Iterable[str | Perturbation]) -> list[Perturbation]:
    """The perturbations that these names and names of groups stand for, each once.

    A value stands for itself, whether or not it is registered.

    >>> [str(p) for p in parse_all(["reversed", "wordorder"])][:3]
    ['reversed', 'treeMirrorPre', 'treeMirrorPost']
    """
    perturbations: dict[Perturbation, None] = {}
    for name in names:
        if isinstance(name, Perturbation):
            perturbations[name] = None
            continue
        parsed = split(name)
        in_group = parsed.name in GROUPS
        members = _members(parsed) if in_group else [PERTURBATIONS.parse(name)]
        perturbations.update(dict.fromkeys(members))
    return list(perturbations)


def _members(group: Parsed) -> list[Perturbation]:
    """The perturbations of a group; only structure-grid has a parameter."""
    options = dict(group.options)
    tokenizer = options.pop("tokenizer", None) if group.name == "structure-grid" else None
    for option in options:
        raise HyperbatonError(f"the group '{group.name}' has no parameter '{option}'")
    if group.name in _NAMED:
        return [PERTURBATIONS.parse(name) for name in _NAMED[group.name]]
    if group.name == "structure-grid" and not isinstance(tokenizer, str):
        raise HyperbatonError(
            "structure-grid moves subwords too and needs the model's tokenizer: "
            "structure-grid(tokenizer=PATH); char-grid is its half without subwords"
        )
    from hyperbaton.perturb.units import FullShuffle, Identity, NeighbourFlip, PhraseShuffle

    members: list[Perturbation] = [Identity(), FullShuffle()]
    members += [PhraseShuffle(p) for p in CHAR_PHRASE]
    members += [NeighbourFlip(p) for p in CHAR_FLIP]
    if isinstance(tokenizer, str):
        members.append(FullShuffle("subword", tokenizer))
        members += [PhraseShuffle(p, "subword", tokenizer) for p in SUBWORD_PHRASE]
        members += [NeighbourFlip(p, "subword", tokenizer) for p in SUBWORD_FLIP]
    return members
