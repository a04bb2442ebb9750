"""Same sentence, same translation: no batch holds padding, and the signature names the make."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.ct2 import engine as processor
from hyperbaton.systems.ct2.engine import Engine, backend, described
from hyperbaton.systems.shipped.bundled import Bundled
from hyperbaton.systems.system import SYSTEMS

shipped = pytest.mark.skipif(
    not (Bundled.folder / "model.bin").is_file(), reason="the model is not here"
)

SOURCES = [["a"] * length for length in (3, 7, 3, 1, 7, 7, 2)]
LOG = """
import sys, ctranslate2
ctranslate2.Translator(sys.argv[1])
"""


@dataclass
class _Answer:
    hypotheses: list[list[str]]
    attention: list[list[list[float]]]
    tokens: list[str]
    log_probs: list[float]

    def result(self) -> _Answer:
        return self


@dataclass
class _Library:
    """Stands in for CTranslate2's translator, and keeps the sources of each call."""

    device: str = "cpu"
    compute_type: str = "int8_float32"
    num_translators: int = 2
    calls: list[list[list[str]]] = field(default_factory=list)

    def translate_batch(self, sources: list[list[str]], **_: object) -> list[_Answer]:
        self.calls.append(sources)
        return [_Answer([source], [[[1.0]]], source, [0.0]) for source in sources]

    def score_batch(
        self, sources: list[list[str]], targets: list[list[str]], **_: object
    ) -> list[_Answer]:
        self.calls += [sources, targets]
        return self.translate_batch(targets)


def _engine(library: _Library) -> Engine:
    return Engine(cast("object", library))


def _lengths(calls: Sequence[list[list[str]]]) -> list[set[int]]:
    return [{len(source) for source in call} for call in calls]


def test_sources_of_one_length_share_a_batch_and_no_others() -> None:
    library = _Library()
    found = dict(_engine(library).translate(SOURCES, [], 384))
    assert found == dict(enumerate(SOURCES))
    assert _lengths(library.calls) == [{7}, {3}, {2}, {1}]


def test_attention_and_scores_are_computed_without_padding_too() -> None:
    library = _Library()
    targets = [["b"] * (1 + place % 2) for place in range(len(SOURCES))]
    assert _engine(library).attend_to(SOURCES, targets, 384) == [[[1.0]]] * len(SOURCES)
    scored = _engine(library).score(SOURCES, targets, 384, 0)
    assert [pieces for pieces, _ in scored] == targets
    assert all(len(lengths) == 1 for lengths in _lengths(library.calls))


def test_a_gpu_gets_full_batches_and_promises_nothing() -> None:
    library = _Library(device="cuda", compute_type="float16")
    engine = _engine(library)
    assert dict(engine.translate(SOURCES, [], 16384)) == dict(enumerate(SOURCES))
    assert len(library.calls) == 1
    assert not engine.batch_free


def test_only_sums_of_integers_are_promised() -> None:
    assert _engine(_Library()).batch_free
    assert _engine(_Library(compute_type="int16")).batch_free
    assert not _engine(_Library(compute_type="float32")).batch_free


@pytest.mark.parametrize(
    ("spec", "promised"),
    [("copy", True), ("cmd:cat", False), ("openai:m@http://localhost/v1", False)],
)
def test_a_system_says_whether_it_promises_it(spec: str, promised: bool) -> None:
    with SYSTEMS.parse(spec).open("en", "de") as translator:
        assert translator.batch_free is promised


@pytest.mark.parametrize(
    ("cpuinfo", "machine", "processor", "expected"),
    [
        ("vendor_id\t: GenuineIntel\nflags\t: avx avx2 avx_vnni\n", "x86_64", "", "avx2-vnni"),
        ("vendor_id\t: GenuineIntel\nflags\t: avx avx2 avx512f\n", "x86_64", "", "avx2"),
        (
            "vendor_id : GenuineIntel\n"
            "flags : avx2 avx512f avx512cd avx512vl avx512bw avx512dq avx512_vnni\n",
            "x86_64",
            "",
            "GenuineIntel-avx512-vnni",
        ),
        ("CPU implementer\t: 0x41\nFeatures\t: fp asimd\n", "aarch64", "", "0x41-aarch64"),
        ("", "AMD64", "Intel64 Family 6 Model 158, GenuineIntel", "AMD64-GenuineIntel"),
        ("", "arm64", "arm", "arm64-arm"),
    ],
)
def test_the_make_of_a_processor(cpuinfo: str, machine: str, processor: str, expected: str) -> None:
    assert described(cpuinfo, machine, processor).endswith(expected)


@shipped
def test_another_make_is_another_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    here = Bundled().open("en", "de").signature
    made = f"|backend:{backend('cpu')}|"
    assert made in here
    monkeypatch.setattr(processor, "_processor", lambda: "SomeoneElse-avx2")
    elsewhere = here.replace(made, "|backend:SomeoneElse-avx2|")
    assert Bundled().open("en", "de").signature == elsewhere
    monkeypatch.undo()
    monkeypatch.setenv("CT2_FORCE_CPU_ISA", "AVX")
    assert Bundled().open("en", "de").signature != here


@shipped
@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64", reason="what Linux on x86-64 tells"
)
def test_the_make_is_what_the_library_chooses_by() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOG, str(Bundled.folder)],
        env={**os.environ, "CT2_VERBOSE": "1"},
        capture_output=True,
        text=True,
    )
    vendor, isa, *_ = backend("cpu").split("-")
    assert f"CPU: {vendor} " in done.stderr
    # On AMD its own code stays at AVX2, but the library that it calls does not.
    assert f"{isa.upper()}=true" in done.stderr
    assert ("AVX512=true" in done.stderr) == (isa == "avx512")


@pytest.mark.parametrize(
    "options",
    [
        {"workers": 100_000},
        {"workers": -1},
        {"threads": 100_000},
        {"beam": 0},
        {"beam": 10**9},
        {"batch_tokens": -5},
        {"length_penalty": float("nan")},
    ],
)
def test_numbers_that_no_machine_can_bear(options: dict[str, float]) -> None:
    (name,) = options
    with pytest.raises(HyperbatonError, match=f"{name} must be between"):
        Bundled(**options).open("en", "de")  # type: ignore[arg-type]


def test_a_folder_that_ct2_names_has_the_same_ranges(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match="workers must be between 0 and 256"):
        SYSTEMS.parse(f"ct2:{tmp_path}(workers=100000)").open("en", "de")
