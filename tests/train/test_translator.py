"""Training for real, on a CPU: it learns, it resumes to the same weights, it stops on NaN."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from torch import Tensor

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from hyperbaton.cli.main import main  # noqa: E402

from .toy import sentences, write_copy, write_reversal  # noqa: E402

ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}


def _command(folder: Path, *options: str, text: str = "reversal.tsv") -> list[str]:
    return [
        *("train", "translator", "--preset", "toy", "--device", "cpu", "--held-out", "0.05"),
        *("--pair", "aa-bb", str(folder / text), *options),
    ]


def _weights(folder: Path) -> dict[str, Tensor]:
    from safetensors.torch import load_file

    return dict(load_file(folder / "model" / "model.safetensors"))


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A translator that copies and reverses, trained once for the tests of this file."""
    folder = tmp_path_factory.mktemp("toy")
    write_reversal(folder / "reversal.tsv", 6000)
    write_copy(folder / "copy.tsv", 2000)
    arguments = _command(folder, "--direction", "aa-aa", str(folder / "copy.tsv"))
    for option in ("steps=400", "batch_tokens=1200", "validate_every=200"):
        arguments += ["--set", option]
    assert main([*arguments, "--out", str(folder / "run")]) == 0
    return folder


def test_toy_language_is_learnt(trained: Path) -> None:
    rows = [json.loads(line) for line in (trained / "run" / "log.jsonl").read_text().splitlines()]
    assert rows[-1]["exact"] > 0.95
    assert rows[-1]["loss"] < rows[0]["loss"]


def test_result_loads_as_a_hub_model(trained: Path) -> None:
    from transformers import MarianMTModel, MarianTokenizer

    folder = trained / "run" / "model"
    tokenizer = MarianTokenizer.from_pretrained(folder)
    model: Any = MarianMTModel.from_pretrained(folder)
    texts = sentences(6200)[6000:]
    batch = tokenizer([f">>bb<< {text}" for text in texts], return_tensors="pt", padding=True)
    spoken = tokenizer.batch_decode(
        model.generate(**batch, num_beams=1, max_length=32), skip_special_tokens=True
    )
    gold = [" ".join(text.split()[::-1]) for text in texts]
    assert sum(a == b for a, b in zip(spoken, gold, strict=True)) > 0.95 * len(texts)


def test_teacher_translates_its_training_text(trained: Path, tmp_path: Path) -> None:
    arguments = ["train", "distil", "--pair", "aa-bb", str(trained / "reversal.tsv")]
    arguments += ["--only", "aa-bb", "--teacher", str(trained / "run" / "model")]
    assert main([*arguments, "--device", "cpu", "--out", str(tmp_path)]) == 0
    pairs = [line.split("\t") for line in (tmp_path / "aa-bb.tsv").read_text().splitlines()]
    right = sum(source.split()[::-1] == target.split() for source, target in pairs)
    assert right > 0.95 * len(pairs) > 2000


SHORT = ("--set", "steps=60", "--set", "save_every=10", "--set", "validate_every=20")


def _steps(run: Path) -> list[int]:
    return [json.loads(line)["step"] for line in (run / "log.jsonl").read_text().splitlines()]


def test_a_resumed_training_says_every_step_once(tmp_path: Path) -> None:
    write_reversal(tmp_path / "reversal.tsv", 400)
    options = ("steps=8", "save_every=4", "validate_every=2", "average=2", "batch_tokens=512")
    settings = [word for option in options for word in ("--set", option)]
    command = _command(tmp_path, *settings, "--out", str(tmp_path / "run"))
    assert main(command) == 0
    rows = (tmp_path / "run" / "log.jsonl").read_text()
    # As if it had been killed after step 6: its checkpoint is that of step 4.
    (tmp_path / "run" / "checkpoints" / "step-00000008.safetensors").unlink()
    saved = {path.name for path in (tmp_path / "run" / "checkpoints").iterdir()}
    assert saved == {"step-00000004.safetensors"}
    (tmp_path / "run" / "log.jsonl").write_text("".join(rows.splitlines(keepends=True)[:3]))
    assert main(command) == 0
    assert _steps(tmp_path / "run") == [2, 4, 6, 8]


