"""What is said of the project in several files is the same in all of them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import hyperbaton

ROOT = Path(__file__).parent.parent
HOME = "https://github.com/hyperbaton/hyperbaton"

pytestmark = pytest.mark.skipif(not (ROOT / "mkdocs.yml").is_file(), reason="not in a checkout")


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_citation_names_this_version() -> None:
    assert re.search(r"^version: (.+)$", text("CITATION.cff"), re.M)[1] == hyperbaton.__version__  # type: ignore[index]


def test_the_workflow_runs_the_versions_of_python_that_are_declared() -> None:
    project = tomllib.loads(text("pyproject.toml"))["project"]
    declared = [c.rpartition(" ")[2] for c in project["classifiers"] if "Python :: 3." in c]
    tested = re.search(r"python: \[(.+)\]", text(".github/workflows/ci.yml"))
    assert tested
    assert re.findall(r"3\.\d+", tested[1]) == declared
    assert project["requires-python"] == f">={declared[0]}"


def test_every_address_of_the_project_is_the_same() -> None:
    urls = tomllib.loads(text("pyproject.toml"))["project"]["urls"].values()
    cited = re.findall(r"https://\S+", text("CITATION.cff").partition("references:")[0])
    assert all(url.startswith(HOME) for url in (*urls, *cited))


def test_the_site_shows_every_page() -> None:
    listed = set(re.findall(r"([\w-]+\.md)$", text("mkdocs.yml"), re.M))
    pages = {page.name for page in (ROOT / "docs").glob("*.md")}
    assert listed == pages, "name every page of docs/ in the nav of mkdocs.yml"
