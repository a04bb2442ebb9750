"""The identifier's model is unpacked once, and read from the cache as it was."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path

import pytest

from hyperbaton.systems.identifier import _model, identified, likelihoods

langid = pytest.importorskip("py3langid.langid")
TEXTS = (
    *("It is raining again.", "Wir gehen heute ins Kino.", "今日は雨が降っています。", "", "..."),
    *("Vidimo se sutra. Видимо се сутра.", "ES REGNET SCHON WIEDER!", "e\u0301te\u0301", "\ud800"),
)
Answers = list[object]


def answers() -> Answers:
    """What a process that has not asked yet is told."""
    _model.cache_clear()
    identified.cache_clear()
    found = likelihoods(TEXTS, identified()).tolist()
    return [dict(zip(identified(), row, strict=True)) for row in found]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the copy that the first use has made, where no other can be written."""
    cache = tmp_path_factory.mktemp("cache")
    (cache / "file").write_text("")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.pycache_prefix", str(cache / "file"))
        patch.setenv("HYPERBATON_CACHE", str(cache))
        assert answers() == expected()
    return cache


@pytest.fixture
def kept(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of that copy, in a cache of the test's own: links, since it takes 68 MB."""
    shutil.copytree(made, tmp_path, copy_function=os.link, dirs_exist_ok=True)
    monkeypatch.setattr("sys.pycache_prefix", str(tmp_path / "file"))
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path))
    (folder,) = (tmp_path / "languages").iterdir()
    return folder


@cache
def expected() -> Answers:
    """What py3langid itself says; sums in another order differ in their last digits."""
    engine = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE)
    return [pytest.approx(dict(engine.rank(text)), rel=1e-5) for text in TEXTS]


def test_the_copy_says_the_same_and_is_what_is_read(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("py3langid.modelio.load_model", lambda path: pytest.fail("unpacked again"))
    assert answers() == expected()


@pytest.mark.parametrize("size", [0, 100, 1000])
@pytest.mark.parametrize("part", ["moves", "rows", "likelihoods"])
def test_a_damaged_copy_is_made_again(kept: Path, part: str, size: int) -> None:
    file = kept / f"{part}.npy"
    whole = file.read_bytes()
    file.unlink()  # it is a link
    file.write_bytes(whole[:size])
    assert answers() == expected()
    assert file.read_bytes() == whole


def test_the_copy_stands_beside_the_compiled_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.pycache_prefix", str(tmp_path / "compiled"))
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    assert answers() == expected()
    assert len([*(tmp_path / "compiled").rglob("*.npy")]) == 6
    assert not (tmp_path / "cache").exists()


def test_a_text_has_the_same_likelihoods_whatever_stands_beside_it() -> None:
    languages = identified()[:5]
    together = likelihoods(TEXTS, languages)
    for text, row in zip(TEXTS, together, strict=True):
        assert likelihoods([text], languages).tolist() == [row.tolist()]


def test_no_copy_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr("sys.pycache_prefix", str(tmp_path / "file"))
    assert answers() == expected()
