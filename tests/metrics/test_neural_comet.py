"""COMET runs in another interpreter; its scores are those of COMET called there directly.

The tests of the real package need HYPERBATON_COMET_PYTHON, an interpreter with unbabel-comet.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics.neural import comet
from hyperbaton.metrics.neural.comet import COMET, Worker

from .neural_models import TEXTS, make_model

REAL = os.environ.get("HYPERBATON_COMET_PYTHON")
STAND_IN = """
import json, sys
needs = sys.argv[1] != "free"
greeting = {"checkpoint": __file__, "needs_references": needs, "versions": {"x": "1"}}
print(json.dumps(greeting), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    columns = [request[key] for key in ("src", "mt", "ref") if key in request]
    if "crash" in columns[0]:
        sys.exit("out of memory")
    if "bad" in columns[0]:
        print(json.dumps({"error": "the text is bad"}), flush=True)
        continue
    print("noise", file=sys.stderr)
    print(json.dumps({"scores": [len("".join(row)) for row in zip(*columns)]}), flush=True)
"""


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script that speaks as the worker does, and rates by length."""
    script = tmp_path / "worker" / "stand_in.py"
    script.parent.mkdir()
    script.write_text(STAND_IN)
    monkeypatch.setattr(comet, "_SCRIPT", script)
    comet._started.cache_clear()
    return script


def test_columns_and_order(stand_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comet, "_AT_ONCE", 2)  # several requests
    metric = COMET(model="any", python=sys.executable)
    sources, hypotheses, references = (
        ["a", "bb", "a", "é"],
        ["x", "y", "x", "z"],
        ["1", "", "1", "2"],
    )
    assert metric.sentence_scores(hypotheses, references, sources).tolist() == [3, 3, 3, 3]
    free = COMET(model="free", python=sys.executable)
    assert free.reference_free
    assert free.sentence_scores(hypotheses, references, sources).tolist() == [2, 3, 2, 2]
    assert free.corpus_score(hypotheses, references, sources) == 2.25
    assert "references:no|revision:" in free.signature("corpus")
    assert "x:1" in free.signature("corpus")
    assert metric.sentence_scores([], [], []).shape == (0,)


def test_faults_are_one_sentence(stand_in: Path) -> None:
    metric = COMET(model="any", python=sys.executable)
    with pytest.raises(HyperbatonError, match="the text is bad"):
        metric.sentence_scores(["x"], ["y"], ["bad"])
    assert metric.sentence_scores(["x"], ["y"], ["z"]).tolist() == [3]  # and it goes on
    with pytest.raises(HyperbatonError, match="ended with code 1: out of memory"):
        metric.sentence_scores(["x"], ["y"], ["crash"])
    with pytest.raises(HyperbatonError, match="give the sources"):
        metric.sentence_scores(["x"], ["y"])
    with pytest.raises(HyperbatonError, match="no/python cannot be run: No such file"):
        COMET(python="no/python").sentence_scores(["x"], ["y"], ["z"])


def test_an_interpreter_without_comet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)
    with pytest.raises(HyperbatonError, match=r"has no working COMET .*: install it there"):
        COMET(python=str(bare / "bin" / "python")).sentence_scores(["x"], ["y"], ["z"])
    monkeypatch.delenv("HYPERBATON_COMET_PYTHON", raising=False)
    monkeypatch.setattr(comet, "find_spec", lambda name: None)
    with pytest.raises(HyperbatonError, match="environment of its own"):
        COMET().sentence_scores(["x"], ["y"], ["z"])


def test_a_worker_ends_with_its_owner(stand_in: Path) -> None:
    worker = Worker(sys.executable, stand_in, ["any"], offline=True)
    process = worker._process
    assert process.poll() is None
    worker.close()
    assert process.poll() is not None


MAKE = """
import json, sys, torch, yaml
from pathlib import Path
from comet.models import str2model
encoder, out, kind = sys.argv[1:4]
rows = json.loads(sys.stdin.read())
torch.manual_seed(0)
model = str2model[kind](
    pretrained_model=encoder, hidden_sizes=[16], layer="mix", local_files_only=True
)
for parameter in model.estimator.parameters():
    torch.nn.init.normal_(parameter, std=0.5)
folder = Path(out) / "checkpoints"
folder.mkdir(parents=True)
hyper = {**model.hparams}
kept = {"state_dict": model.state_dict(), "hyper_parameters": hyper}
torch.save({**kept, "pytorch-lightning_version": "2.0.0"}, folder / "model.ckpt")
(Path(out) / "hparams.yaml").write_text(yaml.dump({**hyper, "class_identifier": kind}))
scores = model.predict(rows, batch_size=3, gpus=0, progress_bar=False, num_workers=0)["scores"]
print("\\n" + json.dumps([float(score) for score in scores]))
"""


@pytest.mark.skipif(REAL is None, reason="needs HYPERBATON_COMET_PYTHON")
@pytest.mark.parametrize("kind", ["regression_metric", "referenceless_regression_metric"])
def test_scores_of_the_real_package(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    encoder = make_model(tmp_path / "encoder", "xlm-roberta")
    sources, hypotheses, references = TEXTS, TEXTS[::-1], TEXTS[1:] + TEXTS[:1]
    rows = [
        {"src": src, "mt": mt, "ref": ref}
        for src, mt, ref in zip(sources, hypotheses, references, strict=True)
    ]
    made = subprocess.run(
        [str(REAL), "-I", "-c", MAKE, encoder, tmp_path / "comet", kind],
        input=json.dumps(rows),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
    )
    assert made.returncode == 0, made.stderr[-2000:]
    expected = json.loads(made.stdout.splitlines()[-1])
    metric = COMET(model=str(tmp_path / "comet"), python=REAL, batch_size=4)
    scores = metric.sentence_scores(hypotheses * 2, references * 2, sources * 2)
    assert scores == pytest.approx(expected * 2, abs=1e-5)
    assert len(set(expected)) > 5
    assert metric.reference_free == kind.startswith("referenceless")
    assert "unbabel-comet:" in metric.signature("sentence")
    with pytest.raises(HyperbatonError, match="there is no checkpoint"):
        COMET(model="./nowhere", python=REAL).sentence_scores(["a"], ["b"], ["c"])
