"""Damaged inputs are refused with one sentence, whoever reads them, and in time."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.base.spec import split
from hyperbaton.corpus.lines import read_lines
from hyperbaton.corpus.opening import open_corpus
from hyperbaton.language.contractions import Contraction, as_written
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb import PERTURBATIONS

from .readers import CONLLU, READERS, Reader

BY_NAME = {reader.name: reader for reader in READERS}
QUICK = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_good_inputs_are_read(reader: Reader, tmp_path: Path) -> None:
    """Without this the other tests could pass on a reader that refuses everything."""
    if reader.name == "bitext":
        pytest.importorskip("torch")
    taken = [reader(seed, tmp_path) for seed in reader.seeds]
    assert all(taken) or reader.name == "parse cache"


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_mutated_inputs(reader: Reader, tmp_path: Path) -> None:
    for number in range(150):
        reader(reader.input(random.Random(f"test/{reader.name}/{number}")), tmp_path)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
@QUICK
@given(data=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
def test_any_bytes(reader: Reader, data: bytes, tmp_path: Path) -> None:
    reader(data, tmp_path)


DEEP = 100_000
DIGITS = b"9" * 5000
REGRESSIONS: list[tuple[str, bytes]] = [
    *((name, b"[" * DEEP) for name in ("JSON", "JSON Lines", "answers", "predictions")),
    *((name, b'{"a":' * DEEP) for name in ("run.json", "calibration", "probabilities")),
    *((name, b'{"a":' * DEEP) for name in ("reply of a server", "CTranslate2 folder")),
    ("TOML matrix", b"a = " + b"[" * DEEP),
    ("JSON Lines", b'{"source": "a", "n": ' + DIGITS + b"}"),
    ("JSON Lines", b'{"source": "\\ud800"}'),
    ("answers", b'{"source": "\\ud800", "translation": "a"}'),
    ("predictions", b'{"1": {"x_source": ' + DIGITS + b"}}"),
    ("predictions", b'{"1": {"x_source": 1' + b"0" * 400 + b"}}"),
    ("calibration", b'{"languages": []}'),
    ("weights", b""),
    ("weights", b"PK\x03\x04"),
    ("CTranslate2 folder", b"[1, null]"),
    ("TOML matrix", b"draws = " + DIGITS),
    ("Pharaoh", b"0-" + DIGITS),
    ("M2", b"S a\nA " + DIGITS + b" 1|||R:X|||b|||REQUIRED|||-NONE-|||0\n"),
    ("M2", b"S a\nA 0 1|||R:X|||b|||REQUIRED|||-NONE-|||" + DIGITS + b"\n"),
    ("CoNLL-U", CONLLU.replace(b"2\tnsubj", DIGITS + b"\tnsubj")),
    ("CoNLL-U", CONLLU.replace(b"1\tTom", DIGITS + b"\tTom")),
    ("CoNLL-U", CONLLU.replace(b"3-4\t", b"3-" + DIGITS + b"\t")),
    ("CoNLL-U", CONLLU.replace(b"= 1-1", b"= 1-" + DIGITS)),
    ("CoNLL-U", CONLLU.replace(b"3-4\tl'old", b"3-4\tl'old\t_\t_\t_\t_\t_\t_\t_\t_\n3-4\tx")),
    ("CoNLL-U", CONLLU.replace(b"3-4\tl'old", b"3-3\tl\t_\t_\t_\t_\t_\t_\t_\t_\n3-4\tx")),
    ("perturbation", b"NeighbourFlip(p=" + DIGITS + b")"),
    ("perturbation", b"nounSwaps\xff"),
    ("parser", b"spacy:" + b"a" * 5000),
    ("parser", b"spacy:a/" + b"b" * 5000),
    ("system", b"ct2:" + b"a" * 5000),
    ("labelled pairs", b"a\tb\t1\x1f\n"),
    ("compressed text", b"\x28\xb5\x2f\xfd"),
    ("compressed text", b"\x1f\x8b\x08\x00"),
    ("TMX", b"<tmx>" + b"<a>" * DEEP),
    ("TMX", b'<?xml version="1.0" encoding="undefined"?><tmx/>'),
    ("TMX", b'<?xml version="1.0" encoding="idna"?><tmx/>'),
    ("TMX", b"\xff\xfe<\x00"),
    ("markup or text", b'<?xml version="1.0" encoding="hex"?><tmx>'),
]
"""What once ended in a traceback."""


@pytest.mark.parametrize(
    ("name", "data"), REGRESSIONS, ids=lambda part: part if isinstance(part, str) else ""
)
def test_regressions(name: str, data: bytes, tmp_path: Path) -> None:
    BY_NAME[name](data, tmp_path)


@pytest.mark.parametrize("path", ["x" * 5000, "a\0b", "a\udcff/b\ud800"])
def test_names_that_no_file_can_have(path: str) -> None:
    with pytest.raises(HyperbatonError):
        list(read_lines(path))
    with pytest.raises(HyperbatonError):
        list(open_corpus(f"{path}.conllu"))


def test_repeated_ranges_are_named(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    path.write_bytes(CONLLU.replace(b"3-4\tl'old", b"3-4\tl'old\t_\t_\t_\t_\t_\t_\t_\t_\n3-4\tx"))
    with pytest.raises(HyperbatonError, match=r"line 7: the range '3-4' overlaps"):
        list(open_corpus(path))


# Quadratic, each of these would take minutes or hours.
LONG = 300_000


def _comment(path: Path) -> None:
    path.write_bytes(b"#" + b" " * LONG + b"x\n" + CONLLU)
    list(open_corpus(path))


def _contractions(path: Path) -> None:
    size = 100_000
    heads = (0, *range(size - 1))
    sentence = Sentence(("a",) * size, (True,) * size, "en", ("X",) * size, heads, ("dep",) * size)
    pairs = [Contraction(i, i + 2, "xyz") for i in range(0, size, 2)]
    assert len(as_written(sentence, pairs)) == size // 2


def _header(path: Path) -> None:
    names = "\t".join(f"c{i}" for i in range(100_000))
    path.with_suffix(".tsv").write_text(f"source\t{names}\nx\t{names}\n")
    list(open_corpus(path.with_suffix(".tsv")))


def _zeros(path: Path) -> None:
    """A few kilobytes that would unpack to gigabytes: refused after one line's length."""
    packer = need("zstandard", extra="zstd").ZstdCompressor()
    path.write_bytes(packer.compress(bytes(1 << 28)))
    with pytest.raises(HyperbatonError, match="is longer than 64 MiB"):
        list(read_lines(path))


