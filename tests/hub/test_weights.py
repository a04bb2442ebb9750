"""Weights in torch's own format: read where they are tensors, refused unrun where they are more."""

from __future__ import annotations

import json
import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.detectors.classifier import PairClassifier
from hyperbaton.encoders.hf import HuggingFace as HuggingFaceEncoder
from hyperbaton.hub import Source, load_model, resolve
from hyperbaton.metrics.neural.bertscore import BERTScore
from hyperbaton.metrics.neural.bleurt import BLEURT
from hyperbaton.metrics.neural.cosine import SentenceCosine
from hyperbaton.systems.ct2.convert import to_ctranslate2
from hyperbaton.systems.ct2.system import CTranslate2
from hyperbaton.systems.hf import HuggingFace
from tests.detectors.pair_models import classifier, encoder
from tests.hub.folders import pickled, sharded
from tests.systems.models import TEXTS, built

torch = pytest.importorskip("torch")


class Trap:
    """What an unpickler would run: it leaves a file behind."""

    def __init__(self, trace: Path) -> None:
        self._trace = trace

    def __reduce__(self) -> tuple[object, ...]:
        return os.system, (f"touch {self._trace}",)


def _zipped(file: Path, trap: Trap) -> None:
    torch.save({"model.shared.weight": torch.ones(2), "more": trap}, file)


def _legacy(file: Path, trap: Trap) -> None:
    torch.save({"more": trap}, file, _use_new_zipfile_serialization=False)


def _bare(file: Path, trap: Trap) -> None:
    file.write_bytes(pickle.dumps(trap, protocol=2))


def _translate(folder: Path) -> object:
    return HuggingFace(str(folder)).open("en", "de")


def _encode(folder: Path) -> object:
    return HuggingFaceEncoder(str(folder)).open()


def _compare(folder: Path) -> object:
    return BERTScore(model=str(folder), layer=1).sentence_scores(["a"], ["b"])


def _rate(folder: Path) -> object:
    return BLEURT(model=str(folder)).sentence_scores(["a"], ["b"])


def _judge(folder: Path) -> object:
    return PairClassifier(str(folder)).probabilities(["a"], ["b"], "en")


def _convert(folder: Path) -> object:
    return to_ctranslate2(folder, folder.with_name("converted"))


def _fine_tune(folder: Path) -> object:
    from hyperbaton.train.detector.data import DetectorRecipe
    from hyperbaton.train.detector.training import load_pretrained

    return load_pretrained(Source(str(folder)), DetectorRecipe(), torch.device("cpu"))


@pytest.mark.parametrize("poison", [_zipped, _legacy, _bare])
@pytest.mark.parametrize(
    ("use", "kind"),
    [
        (_translate, "marian"),
        (_convert, "marian"),
        (_encode, "bert"),
        (_compare, "bert"),
        (_judge, "pairs"),
        (_rate, "pairs"),
        (_fine_tune, "bert"),
    ],
)
def test_a_file_that_would_run_code_is_refused_and_runs_none(
    poison: Callable[[Path, Trap], None],
    use: Callable[[Path], object],
    kind: str,
    tmp_path: Path,
) -> None:
    sources = {"marian": lambda: built("marian"), "bert": lambda: encoder("bert")}
    source = sources.get(kind, lambda: classifier("bert"))()
    folder, trace = pickled(source, tmp_path / "model"), tmp_path / "ran"
    poison(folder / "pytorch_model.bin", Trap(trace))
    with pytest.raises(HyperbatonError, match=r"is refused: it holds more than tensors") as said:
        use(folder)
    assert "\n" not in str(said.value)
    assert "posix.system" in str(said.value) or "nt.system" in str(said.value)
    assert not trace.exists()
    # The trap is a real one: what reads without care runs it.
    pickle.loads(pickle.dumps(Trap(trace)))  # noqa: S301
    assert trace.exists()


def test_one_poisoned_part_among_several(tmp_path: Path) -> None:
    folder, trace = sharded(built("marian"), tmp_path / "model"), tmp_path / "ran"
    _zipped(folder / "pytorch_model-00002-of-00002.bin", Trap(trace))
    with pytest.raises(HyperbatonError, match="is refused"):
        _translate(folder)
    assert not trace.exists()


