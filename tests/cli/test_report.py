"""`hyperbaton report`: what it writes, and what it says of a mistake."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from hyperbaton.cli.main import main
from hyperbaton.report import Contents
from tests.report.sample import contents


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    """Two run directories whose study is made up."""
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()

    def loaded(asked: Sequence[Path]) -> Contents:
        assert list(asked) in (folders, folders[:1])
        return contents(30)

    monkeypatch.setattr("hyperbaton.studies.registry.load_contents", loaded)
    return folders


def test_page_lies_in_the_run(made: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(made[0])]) == 0
    assert "Word order: robust or faithful?" in (made[0] / "report.html").read_text()
    assert capsys.readouterr().out.strip() == str(made[0] / "report.html")


def test_several_runs_and_all_files(made: list[Path], tmp_path: Path) -> None:
    page, figures, tables = tmp_path / "new" / "page.html", tmp_path / "f", tmp_path / "t"
    arguments = ["report", *map(str, made), "--out", str(page), "--figures", str(figures)]
    arguments += ["--tables", str(tables), "--format", "svg,tex", "--format", "csv"]
    assert main(arguments) == 0
    assert page.exists()
    assert sorted(path.name for path in figures.iterdir()) == ["f1.svg", "f13.svg", "f6.svg"]
    assert sorted(path.name for path in tables.iterdir()) == [
        "t1.csv",
        "t1.tex",
        "t4.csv",
        "t4.tex",
    ]


@pytest.mark.parametrize("more", [[], ["--figures", "small/f"], ["--tables", "small/t"]])
def test_a_full_disk_names_the_file_and_what_to_do(
    made: list[Path],
    more: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    small = tmp_path / "small"
    small.mkdir()
    monkeypatch.chdir(tmp_path)
    mount = ["mount", "-t", "tmpfs", "-o", "size=8k,nr_inodes=9", "tmpfs", str(small)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a file system cannot be mounted here")
    page = ["--out", "page.html"] if more else ["--out", "small/page.html"]
    try:
        assert main(["report", str(made[0]), *page, *more]) == 2
        left = [path for path in small.rglob("*") if path.name.endswith(".part")]
    finally:
        subprocess.run(["umount", str(small)], check=True)
    said = capsys.readouterr().err
    assert re.search(r"small/\S+: No space left on device; make room there, and run the same", said)
    assert said.count("\n") == 1
    assert left == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--figures", "f", "--format", "pgn"],
            "--format pgn: choose from png, svg, pdf, csv, md, tex.",
        ),
        (["--format", "png"], "--format needs --figures DIR or --tables DIR"),
        (["--out", "."], "--out . is a folder"),
    ],
)
def test_mistakes_are_told(
    made: list[Path], arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(made[0]), *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not (made[0] / "report.html").exists()


def test_a_folder_without_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(tmp_path / "none")]) == 2
    assert "no such run directory" in capsys.readouterr().err
    assert main(["report", str(tmp_path)]) == 2
    assert "holds no run of hyperbaton" in capsys.readouterr().err
