"""A run kept in cells: the same bytes however interrupted; only what is missing is done."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.encoders.encoder import OpenEncoder, Read, Reader, Vectors
from hyperbaton.pipeline import Job, Pair, Run, RunOptions
from hyperbaton.pipeline.options import Engine, Local
from hyperbaton.studies.structure.grid import Grid, TaskCorpus, execute_grid
from hyperbaton.studies.structure.study import PIECES, Structure
from hyperbaton.studies.structure.systems import Retriever
from hyperbaton.tasks import TASKS, Retrieval

pytestmark = pytest.mark.skipif(not PIECES.exists(), reason="needs the bundled translator")
STUDY = Structure(
    perturbations="FullShuffle; NeighbourFlip(p=0.5); PhraseShuffle(p=0.5, unit=subword)", seeds=2
)
LOCAL = Local()


class Letters(OpenEncoder):
    """Counts letters, so that no permutation changes a vector."""

    signature = "letters"
    size = 64

    def __init__(self) -> None:
        self.encoded = 0

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.encoded += len(texts)
        found = np.zeros((len(texts), self.size), np.float32)
        for row, text in zip(found, texts, strict=True):
            np.add.at(row, [ord(character) % self.size for character in text], 1)
        return found


class ReadLetters(Reader):
    """Reads what `PreparedLetters` takes."""

    def read(self, texts: Sequence[str]) -> Read:
        numbers = [np.frombuffer(text.encode("utf-32-le"), np.int32) for text in texts]
        lengths = np.array([len(one) for one in numbers], np.int32)
        return Read(np.concatenate(numbers), lengths, np.arange(len(texts), dtype=np.int32), None)


class PreparedLetters(Letters):
    """The same, with reading and encoding apart."""

    def reader(self) -> Reader:
        return ReadLetters()

    def encode_read(self, read: Read) -> Vectors:
        texts = np.split(read.numbers, np.cumsum(read.lengths)[:-1])
        return self.encode([text.tobytes().decode("utf-32-le") for text in texts])


def run_cells(
    folder: Path,
    encoder: OpenEncoder,
    study: Structure = STUDY,
    languages: Sequence[str] = ("de", "zh"),
    workers: int = 0,
    engine: Engine = LOCAL,
) -> Run:
    """The grid of a study by any encoder."""
    task = TASKS.parse("starter")
    assert isinstance(task, Retrieval)
    corpora = tuple(TaskCorpus(task, Path(), code, 12) for code in languages)
    job = Job(study, corpora, ("chars",), options=RunOptions(workers=workers, engine=engine))
    grid = Grid(study.settings, study.way.seeds, str(PIECES), lambda *_: Retriever(encoder, task))
    return execute_grid(job, grid, folder)


def cell_files(folder: Path) -> dict[str, bytes]:
    """The bytes of every part."""
    found = sorted(folder.glob("cells/**/*.parquet"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_what_no_permutation_changes_keeps_its_score(tmp_path: Path) -> None:
    run = run_cells(tmp_path, Letters())
    assert run.complete
    frames = list(run.grid(run.pairs[0], "chars"))
    assert len(frames) == 2
    for frame in frames:
        scores = np.array(frame["scores"].to_list())
        assert scores.shape == (4, 12)
        assert (scores == scores[0]).all()
        assert frame["chrF-2"][0] == 1
        assert frame["IDC"][0] == 0
        assert (frame["chrF-2"][1:] < 1).all()
        assert (frame["Comp"][1:] < frame["Comp"][0]).all()
    assert frames[0]["shown"].list.len().to_list() == [2] * 4
    assert frames[1]["shown"].list.len().to_list() == [0] * 4
    assert frames[0]["chrF-2"].to_list() != frames[1]["chrF-2"].to_list()


def test_texts_that_were_read_elsewhere_give_the_same(tmp_path: Path) -> None:
    run_cells(tmp_path / "texts", Letters())
    run_cells(tmp_path / "read", PreparedLetters(), workers=1)
    assert cell_files(tmp_path / "texts") == cell_files(tmp_path / "read")


def test_only_what_is_missing_is_done(tmp_path: Path) -> None:
    run_cells(tmp_path, Letters())
    whole = cell_files(tmp_path)
    lost, spoilt = sorted(tmp_path.glob("cells/*/zh-en/*.parquet"))
    lost.unlink()
    data = bytearray(spoilt.read_bytes())
    data[40] ^= 1
    spoilt.write_bytes(data)
    assert Run(tmp_path).missing() == ["chars, zh-en: no cells for 1 of 2 parts"]
    again = Letters()
    run_cells(tmp_path, again)
    assert cell_files(tmp_path) == whole
    assert again.encoded == 12 + 2 * 4 * 12  # English, and two parts of four settings
    nothing = Letters()
    run_cells(tmp_path, nothing)
    assert nothing.encoded == 0


def test_a_start_that_failed_does_not_stand_in_the_way(tmp_path: Path) -> None:
    class Broken(Letters):
        signature = "broken"

        def encode(self, texts: Sequence[str]) -> Vectors:
            raise HyperbatonError("the model is damaged")

    expected = run_cells(tmp_path / "whole", Letters())
    for study in (STUDY, Structure(perturbations="FullShuffle")):
        with pytest.raises(HyperbatonError, match="damaged"):
            run_cells(tmp_path / "run", Broken(), study)
    run = run_cells(tmp_path / "run", Letters())
    assert run.complete
    assert run.record.systems == expected.record.systems
    assert cell_files(tmp_path / "run") == cell_files(tmp_path / "whole")


def test_a_language_can_be_added_and_another_model_cannot(tmp_path: Path) -> None:
    run_cells(tmp_path, Letters(), languages=["de"])
    first = cell_files(tmp_path)
    run_cells(tmp_path, Letters(), languages=["de", "zh"])
    assert first.items() < cell_files(tmp_path).items()
    other = Letters()
    other.signature = "other"
    next(tmp_path.glob("cells/*/de-en/*.parquet")).unlink()
    with pytest.raises(HyperbatonError, match="answers of another chars"):
        run_cells(tmp_path, other)


def test_texts_of_one_cell_do_not_depend_on_others(tmp_path: Path) -> None:
    fewer = Structure(perturbations="NeighbourFlip(p=0.5)", seeds=1)
    one = next(run_cells(tmp_path / "a", Letters(), fewer).grid(Pair("de", "en"), "chars"))
    many = next(run_cells(tmp_path / "b", Letters()).grid(Pair("de", "en"), "chars"))
    name = "NeighbourFlip(p=0.5)"
    assert one.filter(variant=name).equals(many.filter(variant=name))


class Failing(Letters):
    """Stops before the second language."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        if self.encoded >= 108:  # English and the first language
            raise KeyboardInterrupt
        return super().encode(texts)


@pytest.mark.parametrize("workers", [0, 1])
def test_a_run_that_was_stopped_resumes_to_the_same_bytes(tmp_path: Path, workers: int) -> None:
    run_cells(tmp_path / "whole", Letters())
    with pytest.raises(KeyboardInterrupt):
        run_cells(tmp_path / "stopped", Failing(), workers=workers)
    begun = cell_files(tmp_path / "stopped")
    assert begun.items() < cell_files(tmp_path / "whole").items()
    assert not Run(tmp_path / "stopped").complete
    run_cells(tmp_path / "stopped", Letters(), workers=workers)
    assert cell_files(tmp_path / "stopped") == cell_files(tmp_path / "whole")