def test_a_dense_layer_is_read_and_refused_alike(tmp_path: Path) -> None:
    inner = pickled(encoder("bert"), tmp_path / "model")
    dense = inner / "2_Dense"
    dense.mkdir()
    (inner / "modules.json").write_text(
        json.dumps(
            [
                {
                    "idx": i,
                    "name": str(i),
                    "path": path,
                    "type": f"sentence_transformers.models.{kind}",
                }
                for i, (kind, path) in enumerate(
                    [("Transformer", ""), ("Pooling", "1_Pooling"), ("Dense", "2_Dense")]
                )
            ]
        )
    )
    (inner / "1_Pooling").mkdir()
    (inner / "1_Pooling" / "config.json").write_text('{"word_embedding_dimension": 32}')
    (dense / "config.json").write_text(
        '{"in_features": 32, "out_features": 4, "bias": false, '
        '"activation_function": "torch.nn.modules.linear.Identity"}'
    )
    torch.save({"linear.weight": torch.eye(32)[:4]}, dense / "pytorch_model.bin")
    metric = SentenceCosine(model=str(inner))
    assert metric.sentence_scores(["A dog"], ["A dog"]) == pytest.approx([1], abs=1e-6)
    before = metric.signature("corpus")
    torch.save({"linear.weight": torch.eye(32)[:5]}, dense / "pytorch_model.bin")
    assert metric.signature("corpus") != before
    other = shutil.copytree(inner, tmp_path / "other")
    _zipped(other / "2_Dense" / "pytorch_model.bin", Trap(tmp_path / "ran"))
    with pytest.raises(HyperbatonError, match="is refused"):
        SentenceCosine(model=str(other)).sentence_scores(["a"], ["b"])
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("legacy", [False, True])
def test_the_same_translations_as_from_safetensors(legacy: bool, tmp_path: Path) -> None:
    folder = pickled(built("marian"), tmp_path / "model", legacy)
    found = HuggingFace(str(folder)).open("en", "de")
    expected = HuggingFace(str(built("marian"))).open("en", "de")
    assert [t.text for t in found.translate(TEXTS)] == [t.text for t in expected.translate(TEXTS)]
    assert found.signature != expected.signature


def test_another_file_of_weights_is_another_signature(tmp_path: Path) -> None:
    folder = sharded(built("marian"), tmp_path / "model")
    before = HuggingFace(str(folder)).open("en", "de").signature
    part = folder / "pytorch_model-00001-of-00002.bin"
    weights = torch.load(part, weights_only=True)
    name = next(iter(weights))
    weights[name] = weights[name] + 1
    torch.save(weights, part)
    assert HuggingFace(str(folder)).open("en", "de").signature != before


@pytest.mark.parametrize("cut", [pickled, sharded])
def test_a_folder_of_the_older_format_is_converted(
    cut: Callable[[Path, Path], Path], tmp_path: Path
) -> None:
    folder = cut(built("marian"), tmp_path / "model")
    found = CTranslate2(str(to_ctranslate2(folder, tmp_path / "new", "float32"))).open("en", "de")
    same = to_ctranslate2(built("marian"), tmp_path / "same", "float32")
    expected = CTranslate2(str(same)).open("en", "de")
    assert [t.text for t in found.translate(TEXTS)] == [t.text for t in expected.translate(TEXTS)]


def _truncated(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def _emptied(file: Path) -> None:
    file.write_bytes(b"")


def _pointer(file: Path) -> None:
    file.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 300827685\n")


def _program(file: Path) -> None:
    torch.jit.save(torch.jit.script(torch.nn.Linear(2, 2)), file)


def _nested(file: Path) -> None:
    torch.save({"model": {"weight": torch.ones(2)}, "step": 3}, file)


def _nothing(file: Path) -> None:
    torch.save({}, file)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (_truncated, "is damaged"),
        (_emptied, "is damaged"),
        (_pointer, "run git lfs pull"),
        (_program, "is a TorchScript program"),
        (_nested, "is refused: it holds more than tensors by name"),
        (_nothing, "its files lack"),
        (Path.unlink, "holds no weights"),
    ],
)
def test_damaged_files_get_one_sentence(
    damage: Callable[[Path], None], said: str, tmp_path: Path
) -> None:
    folder = pickled(built("marian"), tmp_path / "model")
    damage(folder / "pytorch_model.bin")
    for use in (_translate, _convert):
        with pytest.raises(HyperbatonError, match=said) as caught:
            use(folder)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("damage", "said"), [(_truncated, "cannot be loaded"), (_pointer, "run git lfs pull")]
)
def test_damaged_safetensors_get_one_sentence(
    damage: Callable[[Path], None], said: str, tmp_path: Path
) -> None:
    folder = shutil.copytree(built("marian"), tmp_path / "model")
    damage(folder / "model.safetensors")
    for use in (_translate, _convert):
        with pytest.raises(HyperbatonError, match=said):
            use(folder)


