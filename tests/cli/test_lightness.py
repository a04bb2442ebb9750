"""`hyperbaton --help` loads the command line and nothing behind it."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest

from hyperbaton.cli import main
from hyperbaton.studies import SHIPPED_STUDIES
from hyperbaton.studies.registry import STUDIES

HEAVY = {
    *("numpy", "scipy", "polars", "sacrebleu", "rapidfuzz", "ctranslate2", "sentencepiece"),
    *("rich", "altair", "spacy", "torch", "transformers", "nltk", "natasha", "pandas", "ray"),
}


def imported(*arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "hyperbaton", *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rsplit("|", 1)[1].strip() for line in lines}


@pytest.mark.parametrize("arguments", [("--help",), ("--version",)])
def test_help_loads_no_room(arguments: tuple[str, ...]) -> None:
    modules = imported(*arguments)
    assert not modules & HEAVY
    rooms = {name for name in modules if name.startswith("hyperbaton.")}
    assert {name for name in rooms if not name.startswith("hyperbaton.cli")} <= {
        "hyperbaton.base",
        "hyperbaton.base.errors",
        "hyperbaton.studies",  # their names alone
    }


@pytest.mark.parametrize("verb", ["perturb", "show", "ls"])
def test_the_help_of_a_verb_loads_nothing_heavy(verb: str) -> None:
    assert not imported(verb, "--help") & HEAVY


def test_the_overview_lists_every_study_that_is_shipped() -> None:
    shipped = {name for name, place in STUDIES._entries.items() if place.startswith("hyperbaton.")}
    assert set(SHIPPED_STUDIES) == shipped
    assert all(line in main._overview() for _, line in SHIPPED_STUDIES.values())


def test_listing_perturbations_loads_nothing_heavy() -> None:
    assert not imported("ls", "perturbations") & HEAVY


def test_a_score_and_a_study_load_only_what_they_use(tmp_path: Path) -> None:
    texts = [str(tmp_path / name) for name in ("source", "reference")]
    for path in texts:
        Path(path).write_text("The cat sat on the mat today.\nIt rained all day long.\n")
    score = ("score", "--confidence", *texts)
    study = ("wordorder", *texts, "-l", "en-de", "--with", "reversed", "--system", "copy")
    unused = {"altair", "jsonschema", "spacy", "torch", "vl_convert"}
    if [int(part) for part in version("scipy").split(".")[:2]] < [1, 18]:
        unused |= {"scipy.linalg", "numpy.f2py"}  # newer ones load them for any distribution
    # What is not installed is not loaded: CTranslate2 4.5 tries torch, and goes on without it.
    unused = {name for name in unused if find_spec(name.split(".")[0])}
    heavy = {*unused, "polars", "ctranslate2", "rich"}, unused
    for number in range(2):  # what compiles kernels loads more: then the second run tells
        found = imported(*score), imported(*study, "--out", str(tmp_path / str(number)))
        if not any(map(set.intersection, found, heavy)):
            return
    assert not found[0] & heavy[0]
    assert not found[1] & heavy[1]
