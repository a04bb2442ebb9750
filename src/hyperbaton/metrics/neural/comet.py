"""COMET: regression on source, hypothesis and, unless it is reference-free, reference (Rei 2020).

`unbabel-comet` asks for NumPy 1 and transformers 4, so an interpreter of its own runs it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

import numpy as np

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.processes import end_process
from hyperbaton.metrics.metric import Level, Scores, Segments, SentenceMetric

_SCRIPT = Path(__file__).with_name("comet_worker.py")
_AT_ONCE = 20_000
"""Pairs in one request, so that a line stays of bearable length."""
VARIABLE = "HYPERBATON_COMET_PYTHON"
# COMET's torchmetrics still imports pkg_resources, which setuptools 81 no longer has.
_INSTALL = "pip install unbabel-comet 'setuptools<81'"


@dataclass(frozen=True)
class COMET(SentenceMetric):
    """The rating of a COMET model, with or without reference as the model was trained.

    `python` is the interpreter of an environment with unbabel-comet; where it is not given, the
    variable HYPERBATON_COMET_PYTHON, then this interpreter.

    >>> print(COMET(model="Unbabel/wmt22-cometkiwi-da", python="comet/bin/python"))
    COMET(model=Unbabel/wmt22-cometkiwi-da, python=comet/bin/python)
    """

    name: ClassVar[str] = "COMET"
    range: ClassVar[tuple[float, float]] = (float("-inf"), float("inf"))
    needs_sources: ClassVar[bool] = True

    model: str = "Unbabel/wmt22-comet-da"
    python: str | None = None
    download: bool = False
    device: str = "auto"
    batch_size: int = 16

    @property
    def _worker(self) -> Worker:
        python = self.python or os.environ.get(VARIABLE) or _own_python()
        return _started(python, self.model, self.download, self.device)

    @property
    def reference_free(self) -> bool:
        """Whether the model rates a translation by its source alone."""
        return not self._worker.greeting["needs_references"]

    def score_each(self, segments: Segments) -> Scores:
        """One rating a segment; equal segments are rated once."""
        if segments.sources is None:
            raise HyperbatonError("COMET reads the source too: give the sources of the hypotheses")
        columns = [segments.sources, segments.hypotheses]
        if not self.reference_free:
            columns.append(segments.references)
        rows = list(zip(*columns, strict=True))
        unique = list(dict.fromkeys(rows))
        scores: list[float] = []
        for start in range(0, len(unique), _AT_ONCE):
            scores += self._rated(unique[start : start + _AT_ONCE])
        found = dict(zip(unique, scores, strict=True))
        return np.array([found[row] for row in rows], dtype=np.float64)

    def _rated(self, rows: list[tuple[str, ...]]) -> list[float]:
        columns = dict(zip(("src", "mt", "ref"), map(list, zip(*rows, strict=True)), strict=False))
        answer = self._worker.ask({**columns, "batch_size": self.batch_size})
        scores = answer["scores"]
        assert isinstance(scores, list)
        return scores

    def fields(self, level: Level) -> dict[str, str]:
        """Whether references were read, the checkpoint's revision, the other side's versions."""
        greeting = self._worker.greeting
        checkpoint, packages = Path(str(greeting["checkpoint"])), greeting["versions"]
        assert isinstance(packages, dict)
        references = "no" if self.reference_free else "yes"
        return {"references": references, "revision": _revision(checkpoint), **packages}


def _revision(checkpoint: Path) -> str:
    folder = checkpoint.parent.parent
    if folder.parent.name == "snapshots":
        return folder.name[:12]
    parts = (checkpoint, folder / "hparams.yaml")
    return fingerprint(part for part in parts if part.is_file())


def _own_python() -> str:
    if find_spec("comet") is None:
        raise HyperbatonError(
            "COMET needs an environment of its own: python3 -m venv comet && "
            f"comet/bin/{_INSTALL}, then COMET(python=comet/bin/python) "
            f"or {VARIABLE}=comet/bin/python"
        )
    return sys.executable


@lru_cache(maxsize=2)
def _started(python: str, model: str, download: bool, device: str) -> Worker:
    try:
        return Worker(python, _SCRIPT, [model, str(int(download)), device], offline=not download)
    except HyperbatonError as error:
        if "No module named" in str(error):
            raise HyperbatonError(
                f"{python} has no working COMET ({error}): install it there with {_INSTALL}"
            ) from None
        hint = "" if download else "; a model of the hub is fetched once with download=true"
        raise HyperbatonError(f"COMET cannot load {model}: {error}{hint}") from None


class Worker:
    """A script that another Python runs and that speaks JSON lines; ends with this process."""

    def __init__(self, python: str, script: Path, arguments: Sequence[str], offline: bool) -> None:
        self._python = python
        environment = {**os.environ, "TOKENIZERS_PARALLELISM": "false"}
        if offline:
            environment |= {"HF_HUB_OFFLINE": "1"}
        # Kept open as long as the process writes to it.
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        try:
            # -I: the other environment must not see this one's paths.
            self._process = subprocess.Popen(
                [python, "-I", str(script), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                text=True,
                encoding="utf-8",
                env=environment,
            )
        except OSError as error:
            raise HyperbatonError(f"{python} cannot be run: {error.strerror}") from None
        self.close = weakref.finalize(self, end_process, self._process)
        self.greeting = self.receive()

    def ask(self, request: dict[str, object]) -> dict[str, object]:
        """Send one request and wait for its answer."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise HyperbatonError(self._last_words()) from None
        return self.receive()

    def receive(self) -> dict[str, object]:
        """The next answer; an error that the script tells is raised here."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise HyperbatonError(self._last_words())
        answer: dict[str, object] = json.loads(line)
        if "error" in answer:
            raise HyperbatonError(str(answer["error"]))
        return answer

    def _last_words(self) -> str:
        code = self._process.wait()
        self._errors.seek(0)
        lines = [line.strip() for line in self._errors if line.strip()]
        return f"{self._python} ended with code {code}: {lines[-1] if lines else 'no message'}"
