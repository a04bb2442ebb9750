"""Every command that is printed in `--help` or on a page runs as it is printed."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hyperbaton.base.spec import split
from hyperbaton.cli.main import _verb
from hyperbaton.cli.options.matrix import read_matrix
from hyperbaton.cli.options.parser import Parser
from hyperbaton.detectors import DETECTORS
from hyperbaton.encoders import ENCODERS
from hyperbaton.metrics import METRICS
from hyperbaton.perturb import parse_all
from hyperbaton.studies import SHIPPED_STUDIES as STUDIES
from hyperbaton.studies.registry import make_study
from hyperbaton.systems.system import SYSTEMS
from tests.cli.command import call
from tests.cli.printed import Page, lay_out, once, pages

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="the commands are for a shell")

HUB, MINUTES, MODELS = "downloads from a hub", "takes minutes", "needs models that are not shipped"
DATA_SETS = "needs data sets that are not shipped"
EXCUSED = {
    r"--base (xlm-roberta-base|models/xlm-r-large)": HUB,
    r"hf-pair:": MODELS,
    r"ct2:(LARGER|TRIAL)|(ct2|hf):models/opus": MODELS,
    r"train detector --(encoder|calibrate)": MODELS,
    r"train (translator|vocabulary|distil)": MINUTES,
    r"hyperbaton demo(?!.*--limit)": MINUTES,
    r"structure --encoder translator:bundled": MINUTES,
    r"runs/(use-)?(tatoeba|sib|xcopa|pawsx|bucc)": DATA_SETS,
    r"--config (wordorder|grammar|isometry)-|pairs/(trained|held-out)": DATA_SETS,
    r"--data laser-tatoeba-v1": DATA_SETS,
    r"--engine ray": "starts a cluster: tests/pipeline/test_cluster.py has one",
    r"--out s3://": "writes to a bucket: tests/pipeline/test_remote.py has one",
    r"hyperbaton play": "serves until it is stopped: tests/play/test_commands.py runs it",
}
"""What is not run here, and why; such commands are parsed, and the names in them looked up."""
ABSENT = re.compile(
    r"no parser for \S+ is installed|no detector: pip install|not installed: pip install"
    r"|not installed, and PyPI|apertium.*install|not in this copy of hyperbaton"
)
"""What a command says where an optional part is missing."""
SLOWLY = ("--help", "README.md", "translate --help")
"""Pages whose commands are processes from scratch, as a user's are."""
REPLICATION = Path(__file__).parents[2] / "benchmarks" / "replication"
"""Where the files lie that the commands of the replication pages name."""
PAGES = once([page for page in pages() if not page.name.startswith("docs/tutorial-")])
"""All but the tutorials, which `tests/test_documentation.py` runs from an empty folder."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run, which each page gets a copy of."""
    folder = tmp_path_factory.mktemp("printed")
    files = folder / "files"
    files.mkdir()
    lay_out(files)
    news = ("-s", files / "news.en.conllu", "-r", files / "news.de.conllu", "-l", "en-de")
    done = call("wordorder", *news, "--system", "copy", "--out", folder / "run", "--no-cache",
                "--workers", "0", "--with", "reversed", "--with", "nounSwaps")  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder


def excuse(command: str) -> str | None:
    return next((why for what, why in EXCUSED.items() if re.search(what, command)), None)


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if not all(map(excuse, page.commands))],
    ids=lambda page: page.name,
)
def test_commands_run_as_they_are_printed(page: Page, world: Path) -> None:
    folder = world / re.sub(r"\W+", "-", page.name)
    folder.mkdir()
    run = "\n".join(command for command in page.commands if not excuse(command))
    lay_out(folder, frozenset(re.findall(r"--out runs/(\w+)", run)), page.name in SLOWLY)
    environment = {
        **os.environ,
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(
            filter(None, (str(folder / "packages"), os.environ.get("PYTHONPATH")))
        ),
        # What one page has translated and parsed, another need not.
        "HYPERBATON_CACHE": str(world / "cache"),
        "OPENAI_API_KEY": "no-key",
        "BROWSER": "true",
    }
    wrong = []
    unmade: set[str] = set()  # runs that want an optional part, and what is printed after them
    for command in page.commands:
        if any(re.search(rf"{re.escape(name)}\b", command) for name in unmade):
            continue
        if excuse(command) or ("apertium" in command and shutil.which("apertium") is None):
            continue
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
        verdicts = (0, 1) if " check " in command else (0,)
        if done.returncode in verdicts:
            continue
        if ABSENT.search(done.stderr):
            unmade |= set(re.findall(r"--out (\S+)", command))
        else:
            wrong.append(f"{command}\n  {done.returncode}: {done.stderr[-500:]}")
    assert not wrong, "\n".join(wrong)


