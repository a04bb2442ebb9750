"""A part knows its configuration and whether it is whole."""

from __future__ import annotations

import pickle
import random
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline.run.parts import (
    DamagedPart,
    Stamp,
    read_part,
    read_stamp,
    sound,
    write_part,
)

FRAME = pl.DataFrame(
    {
        "text": ["a cat", None, "ein Hund 🐕"] * 40,
        "score": [0.5, None, 0.25] * 40,
        "vector": pl.Series(np.arange(360, dtype=np.float32).reshape(120, 3)),
    }
)


@pytest.fixture
def part(tmp_path: Path) -> Path:
    path = tmp_path / "part-00000.parquet"
    write_part(path, FRAME, Stamp("abc", failed=2))
    return path


def test_what_is_written_comes_back(part: Path) -> None:
    assert read_part(part).equals(FRAME)
    assert read_part(part, ["score", "no such"]).columns == ["score"]
    assert read_stamp(part) == sound(part, "abc") == Stamp("abc", 2)
    assert pl.read_parquet(part).equals(FRAME)  # anybody else's reader opens it too
    data = part.read_bytes()
    write_part(part, FRAME, Stamp("abc", failed=2))
    assert part.read_bytes() == data


def test_a_missing_part_is_to_be_made(tmp_path: Path) -> None:
    assert sound(tmp_path / "none.parquet", "abc") is None


def test_every_truncation_is_found(part: Path) -> None:
    data = part.read_bytes()
    for size in range(0, len(data), 7):
        part.write_bytes(data[:size])
        assert sound(part, "abc") is None
        with pytest.raises(DamagedPart, match="is damaged: run the command of this run again"):
            read_part(part)


def test_a_changed_byte_is_found_or_refused(part: Path) -> None:
    data = part.read_bytes()
    rng = random.Random(1)
    refused = 0
    for place in [*rng.sample(range(len(data)), 400), *range(len(data) - 120, len(data))]:
        changed = bytearray(data)
        changed[place] ^= 1 << rng.randrange(8)
        part.write_bytes(changed)
        with pytest.raises(HyperbatonError):
            read_part(part)
        try:
            assert sound(part, "abc") is None
        except HyperbatonError:
            refused += 1
    # Only where the very name of the checksum is hit does the part seem to be somebody else's.
    assert refused < 20


def test_another_configuration_is_refused_and_stays(part: Path) -> None:
    data = part.read_bytes()
    for read in (lambda: sound(part, "other"), lambda: read_part(part, configuration="other")):
        with pytest.raises(HyperbatonError, match="is a part of another configuration"):
            read()
    assert part.read_bytes() == data


def test_what_others_wrote_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "part-00000.parquet"
    FRAME.write_parquet(path)
    data = path.read_bytes()
    with pytest.raises(HyperbatonError, match="was not written by this version"):
        sound(path, "abc")
    assert path.read_bytes() == data


def test_the_error_of_a_worker_arrives(part: Path) -> None:
    error = DamagedPart(part)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert (type(again), str(again)) == (DamagedPart, str(error))


def test_a_table_without_rows_or_columns_is_a_part_too(tmp_path: Path) -> None:
    for frame in (pl.DataFrame(), FRAME.clear()):
        path = tmp_path / "part-00001.parquet"
        write_part(path, frame, Stamp("abc"))
        assert read_part(path).equals(frame)
