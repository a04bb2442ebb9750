"""Controls beside systems: they are shown, and never averaged in."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.pipeline import Pair, Run
from hyperbaton.studies.layer.sources import CONTROLS, Source
from hyperbaton.studies.layer.summary import Summary
from hyperbaton.systems.controls import Control
from hyperbaton.systems.shipped.gloss import Gloss


def _summary(*names: str) -> Summary:
    run = Run(Path("nowhere"))
    sources = tuple(Source(name, Pair("en", "de"), run, name) for name in names)
    return Summary(sources, ("reversed",), ("BLEU",), "BLEU")


@pytest.mark.parametrize(
    ("asked", "systems", "controls"),
    [
        (("bundled", "gloss"), ("bundled",), ("gloss",)),
        (("gloss(order=1)", "ct2:m", "copy"), ("ct2:m",), ("gloss(order=1)", "copy")),
        (("gloss", "copy"), ("gloss", "copy"), ()),
        (("bundled",), ("bundled",), ()),
    ],
)
def test_no_mean_is_over_a_control(
    asked: tuple[str, ...], systems: tuple[str, ...], controls: tuple[str, ...]
) -> None:
    summary = _summary(*asked)
    assert summary.systems == systems
    assert summary.controls == controls
    assert summary.named == (*systems, *controls)


def test_every_control_is_known_as_one() -> None:
    assert {Gloss.name, *(kind.name for kind in Control.__subclasses__())} <= {*CONTROLS}
