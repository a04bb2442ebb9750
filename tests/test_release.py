"""What a release is made of: the built files, the workflows, the image, the recipe."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import hyperbaton

ROOT = Path(__file__).parent.parent
SCRIPTS = sorted(path.name for path in (ROOT / "scripts").glob("*.sh"))
WORKFLOWS = sorted(path.name for path in (ROOT / ".github/workflows").glob("*.yml"))

pytestmark = pytest.mark.skipif(not (ROOT / "mkdocs.yml").is_file(), reason="not in a checkout")


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def python(*arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def copied(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


def test_the_notice_names_all_that_is_shipped() -> None:
    named = re.findall(r"(\w+)/(?=[,\n])", text("NOTICE"))
    shipped = {folder.name for folder in (ROOT / "src/hyperbaton/data").iterdir()}
    assert set(named) == shipped - {"__pycache__"}


def test_every_folder_that_is_shipped_has_a_card() -> None:
    for folder in (ROOT / "src/hyperbaton/data").iterdir():
        if folder.name != "__pycache__":
            assert any((folder / card).is_file() for card in ("README.md", "MODEL_CARD.md")), folder


def test_the_card_of_the_learner_sentences_counts_them_right() -> None:
    folder = ROOT / "src/hyperbaton/data/learner"
    blocks = [b for b in (folder / "learner.m2").read_text("utf-8").split("\n\n") if b.strip()]
    types = [[a.split("|||")[1] for a in b.splitlines() if a.startswith("A ")] for b in blocks]
    edits = [one for some in types for one in some]
    verbs, nouns, prepositions = (
        sum(one.split(":")[1] == kind for one in edits) for kind in ("VERB", "NOUN", "PREP")
    )
    card = (folder / "README.md").read_text("utf-8")
    assert f"{len(blocks)} English sentences" in card
    single = sum(len(some) == 1 for some in types)
    assert f"{len(edits)} edits of {len(set(edits))} types, {single} sentences with one" in card
    assert f"verbs ({verbs} edits" in card
    assert f"nouns ({nouns}) and prepositions ({prepositions})" in card


def test_notice_and_licence_are_in_the_metadata() -> None:
    project = tomllib.loads(text("pyproject.toml"))["project"]
    assert project["license-files"] == ["LICENSE", "NOTICE"]


def test_a_wheel_with_a_test_a_cache_or_without_a_card_is_refused(tmp_path: Path) -> None:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("no git here")
    wheel = tmp_path / "hyperbaton-9-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as made:
        made.writestr("hyperbaton/__pycache__/a.pyc", "")
        made.writestr("tests/test_a.py", "")
    found = python("scripts/wheel_contents.py", str(wheel))
    assert found.returncode == 1
    assert "tests/test_a.py does not belong there" in found.stdout
    assert "hyperbaton/__pycache__/a.pyc looks like a leftover" in found.stdout
    assert "hyperbaton/data/bundled/MODEL_CARD.md is missing" in found.stdout
    assert "hyperbaton-9.dist-info/licenses/NOTICE is missing" in found.stdout


def test_what_the_package_holds_is_small_enough() -> None:
    limit = int(re.search(r"LARGEST = ([\d_]+)", text("scripts/wheel_contents.py"))[1])  # type: ignore[index]
    data = ROOT / "src/hyperbaton/data"
    size = sum(path.stat().st_size for path in data.rglob("*") if path.is_file())
    assert size < 60_000_000  # weights hardly shrink when they are packed
    assert limit < 100 * 2**20  # what PyPI takes


def test_a_tag_is_released_if_all_files_say_its_version(tmp_path: Path) -> None:
    root = copied(
        tmp_path, "scripts/release_notes.py", "src/hyperbaton/__init__.py", "CITATION.cff"
    )
    version = hyperbaton.__version__
    changes = (
        f"# Changelog\n\n## {version} (2026-12-01)\n\n- New.\n\n## 0.0.1 (2026-01-01)\n\n- Old.\n"
    )
    (root / "CHANGELOG.md").write_text(changes, encoding="utf-8")
    notes = python("scripts/release_notes.py", f"v{version}", folder=root)
    assert (notes.returncode, notes.stdout) == (0, "- New.\n")
    other = python("scripts/release_notes.py", "v99.0", folder=root)
    assert other.returncode == 1
    assert f"__init__.py says {version}, the tag says 99.0" in other.stderr
    (root / "CHANGELOG.md").write_text("## Unreleased\n", encoding="utf-8")
    undated = python("scripts/release_notes.py", f"v{version}", folder=root)
    assert undated.returncode == 1
    assert f"no heading '## {version} (YYYY-MM-DD)'" in undated.stderr


def test_the_recipe_of_conda_has_the_version_and_the_dependencies() -> None:
    recipe = text("conda/recipe/meta.yaml")
    assert f'version = "{hyperbaton.__version__}"' in recipe
    project = tomllib.loads(text("pyproject.toml"))
    run = recipe.partition("  run:")[2].partition("\n\n")[0]
    stated = re.findall(r"^    - (.+)$", run, re.M)
    wanted = [
        f"python {project['project']['requires-python']}",
        *project["project"]["dependencies"],
    ]
    assert [line.replace(" ", "") for line in stated] == [line.replace(" ", "") for line in wanted]
    host = recipe.partition("  host:")[2].partition("  run:")[0].replace(" ", "")
    assert all(f"-{need}\n" in host for need in project["build-system"]["requires"])


def test_the_image_takes_what_the_build_reads() -> None:
    taken = set(re.findall(r"^!(\S+)$", text(".dockerignore"), re.M))
    project = tomllib.loads(text("pyproject.toml"))["project"]
    assert taken == {"src", "pyproject.toml", "README.md", *project["license-files"]}
    version = re.findall(r"^FROM python:(\S+)-slim", text("Dockerfile"), re.M)
    assert len(set(version)) == 1
    assert f"Programming Language :: Python :: {version[0]}" in project["classifiers"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_is_sound_shell(name: str) -> None:
    subprocess.run(["bash", "-n", f"scripts/{name}"], cwd=ROOT, check=True)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_is_sound(name: str) -> None:
    """Its jobs exist, its steps are shell that parses, and the files that they run are there."""
    yaml = pytest.importorskip("yaml")
    workflow = yaml.safe_load(text(f".github/workflows/{name}"))
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        needs = job.get("needs", [])
        assert set([needs] if isinstance(needs, str) else needs) <= set(workflow["jobs"])
        if called := job.get("uses"):
            assert (ROOT / called).is_file()
            assert "workflow_call" in text(called)
            continue
        assert job["timeout-minutes"] <= 60
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            if command := step.get("run"):
                plain = re.sub(r"\$\{\{.*?\}\}", "x", command)
                if shell := shutil.which("bash"):
                    subprocess.run([shell, "-n", "-c", plain], check=True)
                files = re.findall(r"(?:^|\s)((?:scripts|\.ci)/\S+)", plain)
                assert all((ROOT / file).is_file() for file in files)


def test_only_the_jobs_that_publish_may_write() -> None:
    yaml = pytest.importorskip("yaml")
    jobs = yaml.safe_load(text(".github/workflows/release.yml"))["jobs"]
    may = {name: set(job.get("permissions", {})) for name, job in jobs.items()}
    assert may["pypi"] == {"id-token"}
    assert {name for name in jobs if may[name]} == {"pypi", "github", "site", "image"}
    assert set(jobs["pypi"]["needs"]) == {"test", "build"}
