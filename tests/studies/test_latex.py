"""The tables of every study, compiled: by pdfLaTeX as papers are, by XeLaTeX in every script."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import polars as pl
import pytest

from hyperbaton.corpus.starter import starter
from hyperbaton.pipeline import Pair, RunOptions
from hyperbaton.report import Table
from hyperbaton.report.files.latex import latex_table, other_script
from hyperbaton.studies.layer.running import run_study
from hyperbaton.studies.registry import STUDIES, make_study

_FONT = "Noto Sans CJK SC"
_HEAD = r"\documentclass{article}\usepackage{array,booktabs,longtable}"
_LATIN = r"\usepackage[T1]{fontenc}\usepackage{lmodern}"
_ANY = rf'\usepackage{{fontspec}}\setmainfont{{{_FONT}}}\XeTeXlinebreaklocale "zh"'


@dataclass(frozen=True)
class _Small:
    """A run that takes seconds."""

    pairs: tuple[str, ...]
    systems: tuple[str, ...] = ("gloss", "copy")
    limit: int = 6
    options: tuple[tuple[str, str], ...] = ()
    metrics: tuple[str, ...] = ()


_MOVED = (("perturbations", "reversed; verbSwaps"),)
_FLIPPED = (("perturbations", "FullShuffle; NeighbourFlip(p=0.1); PhraseShuffle(p=0.5)"),)
_RUNS = {
    "wordorder": _Small(("en-de", "en-ru", "en-ja", "en-zh"), options=_MOVED),
    "grammar": _Small(("en-ru", "en-ja"), limit=60),
    "isometry": _Small(("de-en",), ("literal", "copy"), metrics=("Paraphrase:words()",)),
    "structure": _Small(("de-en", "zh-en"), ("chars",), 6, _FLIPPED),
    "surface": _Small(("en-de", "en-zh")),
    "repairs": _Small(("en-de", "en-ja")),
    "obedience": _Small(("en-de", "en-ja")),
    "metrics": _Small(("en-de", "en-ja"), (), options=_MOVED),
}


def _tables(name: str, folder: Path) -> list[str]:
    """The tables of a study in LaTeX."""
    small = _RUNS[name]
    study = make_study(name, dict(small.options))
    session = run_study(
        study,
        [study.demo_corpus(Pair(*pair.split("-")), small.limit) for pair in small.pairs],
        small.systems,
        folder / name,
        metrics=small.metrics,
        options=RunOptions(workers=0, cached=False),
    )
    return [latex_table(table) for table in session.contents.tables]


def _compiled(engine: str, head: str, tables: list[str], folder: Path) -> str:
    """What the engine says of a document of tables; a failure where it refuses."""
    text = "\n".join([_HEAD, head, r"\begin{document}", *tables, r"\end{document}", ""])
    (folder / "all.tex").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [engine, "-halt-on-error", "-interaction=nonstopmode", "all.tex"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    said = (folder / "all.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, said[-2000:]
    assert (folder / "all.pdf").read_bytes().startswith(b"%PDF-")
    return said


def test_every_study_is_compiled() -> None:
    assert {*_RUNS} == {*STUDIES.names()}


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.usefixtures("plain_detectors")
@pytest.mark.parametrize("name", _RUNS)
def test_papers_take_the_tables_and_every_script_is_printed(name: str, tmp_path: Path) -> None:
    tables = _tables(name, tmp_path)
    latin = [table for table in tables if not other_script(table)]
    assert latin
    _compiled("pdflatex", _LATIN, latin, tmp_path)
    if shutil.which("xelatex") is None or not _has_font():
        pytest.skip(f"xelatex or the font {_FONT} is not installed")
    said = _compiled("xelatex", _ANY, [*tables, _sentences()], tmp_path)
    # TeX goes on without a letter that the font lacks.
    assert "Missing character" not in said


def _has_font() -> bool:
    listed = shutil.which("fc-list")
    known = subprocess.run([listed], capture_output=True, check=False).stdout if listed else b""
    return _FONT.encode() in known


def _sentences() -> str:
    """The first sentences of the starter corpus, in a column for each language."""
    texts = {
        code: [item.reference_text or "" for item in islice(starter("en", code), 8)]
        for code in ("fr", "ru", "ja", "zh")
    }
    return latex_table(Table("T9", "Sentences of “β” and «β»", pl.DataFrame(texts), "β1 ≤ β2"))


def test_a_table_in_other_scripts_says_what_it_needs() -> None:
    assert other_script(_sentences())
    assert "% XeLaTeX" in _sentences()
