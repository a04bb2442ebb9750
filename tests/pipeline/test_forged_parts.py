"""Parts whose checksum is right although they are damaged, as only a forger can make them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from hyperbaton.pipeline import Run, execute
from hyperbaton.pipeline.run.parts import (
    DamagedPart,
    Stamp,
    begin_making,
    is_foreign,
    read_part,
    read_stamp,
    sound,
    write_part,
)
from tests.fuzzing.forging import forged, part_of

from .small import corpus, job

KEPT = sorted((Path(__file__).parents[1] / "fuzzing" / "damaged" / "parts").iterdir())
FRAME = pl.DataFrame({"item": ["1", "2"], "score": [0.5, None]})
READ = """
import sys
from pathlib import Path
from hyperbaton.pipeline.run.parts import DamagedPart, read_part
for file in sys.argv[1:]:
    try:
        read_part(Path(file))
        print("read")
    except DamagedPart as error:
        print(error)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "part-00000.parquet"


def test_reading_them_ends_no_process() -> None:
    """Each once made the library panic or ask for exabytes."""
    run = subprocess.run(
        [sys.executable, "-c", READ, *map(str, KEPT)], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    answers = run.stdout.splitlines()
    assert len(answers) == len(KEPT)
    for answer in answers:
        assert answer == "read" or "is damaged (" in answer


def test_the_advice_helps(path: Path) -> None:
    """A part with a good checksum is not made anew before it is deleted."""
    path.write_bytes(forged(part_of(FRAME).replace(b"PAR1\x15", b"PAR1\x77")))
    assert sound(path, "abc") is not None
    with pytest.raises(DamagedPart, match="delete it, and run the command of this run again"):
        read_part(path)


def test_columns_and_rows_are_those_that_were_written(path: Path) -> None:
    write_part(path, FRAME, Stamp("abc"))
    assert read_part(path).equals(FRAME)
    shape = "x" * 16
    for frame in (FRAME.head(1), FRAME.rename({"item": "itam"}), FRAME.cast({"score": pl.String})):
        path.write_bytes(part_of(frame, shape=shape))
        for columns in (None, ["score"], ["item", "score"]):
            with pytest.raises(DamagedPart, match="not those that were written"):
                read_part(path, columns)
    path.write_bytes(part_of(FRAME))  # as older versions wrote it
    assert read_part(path).equals(FRAME)


@pytest.mark.parametrize(
    "label",
    [{"failed": "many"}, {"failed": -1}, {"failed": 1e400}, {"configuration": 7}, {"shape": []}],
)
def test_labels_that_nobody_wrote(path: Path, label: dict[str, object]) -> None:
    path.write_bytes(part_of(FRAME, **label))
    assert sound(path, "abc") is None
    for read in (read_part, read_stamp):
        with pytest.raises(DamagedPart):
            read(path)


def test_a_label_that_is_nested_deeply(path: Path) -> None:
    deep = "[" * 20_000
    path.write_bytes(part_of(FRAME, failed=deep).replace(f'"{deep}'.encode(), b" " + deep.encode()))
    with pytest.raises(DamagedPart):
        read_stamp(path)


def test_parts_that_do_not_go_together(tmp_path: Path) -> None:
    study = job(tmp_path, systems=("copy",), corpora=(corpus(4),))
    run = execute(study, tmp_path / "run")
    pair, system, metric = run.pairs[0], run.systems[0], run.metrics[0]
    whole = run.table(pair, system, metric)
    assert whole.height > 1
    path = run.layout.outputs(system, pair, 0)
    stamp = read_stamp(path)
    write_part(path, read_part(path).head(1), stamp)
    with pytest.raises(DamagedPart, match=r"outputs.*1 rows, where .*probes"):
        Run(run.folder).table(pair, system, metric)


def test_who_made_a_part(path: Path) -> None:
    write_part(path, FRAME, Stamp("abc"))
    assert is_foreign(path)
    begin_making(path.parent)
    assert not is_foreign(path)
