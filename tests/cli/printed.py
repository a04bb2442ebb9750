"""The commands that are printed in `--help` and on the pages, and a folder they can run in."""

from __future__ import annotations

import gzip
import json
import re
import shlex
import shutil
import stat
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

from hyperbaton.cli import main
from hyperbaton.cli.verbs.train import detector, steering
from hyperbaton.corpus.starter import starter, starter_file
from hyperbaton.search.cases import Case, write_cases
from hyperbaton.studies import SHIPPED_STUDIES
from hyperbaton.studies.grammar.corpora import SHIPPED
from hyperbaton.studies.repairs import FILE as REPAIRS
from hyperbaton.systems.shipped.bundled import Bundled
from hyperbaton.systems.store.store import text_id
from tests.cli.command import command, real_command
from tests.corpus.wmt_folder import write_wmt
from tests.studies.metrics.damaged import write_damaged
from tests.studies.predictions import write_predictions

ROOT = Path(__file__).parents[2]
_COMMAND = re.compile(r"(?:^|[|&;]\s*)hyperbaton\s(?!\d)")  # a signature begins with a version
_FENCE = re.compile(r"^```(\w*)")
_COMMENT = re.compile(r"\s{2,}#\s.*$")
_MADE = re.compile(r"(?:--out|-o|>)\s+(\S+)")
READY = frozenset({"news", "old", "small", "large", "wordorder", "legacy", "ar"})
"""Runs that are there before any command."""
LANGUAGES = ("en", "de", "fr", "es", "it", "ru", "ja", "zh")


@dataclass(frozen=True)
class Page:
    """A help text or a page of documentation with its commands, in their order."""

    name: str
    commands: tuple[str, ...]


