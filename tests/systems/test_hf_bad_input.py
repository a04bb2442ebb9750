"""What cannot be loaded says so in one sentence that helps."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.hf import HuggingFace
from tests.systems.models import built

torch = pytest.importorskip("torch")


def complaint(model: object, source: str = "en", target: str = "de", **options: Any) -> str:
    with pytest.raises(HyperbatonError) as caught:
        HuggingFace(str(model), **options).open(source, target)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def copy(name: str, to: Path, without: str) -> Path:
    folder = shutil.copytree(built(name), to / "model")
    for path in folder.glob(without):
        path.unlink()
    return folder


def test_no_folder(tmp_path: Path) -> None:
    assert "there is no model folder" in complaint(tmp_path / "nothing")


def test_folder_without_a_model(tmp_path: Path) -> None:
    assert "holds no transformers model" in complaint(tmp_path)


def test_weights_of_another_library_are_not_read(tmp_path: Path) -> None:
    folder = copy("marian", tmp_path, "*.safetensors")
    (folder / "tf_model.h5").write_bytes(b"never read")
    assert "holds no weights (tf_model.h5 cannot be read)" in complaint(folder)


def test_missing_tokenizer(tmp_path: Path) -> None:
    folder = copy("marian", tmp_path, "*.spm")
    assert "the tokenizer" in complaint(folder)


def test_nothing_is_downloaded_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was touched")

    monkeypatch.setattr("socket.socket.connect", refuse)
    said = complaint("nobody/no-such-model")
    assert "it is not on this machine" in said
    assert "hf:nobody/no-such-model(download=true)" in said


def test_offline_flag_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was touched")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    assert "HF_HUB_OFFLINE forbids" in complaint("nobody/no-such-model", download=True)


@pytest.mark.parametrize(
    ("name", "known"),
    [("multilingual", "cmn_Hans, de, fr"), ("nllb", "deu_Latn"), ("mbart50", "de_DE")],
)
def test_unsupported_language(name: str, known: str) -> None:
    said = complaint(built(name), target="tlh")
    assert "does not know 'tlh' as a target language" in said
    assert known in said


def test_bilingual_model_in_another_direction() -> None:
    assert "does not translate de-en; it knows: eng-deu" in complaint(built("marian"), "de", "en")


def test_remote_code_is_not_run(tmp_path: Path) -> None:
    folder = copy("marian", tmp_path, "nothing")
    config = folder / "config.json"
    trap = '"auto_map": {"AutoConfig": "evil.Evil", "AutoModelForSeq2SeqLM": "evil.Evil"},'
    text = config.read_text().replace('"model_type": "marian"', '"model_type": "evil"')
    config.write_text(text.replace("{", "{" + trap, 1))
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    assert "remote_code=true" in complaint(folder)
    assert not (tmp_path / "ran").exists()


def test_chat_without_a_template(tmp_path: Path) -> None:
    folder = copy("chat", tmp_path, "chat_template.jinja")
    assert "has no chat template" in complaint(folder)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_no_gpu() -> None:
    assert "torch sees no GPU here" in complaint(built("marian"), device="cuda")
