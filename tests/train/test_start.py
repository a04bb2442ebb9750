"""Training on from a translator: its weights, its vocabulary with tokens for modes, its errors."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from hyperbaton.base.errors import HyperbatonError  # noqa: E402
from hyperbaton.cli.main import main  # noqa: E402
from hyperbaton.systems.shipped.bundled import Bundled  # noqa: E402
from hyperbaton.systems.system import SYSTEMS  # noqa: E402
from hyperbaton.train.batches import encode_directions  # noqa: E402
from hyperbaton.train.bitext import Direction  # noqa: E402
from hyperbaton.train.model import (  # noqa: E402
    begin_with,
    build_model,
    export_model,
    marian_weights,
)
from hyperbaton.train.recipe import PRESETS  # noqa: E402
from hyperbaton.train.validate import greedy  # noqa: E402
from hyperbaton.train.vocabulary import EOS, Vocabulary  # noqa: E402

from .toy import write_reversal  # noqa: E402

TEXTS = ["Tom said that he would come home soon.", "The cat is on the table.", "Who are you?"]


def _ignore(steps: int = 1) -> None:
    """No bar here."""


def test_the_shipped_translator_says_the_same_with_its_weights_read_back() -> None:
    pytest.importorskip("ctranslate2")
    words = Vocabulary.load(Bundled.folder / "source.spm")
    model = build_model(PRESETS["bundled"], len(words))
    begin_with(model, Bundled.folder)
    model.train(False)
    rows = [[words.token("de"), *row, EOS] for row in words.encode(TEXTS)]
    with torch.no_grad():
        said = words.decode(greedy(model, rows, 96, 4096, _ignore))
    with SYSTEMS.parse("bundled(beam=1)").open("en", "de") as translator:
        assert said == [answer.text for answer in translator.translate(TEXTS)]


def test_tokens_of_modes_stand_after_all_others() -> None:
    words = Vocabulary.load(Bundled.folder / "source.spm")
    more = words.with_modes(["faithful", "robust", "robust"])
    assert more.pieces() == [*words.pieces(), ">>faithful<<", ">>robust<<"]
    assert more.encode(TEXTS) == words.encode(TEXTS)
    assert more.with_modes(["robust"]) is more
    # A matrix of whole eights has rows beyond the vocabulary, which an untrained model may choose.
    assert more.decode([[*more.encode(["Hello."])[0], len(more) + 3]]) == ["Hello."]
    with pytest.raises(HyperbatonError, match="no mode 'robust'"):
        words.token("robust", "mode")
    pairs = [("Hello.", "Hallo.")]
    kinds = [Direction("en", "de", pairs), Direction("en", "de", pairs, "robust")]
    data = encode_directions(kinds, more, 96, torch.device("cpu"))
    plain, robust = data.source_lengths.tolist()
    assert robust == plain + 1


def test_a_steered_toy_begins_where_another_ended(tmp_path: Path) -> None:
    write_reversal(tmp_path / "text.tsv", 400)
    command = ["train", "translator", "--preset", "toy", "--device", "cpu", "--held-out", "0.05"]
    command += ["--pair", "aa-bb", str(tmp_path / "text.tsv"), "--set", "validate_every=3"]
    command += ["--set", "save_every=3"]
    first = tmp_path / "first"
    assert main([*command, "--set", "steps=3", "--out", str(first)]) == 0
    second = tmp_path / "second"
    steer = ["--steer", "robust", "aa-bb", str(tmp_path / "text.tsv")]
    start = ["--start", str(first / "model"), "--vocabulary", str(first / "vocabulary.spm")]
    rate = ["--set", "steps=1", "--set", "learning_rate=1e-9", "--set", "warmup=1"]
    assert main([*command, *steer, *start, *rate, "--out", str(second)]) == 0
    from safetensors.torch import load_file

    old, new = (load_file(path / "model" / "model.safetensors") for path in (first, second))
    size = len(Vocabulary.load(first / "vocabulary.spm"))
    for name, value in old.items():
        if value.dim() and name.split(".")[-1] != "final_logits_bias":
            assert torch.allclose(value[:size], new[name][: len(value)][:size], atol=1e-6), name
    assert ">>robust<<" in Vocabulary.load(second / "model" / "source.spm").pieces()


def test_another_shape_and_a_damaged_file_are_told(tmp_path: Path) -> None:
    words = Vocabulary.load(Bundled.folder / "source.spm")
    toy = build_model(PRESETS["toy"], len(words))
    with pytest.raises(HyperbatonError, match="another shape"):
        begin_with(toy, Bundled.folder)
    export_model(toy, words, PRESETS["toy"], tmp_path / "toy")
    with pytest.raises(HyperbatonError, match="another shape"):
        begin_with(build_model(PRESETS["bundled"], len(words)), tmp_path / "toy")
    with pytest.raises(HyperbatonError, match="holds no translator"):
        begin_with(toy, tmp_path)
    data = (Bundled.folder / "model.bin").read_bytes()
    for cut in (0, 3, 40, 5000):
        (tmp_path / "model.bin").write_bytes(data[:cut])
        with pytest.raises(HyperbatonError):
            marian_weights(tmp_path / "model.bin")
