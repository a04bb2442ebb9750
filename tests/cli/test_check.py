"""`hyperbaton check`: a gate that never passes for want of data."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from hyperbaton.cli.main import main
from tests.cli.command import GO, TOM, call, real_command

QUICK = ("--workers", "0", "--no-cache", "--no-report")


def sentences(count: int) -> str:
    """Trees of different lengths, so that their scores differ."""
    blocks = []
    for number in range(count):
        words = ["Anna", "reads", *(f"very{n}" for n in range(number)), "books", "."]
        heads = [2, 0, *[number + 3] * number, 2, 2]
        tags = ["PROPN", "VERB", *["ADJ"] * number, "NOUN", "PUNCT"]
        deps = ["nsubj", "root", *["amod"] * number, "obj", "punct"]
        rows = zip(words, tags, heads, deps, strict=True)
        lines = [
            f"{i}\t{word}\t_\t{tag}\t_\t_\t{head}\t{dep}\t_\t_"
            for i, (word, tag, head, dep) in enumerate(rows, 1)
        ]
        blocks.append("\n".join([f"# sent_id = {number}", *lines]))
    return "\n\n".join(blocks) + "\n\n"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two systems and two pairs."""
    folder = tmp_path_factory.mktemp("finished")
    for language in ("en", "de", "fr"):
        (folder / f"in.{language}.conllu").write_text(sentences(12))
    (folder / "matrix.toml").write_text(
        'systems = ["copy", "cmd:cat"]\nmetrics = ["chrF"]\nperturbations = ["reversed"]\n'
        '[[corpus]]\nlanguages = "en-de"\nsource = "in.en.conllu"\nreference = "in.de.conllu"\n'
        '[[corpus]]\nlanguages = "en-fr"\nsource = "in.en.conllu"\nreference = "in.fr.conllu"\n'
    )
    matrix = ("--config", folder / "matrix.toml", "--out", folder / "run")
    assert call("wordorder", *matrix, *QUICK).returncode == 0
    return folder / "run"


def copied(run: Path, folder: Path) -> Path:
    subprocess.run(["cp", "-r", run, folder / "run"], check=True)
    return folder / "run"


def test_every_system_and_pair_is_compared(
    finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(finished), "--min", "beta=0.9"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" chrF")[0] for line in lines] == [
        "ok   copy en-de",
        "ok   copy en-fr",
        "ok   cmd:cat en-de",
        "ok   cmd:cat en-fr",
    ]
    assert main(["check", str(finished), "--min", "beta1@reversed=0.9"]) == 1
    assert "FAIL copy en-de chrF: beta1@reversed = " in capsys.readouterr().out


def test_a_system_that_is_named_by_a_path_is_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for language in ("en", "de"):
        (tmp_path / f"in.{language}.conllu").write_text(sentences(4))
    program = tmp_path / "copy.sh"
    program.write_text("#!/bin/sh\ncat\n")
    program.chmod(0o755)
    texts = ("-s", tmp_path / "in.en.conllu", "-r", tmp_path / "in.de.conllu", "-l", "en-de")
    how = ("--system", f"cmd:{program}", "--with", "reversed", "-m", "chrF")
    assert call("wordorder", *texts, *how, "--out", tmp_path / "run", *QUICK).returncode == 0
    assert main(["check", str(tmp_path / "run"), "--min", "beta=0.9"]) == 0
    assert capsys.readouterr().out.startswith("ok   cmd:copy.sh en-de chrF")


def test_the_interval_can_decide(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(finished), "--min", "beta1=0"]) == 0
    line = capsys.readouterr().out.splitlines()[0]
    value = float(line.split(" = ")[1].split()[0])
    low = float(line.split("[")[1].split(",")[0])
    assert low < value
    between = f"beta1={(low + value) / 2}"
    assert main(["check", str(finished), "--min", between]) == 0
    assert main(["check", str(finished), "--min", between, "--interval"]) == 1
    assert main(["check", str(finished), "--max", f"beta1={value + 0.001}"]) == 0
    assert main(["check", str(finished), "--max", f"beta1={value + 0.001}", "--interval"]) == 1