def arguments(command: str) -> Iterator[list[str]]:
    """What follows each `hyperbaton` in a line of shell, up to the next operator."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    words = list(lexer)
    for place, word in enumerate(words):
        if word == "hyperbaton":
            end = next((i for i in range(place, len(words)) if words[i] in "|&&;<>"), len(words))
            yield words[place + 1 : end]


@pytest.mark.parametrize(
    "command",
    [
        command
        for page in PAGES
        for command in page.commands
        if excuse(command) and "demo fronting" not in command  # the example, run by its own tests
    ],
)
def test_what_is_not_run_is_understood(command: str) -> None:
    for words in arguments(command):
        verb = _verb(words[0])
        parser = Parser(prog=f"hyperbaton {words[0]}", allow_abbrev=False)
        verb.add_arguments(parser)
        args = parser.parse_args(words[1:])
        known = _names(args, encoders=words[0] == "structure")
        assert all(known)


def _names(args: argparse.Namespace, encoders: bool) -> list[object]:
    """The values behind the names of systems, metrics and detectors; a wrong name raises."""
    given = vars(args)
    systems = given.get("system") or ()
    found: list[object] = [
        (ENCODERS if encoders and split(name).name in ENCODERS.names() else SYSTEMS).parse(name)
        for name in ([systems] if isinstance(systems, str) else systems)
    ]
    found += [METRICS.parse(name) for name in given.get("metric") or ()]
    found += [DETECTORS.parse(name) for name in given.get("own --detector") or ()]
    found += parse_all(given.get("own --with") or [])
    return found


@pytest.mark.parametrize(
    "study",
    [n for n in STUDIES if n not in ("structure", "repairs", "obedience", "metrics")],
)
def test_the_matrix_in_the_help_can_be_read(study: str, tmp_path: Path) -> None:
    lay_out(tmp_path)
    text = _verb(study).EXAMPLES.split("from a TOML file:\n", 1)[1]
    path = tmp_path / "printed.toml"
    path.write_text(text, encoding="utf-8")
    matrix = read_matrix(path, study)
    first, second = (str(corpus.pair) for corpus in matrix.corpora)
    assert first == "en-es" != second
    assert matrix.only == {"en-es": ("apertium:en-es",)}
    assert make_study(study, matrix.options)


@pytest.mark.parametrize("name", sorted(path.name for path in REPLICATION.glob("*.toml")))
def test_the_files_of_a_replication_can_be_read(name: str, tmp_path: Path) -> None:
    study, text = name.partition("-")[0], (REPLICATION / name).read_text(encoding="utf-8")
    for data in re.findall(r'"([\w/.-]+/[\w.-]+)"', text):
        (tmp_path / data).parent.mkdir(exist_ok=True)
        (tmp_path / data).touch()
    (tmp_path / name).write_text(text, encoding="utf-8")
    matrix = read_matrix(tmp_path / name, study)
    assert all(map(SYSTEMS.parse, matrix.systems))
    assert matrix.corpora
    assert make_study(study, matrix.options)


def test_an_excuse_is_for_something_that_is_printed() -> None:
    printed = "\n".join(command for page in PAGES for command in page.commands)
    unused = [what for what in EXCUSED if not re.search(what, printed, re.MULTILINE)]
    assert not unused
