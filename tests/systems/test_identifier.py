"""The identifier's model is unpacked once, and read from the cache as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.systems.identifier import identifier, label_places, likelihoods

langid = pytest.importorskip("py3langid.langid")
TEXTS = ("It is raining again.", "Wir gehen heute ins Kino.", "今日は雨が降っています。", "", "...")


def answers() -> list[object]:
    """What a process that has not asked yet is told."""
    identifier.cache_clear()
    engine = identifier()
    assert engine is not None
    return [engine.rank(text) for text in TEXTS]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that the first use has made."""
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path))
    assert answers() == expected()
    (path,) = (tmp_path / "languages").iterdir()
    return path


def expected() -> list[object]:
    """What py3langid itself says."""
    engine = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE)
    return [engine.rank(text) for text in TEXTS]


def test_the_copy_says_the_same_and_is_what_is_read(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("py3langid.modelio.load_model", lambda path: pytest.fail("unpacked again"))
    assert answers() == expected()


@pytest.mark.parametrize("damage", [b"", b"\0" * 100])
def test_a_damaged_copy_is_made_again(kept: Path, damage: bytes) -> None:
    whole = kept.read_bytes()
    kept.write_bytes(whole[:1000] + damage)
    assert answers() == expected()
    assert kept.read_bytes() == whole


def test_likelihoods_are_those_of_the_ranking() -> None:
    engine = identifier()
    assert engine is not None
    for text in TEXTS:
        assert dict(zip(label_places(), likelihoods(text), strict=True)) == dict(engine.rank(text))


def test_no_copy_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "file"))
    assert answers() == expected()
