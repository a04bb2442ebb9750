"""CONTRIBUTING.md works when it is typed: its code blocks, in a copy of the tree, can be used."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import hyperbaton
from tests.cli.command import real_command

ROOT = Path(__file__).parent.parent
PACKAGE = Path(hyperbaton.__file__).parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8") if (ROOT / "CONTRIBUTING.md").exists() else ""
BLOCK = re.compile(r"```python\n(.*?)```\n", re.DOTALL)
LINE = re.compile(r"one line in `(\w+)` \(`(src/[\w/]+\.py)`\)[^\n]*:\n\n```python\n(.*?)\n```")

pytestmark = pytest.mark.skipif(not TEXT, reason="needs CONTRIBUTING.md of the source tree")


def files() -> dict[str, str]:
    """The files that the text says to write."""
    blocks = [block for block in BLOCK.findall(TEXT) if block.startswith("# src/")]
    return {block.split("\n")[0].removeprefix("# "): block.split("\n", 1)[1] for block in blocks}


@dataclass(frozen=True)
class Tree:
    """A copy of the source tree with everything typed into it."""

    root: Path

    def run(self, *arguments: str, stdin: str = "") -> str:
        """What a program prints that runs in the copy."""
        done = subprocess.run(
            arguments,
            cwd=self.root,
            env={
                **os.environ,
                "PYTHONPATH": str(self.root / "src"),
                "HYPERBATON_CACHE": str(self.root / "cache"),
            },
            input=stdin,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def hyperbaton(self, *arguments: str, stdin: str = "") -> str:
        """What a command prints."""
        return self.run(*real_command(*arguments), stdin=stdin)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    root = tmp_path_factory.mktemp("typed")
    copy = root / "src" / "hyperbaton"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("data", "__pycache__"))
    (copy / "data").symlink_to(PACKAGE / "data")
    for path, code in files().items():
        assert not (root / path).exists(), f"{path} is there already: choose another example"
        (root / path).write_text(code, "utf-8")
    for registry, path, line in LINE.findall(TEXT):
        before, name, after = (root / path).read_text("utf-8").partition(f"\n{registry}: ")
        assert name, f"{path} has no registry {registry}"
        opened = after.index("{\n") + 2
        code = f"{before}{name}{after[:opened]}        {line}\n{after[opened:]}"
        (root / path).write_text(code, "utf-8")
    return Tree(root)


def test_every_kind_of_part_is_told_with_its_registry() -> None:
    kinds = ["PERTURBATIONS", "METRICS", "SYSTEMS", "ENCODERS", "TASKS", "SHIPPED_STUDIES"]
    assert [registry for registry, _, _ in LINE.findall(TEXT)] == kinds
    assert len(files()) == len(kinds)


def test_the_code_is_as_the_house_wants_it(tree: Tree) -> None:
    pytest.importorskip("ruff")
    shutil.copy(ROOT / "pyproject.toml", tree.root)
    ruff = (sys.executable, "-m", "ruff")
    tree.run(*ruff, "check", *files())
    tree.run(*ruff, "format", "--check", *files())


def test_the_examples_in_docstrings_are_true(tree: Tree) -> None:
    paths = [path for path, code in files().items() if ">>>" in code]
    assert len(paths) == 2
    tree.run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--doctest-modules",
             "-c", os.devnull, *paths)  # fmt: skip


def test_the_perturbation_and_the_property_tests_of_all(tree: Tree) -> None:
    varied = tree.hyperbaton(
        "perturb", "-l", "en", "--parser", "plain", "--with", "swapEnds", stdin="She comes soon.\n"
    )
    assert "soon comes She." in varied
    shutil.copytree(ROOT / "tests", tree.root / "tests", ignore=shutil.ignore_patterns("*.pyc"))
    of_all = "test_word_order_is_a_permutation_that_keeps_the_final_mark"
    said = tree.run(sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider",
                    f"tests/perturb/test_orders.py::{of_all}", "tests/cli/test_ls.py")  # fmt: skip
    assert " passed" in said


def test_the_metric(tree: Tree) -> None:
    (tree.root / "hypothesis").write_text("ab\nabcd\n")
    (tree.root / "reference").write_text("abcd\nabcd\n")
    printed = tree.hyperbaton(
        "score", "hypothesis", "reference", "-m", "LengthRatio", "--format", "json"
    )
    assert "0.75" in printed


def test_the_system(tree: Tree) -> None:
    answer = tree.hyperbaton("translate", "--system", "capitals", "-l", "en-de", stdin="a house\n")
    assert answer == "A HOUSE\n"


def test_the_encoder_and_the_task(tree: Tree) -> None:
    folder = tree.root / "proverbs"
    folder.mkdir()
    (folder / "de.tsv").write_text("Eile mit Weile\tMore haste, less speed\nZeit ist Geld\tTime\n")
    printed = tree.hyperbaton(
        *("structure", str(folder), "--task", "proverbs", "--encoder", "letters", "--workers", "0"),
        *("--with", "FullShuffle", "--with", "identity", "--out", str(tree.root / "grid")),
        *("--no-report", "--format", "json"),
    )
    assert json.loads(printed)["scores"]


def test_the_study(tree: Tree) -> None:
    (tree.root / "a.en").write_text("She comes soon.\nOne house is green.\n")
    printed = tree.hyperbaton(
        *("ends", "-s", "a.en", "-l", "en-de", "--system", "capitals", "--parser", "plain"),
        *("--workers", "0", "--out", str(tree.root / "run"), "--format", "json"),
    )
    assert "kept" in {row["name"] for row in json.loads(printed)["scores"]}
    assert (tree.root / "run" / "report.html").stat().st_size > 10_000
    assert "ends" in tree.hyperbaton("ls", "studies")
    assert "the ends change places?" in tree.hyperbaton("--help")
