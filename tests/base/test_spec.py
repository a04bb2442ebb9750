"""Names print and parse back, mistakes are named, other packages add their own."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import Registry, Spec, split
from hyperbaton.perturb import PERTURBATIONS


@dataclass(frozen=True)
class Sample(Spec):
    """A value with a field of every kind."""

    name = "sample"
    p: float
    count: int = 3
    text: str = "plain"
    path: str | None = None
    on: bool = False
    mode: Literal["none", "some", "ALL"] = "some"
    limit: float | None = None


@dataclass(frozen=True)
class Located(Spec):
    """A value with a part after the colon."""

    name = "at"
    positional = "place"
    place: str
    beam: int = 1


SAMPLES: Registry[Spec] = Registry(
    "sample", {"sample": f"{__name__}:Sample", "at": f"{__name__}:Located"}
)

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@given(
    st.builds(
        Sample,
        p=NUMBERS,
        count=st.integers(),
        text=st.text(),
        path=st.none() | st.text(),
        on=st.booleans(),
        mode=st.sampled_from(["none", "some", "ALL"]),
        limit=st.none() | NUMBERS,
    )
)
def test_what_is_printed_parses_back(sample: Sample) -> None:
    assert SAMPLES.parse(str(sample)) == sample


PLACES = st.text(min_size=1) | st.sampled_from(
    ["a(b=c)", "a(b=c)()", "a()", "a ", "(x=1, y='2')", "dir:with:colons", "a(b=c)(d='e)')", "\\"]
)


@given(PLACES, st.integers())
def test_places_parse_back(place: str, beam: int) -> None:
    located = Located(place, beam)
    assert SAMPLES.parse(str(located)) == located


@pytest.mark.parametrize("name", PERTURBATIONS.names())
def test_every_perturbation_parses_back(name: str) -> None:
    options = "(p=0.25)" if name in ("PhraseShuffle", "NeighbourFlip") else ""
    perturbation = PERTURBATIONS.parse(name + options)
    assert PERTURBATIONS.parse(str(perturbation)) == perturbation
    assert str(perturbation) == name + options
    assert perturbation.__doc__
    assert ">>>" in perturbation.__doc__


def test_options_are_read_as_typed() -> None:
    assert PERTURBATIONS.parse("NeighbourFlip( p = .3 , unit=CHAR )") == PERTURBATIONS.parse(
        "NeighbourFlip(p=0.3)"
    )
    assert split("x(a='b, c', d=\"e\")").options == {"a": "b, c", "d": "e"}
    assert split("hf:org/model(beam=4)").argument == "org/model"
    assert split("command:tr a-z (x)").argument == "tr a-z (x)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("smaple(p=1)", "unknown sample 'smaple'. Did you mean 'sample'"),
        ("sample", "needs p"),
        ("sample(p=x)", "p must be float"),
        ("sample(p=1, count=1.5)", "count must be int"),
        ("sample(p=1, on=1)", "on must be bool"),
        ("sample(p=1, mode=any)", "mode is one of none, some, ALL"),
        ("sample(p=1, p=2)", "given twice"),
        ("sample(p=1, cuont=2)", "no parameter 'cuont'.*Did you mean 'count'"),
        ("sample(p=1, count)", "cannot read 'count' as key=value"),
        ("sample:here(p=1)", "takes nothing after ':'"),
        ("at", "needs a value after the colon"),
        ("a b", "cannot be read"),
        ("", "cannot be read"),
    ],
)
def test_mistakes_are_named(text: str, message: str) -> None:
    with pytest.raises(HyperbatonError, match=message):
        SAMPLES.parse(text)


PLUGIN = '''
from dataclasses import dataclass

from hyperbaton.perturb import Reordering
from hyperbaton.base.randomness import Rng
from hyperbaton.language.sentence import Order, Sentence


@dataclass(frozen=True)
class FirstToLast(Reordering):
    """The first word at the end."""

    name = "firstToLast"
    category = "random"
    times: int = 1

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        size = len(sentence)
        return (*range(self.times, size), *range(self.times))
'''


def _install(folder: Path, name: str, module: str, entries: str) -> None:
    """Build a real wheel's contents in a folder: a module and the metadata that names it."""
    (folder / f"{name}.py").write_text(module)
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[hyperbaton.perturbations]\n{entries}\n")


def test_another_package_adds_a_perturbation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "firstToLast" not in PERTURBATIONS.names()
    _install(tmp_path, "fake_plugin", PLUGIN, "firstToLast = fake_plugin:FirstToLast")
    monkeypatch.syspath_prepend(tmp_path)
    assert PERTURBATIONS.names()[-1] == "firstToLast"
    perturbation = PERTURBATIONS.parse("firstToLast(times=2)")
    assert PERTURBATIONS.parse(str(perturbation)) == perturbation
    with pytest.raises(HyperbatonError, match="Did you mean 'firstToLast'"):
        PERTURBATIONS.parse("fristToLast")


def test_another_package_in_another_process(tmp_path: Path) -> None:
    """As a user has it: installed beside Hyperbaton, found without a word of configuration."""
    _install(tmp_path, "fake_plugin", PLUGIN, "firstToLast = fake_plugin:FirstToLast")
    script = (
        "from hyperbaton.perturb import PERTURBATIONS, perturb\n"
        "from hyperbaton.language.sentence import Sentence\n"
        "text = Sentence.from_words(['a', 'b', 'c'])\n"
        "print(perturb(text, PERTURBATIONS.parse('firstToLast')).text)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "b c a\n", done.stderr


def test_two_packages_with_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _install(tmp_path, "fake_rival", PLUGIN, "reversed = fake_rival:FirstToLast")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(HyperbatonError, match="two packages offer a perturbation 'reversed'"):
        PERTURBATIONS.names()


def test_a_broken_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _install(tmp_path, "fake_broken", "", "lost = fake_broken:Missing")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(HyperbatonError, match="'lost' of another package cannot be loaded"):
        PERTURBATIONS.parse("lost")
    assert PERTURBATIONS.parse("reversed")


def test_nothing_heavy_is_imported_for_a_name() -> None:
    script = "import sys; from hyperbaton.perturb import PERTURBATIONS; PERTURBATIONS.names(); "
    script += "print([m for m in ('numpy', 'spacy', 'torch', 'polars') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
