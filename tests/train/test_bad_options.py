"""What a training cannot use is one sentence, before anything is read or learnt."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError

pytest.importorskip("torch")
pytest.importorskip("transformers")

from hyperbaton.hub import device_of
from hyperbaton.train.detector.data import DetectorRecipe
from hyperbaton.train.recipe import Recipe
from hyperbaton.train.vocabulary import Vocabulary


@pytest.mark.parametrize(
    ("option", "needed"),
    [
        ("learning_rate=nan", "0 or more"),
        ("learning_rate=inf", "0 or more"),
        ("learning_rate=0", "above 0"),
        ("weight_decay=-0.1", "0 or more"),
        ("betas=0.9,1", "between 0 and 1"),
        ("betas=nan,0.9", "0 or more"),
        ("seed=-1", "0 or more"),
    ],
)
@pytest.mark.parametrize("recipe", [Recipe(), DetectorRecipe()], ids=["translator", "detector"])
def test_a_number_that_no_training_can_use(
    recipe: Recipe | DetectorRecipe, option: str, needed: str
) -> None:
    key, _, value = option.partition("=")
    with pytest.raises(HyperbatonError, match=f"{key}=.*: a number .*{needed}"):
        recipe.with_options({key: value})


def test_a_share_is_at_most_one() -> None:
    for value, needed in (("2", "between 0 and 1"), ("-0.1", "0 or more")):
        with pytest.raises(HyperbatonError, match=f"dropout=.*: a number .*{needed}"):
            Recipe().with_options({"dropout": value})


@pytest.mark.parametrize("key", ["heads", "d_model", "vocabulary", "validate_every", "max_length"])
def test_nothing_of_what_there_must_be_some(key: str) -> None:
    with pytest.raises(HyperbatonError, match=f"{key}=0: a number above 0 is needed"):
        Recipe().with_options({key: "0"})


@pytest.mark.parametrize("name", ["", "quantum", "a.parquet"])
def test_a_device_that_is_none(name: str) -> None:
    with pytest.raises(HyperbatonError, match="write cpu, cuda, cuda:1 or auto"):
        device_of(name)


@pytest.mark.parametrize("content", [b"", b"x", b"\xff" * 100])
def test_a_vocabulary_that_is_none(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "joint.spm"
    path.write_bytes(content)
    with pytest.raises(HyperbatonError, match="is not a SentencePiece model"):
        Vocabulary.load(path)


@pytest.mark.parametrize("job", ["translator", "vocabulary"])
@pytest.mark.parametrize("mistake", [("--preset", "none"), ("--pair", "en-fr", "no.tsv")])
def test_a_mistake_is_told_before_torch_is_loaded(
    tmp_path: Path, job: str, mistake: tuple[str, ...]
) -> None:
    (tmp_path / "pairs.tsv").write_text("a\tb\n")
    words = ["train", job, "--pair", "en-de", "pairs.tsv", *mistake, "--out", "model"]
    code = f"import sys; from hyperbaton.cli.main import main; status = main({words!r}); "
    code += "sys.exit(70 if 'torch' in sys.modules else status)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stderr
