"""The examples work: the package through the command line, the notebook from top to bottom."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import TOM, command, script

EXAMPLES = Path(__file__).parent.parent / "examples"
PACKAGE = EXAMPLES / "hyperbaton-fronting"
SOURCE = Path(__file__).parent.parent / "src"

pytestmark = pytest.mark.skipif(not EXAMPLES.is_dir(), reason="the examples are not here")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process that has the example package; ours stays as it is."""
    pytest.importorskip("hatchling", reason="pip install 'hyperbaton[test]'")
    pytest.importorskip("pip", reason="this environment has no pip")
    folder = tmp_path_factory.mktemp("packages")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    here = ["--no-deps", "--no-index", "--no-build-isolation", "--target", str(folder)]
    subprocess.run([*pip, *here, str(PACKAGE)], check=True, timeout=900)
    paths = [str(folder), str(SOURCE), *filter(None, [os.environ.get("PYTHONPATH")])]
    cache = str(tmp_path_factory.mktemp("cache"))
    path = os.pathsep.join(paths)
    return {**os.environ, "PYTHONPATH": path, "HYPERBATON_CACHE": cache, "PYTHONUTF8": "1"}


def call(environment: dict[str, str], *arguments: str, given: str = "") -> str:
    """What a command prints."""
    done = subprocess.run(
        command(*arguments),
        env=environment,
        input=given,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_its_own_tests_pass(installed: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "tests.py").write_text("import sys, pytest\nsys.exit(pytest.main(sys.argv[1:]))\n")
    own = ("-c", PACKAGE / "pyproject.toml", "--rootdir", PACKAGE)
    done = subprocess.run(
        script(tmp_path / "tests.py", "-q", "-p", "no:cacheprovider", *own, PACKAGE / "tests"),
        env=installed,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
    )
    assert done.returncode == 0, done.stdout
    assert "9 passed" in done.stdout


def test_its_perturbation_and_its_metric_have_names_on_the_command_line(
    installed: dict[str, str], tmp_path: Path
) -> None:
    assert "lastToFirst" in call(installed, "ls", "perturbations")
    parsed = tmp_path / "tom.conllu"
    parsed.write_text(TOM, encoding="utf-8")
    order = "lastToFirst(words=2)"
    moved = call(installed, "perturb", "-l", "en", "--with", order, str(parsed))
    assert moved.strip() == "a house Tom saw the old dog near."
    hypothesis, reference = tmp_path / "hypothesis", tmp_path / "reference"
    hypothesis.write_text(moved, encoding="utf-8")
    reference.write_text("a house saw Tom\n", encoding="utf-8")
    found = call(installed, "score", "-m", "WordOverlap", str(hypothesis), str(reference))
    assert found.rstrip().endswith("= 0.615")


def test_its_study_has_a_command_a_demo_and_thresholds(
    installed: dict[str, str], tmp_path: Path
) -> None:
    run = tmp_path / "run"
    given = ("--no-open", "--limit", "8", "-l", "en-de", "--out", str(run), "--format", "json")
    found = json.loads(call(installed, "demo", "fronting", *given))
    kept = [row for row in found["scores"] if (row["name"], row["metric"]) == ("kept", "chrF")]
    assert [row["n"] for row in kept] == [8, 8]  # over all variants, and of the only one
    assert all(row["low"] <= row["value"] <= row["high"] for row in kept)
    assert (run / "report.html").is_file()
    assert "kept@all" in call(installed, "check", str(run), "--min", "kept=0.5", "-m", "chrF")
    assert "--words N" in call(installed, "fronting", "--help")


def test_the_notebook_runs_from_top_to_bottom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nbclient = pytest.importorskip("nbclient", reason="pip install 'hyperbaton[test-pages]'")
    nbformat = pytest.importorskip("nbformat", reason="pip install 'hyperbaton[test-pages]'")
    pytest.importorskip("ipykernel", reason="pip install 'hyperbaton[test-pages]'")
    monkeypatch.setenv("PYTHONPATH", str(SOURCE), prepend=os.pathsep)
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path))
    notebook = nbformat.read(EXAMPLES / "word-order.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "save it without outputs"
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    shown = [str(cell.outputs) for cell in cells]
    assert "treeMirrorPre" in shown[0]
    assert "oracle" in shown[2]
    assert "Translators are robust" in shown[3]
    assert "nan" not in shown[3]
    assert "vega" in shown[4]
    assert "report.html" in shown[6]
