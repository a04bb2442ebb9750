"""A study of another package gets the command line, TOML, Python, demo, check and JSON."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import command
from tests.cli.foreign import install

QUICK = ("--workers", "0", "--no-cache")


class Elsewhere:
    """A machine on which the other package is installed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        packages = folder / "packages"
        packages.mkdir()
        path = os.pathsep.join(filter(None, (str(install(packages)), os.environ.get("PYTHONPATH"))))
        self.environment = {**os.environ, "PYTHONPATH": path}
        (folder / "a.en").write_text("One house.\nTwo trees.\n")
        (folder / "a.de").write_text("Ein Haus.\nZwei Bäume.\n")

    def call(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.python(*command(*arguments)[1:])

    def python(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Elsewhere:
    return Elsewhere(tmp_path_factory.mktemp("elsewhere"))


def test_it_is_listed_and_explains_itself(elsewhere: Elsewhere) -> None:
    overview = elsewhere.call("--help")
    assert "shout      Is shouting translated like speaking? (shouting)" in overview.stdout
    helped = elsewhere.call("shout", "--help").stdout
    for text in (
        "Shouting: are capitals translated like small letters?",
        "--mark MARK",
        "what a shout ends with (default: !)",
        "--times TIMES",
        "--end {mark,none}",
        "--trimmed, --no-trimmed",
        "leave these alone; repeat for more",
        "hyperbaton shout --shipped -l en-de --limit 5 --system bundled --out runs/shipped",
    ):
        assert text in helped
    assert "--no-poles" not in helped  # it has none
    assert "--recorded" not in helped
    assert "Put a text in capitals." in elsewhere.call("ls", "studies").stdout
    wrong = elsewhere.call("shot")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "unknown command 'shot'. Did you mean 'shout'?" in wrong.stderr


def test_the_command_line_and_check(elsewhere: Elsewhere) -> None:
    files = ("shout", "-s", "a.en", "-r", "a.de", "-l", "en-de", "--system", "copy")
    done = elsewhere.call(*files, "--times", "3", "--words", "a", "--words", "b", "--trimmed",
                          "--out", "line", *QUICK)  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("all scores\n")
    assert re.search(r"2 scores\n\+ holds, .+:\n \+ \+0\.", done.stdout)
    assert done.stdout.endswith("report: line/report.html\n")
    record = json.loads((elsewhere.folder / "line" / "run.json").read_text())
    assert record["study"] == 'shout(times=3, trimmed=true, words="a; b")'
    assert (elsewhere.folder / "line" / "report.html").exists()
    assert elsewhere.call("report", "line", "--out", "again.html").returncode == 0
    met = elsewhere.call("check", "line", "--min", "kept=0")
    assert (met.returncode, met.stderr) == (0, "")
    assert met.stdout.startswith("ok   copy en-de chrF: kept@all = 0.")
    missed = elsewhere.call("check", "line", "--max", "kept=0", "--metric", "Levenshtein")
    assert missed.returncode == 1
    assert missed.stdout.startswith("FAIL copy en-de Levenshtein: kept@all = 0.")
    unknown = elsewhere.call("check", "line", "--min", "kep=0")
    assert unknown.returncode == 2
    assert "no score 'kep' (it has: kept, untranslated). Did you mean 'kept'?" in unknown.stderr


def test_json(elsewhere: Elsewhere) -> None:
    files = ("shout", "a.en", "a.de", "-l", "en-de", "--system", "copy", "-m", "chrF")
    done = elsewhere.call(*files, "--format", "json", "--out", "json", *QUICK)
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert found.keys() == {"answers", "scores", "findings"}
    (row,) = [row for row in found["scores"] if row["name"] == "kept"]
    assert {**row, "value": 0, "low": 0, "high": 0} == {
        **{"system": "copy", "pair": "en-de", "variant": "all", "metric": "chrF", "name": "kept"},
        **{"value": 0, "low": 0, "high": 0, "n": 2},
    }
    assert found["findings"][0]["claim"] == "Shouts are kept."


def test_a_matrix(elsewhere: Elsewhere) -> None:
    (elsewhere.folder / "matrix.toml").write_text(
        'systems = ["copy"]\nmetrics = ["chrF"]\ntimes = 2\nwords = ["x", "y"]\n'
        '[[corpus]]\nlanguages = "en-de"\nfiles = ["a.en", "a.de"]\n'
        '[[corpus]]\nlanguages = "en-fr"\nshipped = true\nlimit = 3\nsystems = ["cmd:cat"]\n'
    )
    done = elsewhere.call("shout", "--config", "matrix.toml", "--out", "matrix", *QUICK)
    assert (done.returncode, done.stderr) == (0, "")
    record = json.loads((elsewhere.folder / "matrix" / "run.json").read_text())
    assert record["study"] == 'shout(times=2, words="x; y")'
    assert {name: list(pairs) for name, pairs in record["systems"].items()} == {
        "copy": ["en-de", "en-fr"],
        "cmd:cat": ["en-fr"],
    }
    (elsewhere.folder / "wrong.toml").write_text("tims = 2\n")
    wrong = elsewhere.call("shout", "--config", "wrong.toml", "--out", "wrong")
    assert wrong.returncode == 2
    assert "unknown setting 'tims'" in wrong.stderr
    assert "Did you mean 'times'?" in wrong.stderr


def test_python(elsewhere: Elsewhere) -> None:
    done = elsewhere.python(
        "-c",
        "import hyperbaton as hb, inspect\n"
        "texts = ['One house.'], ['Ein Haus.']\n"
        "a = hb.shout('copy', 'en-de', *texts, times=2, words=['x', 'y'])\n"
        "print(a.run.record.study, a.summary.height, a.findings[0].claim)\n"
        "print(hb.study('shout', 'copy', 'en-fr', limit=2).scores['item'].n_unique())\n"
        "print(list(inspect.signature(hb.shout).parameters)[-5:], 'shout' in dir(hb))\n"
        "try:\n    hb.shout('copy', time=2)\n"
        "except hb.HyperbatonError as error:\n    print(error)\n",
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        'shout(times=2, words="x; y") 3 Shouts are kept.',
        "2",
        "['mark', 'times', 'end', 'trimmed', 'words'] True",
        "shout has no option 'time' (it has: mark, times, end, trimmed, words). "
        "Did you mean 'times'?",
    ]


def test_the_demo(elsewhere: Elsewhere) -> None:
    options = ("--limit", "4", "--no-open", "--out", "demo", *QUICK)
    done = elsewhere.call("demo", "shout", "--languages", "fr", *options)
    assert (done.returncode, done.stderr) == (0, "hyperbaton: running shout in demo: en-fr\n")
    record = json.loads((elsewhere.folder / "demo" / "run.json").read_text())
    assert list(record["corpora"]) == ["en-fr"]
    wrong = elsewhere.call("demo", "shout", "--languages", "ja", *options)
    assert wrong.returncode == 2
    assert "the demo of shout is not in 'ja': it has en-de, en-fr" in wrong.stderr
