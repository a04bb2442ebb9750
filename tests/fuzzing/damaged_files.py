"""Binary files and runs as functions of bytes: whatever is wrong with them is one sentence.

What carries a checksum must also be as it was written, or be refused.
"""

from __future__ import annotations

import atexit
import io
import random
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import numpy as np
import polars as pl

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline import RunOptions
from tests.fuzzing.forging import forged, part_of
from tests.fuzzing.mutation import mutated

__all__ = ["FILES", "DamagedFile", "damaged"]

Seeds = tuple[bytes, ...]
_VALUES = (
    b"\xff" * 9 + b"\x01",
    b"\xfe\xff\xff\xff\x0f",
    b"\xff\xff\xff\x7f",
    b"\x80" * 4,
    b"\x00",
)


def damaged(rng: random.Random, seeds: Seeds) -> bytes:
    """One of the seeds with a few bytes changed, most of them near its end, where directories are.

    Now and then a large number is put in, or a piece is cut, moved or doubled.
    """
    if rng.random() < 0.2:
        return mutated(rng, seeds)
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(max(1, len(data)))
        if rng.random() < 0.3:
            at = max(0, len(data) - 1 - rng.randrange(1 + len(data) // 3))
        if rng.random() < 0.15:
            value = rng.choice(_VALUES)
            data[at : at + rng.choice((1, len(value)))] = value
        elif data:
            data[at] = rng.choice((data[at] ^ 1 << rng.randrange(8), rng.randrange(256), 0, 255))
    return bytes(data)


@dataclass(frozen=True)
class DamagedFile:
    """A kind of file: its name, good ones, and what reads it in a folder of its own."""

    name: str
    suffix: str
    read: Callable[[Path], object]
    make: Callable[[], Seeds]

    @cached_property
    def seeds(self) -> Seeds:
        """Good files, made when they are first asked for."""
        return self.make()

    def input(self, rng: random.Random) -> bytes:
        """A file with something wrong."""
        return damaged(rng, self.seeds)

    def __call__(self, data: bytes, folder: Path) -> bool:
        """Read these bytes; whether they were accepted."""
        path = folder / f"input{self.suffix}"
        path.write_bytes(data)
        try:
            self.read(path)
        except HyperbatonError:
            return False
        return True


FRAME = pl.DataFrame(
    {
        "source": ["Tom saw the dog.", None, "é 犬", "Tom saw the dog."],
        "varied": ["a", "", "b" * 300, None],
        "n": [1, None, 3, 4],
        "words": [["a", "b"], [], None, ["c"]],
    }
)


def _parquet() -> Seeds:
    found = []
    for packed in ("uncompressed", "snappy", "zstd", "gzip", "lz4"):
        for rows in (None, 2):
            buffer = io.BytesIO()
            FRAME.write_parquet(buffer, compression=packed, row_group_size=rows)
            found.append(buffer.getvalue())
    return tuple(found)


def _export(path: Path) -> None:
    from hyperbaton.cli.verbs.export import _from_parquet

    for _ in _from_parquet(path, ["source", "varied"], "en-de"):
        pass


@cache
def _part() -> bytes:
    from hyperbaton.pipeline.run.parts import Stamp, write_part

    with TemporaryDirectory() as folder:
        write_part(Path(folder) / "x.parquet", FRAME, Stamp("abc", failed=1))
        return (Path(folder) / "x.parquet").read_bytes()


def _read_part(path: Path) -> None:
    from hyperbaton.pipeline.run.parts import read_part, read_stamp, sound

    stamp, found = read_stamp(path), read_part(path, configuration="abc")
    if not found.equals(FRAME) or stamp.failed != 1 or sound(path, "abc") != stamp:
        raise AssertionError("the part says something else, without a word")


@cache
def _run() -> Path:
    """A small run, in a folder that lives as long as this process."""
    from hyperbaton.corpus.item import Item
    from hyperbaton.pipeline import Items, Job, Pair, execute
    from hyperbaton.studies.surface import Surface

    items = [Item(str(n), f'Tom saw "the" {n}th dog.', f"Tom sah Hund {n}.") for n in range(4)]
    job = Job(
        design=Surface(perturbations="lower; addFinalMark"),
        corpora=(Items(Pair("en", "de"), items),),
        systems=("copy",),
        metrics=("Levenshtein",),
        options=RunOptions(part=2, workers=0, cached=False),
    )
    folder = Path(mkdtemp(prefix="hyperbaton-fuzzed-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return execute(job, folder / "run").folder


PLACES = ("probes/en-de", "outputs/copy/en-de", "scores/copy/en-de/Levenshtein")


def _forgeries() -> Seeds:
    """The second part of every stage, as it is and unpacked; a digit says which."""
    from hyperbaton.pipeline.run.parts import _checked, read_part

    found = []
    for number, place in enumerate(PLACES):
        path = _run() / place / "part-00001.parquet"
        data, label = _checked(path)
        plain = part_of(read_part(path), configuration=label.stamp.configuration, shape=label.shape)
        found += [b"%d" % number + each for each in (data, plain)]
    return tuple(found)


def _forged_part(path: Path) -> None:
    """Read the run with a part that was changed and got the checksum that it needs."""
    from hyperbaton.pipeline import Run

    data = path.read_bytes()
    place = PLACES[data[0] % len(PLACES)] if data else PLACES[0]
    run = Run(_placed(path.parent, f"{place}/part-00001.parquet", forged(data[1:])))
    _use(run)


def _use(run: object) -> None:
    from hyperbaton.pipeline import Run
    from hyperbaton.studies.registry import STUDIES

    assert isinstance(run, Run)
    _ = run.complete, run.missing(), run.failed(), run.scores()
    STUDIES.parse(run.record.study).scores([run])


def _placed(folder: Path, name: str, data: bytes) -> Path:
    """A copy of the small run with one file replaced."""
    place = folder / "run"
    if not place.exists():
        shutil.copytree(_run(), place)
    for file in (f for f in _run().rglob("*") if f.is_file()):
        copy = place / file.relative_to(_run())
        if copy.read_bytes() != file.read_bytes():
            copy.write_bytes(file.read_bytes())
    (place / name).write_bytes(data)
    return place


def _record() -> Seeds:
    return ((_run() / "run.json").read_bytes(),)


def _read_record(path: Path) -> None:
    from hyperbaton.pipeline import Run

    run = Run(_placed(path.parent, "run.json", path.read_bytes()))
    if run.record != Run(_run()).record:
        raise AssertionError("run.json says something else, without a word")
    _use(run)


ARRAYS = {
    "a": np.arange(40.0),
    "b": np.arange(12, dtype=np.int8).reshape(3, 4),
    "c": np.asfortranarray(np.ones((30, 7), np.float16)),
}


def _npz() -> Seeds:
    found = []
    for save in (np.savez, np.savez_compressed):
        buffer = io.BytesIO()
        save(buffer, **ARRAYS)  # type: ignore[arg-type]
        found.append(buffer.getvalue())
    return tuple(found)


def _read_npz(path: Path) -> None:
    from hyperbaton.base.npz import read_npz
    from hyperbaton.detectors.e5_pair import read_changes
    from hyperbaton.encoders.characters import load_weights

    for read in (read_changes.__wrapped__, load_weights):
        try:
            read(path)
        except HyperbatonError:
            continue
    found = read_npz(path)
    if found.keys() == ARRAYS.keys():
        for name, values in ARRAYS.items():
            np.testing.assert_array_equal(found[name], values)


def _pieces() -> Seeds:
    import sentencepiece

    from hyperbaton.systems.shipped.bundled import Bundled

    texts = ["Tom saw the old dog of the house.", "a red house and an old tree"] * 9
    found = [(Bundled.folder / "source.spm").read_bytes()]
    for kind, size in (("unigram", 60), ("bpe", 60), ("char", 40)):
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(texts),
            model_writer=model,
            model_type=kind,
            vocab_size=size,
            hard_vocab_limit=False,
            minloglevel=2,
        )
        found.append(model.getvalue())
    return tuple(found)


def _read_pieces(path: Path) -> None:
    from hyperbaton.systems.ct2.pieces import SentencePieces

    pieces = SentencePieces(path)
    pieces.decode(pieces.encode(["Tom saw a dog, é 犬 ﬁ ＡＢ", "", " "]))


MODEL = bytes(range(256)) * 20


def _package() -> Seeds:
    found = []
    for packed in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", packed) as package:
            package.writestr("x/metadata.json", '{"from_code": "en", "to_code": "de"}')
            package.writestr("x/model/model.bin", MODEL)
            package.writestr("x/sentencepiece.model", b"pieces" * 50)
        found.append(buffer.getvalue())
    return tuple(found)


def _read_package(path: Path) -> None:
    from hyperbaton.systems.ct2.argos import _wanted

    with TemporaryDirectory(dir=path.parent) as cache_folder:
        place = _unpacked(path, Path(cache_folder))
        with zipfile.ZipFile(path) as package:
            _wanted(package, path)
        if (place / "model" / "model.bin").read_bytes() != MODEL:
            raise AssertionError("the model is another one, without a word")


def _unpacked(path: Path, cache_folder: Path) -> Path:
    import os

    from hyperbaton.systems.ct2.argos import unpacked

    before = os.environ.get("HYPERBATON_CACHE")
    os.environ["HYPERBATON_CACHE"] = str(cache_folder)
    try:
        return unpacked(path)
    finally:
        del os.environ["HYPERBATON_CACHE"]
        if before is not None:
            os.environ["HYPERBATON_CACHE"] = before


FILES = (
    DamagedFile("Parquet", ".parquet", _export, _parquet),
    DamagedFile("part", ".parquet", _read_part, lambda: (_part(),)),
    DamagedFile("forged part", ".parquet", _forged_part, _forgeries),
    DamagedFile("npz", ".npz", _read_npz, _npz),
    DamagedFile("run.json of a run", ".json", _read_record, _record),
    DamagedFile("SentencePiece", ".spm", _read_pieces, _pieces),
    DamagedFile("Argos package", ".argosmodel", _read_package, _package),
)