def test_killed_and_resumed_ends_with_the_same_weights(tmp_path: Path) -> None:
    write_reversal(tmp_path / "reversal.tsv", 800)
    options = (*SHORT, "--set", "dropout=0.1", "--set", "batch_tokens=512")
    whole = _command(tmp_path, *options, "--out", str(tmp_path / "whole"))
    assert main(whole) == 0
    broken = _command(tmp_path, *options, "--out", str(tmp_path / "broken"))
    process = subprocess.Popen(
        [sys.executable, "-m", "hyperbaton", *broken],
        env=ENVIRONMENT,
        stderr=subprocess.DEVNULL,
    )
    states = tmp_path / "broken" / "checkpoints"
    deadline = time.monotonic() + 300
    while not list(states.glob("step-0000002*")) and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "broken" / "model").exists()
    assert main(broken) == 0
    first, second = _weights(tmp_path / "whole"), _weights(tmp_path / "broken")
    assert first.keys() == second.keys()
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_nan_stops_with_the_last_good_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from hyperbaton.train import loop

    honest, calls = loop._loss, 0

    def poisoned(*arguments: object) -> Tensor:
        nonlocal calls
        calls += 1
        return honest(*arguments) * (math.nan if calls > 25 else 1.0)  # type: ignore[arg-type]

    monkeypatch.setattr(loop, "_loss", poisoned)
    write_reversal(tmp_path / "reversal.tsv", 800)
    assert main(_command(tmp_path, *SHORT, "--out", str(tmp_path / "run"))) == 2
    message = capsys.readouterr().err
    assert "diverged" in message
    assert "the checkpoint of step 20 is kept" in message
    kept = sorted(path.name for path in (tmp_path / "run" / "checkpoints").iterdir())
    assert kept[-1] == "step-00000020.safetensors"


def test_another_recipe_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_reversal(tmp_path / "reversal.tsv", 200)
    short = ("--set", "steps=2", "--out", str(tmp_path / "run"))
    assert main(_command(tmp_path, *short)) == 0
    assert main(_command(tmp_path, "--set", "d_model=32", *short)) == 2
    assert "another recipe" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--preset", "tiny"), "unknown preset 'tiny'"),
        (("--set", "stesp=3"), "Did you mean 'steps'?"),
        (("--set", "steps"), "KEY=VALUE"),
        (("--set", "steps=many"), "type int"),
        (("--vocabulary", "nowhere.spm"), "nowhere.spm: no such vocabulary"),
    ],
)
def test_mistakes_get_one_sentence(
    options: tuple[str, ...], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_reversal(tmp_path / "reversal.tsv", 200)
    assert main([*_command(tmp_path), *options, "--out", str(tmp_path / "run")]) == 2
    assert message in capsys.readouterr().err


def test_a_file_without_tabs_names_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.tsv").write_text("a b\tb a\nno tab here\n")
    assert main(_command(tmp_path, "--out", str(tmp_path / "run"), text="bad.tsv")) == 2
    assert "bad.tsv: line 2" in capsys.readouterr().err


def test_a_vocabulary_can_be_learnt_by_itself(tmp_path: Path) -> None:
    write_reversal(tmp_path / "reversal.tsv", 400)
    learnt = tmp_path / "joint.spm"
    given = ["--pair", "aa-bb", str(tmp_path / "reversal.tsv"), "--preset", "toy"]
    assert main(["train", "vocabulary", *given, "--out", str(learnt)]) == 0
    options = ["--held-out", "0.05", "--set", "steps=1", "--device", "cpu", "--out"]
    own, shared = tmp_path / "own", tmp_path / "shared"
    assert main(["train", "translator", *given, *options, str(own)]) == 0
    more = ["--vocabulary", str(learnt)]
    assert main(["train", "translator", *given, *options, str(shared), *more]) == 0
    # Both hold out the same lines or nearly so: the pieces are the language's syllables.
    pieces = [(folder / "model" / "vocab.json").read_text() for folder in (own, shared)]
    assert len(json.loads(pieces[0])) == len(json.loads(pieces[1]))
    assert (shared / "model" / "source.spm").read_bytes() == learnt.read_bytes()
