"""A report on two systems, with everything that a study says of them."""

from __future__ import annotations

from dataclasses import replace

from hyperbaton.report import Contents
from hyperbaton.report.contents import Contest, Duel, Example, Headline, Picture
from tests.report.sample import PERTURBATIONS, SYSTEMS

_ONE, _OTHER = SYSTEMS
BETTER = f"{_ONE} is more robust than {_OTHER}: its β1 is higher by 0.011 [0.005, 0.016], p < .001."


def with_contests(sample: Contents) -> Contents:
    """The sample with everything that a study of two systems says."""
    spans = {_ONE: (0.245, 0.22, 0.27), _OTHER: (0.234, 0.21, 0.26)}
    sure = Duel(_ONE, _OTHER, (0.011, 0.005, 0.016), 0.0002, True)
    unsure = Duel(_ONE, _OTHER, (0.002, -0.01, 0.014), 0.41, False)
    centre = ((0.7, 0.65, 0.75), (0.5, 0.45, 0.55))
    points = {name: (0.1 + 0.15 * k, 0.5) for k, name in enumerate(PERTURBATIONS)}
    picture = Picture(("kept", "restored"), centre, points, "perturbation", ("repaired", "carried"))
    return replace(
        sample,
        headlines=[
            Headline(name, f"{name} keeps 57 %.", {"repaired": spans[name]}, {}, picture)
            for name in SYSTEMS
        ],
        contests=[
            Contest(
                "β1", BETTER, {n: (k, spans[n]) for k, n in enumerate(SYSTEMS, 1)}, [sure], "beta1"
            ),
            Contest(
                "β",
                f"{_ONE} and {_OTHER} share the first place by β.",
                {name: (1, spans[name]) for name in SYSTEMS},
                [unsure],
                "beta",
            ),
        ],
        examples=[Example(3, "The outcome: carried."), Example(9, "The outcome: lost.")],
        glossary={"β1": "Robustness.", "β": "Quality."},
    )
