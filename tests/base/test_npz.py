"""Arrays that were damaged, or made to harm, are refused with a sentence that names the file."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.npz import DamagedArrays, Numbers, read_npz
from hyperbaton.detectors.e5_pair import read_changes
from hyperbaton.encoders import ENCODERS


def _entry(shape: str, data: bytes = bytes(8), kind: str = "<f8") -> bytes:
    """One array as it is written, with whatever header."""
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data


def _save(path: Path | io.BytesIO, arrays: Mapping[str, Numbers], packed: bool = False) -> None:
    (np.savez_compressed if packed else np.savez)(path, **arrays)  # type: ignore[arg-type]


def _write(path: Path, *entries: bytes, names: tuple[str, ...] = ("a", "b")) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, entry in zip(names, entries, strict=False):
            archive.writestr(f"{name}.npy", entry)
    return path


@pytest.mark.parametrize("packed", [False, True])
def test_arrays_come_back(packed: bool, tmp_path: Path) -> None:
    arrays: dict[str, Numbers] = {
        "plain": np.arange(6.0).reshape(2, 3),
        "columns": np.asfortranarray(np.arange(6, dtype=np.int8).reshape(2, 3)),
        "half": np.array([0.5], np.float16),
        "none": np.zeros((0, 4), np.float32),
        "scalar": np.array(True),
    }
    _save(tmp_path / "a.npz", arrays, packed)
    found = read_npz(tmp_path / "a.npz")
    assert found.keys() == arrays.keys()
    for name, values in arrays.items():
        assert found[name].dtype == values.dtype
        np.testing.assert_array_equal(found[name], values)


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (_entry("(1000000000000,)"), "does not fit its 8 bytes"),
        (_entry("(9223372036854775807, 9223372036854775807)"), "does not fit its 8 bytes"),
        (_entry("(-1,)"), "does not fit its 8 bytes"),
        (_entry("(1,)", kind="|O"), "holds object, not numbers"),
        (_entry("(2,)", kind="<U1"), "not numbers"),
        (_entry("(" * 3000), "is damaged"),
        (_entry("(1,"), "is damaged"),
        (b"", "is damaged"),
    ],
)
def test_what_a_header_cannot_say(entry: bytes, why: str, tmp_path: Path) -> None:
    path = _write(tmp_path / "a.npz", entry)
    with pytest.raises(DamagedArrays, match=why) as error:
        read_npz(path)
    assert str(path) in str(error.value)


def test_two_arrays_of_one_name(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = _write(tmp_path / "a.npz", _entry("(1,)"), _entry("(1,)"), names=("a", "a"))
    with pytest.raises(DamagedArrays, match="two arrays of one name"):
        read_npz(path)


def test_a_size_that_no_memory_has(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.npy", _entry("(1,)"))
        archive.filelist[0].file_size = 1 << 50  # which the directory says when it is closed
    with pytest.raises(DamagedArrays, match="would take 1,048,576"):
        read_npz(path)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match="there is no file"):
        read_npz(tmp_path / "a.npz")


@pytest.mark.parametrize("packed", [False, True])
def test_every_changed_byte_is_found_or_changes_nothing(packed: bool, tmp_path: Path) -> None:
    arrays: dict[str, Numbers] = {
        "a": np.arange(40.0),
        "b": np.arange(12, dtype=np.int8).reshape(3, 4),
    }
    buffer = io.BytesIO()
    _save(buffer, arrays, packed)
    data, rng = buffer.getvalue(), random.Random(0)
    path = tmp_path / "a.npz"
    for at in range(0, len(data), 3):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :])
        try:
            found = read_npz(path)
        except HyperbatonError:
            continue
        if found.keys() == arrays.keys():  # a name stands in the directory without a checksum
            for name, values in arrays.items():
                np.testing.assert_array_equal(found[name], values)


@pytest.mark.parametrize("cut", [0, 4, 60, -30])
def test_weights_that_were_cut(cut: int, tmp_path: Path) -> None:
    """What once ended in BadZipFile or zlib.error, whichever network the weights are for."""
    path = tmp_path / "a.npz"
    np.savez_compressed(path, a=np.arange(900.0))
    path.write_bytes(path.read_bytes()[:cut])
    for read in (
        lambda: ENCODERS.parse(f"chars(weights={path})").open(),
        lambda: read_changes(path),
    ):
        with pytest.raises(HyperbatonError, match=r"a\.npz is damaged"):
            read()


def test_arrays_of_other_shapes(tmp_path: Path) -> None:
    """The names are right, and every sum is; only the matrices do not go together."""
    from hyperbaton.encoders.characters import BUNDLED as CHARACTERS

    path = tmp_path / "a.npz"
    _save(path, {**read_npz(CHARACTERS), "pos": np.zeros((4, 320), np.float16)})
    with pytest.raises(HyperbatonError, match=r"a\.npz: its arrays do not fit together"):
        ENCODERS.parse(f"chars(weights={path})").open()
