"""Encoders whose losses follow a measure by rule, for every claim of the structure paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from hyperbaton.pipeline import IDENTITY
from hyperbaton.stats import Bootstrap
from hyperbaton.studies.structure.series import Series, grid_samples
from hyperbaton.studies.structure.varying import MEASURES

FLIPS = tuple(f"NeighbourFlip(p=0.{n})" for n in range(1, 8))
SUBWORDS = tuple(f"PhraseShuffle(p=0.{n}, unit=subword)" for n in range(10, 30))
VARIANTS = (IDENTITY, "FullShuffle", *FLIPS, *SUBWORDS)
GERMANIC, ITALIC = ("deu", "nld", "swe", "dan"), ("fra", "spa", "ita", "por")
OTHERS = ("rus", "pol", "ces", "slk", "fin", "est", "hun", "tur", "ell", "ron", "cat", "glg")
LATIN, CHINESE = (*GERMANIC, *ITALIC), ("cmn", "yue", "wuu")
Weights = Mapping[str, float]


def encoder(
    weights: Weights,
    languages: Sequence[str] = LATIN,
    task: str = "tatoeba",
    own: bool = True,
    flips: Weights | None = None,
    kept: Mapping[str, float] | None = None,
    subwords: Weights | None = None,
    whole: float = 0.1,
) -> list[Series]:
    """An encoder in languages; its scores are a weighted sum of what each measure leaves.

    `flips` and `subwords` are weights of their own under neighbour flips and in settings of
    subwords, `kept` are scores of settings, `whole` is Comp after a full shuffle.
    """
    apart = {"NeighbourFlip": flips or weights, "Phrase": subwords or weights}
    return [_series(name, weights, task, own, apart, kept or {}, whole) for name in languages]


def _series(
    language: str,
    weights: Weights,
    task: str,
    own: bool,
    apart: Mapping[str, Weights],
    kept: Weights,
    whole: float,
) -> Series:
    rng = np.random.default_rng([5, *map(ord, language)])
    size = len(VARIANTS) - 1
    measures = np.stack([rng.permutation(size) + 1 for _ in MEASURES], axis=1) / (size + 1)
    measures = np.vstack([[1.0, 0.0, 1.0], measures])
    measures[VARIANTS.index("FullShuffle")] = [0.0, 1.0, whole] + 0.05 * rng.random(3) * [1, -1, 1]
    left = measures * [1, -1, 1] + [0, 1, 0]
    shares = []
    for variant, row in zip(VARIANTS, left, strict=True):
        mine = next((own for name, own in apart.items() if variant.startswith(name)), weights)
        share = sum(mine.get(name, 0) * row[place] for place, name in enumerate(MEASURES))
        given = (value + 0.05 * rng.random() for k, value in kept.items() if variant.startswith(k))
        shares.append(next(given, share))
    scores = (np.arange(300)[:, None] / 300 < np.array(shares)[None, :]).astype(np.float64)
    samples = grid_samples(VARIANTS, scores, np.ones_like(scores), Bootstrap(resamples=300))
    named = ("with" if own else "without", task, "accuracy", language, f"{language}-eng", own)
    return Series(*named, measures, samples)


Made = Callable[[], list[Series]]
LOCAL: Weights = {"chrF-2": 1.0}
GLOBAL: Weights = {"IDC": 1.0}
PIECES: Weights = {"Comp": 1.0}
USUAL: Weights = {"chrF-2": 0.6, "Comp": 0.3, "IDC": 0.1}
MOSTLY_GLOBAL: Weights = {"IDC": 0.9, "chrF-2": 0.1}
TURNED: Weights = {"IDC": 0.6, "Comp": 0.3, "chrF-2": 0.1}
NO_PIECES: Weights = {"chrF-2": 0.8, "IDC": 0.2}
MOSTLY_PIECES: Weights = {"Comp": 0.6, "chrF-2": 0.4}
MANY = (*LATIN, *OTHERS)
WHOLE = {IDENTITY: 1.0}


def scripts(
    here: Mapping[str, float], there: Mapping[str, float], comp: float = 0.1
) -> list[Series]:
    """Chinese and Latin script, by what is left under settings, and Comp of the Chinese."""
    chinese = encoder(LOCAL, CHINESE, kept={**WHOLE, **here}, whole=comp)
    return [*chinese, *encoder(LOCAL, LATIN, kept={**WHOLE, **there})]


MADE: Mapping[str, tuple[Made, Made]] = {
    "L1": (lambda: encoder(LOCAL), lambda: encoder(GLOBAL)),
    "L2": (lambda: encoder(LOCAL), lambda: encoder(MOSTLY_GLOBAL)),
    "L3": (lambda: encoder(USUAL, MANY), lambda: encoder(TURNED, MANY)),
    "L4": (
        lambda: [*encoder(MOSTLY_PIECES), *encoder(NO_PIECES, own=False)],
        lambda: [*encoder(NO_PIECES), *encoder(MOSTLY_PIECES, own=False)],
    ),
    "L5": (
        lambda: [*encoder(LOCAL), *encoder(GLOBAL, task="pawsx", flips=LOCAL)],
        lambda: [*encoder(LOCAL), *encoder(LOCAL, task="pawsx", flips=GLOBAL)],
    ),
    "L6": (
        lambda: scripts(
            {"FullShuffle": 0.5, "NeighbourFlip": 0.9}, {"FullShuffle": 0.1, "NeighbourFlip": 0.2}
        ),
        lambda: scripts(
            {"FullShuffle": 0.1, "NeighbourFlip": 0.2}, {"FullShuffle": 0.5, "NeighbourFlip": 0.9}
        ),
    ),
    "L7": (
        lambda: encoder(LOCAL),
        lambda: [*encoder(LOCAL, GERMANIC), *encoder(GLOBAL, ITALIC)],
    ),
}
"""For each claim, encoders of which it holds, and encoders of which it does not."""

_MORE = {"FullShuffle": 0.5, "NeighbourFlip": 0.9}
_LESS = {"FullShuffle": 0.1, "NeighbourFlip": 0.2}
_SUBWORDS = "Comp over IDC, subwords alone"
_FLIPS = "chrF-2 over IDC, flips alone"
_LATIN = "Chinese minus Latin"
PARTS: Mapping[tuple[str, str], tuple[Made, Made]] = {
    ("L3", _SUBWORDS): (
        lambda: encoder(TURNED, MANY, subwords=USUAL),
        lambda: encoder(
            USUAL,
            MANY,
            subwords={"chrF-2": 0.75, "IDC": 0.25},
            flips={"chrF-2": 0.4, "Comp": 0.6},
        ),
    ),
    ("L5", _FLIPS): (
        lambda: [*encoder(LOCAL), *encoder(LOCAL, task="pawsx", flips=LOCAL)],
        lambda: [*encoder(LOCAL), *encoder(GLOBAL, task="pawsx", flips=GLOBAL)],
    ),
    ("L6", f"full shuffle, {_LATIN}"): (
        lambda: scripts({**_LESS, "FullShuffle": 0.5}, _LESS),
        lambda: scripts({**_MORE, "FullShuffle": 0.1}, {**_LESS, "FullShuffle": 0.5}),
    ),
    ("L6", f"flips, {_LATIN}"): (
        lambda: scripts({**_LESS, "NeighbourFlip": 0.9}, _LESS),
        lambda: scripts({**_MORE, "NeighbourFlip": 0.2}, {**_LESS, "NeighbourFlip": 0.9}),
    ),
    ("L6", "lead under flips over full shuffle"): (
        lambda: scripts({"FullShuffle": 0.2, "NeighbourFlip": 0.9}, _LESS),
        lambda: scripts({"FullShuffle": 0.9, "NeighbourFlip": 0.4}, _LESS),
    ),
    ("L6", "1 minus Comp of the full shuffle"): (
        lambda: scripts(_LESS, _MORE),
        lambda: scripts(_MORE, _LESS, comp=1.2),
    ),
}
"""For each number that some settings decide: where it holds alone, and where it alone does not."""
