"""Pairs of sentences, votes and spellings made by rule, for every claim of the isometry paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl

from hyperbaton.studies.isometry.claims import Asked
from hyperbaton.studies.isometry.samples import OUTCOMES, PairSamples, pair_samples
from hyperbaton.studies.isometry.study import BLEU, CHRF

PAIRS = 300
LABELS = {"[1,1]": (1, 1), "[0,0]": (0, 0), "[0,1]": (0, 1), "[1,0]": (1, 0)}
DETECTORS = ("xlm-roberta-large", "xlm-roberta-base", "mbert")
EVERYBODY, BOTH_XLM_R, LARGE_AND_MBERT = (0, 1, 2), (0, 1), (0, 2)
Counts = Mapping[str, int]
USUAL: Counts = {"[1,1]": 150, "[0,0]": 60, "[0,1]": 30, "[1,0]": 30, "∅": 30}
"""How often each outcome comes, in percent times three."""


def system(
    name: str,
    counts: Counts = USUAL,
    agreeing: Sequence[tuple[int, ...]] = (EVERYBODY,),
    spelling: float = 0.0,
    alike: float = 0.5,
    wrong: int = 0,
) -> PairSamples:
    """What a system did with pairs: outcomes, who agreed on them, and how alike the texts are.

    `spelling` is by how much chrF̄2 is higher where two sentences are paraphrases, `wrong` how many
    words of each translation are not those of its reference.
    """
    rng = np.random.default_rng([4, *map(ord, name)])
    outcomes = [name for name in OUTCOMES for _ in range(counts[name])]
    votes = np.zeros((PAIRS, 3, 2))
    for place, outcome in enumerate(outcomes):
        kind = agreeing[place % len(agreeing)]
        for judge in range(3):
            if outcome == "∅":
                votes[place, judge] = ((1, 1), (0, 0), (0, 1))[judge]
            elif judge in kind:
                votes[place, judge] = LABELS[outcome]
            else:
                votes[place, judge] = 1 - np.array(LABELS[outcome])
    order = rng.permutation(PAIRS)
    votes = votes[order]
    noise = rng.random((PAIRS, 2))
    chrf = alike + 0.3 * (noise - 0.5) + spelling * (votes.mean(axis=1) - 0.5)
    texts = [f"word{n} of the sentence number {n} that was written here" for n in range(PAIRS)]
    outputs = [" ".join(["wrong"] * wrong + text.split()[wrong:]) for text in texts]
    same = rng.random(PAIRS) < alike - 0.3
    frame = pl.DataFrame(
        {
            "item": [str(n) for n in range(PAIRS)],
            "source": texts,
            "varied": [f"{text} again" for text in texts],
            "reference": texts,
            "output": outputs,
            "varied_output": [o if s else f"{o}!" for o, s in zip(outputs, same, strict=True)],
            "label": [1] * PAIRS,
        }
    )
    judged = {judge: votes[:, number] for number, judge in enumerate(DETECTORS)}
    return pair_samples(frame, {CHRF: chrf, BLEU: chrf}, judged, name, "made", pair="de-en")


def rivals(better: Counts, other: Counts) -> Asked:
    """A system with good translations, named last, and one with bad ones."""
    return Asked([system("bad", other, wrong=4), system("good", better)])


def more(outcome: str, than: str, by: int = 60) -> Counts:
    """The usual outcomes with more of one at the cost of another."""
    return {**USUAL, outcome: USUAL[outcome] + by, than: USUAL[than] - by}


Made = Callable[[], Asked]
FEW_BROKEN = more("[1,0]", "[1,1]", 45)
MADE: Mapping[str, tuple[Made, Made]] = {
    "I1": (
        lambda: rivals(more("[1,1]", "[0,0]", 50), USUAL),
        lambda: rivals(USUAL, more("[1,1]", "[0,0]", 50)),
    ),
    "I2": (lambda: rivals(USUAL, FEW_BROKEN), lambda: rivals(FEW_BROKEN, USUAL)),
    "I3": (
        lambda: rivals(more("[0,1]", "[0,0]", 50), USUAL),
        lambda: rivals(USUAL, more("[0,1]", "[0,0]", 50)),
    ),
    "I4": (
        lambda: rivals(USUAL, more("∅", "[1,1]")),
        lambda: rivals(more("∅", "[1,1]"), USUAL),
    ),
    "I5": (
        lambda: Asked([system("a", agreeing=(EVERYBODY, EVERYBODY, EVERYBODY, BOTH_XLM_R))]),
        lambda: Asked([system("a", agreeing=(EVERYBODY, LARGE_AND_MBERT, LARGE_AND_MBERT))]),
    ),
    "I6": (
        lambda: Asked([system("a", spelling=0.05)]),
        lambda: Asked([system("a", spelling=0.4)]),
    ),
    "I7": (
        lambda: Asked([system("bad", alike=0.4, wrong=4), system("good", alike=0.7)]),
        lambda: Asked([system("bad", alike=0.7, wrong=4), system("good", alike=0.4)]),
    ),
    "I8": (
        lambda: Asked([system("a")]),
        lambda: Asked([system("a", more("[1,0]", "[1,1]", 100))]),
    ),
}
"""For each claim, data on which it holds, and data on which it does not."""