def _spec_spaces(path: Path) -> None:
    for text in ("a(b=" + " " * LONG + "(", "a(" + " " * LONG + "(", "a(b" + " " * LONG):
        with pytest.raises(HyperbatonError):
            split(text)
    with pytest.raises(HyperbatonError):
        PERTURBATIONS.parse("NeighbourFlip(p=" + "1" * LONG + "x)")


def _marks(path: Path) -> None:
    for text in ("." * LONG + "x", "”" * LONG + "x"):
        sentence = Sentence((text,), (False,), "en")
        for name in ("dropFinalMark", "addFinalMark"):
            PERTURBATIONS.parse(name).vary(sentence, None)  # type: ignore[arg-type]


def _markup(path: Path) -> None:
    """Runs of what could begin a tag, a name or a break of a line, and a tag without an end."""
    inner = b" " * LONG + b"<seg " * LONG + b"a" * LONG
    path.with_suffix(".sgm").write_bytes(b"<srcset><doc><seg id=1>" + inner + b"</seg>")
    texts = b"<tmx><body><tu><tuv lang='en'><seg>" + b" " * LONG + b"x\n" * LONG
    path.with_suffix(".tmx").write_bytes(texts + b"</seg></tuv></tu></body></tmx>")
    path.with_suffix(".xlf").write_bytes(b"<xliff " + b"a" * (1 << 27))
    assert [len(item.source_text) for item in open_corpus(path.with_suffix(".tmx"))] == [
        2 * LONG - 1
    ]
    assert len(list(open_corpus(path.with_suffix(".sgm")))) == 1
    with pytest.raises(HyperbatonError, match="a tag or comment that is longer than 8 MiB"):
        list(open_corpus(path.with_suffix(".xlf")))


@pytest.mark.parametrize(
    "work",
    [_comment, _contractions, _header, _zeros, _spec_spaces, _marks, _markup],
    ids=lambda work: work.__name__.strip("_"),
)
def test_time_grows_with_the_input_only(work: object, tmp_path: Path) -> None:
    """A minute is for slow machines; quadratic time would be far beyond it."""
    assert callable(work)
    start = time.process_time()
    work(tmp_path / "x.conllu")
    assert time.process_time() - start < 60