@pytest.mark.parametrize(
    "removed",
    [
        ("probes", "outputs", "scores", "measures"),
        ("scores/cmd-cat-*/en-fr",),
        ("outputs/copy",),
        ("measures/en-fr",),
        ("probes/en-de",),
    ],
)
def test_an_unfinished_run_is_no_pass(
    removed: tuple[str, ...], finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = copied(finished, tmp_path)
    for pattern in removed:
        found = list(run.glob(pattern))
        assert found
        for folder in found:
            subprocess.run(["rm", "-r", folder], check=True)
    assert main(["check", str(run), "--min", "beta=0"]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert "is not complete" in streams.err
    assert streams.err.count("\n") == 1


def test_a_run_killed_between_two_pairs_is_no_pass(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second pair is asked for, but no system has a signature in it yet."""
    run = copied(finished, tmp_path)
    record = json.loads((run / "run.json").read_text())
    for system in record["systems"].values():
        system.pop("en-fr")
    record.pop("checksum")
    (run / "run.json").write_text(json.dumps(record))
    for folder in run.glob("*/*/en-fr"):
        subprocess.run(["rm", "-r", folder], check=True)
    assert main(["check", str(run), "--min", "beta=0"]) == 2
    assert "is not complete" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("bound", "status", "unbuffered"),
    [
        ("--min beta1=2", "1", ""),
        ("--min beta1=2", "1", "1"),
        ("--min beta=0.9", "141", ""),
        ("--min beta=0.9", "141", "1"),
        ("--min x=1", "2", ""),  # nothing is printed
    ],
)
def test_a_verdict_stays_one_when_nobody_reads_it(
    bound: str, status: str, unbuffered: str, finished: Path
) -> None:
    line = shlex.join(real_command("check", finished, *bound.split()))
    done = subprocess.run(
        ["sh", "-c", f"(sleep 0.5; PYTHONUNBUFFERED={unbuffered} {line} 2>&-; echo $? >&2) | true"],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.stderr.strip() == status


@pytest.mark.parametrize(("bound", "status"), [("--min beta1=2", 1), ("--min beta=0.9", 2)])
def test_a_verdict_stays_one_without_streams(bound: str, status: int, finished: Path) -> None:
    line = shlex.join(real_command("check", finished, *bound.split()))
    closed = subprocess.run(["sh", "-c", f"{line} >&- 2>&-"], timeout=900, check=False)
    assert closed.returncode == status


def test_no_interval_is_no_pass(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text(TOM)
    files = ("wordorder", tmp_path / "a.conllu", tmp_path / "a.conllu", "-l", "en-de")
    options = ("--system", "copy", "--with", "reversed", "-m", "chrF", "--out", tmp_path / "run")
    assert call(*files, *options, *QUICK).returncode == 0
    assert call("check", tmp_path / "run", "--min", "beta=0.9").returncode == 0
    refused = call("check", tmp_path / "run", "--min", "beta=0.9", "--interval")
    assert refused.returncode == 2
    assert "nothing to compare" in refused.stderr


def test_a_failing_system_is_told_and_made_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.conllu").write_text(TOM + GO)
    system = 'cmd:test -n "$SYSTEM_IS_UP" && cat'
    arguments = ("wordorder", tmp_path / "a.conllu", tmp_path / "a.conllu", "-l", "en-de",
                 "--system", system, "--with", "reversed", "-m", "chrF",
                 "--out", tmp_path / "run", *QUICK)  # fmt: skip
    down = call(*arguments)
    assert down.returncode == 1
    assert "failed on " in down.stderr
    assert "run the same command again" in down.stderr
    refused = call("check", tmp_path / "run", "--min", "beta=0")
    assert refused.returncode == 2
    assert "--max-failed" in refused.stderr
    monkeypatch.setenv("SYSTEM_IS_UP", "yes")
    up = call(*arguments, "--retry-failed")
    assert (up.returncode, up.stderr) == (0, "")
    assert call("check", tmp_path / "run", "--min", "beta=0.9").returncode == 0
