"""The GitHub Action and the page on pipelines: their shell runs as it is printed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hyperbaton.studies import SHIPPED_STUDIES
from tests.cli.printed import ROOT, lay_out

yaml = pytest.importorskip("yaml")
pytestmark = [
    pytest.mark.skipif(shutil.which("bash") is None, reason="the steps are for bash"),
    pytest.mark.skipif(not (ROOT / "action.yml").is_file(), reason="not in a checkout"),
]
GH = """\
#!/bin/sh
echo "$*" >> gh.log
case "$1 $2" in
  "run list") cat last ;;
  "run download") shift; while [ "$1" != --dir ]; do shift; done; cp -r kept "$2" ;;
esac
"""
NOISY = """
def translate(texts):
    return [text if SOUND else " ".join(text.split()[::3]) for text in texts]
"""


def _page() -> str:
    return (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")


def _blocks() -> dict[str, Any]:
    """The files of YAML that the page prints, by their names."""
    found = re.findall(r"^```yaml\n# (\S+)\n(.*?)^```", _page(), re.MULTILINE | re.DOTALL)
    return {name: yaml.safe_load(text) for name, text in found}


class World:
    """A machine of a pipeline: the files of the pages, and programs that stand for others."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        lay_out(folder)
        for name, text in {"gh": GH, "pip": "#!/bin/sh\n"}.items():
            (folder / "bin" / name).write_text(text)
            (folder / "bin" / name).chmod(0o755)
        (folder / "last").write_text("")
        text = (folder / "gate.toml").read_text()
        # A system that is easily broken; it copies, which a threshold would not let pass.
        text = text.replace('"bundled"', '"python:steady:translate"')
        text = text.replace("untranslated = 0.5", "untranslated = 1")
        text = re.sub(r"(?ms)^source.*?^ref.*?$", "shipped = true\\nlimit = 40", text)
        (folder / "gate.toml").write_text(f'perturbations = ["upper", "dropFinalMark"]\n{text}')
        self.translator(sound=True)

    def translator(self, sound: bool) -> None:
        """The system under test, sound or broken."""
        text = f"SOUND = {sound}\n{NOISY}"
        (self.folder / "steady.py").write_text(text)

    def bash(self, text: str, env: Mapping[str, str] = {}) -> subprocess.CompletedProcess[str]:
        """Run a step as a runner does."""
        known = {
            **os.environ,
            "PATH": f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(map(str, (self.folder, ROOT / "src", ROOT))),
            "HYPERBATON_CACHE": str(self.folder / "cache"),
            "GITHUB_REPOSITORY": "some/one",
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"),
            "RUNNER_TEMP": str(self.folder / "temp"),
            **env,
        }
        (self.folder / "temp").mkdir(exist_ok=True)
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", text],
            cwd=self.folder,
            env=known,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )

    def action(self, **inputs: str) -> tuple[int, str]:
        """All steps of the action but the install, until one fails."""
        action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
        given = {name: str(spec.get("default", "")) for name, spec in action["inputs"].items()}
        given |= {"config": "gate.toml", **inputs}
        said = ""
        for step in action["runs"]["steps"]:
            needed = step.get("if") != "inputs.accept != 'true'" or given["accept"] != "true"
            if "run" not in step or "pip install" in step["run"] or not needed:
                continue
            env = {name: self._value(text, given) for name, text in step.get("env", {}).items()}
            done = self.bash(step["run"], env)
            said += done.stdout + done.stderr
            if done.returncode:
                return done.returncode, said
        return 0, said

    @staticmethod
    def _value(text: str, inputs: Mapping[str, str]) -> str:
        """What the runner puts in the place of an expression."""
        known = {"github.token": "t", "github.event.repository.default_branch": "main"}
        known |= {f"inputs.{name}": value for name, value in inputs.items()}
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: known[found[1]], text)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "here")


def test_the_action_compares_with_the_last_good_run(world: World) -> None:
    status, said = world.action()
    assert status == 0, said
    assert "::notice::main has no run of this workflow yet" in said
    summary = world.folder / "summary.md"
    assert "1 check passed" in summary.read_text()
    # The next one finds it, and is as good; then the translator breaks.
    (world.folder / "runs" / "gate").rename(world.folder / "kept")
    (world.folder / "last").write_text("17\n")
    status, said = world.action()
    assert status == 0, said
    assert "as before" in said
    assert "run download 17 --repo some/one --name hyperbaton-run" in _text(world, "gh.log")
    shutil.rmtree(world.folder / "runs" / "gate")
    shutil.rmtree(world.folder / "temp")
    world.translator(sound=False)
    status, said = world.action()
    assert status == 1, said
    assert re.search(r"FAIL python:steady:translate en-de chrF: \w+@all fell", said)
    assert "before: " in said
    assert "❌" in summary.read_text()
    # It can be accepted.
    shutil.rmtree(world.folder / "temp")
    status, said = world.action(accept="true")
    assert (status, "fell" in said) == (0, False)


def test_a_baseline_that_cannot_be_fetched_is_no_pass(world: World) -> None:
    (world.folder / "last").write_text("17\n")  # nothing is kept
    status, said = world.action()
    assert status == 2
    assert "::error::Run 17 of main has no artifact hyperbaton-run" in said


def test_nothing_of_the_inputs_is_read_as_shell(world: World) -> None:
    status, said = world.action(run="runs/$(touch spoilt); touch spoilt")
    assert status == 0, said
    assert not (world.folder / "spoilt").exists()
    action = (ROOT / "action.yml").read_text(encoding="utf-8")
    for step in yaml.safe_load(action)["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
        assert ("uses" in step) != ("run" in step)


def test_the_workflow_on_the_page_uses_the_action_as_it_is() -> None:
    workflow = _blocks()[".github/workflows/translator.yml"]
    assert workflow["permissions"] == {"contents": "read", "actions": "read"}
    (step,) = [s for s in workflow["jobs"]["gate"]["steps"] if "hyperbaton/" in s["uses"]]
    known = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    assert set(step["with"]) <= set(known)
    assert {name for name, spec in known.items() if spec.get("required")} <= set(step["with"])
    assert step["with"]["study"] in SHIPPED_STUDIES
    assert (ROOT / "docs" / "ci.md").read_text().count("# gate.toml") == 1


def _text(world: World, name: str) -> str:
    return (world.folder / name).read_text()


def test_the_shell_of_the_other_pipeline_runs_as_it_is_printed(world: World) -> None:
    job = _blocks()[".gitlab-ci.yml"]["translator"]
    script = "\n".join(job["script"])
    done = world.bash(script)
    assert done.returncode == 0, done.stderr
    assert '<testsuites tests="1" failures="0"' in _text(world, "check.xml")
    assert world.bash("\n".join(job["after_script"])).stdout == _text(world, "check.xml")
    (world.folder / "runs" / "gate").rename(world.folder / "baseline")
    world.translator(sound=False)
    done = world.bash(script)
    assert done.returncode == 1, done.stderr
    assert "<failure" in _text(world, "check.xml")
