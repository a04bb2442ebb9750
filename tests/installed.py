"""Folders in which README is typed: where only what its install brings can be imported."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[1]
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


def blocked(folder: Path, extra: str) -> dict[str, str]:
    """This interpreter, with every module hidden that the install does not bring: no download."""
    kept = brought("hyperbaton", extra)
    absent = {
        module
        for module, owners in packages_distributions().items()
        if not {re.sub(r"[-_.]+", "-", owner).lower() for owner in owners} & kept
    } - {"_distutils_hack", "setuptools", "pip", "pkg_resources"}
    (folder / "site").mkdir()
    (folder / "site" / "sitecustomize.py").write_text(
        BLOCKER.format(absent=sorted(absent), kept=sorted(kept))
    )
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name, words in (
        ("python", [sys.executable]),
        ("hyperbaton", [sys.executable, "-m", "hyperbaton"]),
    ):
        (programs / name).write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
        (programs / name).chmod(0o755)
    environment = _environment(folder, folder)
    environment["PYTHONPATH"] = os.pathsep.join([str(folder / "site"), str(ROOT / "src")])
    return environment


def installed(folder: Path, install: str) -> dict[str, str]:
    """A clone with a new virtual environment: README's first lines, as they are printed."""
    origin = folder / "origin"
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\0")
    for name in filter(None, listed):
        if (ROOT / name).is_file():
            (origin / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, origin / name)
    who = ("-c", "user.name=test", "-c", "user.email=test@example.org")
    for words in (("init", "-q"), ("add", "-A"), (*who, "commit", "-qm", "the tree as it is")):
        subprocess.run(["git", *words], cwd=origin, check=True)
    environment = {
        name: value
        for name, value in _environment(folder, folder / "hyperbaton").items()
        if not name.startswith(("PYTHON", "VIRTUAL_ENV"))
    } | {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.file://{origin}.insteadOf",
        "GIT_CONFIG_VALUE_0": "https://github.com/hyperbaton/hyperbaton",
    }
    done = run(["bash", "-c", install], environment, folder)
    assert done.returncode == 0, f"{install}\n{done.stderr[-2000:]}"
    return environment


def _environment(folder: Path, clone: Path) -> dict[str, str]:
    """The variables of a shell in the clone, after `. .venv/bin/activate`."""
    python = Path(sys.base_prefix) / "bin"
    places = [clone / ".venv" / "bin", python]
    others = [p for p in os.environ["PATH"].split(os.pathsep) if Path(p) != Path(sys.prefix, "bin")]
    return {
        **os.environ,
        "HOME": str(folder),
        "PATH": os.pathsep.join([*map(str, places), *others]),
        "HYPERBATON_CACHE": str(folder / "cache"),
        "BROWSER": "true",
        "FOLDER": str(clone),
    }


def lay_out(clone: Path) -> None:
    """What a reader of README has: a translator, a module with one, and two files of news."""
    program = "#!/bin/sh\nexec hyperbaton translate --system gloss -l en-de\n"
    (clone / "my-translator").write_text(program)
    (clone / "my-translator").chmod(0o755)
    (clone / "mymodel.py").write_text(
        "def translate(texts):\n    return [t[::-1] for t in texts]\n"
    )
    (clone / "news.en").write_text("The dog sleeps.\nTom bought a red car yesterday.\n")
    (clone / "news.de").write_text(
        "Der Hund schläft.\nTom hat gestern ein Auto gekauft.\n", encoding="utf-8"
    )


def run(
    words: list[str], environment: dict[str, str], folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run it in the clone to the end."""
    return subprocess.run(
        words,
        cwd=folder or environment["FOLDER"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
