"""The paper's protocol from end to end, on made models of the three classes that it tunes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.cli.main import main
from hyperbaton.pipeline import Run, RunOptions
from hyperbaton.studies.layer.running import run_study
from hyperbaton.studies.registry import load_contents
from hyperbaton.studies.structure.study import PIECES, Structure
from hyperbaton.tasks import TASKS, Examples, Retrieval
from tests.encoders.made import MADE

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytestmark = pytest.mark.skipif(not PIECES.exists(), reason="needs the bundled translator")
QUICK = ("--workers", "0")


@pytest.fixture(scope="module", params=list(MADE))
def encoder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    kind: str = request.param
    return MADE[kind](tmp_path_factory.mktemp("models") / kind)


def write_pairs(folder: Path, dev: Mapping[str, str]) -> Path:
    """PAWS-X whose validation data have so many of each label in each language."""
    folder.mkdir()
    lines = [f"ab cd ef {word}\tgh ij\t{number % 2}" for number, word in enumerate(WORDS)]
    tables = {"train-en.tsv": lines, "test-de.tsv": lines[:4]}
    for code, labels in dev.items():
        tables[f"dev-{code}.tsv"] = [
            f"kl mn {code} {WORDS[number]}\top qr\t{label}" for number, label in enumerate(labels)
        ]
    for name, rows in tables.items():
        (folder / name).write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return folder


WORDS = ("one", "two", "six", "ten", "red", "old", "big", "low")


def test_the_whole_protocol(encoder: Path, tmp_path: Path) -> None:
    data, out = write_pairs(tmp_path / "pawsx", {"en": "0101", "de": "0101"}), tmp_path / "run"
    told = ["structure", "--protocol", "paper", "--task", "pawsx", "--data", str(data)]
    told += ["--encoder", f"hf:{encoder}(device=cpu)", "-l", "de", "--epochs", "2", *QUICK]
    assert main([*told, "--out", str(out)]) == 0
    run = Run(out)
    assert run.record.study == "structure(task=pawsx, protocol=paper, epochs=2)"
    (system,) = run.systems
    parts = list(run.grid(run.pairs_of(system)[0], system))
    assert [part.height for part in parts] == [42] * 25  # five trainings, five draws of each
    checkpoints = sorted(path.parent.name for path in out.rglob("epoch-*.npz"))
    assert checkpoints == sorted(2 * [f"seed-{number}" for number in range(5)])
    job = json.loads(next(out.rglob("fine-tuning.json")).read_text("utf-8"))
    assert (job["rate"], job["batch"], job["decay"], job["warmup"]) == (2e-5, 32, 0.1, 0.06)
    (note, *_) = load_contents([out]).notes
    assert note.startswith(
        "pawsx, by the paper's protocol, but for what was said otherwise (epochs): 5 draws of each "
        "perturbation, 5 trainings of 2 epochs at a rate of 2e-05"
    )
    assert (out / "report.html").is_file()


def plant(checkpoint: Path, label: int) -> None:
    """Make a checkpoint give one label, whatever it reads."""
    with np.load(checkpoint) as file:
        weights = {name: file[name] for name in file.files}
    (last,) = [n for n in weights if "classifier" in n and weights[n].shape == (2, 16)]
    weights[last] = np.zeros_like(weights[last])
    bias = last.removesuffix("weight") + "bias"
    weights[bias] = np.array([label == 0, label == 1], weights[bias].dtype)
    np.savez(checkpoint, allow_pickle=False, **weights)


def answers(out: Path) -> set[str]:
    """What all examples were given under every perturbation."""
    run = Run(out)
    (system,) = run.systems
    parts = run.grid(run.pairs_of(system)[0], system)
    return {answer for part in parts for given in part["answers"].to_list() for answer in given}


@pytest.mark.parametrize(("validation", "label"), [(None, "1"), ("english", "0")])
def test_planted_checkpoints_are_chosen_in_the_target_language(
    encoder: Path, tmp_path: Path, validation: str | None, label: str
) -> None:
    """English validation data are best met by the first checkpoint, German ones by the second."""
    data, out = write_pairs(tmp_path / "pawsx", {"en": "0001", "de": "1110"}), tmp_path / "run"
    how = ["--task", "pawsx", "--data", str(data), "-l", "de", "--epochs", "2", *QUICK]
    how += [] if validation is None else ["--validation", validation]
    few = ["--with", "FullShuffle", "--with", "NeighbourFlip(p=0.5, unit=subword)", "--no-report"]
    told = ["structure", *how, *few, "--encoder", f"hf:{encoder}(device=cpu)", "--out", str(out)]
    assert main(told) == 0
    for number in (1, 2):
        (checkpoint,) = out.rglob(f"epoch-{number:02}.npz")
        plant(checkpoint, number - 1)
    for cell in (out / "cells").rglob("*.parquet"):
        cell.unlink()
    assert main(told) == 0
    assert answers(out) == {label}


def test_validation_data_of_the_target_language_must_be_there(tmp_path: Path) -> None:
    model = MADE["bert"](tmp_path / "bert")
    data = tmp_path / "qam"
    data.mkdir()
    for name in ("en.train", "en.dev", "de.test"):
        (data / f"xglue.qam.{name}").write_text("who?\tshe\t1\n", encoding="utf-8")
    study = Structure(task="qam", perturbations="FullShuffle", epochs=1)
    corpora = study.corpora((str(data),), "de")
    with pytest.raises(HyperbatonError, match=r"no file xglue\.qam\.de\.dev.*--validation english"):
        run_study(study, corpora, [f"hf:{model}"], tmp_path / "run", options=RunOptions(workers=0))


def test_what_cannot_be_tuned_is_refused_before_anything_is_trained(tmp_path: Path) -> None:
    data = write_pairs(tmp_path / "pawsx", {"en": "01", "de": "01"})
    study = Structure(task="pawsx", perturbations="FullShuffle", epochs=1)
    corpora = study.corpora((str(data),), "de")
    with pytest.raises(HyperbatonError, match="'chars' cannot be fine-tuned for pawsx"):
        run_study(study, corpora, ["chars"], tmp_path / "run", options=RunOptions(workers=0))


def test_what_is_said_takes_precedence() -> None:
    paper = Structure(task="tatoeba", protocol="paper")
    assert (paper.way.seeds, paper.way.trainings, paper.way.epochs) == (5, 5, 10)
    assert (paper.way.rate, paper.way.validation) == (2e-5, "target")
    assert str(paper.chosen_task) == "tatoeba(by=F1)"
    assert str(Structure(task="bucc", protocol="paper").chosen_task) == "bucc(by=nearest)"
    said = Structure(task="tatoeba(by=accuracy)", protocol="paper", seeds=1, validation="english")
    assert said.way.seeds == 1
    assert said.way.validation == "english"
    assert said.chosen_task.score == "accuracy"
    assert Structure().way.seeds == 1
    assert str(Structure(task="tatoeba").chosen_task) == "tatoeba"


def test_retrieval_is_scored_by_f1_with_accuracy_beside_it(tmp_path: Path) -> None:
    out = tmp_path / "run"
    told = ["structure", "--protocol", "paper", "--encoder", "ngrams", "-l", "de", "--limit", "30"]
    assert main([*told, "--with", "NeighbourFlip(p=0.3)", *QUICK, "--out", str(out)]) == 0
    study = Structure(protocol="paper")
    found = {score.name: score for score in study.scores([Run(out)]) if score.variant == "identity"}
    assert found.keys() == {"F1", "accuracy"}
    assert found["F1"].value != found["accuracy"].value
    (table,) = [table for table in load_contents([out]).tables if table.id == "T1"]
    assert {"F1", "accuracy"} <= set(table.data.columns)
    assert table.data["accuracy"][0] == pytest.approx(found["accuracy"].value)
    run = Run(out)
    assert len(list(run.grid(run.pairs_of("ngrams")[0], "ngrams"))) == 5


def test_f1_is_that_of_scikit_learn_weighted_by_support() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(1)
    task = TASKS.parse("starter(by=F1)")
    assert isinstance(task, Retrieval)
    examples = task.examples(Path(), "de", 40)
    vectors, answers = rng.normal(size=(40, 5)), rng.normal(size=(len(examples.answers), 5))
    judged = task.judge(examples, vectors.astype(np.float32), answers.astype(np.float32))
    given = [examples.answers.index(answer) for answer in judged.answers]
    expected = metrics.f1_score(examples.gold, given, average="weighted", zero_division=0)
    assert judged.scores.mean() == pytest.approx(expected)
    assert judged.right is not None
    assert judged.right.mean() == metrics.accuracy_score(examples.gold, given)


def test_bucc_by_nearest_neighbour_beside_margin() -> None:
    """The third answer is near to everything: the cosine falls for it, the margin does not."""
    examples = Examples(("1", "2", "3"), (("a",), ("b",), ("c",)), (0, 1, -1), ("A", "B", "C"))
    answers = np.array([[3, 2], [1, 3], [3, 3]], np.float32)
    vectors = np.array([[2, 1], [2, 3], [2, 0]], np.float32)
    f1 = {}
    for name in ("bucc(k=2)", "bucc(by=nearest)"):
        task = TASKS.parse(name)
        assert isinstance(task, Retrieval)
        judged = task.judge(examples, vectors, answers)
        f1[name] = float(judged.scores.sum() / judged.weights.sum())
    assert f1 == {"bucc(k=2)": 1, "bucc(by=nearest)": pytest.approx(2 / 3)}


XGLUE = {
    "qam": ("who is {word}\tshe is {word}\t1", "who is {word}\tblue\t0"),
    "qadsm": ("{word} shoes\tcheap {word}\tbuy\tGood", "{word} shoes\tfish\tno\tBad"),
    "wpr": ("{word}\tshop\tall {word}\tPerfect", "{word}\tfish\tnone\tBad"),
}


@pytest.mark.parametrize("task", list(XGLUE))
def test_the_tasks_of_xglue_run_on_made_data(task: str, tmp_path: Path) -> None:
    model = MADE["bert"](tmp_path / "bert")
    rows = [line.format(word=word) for word in WORDS for line in XGLUE[task]]
    for code, part in (("en", "train"), ("en", "dev"), ("de", "dev"), ("de", "test")):
        path = tmp_path / f"xglue.{task}.{code}.{part}"
        path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    out = tmp_path / "run"
    told = ["structure", "--task", task, "--data", str(tmp_path), "-l", "de", "--epochs", "1"]
    told += ["--with", "FullShuffle", "--with", "PhraseShuffle(p=0.5, unit=subword)"]
    assert main([*told, "--encoder", f"hf:{model}(device=cpu)", *QUICK, "--out", str(out)]) == 0
    scores = Structure(task=task).scores([Run(out)])
    name = "nDCG" if task == "wpr" else "accuracy"
    of_task = {score.variant: score.value for score in scores if score.name == name}
    assert len(of_task) == 4
    assert all(0 <= value <= 1 for value in of_task.values())
    assert (out / "report.html").is_file()
