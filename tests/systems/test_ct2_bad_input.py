"""Folders that are no model, or not the right one, say so in one sentence that helps."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.ct2.convert import to_ctranslate2
from hyperbaton.systems.ct2.system import CTranslate2
from tests.systems.models import built, converted


def complaint(path: object, source: str = "en", target: str = "de", **options: Any) -> str:
    with pytest.raises(HyperbatonError) as caught:
        CTranslate2(str(path), **options).open(source, target)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def copy(to: Path, without: str, name: str = "marian") -> Path:
    folder = shutil.copytree(converted(name), to / "model")
    for path in folder.glob(without):
        path.unlink()
    return folder


def test_no_folder(tmp_path: Path) -> None:
    assert "there is no model folder" in complaint(tmp_path / "nothing")


def test_folder_without_a_model(tmp_path: Path) -> None:
    assert "no model.bin" in complaint(tmp_path)


def test_transformers_folder_is_named_as_such() -> None:
    assert f"use hf:{built('marian')}" in complaint(built("marian"))


def test_missing_tokenizer(tmp_path: Path) -> None:
    said = complaint(copy(tmp_path, "*.spm"))
    assert "tokenizer" in said
    folder = copy(tmp_path / "b", "*.spm")
    (folder / "tokenizer_config.json").unlink()
    assert "holds no tokenizer" in complaint(folder)


def test_broken_tokenizer(tmp_path: Path) -> None:
    folder = copy(tmp_path, "nothing")
    (folder / "source.spm").write_bytes(b"not a model")
    assert "is not a SentencePiece model" in complaint(folder)
    (folder / "tokenizer.json").write_text("{}")
    assert "is not a tokenizer" in complaint(folder, tokenizer=str(folder / "tokenizer.json"))


def test_missing_vocabulary(tmp_path: Path) -> None:
    assert "holds no vocabulary" in complaint(copy(tmp_path, "*vocabulary*"))


def test_broken_model(tmp_path: Path) -> None:
    folder = copy(tmp_path, "nothing")
    (folder / "model.bin").write_bytes(b"\0" * 64)
    assert "cannot be loaded" in complaint(folder)
    (folder / "config.json").write_text("{")
    assert "not JSON" in complaint(folder)


def test_unsupported_language() -> None:
    said = complaint(converted("multilingual"), target="ja")
    assert said.endswith("does not know 'ja' as a target language; it knows: cmn_Hans, de, fr")
    assert "'tlh' as a source language" in complaint(converted("m2m100"), source="tlh")


def test_bilingual_model_in_another_direction() -> None:
    said = complaint(converted("marian"), "fr", "de")
    assert "does not translate fr-de; it knows: eng-deu" in said


def test_impossible_options() -> None:
    assert "beam must be between 1" in complaint(converted("marian"), beam=0)
    assert "it has:" in complaint(converted("marian"), compute="float16", device="cpu")


def test_conversion_of_what_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match="holds no transformers model"):
        to_ctranslate2(tmp_path, tmp_path / "out")
    with pytest.raises(HyperbatonError, match="already exists"):
        to_ctranslate2(built("marian"), tmp_path)
    with pytest.raises(HyperbatonError, match="not an encoder-decoder model"):
        to_ctranslate2(shutil.copytree(built("chat"), tmp_path / "chat"), tmp_path / "a" / "b")
    assert not list((tmp_path / "a").iterdir())