def test_a_part_that_is_missing_or_lies_elsewhere(tmp_path: Path) -> None:
    folder = sharded(built("marian"), tmp_path / "model")
    part = folder / "pytorch_model-00002-of-00002.bin"
    shutil.move(part, tmp_path / part.name)
    with pytest.raises(HyperbatonError, match="or all parts that their index names"):
        _translate(folder)
    index = folder / "pytorch_model.bin.index.json"
    index.write_text(index.read_text().replace(part.name, f"../{part.name}"))
    with pytest.raises(HyperbatonError, match="or all parts that their index names"):
        _translate(folder)
    index.write_text("{}")
    with pytest.raises(HyperbatonError, match="does not say which file holds which weights"):
        _translate(folder)


def test_torch_that_is_too_old_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = pickled(built("marian"), tmp_path / "model")
    monkeypatch.setattr(torch, "__version__", "2.9.1+cu128")
    with pytest.raises(HyperbatonError, match=r"this is 2\.9\.1\+cu128: pip install 'torch>=2\.10"):
        _translate(folder)


def test_weights_that_are_missing_are_not_made_up(tmp_path: Path) -> None:
    folder = pickled(classifier("bert"), tmp_path / "model")
    weights = torch.load(folder / "pytorch_model.bin", weights_only=True)
    headless = {name: value for name, value in weights.items() if "classifier" not in name}
    torch.save(headless, folder / "pytorch_model.bin")
    with pytest.raises(HyperbatonError, match=r"its files lack 2 .*classifier\.weight"):
        _judge(folder)
    _fine_tune(folder)  # makes a head of its own
    torch.save({"classifier.weight": weights["classifier.weight"]}, folder / "pytorch_model.bin")
    with pytest.raises(HyperbatonError, match="its files lack"):
        _fine_tune(folder)
    with pytest.raises(HyperbatonError, match="its files lack"):
        _encode(folder)


def test_an_encoder_needs_no_pooler(tmp_path: Path) -> None:
    folder = pickled(encoder("bert"), tmp_path / "model")
    weights = torch.load(folder / "pytorch_model.bin", weights_only=True)
    bare = {name: value for name, value in weights.items() if "pooler" not in name}
    torch.save(bare, folder / "pytorch_model.bin")
    _encode(folder)
    _compare(folder)


def test_adapters_and_converted_models_are_told_apart(tmp_path: Path) -> None:
    adapter = pickled(built("marian"), tmp_path / "adapter")
    (adapter / "adapter_config.json").write_text('{"base_model_name_or_path": "org/other"}')
    with pytest.raises(HyperbatonError, match="is an adapter to another model"):
        _translate(adapter)
    converted = to_ctranslate2(built("marian"), tmp_path / "converted")
    with pytest.raises(HyperbatonError, match=f"use ct2:{converted}"):
        _translate(converted)
    with pytest.raises(HyperbatonError, match=f"use hf:{adapter}"):
        CTranslate2(str(adapter)).open("en", "de")


def test_a_configuration_that_leads_to_another_file_is_not_followed(tmp_path: Path) -> None:
    folder, trace = pickled(built("marian"), tmp_path / "model"), tmp_path / "ran"
    _zipped(folder / "adapter_model.bin", Trap(trace))
    config = folder / "config.json"
    settings = json.loads(config.read_text())
    config.write_text(json.dumps({**settings, "transformers_weights": "adapter_model.bin"}))
    with pytest.raises(HyperbatonError, match=r"names other weights \(adapter_model\.bin\)"):
        _translate(folder)
    assert not trace.exists()


def test_a_folder_under_snapshots_is_known_by_its_files(tmp_path: Path) -> None:
    folder = shutil.copytree(encoder("bert"), tmp_path / "snapshots" / "mine")
    before = BERTScore(model=str(folder)).fields("corpus")["revision"]
    other = shutil.copytree(encoder("bert"), tmp_path / "other")
    assert before == BERTScore(model=str(other)).fields("corpus")["revision"]
    assert before != "mine"


def test_a_sound_folder_is_loaded_by_the_class_that_is_asked_for(tmp_path: Path) -> None:
    snapshot = resolve(Source(str(pickled(built("marian"), tmp_path / "model"))))
    assert type(load_model("AutoModelForSeq2SeqLM", snapshot)).__name__ == "MarianMTModel"