def pages() -> list[Page]:
    """Every help text and every page that prints a command."""
    texts = {"--help": main.EXAMPLES}
    for job in (detector, steering):
        texts[f"{job.__name__.rpartition('.')[2].replace('_', ' ')} --help"] = job.EPILOG
    for name in (*main.VERBS, *SHIPPED_STUDIES):
        texts[f"{name} --help"] = main._verb(name).EXAMPLES
    found = [
        Page(name, tuple(_joined(line for line in text.splitlines() if line.startswith("  "))))
        for name, text in texts.items()
    ]
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/*.md"))]:
        lines = _code(path.read_text(encoding="utf-8").splitlines())
        found.append(Page(path.relative_to(ROOT).as_posix(), tuple(_joined(lines))))
    return [page for page in found if page.commands]


def tables() -> list[tuple[str, str]]:
    """The files of TOML that the pages print, by the names in their first lines."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("docs/*.md")))
    return re.findall(r"^```toml\n# (\w+\.toml)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def _code(lines: list[str]) -> Iterator[str]:
    """The lines of code blocks, indented or between fences."""
    fenced: str | None = None
    for line in lines:
        fence = _FENCE.match(line)
        if fence:
            fenced = fence[1] if fenced is None else None
        elif fenced in ("", "sh", "bash", "console", "shell") or (
            fenced is None and line.startswith("    ")
        ):
            yield line


def _joined(lines: Iterator[str]) -> Iterator[str]:
    """Commands as they are printed, with the lines that a backslash continues."""
    stream = iter(lines)
    for line in stream:
        text = line.strip()
        while text.endswith("\\"):
            text = text[:-1] + next(stream).strip()
        if _COMMAND.search(text):
            yield _COMMENT.sub("", text)


def once(found: list[Page]) -> list[Page]:
    """Each command on the first page that prints it, and again where a later one needs its output.

    A page that prints nothing new is left out.
    """
    seen: set[str] = set()
    kept = []
    for page in found:
        commands: list[str] = []
        for line in reversed(page.commands):
            made = {*_MADE.findall(line)} - {f"runs/{name}" for name in READY}
            if line not in seen or any(name in later for name in made for later in commands):
                commands.insert(0, line)
        seen.update(commands)
        if commands:
            kept.append(Page(page.name, tuple(commands)))
    return kept


def lay_out(folder: Path, made: frozenset[str] = frozenset(), slowly: bool = False) -> None:
    """The files that the commands name; runs in `made` are left to the commands themselves.

    The command `hyperbaton` is a new process each time when it is to be run `slowly`.
    """
    texts = _sentences()
    _texts(folder, texts)
    _trees(folder)
    _learners(folder)
    write_wmt(folder / "wmt24-news-systems", asked=True)
    write_damaged(folder / "demetr")
    _recorded(folder, texts["en"], texts["de"])
    for name in ("en-de", "de-en", "small", "many"):
        (folder / "models").mkdir(exist_ok=True)
        (folder / "models" / name).symlink_to(Bundled.folder)
    rows = REPAIRS.read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "mine.tsv").write_text("".join(rows[:33]), encoding="utf-8")
    (folder / "matrix.toml").write_text(
        'systems = ["copy"]\n[[corpus]]\nlanguages = "de-en"\nfiles = ["news.de", "news.en"]\n'
    )
    for name, text in tables():
        (folder / name).write_text(text)
    _script(folder / "my-translator", "exec cat")
    (folder / "mymodel.py").write_text("def translate(texts):\n    return [t[1:] for t in texts]\n")
    words = real_command() if slowly else command()
    _script(folder / "bin" / "hyperbaton", f'exec {shlex.join(words)} "$@"')
    _example_package(folder / "packages")
    run = folder.parent / "run"
    for name in READY - made:
        if run.exists():
            shutil.copytree(run, folder / "runs" / name)


@cache
def _sentences() -> dict[str, list[str]]:
    """The first sentences that are shipped, in every language."""
    return {
        language: [
            (item.reference_text if language != "en" else item.source_text) or ""
            for item in islice(starter("en", language if language != "en" else "de"), 6)
        ]
        for language in LANGUAGES
    }


def _script(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def _example_package(folder: Path) -> None:
    """What `pip install -e` of the example leaves behind: its metadata and a way to its modules."""
    example = ROOT / "examples" / "hyperbaton-fronting"
    project = tomllib.loads((example / "pyproject.toml").read_text())["project"]
    metadata = folder / "hyperbaton_fronting-0.1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: hyperbaton-fronting\n")
    (metadata / "entry_points.txt").write_text(
        "\n".join(
            f"[{group}]\n" + "\n".join(f"{name} = {place}" for name, place in entries.items())
            for group, entries in project["entry-points"].items()
        )
    )
    (folder / "hyperbaton_fronting").symlink_to(example / "src" / "hyperbaton_fronting")


def _texts(folder: Path, texts: dict[str, list[str]]) -> None:
    for language, lines in texts.items():
        text = "".join(f"{line}\n" for line in lines)
        for name in (
            "news",
            "output",
            "hypothesis",
            "reference",
            "answers",
            "sentences",
            "hypotheses",
            "references",
        ):
            (folder / f"{name}.{language}").write_text(text, encoding="utf-8")
        for name in ("one", "two", "a", "b", "wmt", "wmtp", "ar", "arp", "system1", "system2"):
            (folder / f"{name}.{language}").write_text(text, encoding="utf-8")
        (folder / f"news.{language}.gz").write_bytes(gzip.compress(text.encode()))
        for corpora in ("corpora", "corpora/tatoeba", "FOLDER"):
            (folder / corpora).mkdir(exist_ok=True)
            if language in ("en", "de"):
                (folder / corpora / f"en-de.{language}").write_text(text, encoding="utf-8")
    both = "".join(f"{a}\t{b}\n" for a, b in zip(texts["en"], texts["de"], strict=True))
    (folder / "pairs.tsv").write_text(both, encoding="utf-8")
    pairs = "".join(f"{a}\t{b}\t{n % 2}\n" for n, (a, b) in enumerate(_pairs(texts["de"])))
    for name in ("train", "dev", "test"):
        for language in ("de", "en"):
            (folder / f"{name}-{language}.tsv").write_text(pairs, encoding="utf-8")


def _pairs(lines: list[str]) -> Iterator[tuple[str, str]]:
    for line in lines * 8:
        yield line, line
        yield line, lines[0]


def _trees(folder: Path) -> None:
    (folder / "treebanks").mkdir()
    for language in LANGUAGES:
        text = starter_file(language).read_text(encoding="utf-8")
        blocks = text.split("\n\n")[:6]
        trees = "\n\n".join(blocks) + "\n\n"
        (folder / f"news.{language}.conllu").write_text(trees, encoding="utf-8")
        (folder / "treebanks" / f"{language}.conllu").write_text(trees, encoding="utf-8")
        pud = re.sub(r"(?m)^# (?:sent_id|item_id) = .*\n", "", trees)
        numbered = f"# sent_id = n01001013\n{pud}"
        (folder / f"{language}_pud.conllu").write_text(numbered, encoding="utf-8")


def _learners(folder: Path) -> None:
    blocks = SHIPPED.read_text(encoding="utf-8").split("\n\n")[:6]
    (folder / "essays.m2").write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    (folder / "essays.txt").write_text("She go home .\nI has two dog .\n")
    (folder / "first.txt").write_text("She goes home .\nI have two dogs .\n")
    (folder / "second.txt").write_text("She went home .\nI have two dogs .\n")


def _recorded(folder: Path, sources: list[str], targets: list[str]) -> None:
    for name in ("predictions", "fair-wmt19.wmt.wmtp", "standard-wmt16.wmt.wmtp"):
        write_predictions(folder / f"{name}.json")
    case = Case("1", "en-de", "copy", "case", 1, "", "", sources[0], sources[0].upper(), "a", "b")
    write_cases(folder / "cases.jsonl", [case])
    rows = [
        {"source": source, "translation": target, "varied": source.upper()}
        for source, target in zip(sources, targets, strict=True)
    ]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    for name in ("answers", "probes"):
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    (folder / "results.jsonl").write_text("".join(map(_result, sources, targets)))


def _result(source: str, target: str) -> str:
    """A line of the results of a batch."""
    choice = {"message": {"content": target}, "finish_reason": "stop"}
    response = {"status_code": 200, "body": {"choices": [choice]}}
    return json.dumps({"custom_id": text_id(source), "response": response}) + "\n"
