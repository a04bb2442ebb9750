"""`chars`: what its vectors do not depend on, and retrieval as it was measured in training."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.encoders import ENCODERS, OpenEncoder
from hyperbaton.encoders.characters import LONGEST

DATA = Path(__file__).parents[3] / "shared" / "data" / "laser-tatoeba-v1"


@pytest.fixture(scope="module")
def chars() -> OpenEncoder:
    return ENCODERS.parse("chars").open()


def test_translations_are_nearest(chars: OpenEncoder) -> None:
    english = ["I have never been to Paris.", "The soup is too hot.", "Where is the station?"]
    for other in (
        ["Ich war noch nie in Paris.", "Die Suppe ist zu heiß.", "Wo ist der Bahnhof?"],
        ["Я никогда не был в Париже.", "Суп слишком горячий.", "Где вокзал?"],
        ["我从来没去过巴黎。", "汤太烫了。", "车站在哪里？"],
    ):
        nearest = (chars.encode(other) @ chars.encode(english).T).argmax(axis=1)
        assert nearest.tolist() == [0, 1, 2]


def test_a_vector_does_not_depend_on_its_batch(chars: OpenEncoder) -> None:
    texts = ["ab", "cd", "ein Satz", "", "ab " * 200, "zwei  e"]
    together = chars.encode(texts)
    assert np.allclose(together, np.concatenate([chars.encode([t]) for t in texts]), atol=1e-5)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    assert chars.encode([]).shape == (0, 384)


def test_only_the_beginning_is_read(chars: OpenEncoder) -> None:
    a, b, c = chars.encode(["x" * LONGEST, "x" * LONGEST + "yz", "x" * (LONGEST - 1) + "y"])
    assert np.allclose(a, b, atol=1e-6)
    assert not np.allclose(a, c, atol=1e-4)


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez(path, other=np.zeros((2, 2), np.int8))
    with pytest.raises(HyperbatonError, match="no weights of a character encoder"):
        ENCODERS.parse(f"chars(weights={path})").open()
    path.write_text("not an archive")
    with pytest.raises(HyperbatonError, match="file of arrays"):
        ENCODERS.parse(f"chars(weights={path})").open()


@pytest.mark.parametrize(("language", "measured"), [("swh", 0.233), ("tha", 0.069)])
def test_retrieval_as_measured_in_training(
    chars: OpenEncoder, language: str, measured: float
) -> None:
    if not DATA.is_dir():
        pytest.skip("needs ../shared")
    sides = [
        (DATA / f"tatoeba.{language}-eng.{side}").read_text(encoding="utf-8").splitlines()
        for side in (language, "eng")
    ]
    other, english = (chars.encode(side) for side in sides)
    found = ((other @ english.T).argmax(axis=1) == np.arange(len(other))).mean()
    assert found == pytest.approx(measured, abs=0.006)
