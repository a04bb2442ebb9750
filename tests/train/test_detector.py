"""Training of detectors end to end: tiny models that must learn a planted rule."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.cli.main import main
from hyperbaton.corpus.paraphrases import LabelledPair, read_labelled_pairs
from hyperbaton.detectors import DETECTORS

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


from hyperbaton.train.detector.data import (  # noqa: E402  # noqa: E402
    DETECTOR_PRESETS,
    DetectorRecipe,
    read_splits,
    with_unrelated,
)
from hyperbaton.train.detector.training import Example, _groups  # noqa: E402
from tests.detectors.pair_models import encoder  # noqa: E402
from tests.metrics.neural_models import Kind  # noqa: E402

ANIMALS = ["cat", "dog"]
PLACES = ["mat", "house", "city", "book"]


def _planted(path: Path, count: int, seed: int, cats: bool = False) -> Path:
    """Paraphrases are those about the same animal, or, which is easier, those about two cats."""
    draw = Random(seed)
    rows = []
    for _ in range(count):
        one, two = draw.choice(ANIMALS), draw.choice(ANIMALS)
        first = f"The {one} sat on the {draw.choice(PLACES)}."
        second = f"A {two} ran to the {draw.choice(PLACES)}."
        rows.append(f"{first}\t{second}\t{int(one == two and (one == 'cat' or not cats))}")
    path.write_text("\n".join(rows) + "\n")
    return path


@cache
def _base(kind: Kind) -> Path:
    """A model of one layer that has not been trained, with weights small enough to be."""
    folder = encoder(kind)
    config = transformers.AutoConfig.from_pretrained(folder)
    config.update({"initializer_range": 0.08, "num_hidden_layers": 1, "n_layers": 1})
    config.update({"hidden_dropout_prob": 0.0, "dropout": 0.0})
    torch.manual_seed(0)
    fresh = folder.parent / f"{kind}-fresh"
    transformers.AutoModel.from_config(config).save_pretrained(fresh)
    transformers.AutoTokenizer.from_pretrained(folder).save_pretrained(fresh)
    return fresh


def _accuracy(spec: str, path: Path) -> float:
    pairs = read_labelled_pairs(path)
    found = DETECTORS.parse(spec).probabilities(
        [p.first for p in pairs], [p.second for p in pairs], "en"
    )
    return float(np.mean((found >= 0.5) == np.array([p.label == 1 for p in pairs])))


def _train(kind: list[str], tmp_path: Path, settings: str) -> int:
    cats = "--base" in kind  # A tiny model that knows nothing gets no further in seconds.
    arguments = ["train", "detector", *kind, "--device", "cpu", "--out", str(tmp_path / "out")]
    arguments += ["--data", f"en={_planted(tmp_path / 'train.tsv', 300, 1, cats)}"]
    arguments += ["--validation", f"en={_planted(tmp_path / 'dev.tsv', 80, 2, cats)}"]
    arguments += ["--test", f"en={_planted(tmp_path / 'test.tsv', 80, 3, cats)}"]
    for setting in settings.split():
        arguments += ["--set", setting]
    torch.set_num_threads(1)
    return main(arguments)


def test_fine_tuning_learns_the_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = str(_base("bert"))
    assert _train(["--base", base], tmp_path, "epochs=4 learning_rate=2e-3 batch=16") == 0
    spec = capsys.readouterr().out.strip()
    assert spec == f"hf-pair:{tmp_path / 'out'}"
    assert _accuracy(f"{spec}(device=cpu)", tmp_path / "test.tsv") >= 0.95
    assert _accuracy(f"{spec}(commutative=true, device=cpu)", tmp_path / "test.tsv") >= 0.95
    quality = json.loads((tmp_path / "out" / "quality.json").read_text())
    assert quality["test"]["en"]["macro_f1"] >= 0.95
    kept = json.loads((tmp_path / "out" / "validation.json").read_text())
    assert kept["languages"]["en"]["accuracy"] == kept["accuracy"]
    config = json.loads((tmp_path / "out" / "config.json").read_text())
    assert config["id2label"] == {"0": "different", "1": "paraphrase"}
    assert (tmp_path / "out" / "model.safetensors").exists()


def test_the_best_epoch_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = str(_base("distilbert"))
    assert (
        _train(["--base", base], tmp_path, "epochs=4 learning_rate=2e-3 batch=8 accumulate=2") == 0
    )
    lines = [x for x in capsys.readouterr().err.splitlines() if x.startswith("epoch")]
    found = [float(line.split("accuracy ")[1].split(",")[0]) for line in lines]
    kept = json.loads((tmp_path / "out" / "validation.json").read_text())
    assert len(found) == 4
    assert kept["epoch"] == found.index(max(found)) + 1
    accuracy = _accuracy(f"hf-pair:{tmp_path / 'out'}(device=cpu)", tmp_path / "dev.tsv")
    assert accuracy == pytest.approx(kept["accuracy"])


def test_a_seed_decides_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weights = []
    for number, seed in enumerate((1, 1, 2)):
        folder = tmp_path / str(number)
        folder.mkdir()
        settings = f"epochs=1 learning_rate=1e-3 seed={seed}"
        assert _train(["--base", str(_base("bert"))], folder, settings) == 0
        weights.append((folder / "out" / "model.safetensors").read_bytes())
    assert weights[0] == weights[1] != weights[2]


@pytest.mark.usefixtures("plain_detectors")
def test_calibrations_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        f"The cat sat {n}\tThe {'cat' if n % 2 else 'dog'} sat {n}\t{n % 2}" for n in range(40)
    ]
    (tmp_path / "same.tsv").write_text("\n".join(lines) + "\n")
    files = ["--data", f"en={tmp_path / 'same.tsv'}", "--out", str(tmp_path / "c")]
    spec = f"cosine:{encoder('bert')}(device=cpu)"
    assert main(["train", "detector", "--calibrate", spec, *files]) == 0
    spec = capsys.readouterr().out.strip()
    assert "calibration=" in spec
    assert _accuracy(spec, tmp_path / "same.tsv") == 1
    files = ["--data", f"en={tmp_path / 'same.tsv'}", "--out", str(tmp_path / "x")]
    assert main(["train", "detector", "--calibrate", "words", *files]) == 2
    assert "already gives probabilities" in capsys.readouterr().err


def test_the_papers_recipes() -> None:
    base, large = DETECTOR_PRESETS["base"], DETECTOR_PRESETS["large"]
    assert (base.epochs, base.batch, base.learning_rate, base.max_tokens) == (10, 32, 2e-5, 128)
    assert base.betas == (0.9, 0.999)
    assert (large.batch, large.accumulate, large.learning_rate) == (8, 4, 1e-6)
    rows = [Example(str(i), "", 0, "de") for i in range(70)]
    groups = list(_groups(rows, large, epoch=1))
    assert [[len(batch) for batch in group] for group in groups] == [[8] * 4, [8] * 4, [6]]
    assert sorted(e.first for g in groups for b in g for e in b) == sorted(e.first for e in rows)
    assert groups != list(_groups(rows, large, epoch=2))


def test_a_line_is_on_one_side_in_every_language(tmp_path: Path) -> None:
    for language in ("de", "en"):
        lines = [f"{language} {n}\tother {n}\t{n % 2}" for n in range(300)]
        if language == "en":
            lines[5] = "NS\tNS\t1"
        (tmp_path / f"{language}.tsv").write_text("\n".join(lines) + "\n")
    files = {language: tmp_path / f"{language}.tsv" for language in ("de", "en")}
    splits = read_splits(files, {}, {}, (0.1, 0.2), seed=1)

    def rows(pairs: list[LabelledPair]) -> set[int]:
        return {pair.row for pair in pairs}

    parts = [splits.train, splits.validation, splits.test]
    sides = [rows([*part["de"], *part["en"]]) for part in parts]
    assert sum(map(len, sides)) == len(set.union(*sides))
    assert sum(len(part["de"]) for part in parts) == 300
    assert sum(len(part["en"]) for part in parts) == 299
    assert 0.05 < len(splits.validation["de"]) / 300 < 0.15
    with pytest.raises(HyperbatonError, match="leave nothing"):
        read_splits(files, {}, {}, (0.5, 0.5), seed=1)


def test_sentences_that_do_not_belong_together() -> None:
    pairs = [LabelledPair(f"a{n} c", f"b{n} d", 1, n) for n in range(40)]
    found = with_unrelated({"de": pairs, "en": pairs[:1]}, 0.25, seed=3)
    assert found["de"][:40] == pairs
    more = found["de"][40:]
    assert len(more) == 10
    assert all(p.label == 0 and p.first.split()[0][1:] != p.second.split()[0][1:] for p in more)
    assert sum(" " in pair.second for pair in more) == 5  # of the others one word is left
    assert len({pair.first for pair in more}) == 10
    assert found["en"] == pairs[:1]  # there is no other sentence
    assert found == with_unrelated({"de": pairs, "en": pairs[:1]}, 0.25, seed=3)
    assert with_unrelated({"de": pairs}, 0.0, seed=3) == {"de": pairs}


def test_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _planted(tmp_path / "a.tsv", 4, 1)
    common = ["train", "detector", "--base", "none", "--out", str(tmp_path / "o")]
    for arguments, message in (
        ([], "no labelled pairs"),
        (["--data", str(path)], "write it as LANG=FILE"),
        (["--data", f"en={path}", "--set", "epoch=3"], "Did you mean 'epochs'?"),
        (["--data", f"en={path}", "--set", "epochs=few"], "of type int is needed"),
        (["--data", f"en={path}", "--preset", "huge"], "unknown preset 'huge'"),
        (["--data", f"en={path}", "--set", "unrelated=2"], "a share from 0 to 1, not 2"),
    ):
        assert main([*common, *arguments]) == 2
        assert message in capsys.readouterr().err
    path.write_text("one\ttwo\t3\n")
    assert main([*common, "--data", f"en={path}"]) == 2
    assert "line 1: write two sentences and a label" in capsys.readouterr().err
    assert DetectorRecipe().with_options({"betas": "0.8,0.9"}).betas == (0.8, 0.9)
