"""Every reader of the project as a function of bytes, with inputs that it reads well.

A reader may answer anything it likes, or raise HyperbatonError; whatever else it raises is a fault.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import logging
import lzma
import random
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from hyperbaton.base.content import parse_json
from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.corpus.lines import read_lines
from hyperbaton.corpus.m2 import read_m2
from hyperbaton.corpus.opening import open_corpus
from hyperbaton.corpus.paraphrases import read_labelled_pairs
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb import parse_all, perturb_all
from tests.fuzzing.mutation import mutated
from tests.fuzzing.stores import read_store, stores

__all__ = ["READERS", "Reader"]

Read = Callable[[Path], object]


@dataclass(frozen=True)
class Reader:
    """A reader of one kind of file: its name, the suffix of its files, good inputs."""

    name: str
    suffix: str
    read: Read
    seeds: tuple[bytes, ...]

    def input(self, rng: random.Random) -> bytes:
        """One of the good inputs with something wrong."""
        return mutated(rng, self.seeds)

    def __call__(self, data: bytes, folder: Path) -> bool:
        """Read these bytes; whether they were accepted."""
        path = folder / f"input{self.suffix}"
        path.write_bytes(data)
        try:
            self.read(path)
        except HyperbatonError:
            return False
        return True


def _all(items: Iterable[object]) -> None:
    for _ in items:
        pass


def _corpus(path: Path) -> None:
    _all(open_corpus(path, languages=["en"]))


def _pairs(path: Path) -> None:
    _all(open_corpus(path, languages=["en", "de"]))


_ORDERS = parse_all(["wordorder", "surface", "NeighbourFlip(p=0.3)"])


def _parsed(path: Path) -> None:
    """CoNLL-U, and all that is done with its trees."""
    for item in open_corpus(path, languages=["en"]):
        if isinstance(item.source, Sentence):
            _all(perturb_all([item.source], _ORDERS))


def _learners(path: Path) -> None:
    for learner in read_m2(path):
        for annotator in (*learner.annotators, 7):
            learner.corrected(annotator)
            learner.left_out(annotator)


def _text(parse: Callable[[str], object]) -> Read:
    """A reader of short texts, such as what follows an option on the command line."""

    def read(path: Path) -> object:
        return parse(path.read_bytes().decode(errors="surrogateescape"))

    return read


def _registry(module: str, name: str) -> Read:
    def parse(text: str) -> object:
        return getattr(__import__(module, fromlist=[name]), name).parse(text)

    return _text(parse)


def _pair(text: str) -> None:
    from hyperbaton.language.languages import parse_pair
    from hyperbaton.pipeline import Pair

    parse_pair(text)
    Pair.parse(text)


def _pharaoh(path: Path) -> object:
    from hyperbaton.alignment.pharaoh import read_pharaoh

    return read_pharaoh(path)


def _matrix(path: Path) -> object:
    from hyperbaton.cli.options.matrix import read_matrix

    return read_matrix(path, "wordorder")


def _record(path: Path) -> object:
    from hyperbaton.pipeline.run.record_reading import read_record

    return read_record(path)


def _part(path: Path) -> None:
    from hyperbaton.pipeline.run.parts import read_part, read_stamp

    read_stamp(path)
    read_part(path)


def _predictions(path: Path) -> object:
    from hyperbaton.studies.isometry.recorded import read_recorded

    return read_recorded(path)


def _answers(path: Path) -> object:
    from hyperbaton.systems.store.exchange import read_answers

    return read_answers(path)


def _reply(text: str) -> object:
    from hyperbaton.systems.chat.prompts import answer

    return answer(text, "a red house")


def _probabilities(path: Path) -> object:
    from hyperbaton.detectors.recorded import _read

    _read.cache_clear()
    return _read(path, True)


def _calibration(path: Path) -> object:
    from hyperbaton.detectors.calibration import _curves, read_calibration

    _curves.cache_clear()
    return read_calibration(path, "en")


def _weights(path: Path) -> object:
    from hyperbaton.detectors.e5_pair import read_changes

    read_changes.cache_clear()
    return read_changes(path)


def _server(path: Path) -> None:
    from hyperbaton.systems.chat.replies import Unreadable, read_reply

    try:
        read_reply(path.read_bytes())
    except Unreadable as error:  # which the caller turns into the fault of a row
        raise HyperbatonError(str(error)) from None


def _bitext(path: Path) -> object:
    need("torch", extra="hf")
    from hyperbaton.train.bitext import read_pairs

    return read_pairs(path)


def _folder(path: Path) -> object:
    from hyperbaton.systems.ct2.folder import read_folder

    place = path.with_name("model")
    place.mkdir(exist_ok=True)
    (place / "model.bin").write_bytes(b"")
    data = path.read_bytes()
    words = data.startswith(b"[")
    (place / "config.json").write_bytes(b"{}" if words else data)
    (place / "shared_vocabulary.json").write_bytes(data if words else b"[]")
    return read_folder(place)


def _cached(path: Path) -> None:
    """A damaged cache is named by whoever lists it, and costs a parser time only."""
    from hyperbaton.parsing.opening import CachedParser
    from hyperbaton.parsing.parse_store import held
    from hyperbaton.parsing.plain import PlainParser

    file = _cache_file(path.parent)
    for left in file.parent.glob(f"{file.name}*"):
        left.unlink()
    file.write_bytes(path.read_bytes())
    held(path.parent)
    log = logging.getLogger("hyperbaton.parsing")
    log.setLevel(logging.CRITICAL)
    try:
        with CachedParser(PlainParser("en"), path.parent) as parser:
            (found,) = parser.parse([CACHED])
    finally:
        log.setLevel(logging.NOTSET)
    if found.text != CACHED:
        raise AssertionError(f"the damaged cache changed the text to {found.text!r}")


@cache
def _cache_file(folder: Path) -> Path:
    from hyperbaton.parsing.parse_store import ParseStore
    from hyperbaton.parsing.plain import PlainParser

    store = ParseStore(folder, PlainParser("en").signature)
    store.close()
    return store.path


def _parse_cache() -> tuple[bytes, ...]:
    """A cache that holds one text, in small pages, so that a mutation meets every part of it."""
    from hyperbaton.parsing.opening import CachedParser
    from hyperbaton.parsing.plain import PlainParser

    with TemporaryDirectory() as folder:
        file = _cache_file.__wrapped__(Path(folder))
        with CachedParser(PlainParser("en"), Path(folder)) as parser:
            list(parser.parse([CACHED]))
        with closing(sqlite3.connect(file, isolation_level=None)) as database:
            database.execute("PRAGMA journal_mode = DELETE")
            database.execute("PRAGMA page_size = 512")
            database.execute("VACUUM")
        return file.read_bytes(), b"SQLite format 3\x00", b""


CACHED = "Tom saw the old dog."
CONLLU = b"""# sent_id = 1
# noun_chunks = 1-1 3-5
# text = Tom saw l'old dog.
1\tTom\t_\tPROPN\t_\t_\t2\tnsubj\t_\t_
2\tsaw\t_\tVERB\t_\t_\t0\troot\t_\t_
3-4\tl'old\t_\t_\t_\t_\t_\t_\t_\t_
3\tl'\t_\tDET\t_\t_\t5\tdet\t_\t_
4\told\t_\tADJ\t_\t_\t5\tamod\t_\t_
5\tdog\t_\tNOUN\t_\t_\t2\tobj\t_\tSpaceAfter=No
6\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_

"""
M2 = b"""S The cat sat at mat .
A 3 4|||R:PREP|||on|||REQUIRED|||-NONE-|||0
A 4 4|||M:DET|||the|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

"""
TOML = b"""systems = ["copy"]
draws = 2
[parsers]
en = "plain"
[[corpus]]
languages = "en-de"
source = "a.en"
reference = "a.de"
"""
PREDICTIONS = b"""{"1": {
"sentence_original": {"source": "a b", "target": "c d"},
"sentence_paraphrase": {"source": "b a", "target": "d c"},
"gold_label": 1, "chrf_bar_source": 0.5, "chrf_bar_target": 0.5, "bleu_bar_source": 50,
"bleu_bar_target": 50, "x_source": 0.9, "x_target": 0.1}}"""
RUN = json.dumps(
    {"format": 3, "study": "wordorder", "part": 100, "corpora": {"en-de": "starter"}}
    | {"parsers": {}, "asked": {"en-de": ["copy"]}, "systems": {"copy": {}}, "metrics": {}}
    | {"comparisons": {}, "progress": {"en-de": {"items": 250, "parts": 3}}}
).encode()
CALIBRATION = b'{"detector": "x", "languages": {"en": {"threshold": 0.5, "slope": 9.0}}}'
REPLY = b'{"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]}'
TEXT = b"one line\nand another\n"


TMX = b"""<?xml version="1.0"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="en"/><body>
<tu tuid="1"><tuv xml:lang="en-US"><seg>a <bpt i="1">&lt;b&gt;</bpt>dog<ept i="1"/></seg></tuv>
<tuv lang="de"><seg>ein Hund</seg></tuv></tu>
</body></tmx>
"""
XLIFF = (
    b"""<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file source-language="en" target-language="de"><body><trans-unit id="1">
<source>a <g id="1">dog</g></source><target>ein Hund</target>
<alt-trans><target>x</target></alt-trans></trans-unit></body></file></xliff>""",
    b"""<xliff version="2.0" srcLang="en" trgLang="de"><file id="f"><unit id="1"><segment>
<source>a <pc id="1">dog</pc></source><target>ein Hund</target></segment></unit></file></xliff>""",
)
SGM = b"""<srcset setid="x" srclang="en">
<doc docid="d" genre="news">
<p><seg id="1">AT&amp;T &lt;3</seg>
<seg id="2">two
lines</seg></p>
</doc></srcset>
"""
WMT = b"""<?xml version='1.0' encoding='utf-8'?>
<dataset id="x"><doc id="d" origlang="en"><src lang="en"><p><seg id="1">a dog</seg></p></src>
<ref lang="de" translator="A"><p><seg id="1">ein Hund</seg></p></ref></doc></dataset>
"""


def _packed() -> tuple[bytes, ...]:
    zstd = need("zstandard", extra="zstd")
    pack = zstd.ZstdCompressor().compress
    by_library = (gzip.compress(TEXT), bz2.compress(TEXT), lzma.compress(TEXT))
    return (*by_library, pack(TEXT), pack(bytes(1 << 16)))


def _parquet() -> bytes:
    import polars as pl

    from hyperbaton.pipeline.run.parts import Stamp, write_part

    with TemporaryDirectory() as folder:
        path = Path(folder) / "part.parquet"
        write_part(path, pl.DataFrame({"item": ["1"], "score": [0.5]}), Stamp("x"))
        return path.read_bytes()


def _parquet_corpus() -> bytes:
    import polars as pl

    buffer = io.BytesIO()
    pl.DataFrame({"translation": [{"en": "a dog", "de": "ein Hund"}] * 3}).write_parquet(buffer)
    return buffer.getvalue()


def _npz() -> bytes:
    buffer = io.BytesIO()
    arrays: dict[str, Any] = dict.fromkeys(("head.w", "head.b", "out.w", "out.b"), np.zeros(3))
    np.savez(buffer, **arrays)
    return buffer.getvalue()


READERS = (
    Reader("text", ".txt", lambda p: _all(read_lines(p)), (TEXT, b"\xef\xbb\xbfx\r\n")),
    Reader("compressed text", ".gz", lambda p: _all(read_lines(p)), _packed()),
    Reader("TSV", ".tsv", _corpus, (b"a\tb\nc\td\n", b"id\tsource\treference\n1\ta\tb\n")),
    Reader("JSON Lines", ".jsonl", _corpus, (b'{"source": "a", "n": [1, {"x": null}]}\n',)),
    Reader("JSON", ".json", lambda p: parse_json(p.read_text("utf-8", "replace"), "x"), (b"[1]",)),
    Reader("CoNLL-U", ".conllu", _parsed, (CONLLU,)),
    Reader("Parquet corpus", ".parquet", _pairs, (_parquet_corpus(),)),
    Reader("TMX", ".tmx", _pairs, (TMX, TMX.decode().encode("utf-16"))),
    Reader("XLIFF", ".xlf", _pairs, XLIFF),
    Reader("SGM", ".sgm", _corpus, (SGM,)),
    Reader("WMT's XML", ".xml", _pairs, (WMT,)),
    Reader("markup or text", ".txt", _corpus, (TMX, SGM, WMT, TEXT)),
    Reader("M2", ".m2", _learners, (M2,)),
    Reader("labelled pairs", ".tsv", read_labelled_pairs, (b"1\ta\tb\t0\n", b"a\tb\t1\n")),
    Reader(
        "perturbation",
        "",
        _registry("hyperbaton.perturb", "PERTURBATIONS"),
        (b"NeighbourFlip(p=0.3, unit=char)", b"nounSwaps", b'quotes(style="low")'),
    ),
    Reader(
        "metric",
        "",
        _registry("hyperbaton.metrics", "METRICS"),
        (b"BLEU(order=4, smooth=none)", b"chrF"),
    ),
    Reader(
        "system",
        "",
        _registry("hyperbaton.systems.system", "SYSTEMS"),
        (b"ct2:models/tiny(beam=4)", b"cmd:sed s/a/b/", b"copy", b"file:a.jsonl"),
    ),
    Reader(
        "parser",
        "",
        _registry("hyperbaton.parsing.parser", "PARSERS"),
        (b"spacy:en_core_web_sm", b"plain", b"stanza:de"),
    ),
    Reader("language pair", "", _text(_pair), (b"en-de", b"zh-Hans-en")),
    Reader("Pharaoh", ".align", _pharaoh, (b"0-0 1-2\n\n3-1\n",)),
    Reader("TOML matrix", ".toml", _matrix, (TOML,)),
    Reader("run.json", ".json", _record, (RUN,)),
    Reader("Parquet part", ".parquet", _part, (_parquet(),)),
    Reader("predictions", ".json", _predictions, (PREDICTIONS,)),
    Reader("answers", ".jsonl", _answers, (b'{"source": "a", "translation": "b"}\n',)),
    Reader(
        "reply of a model", "", _text(_reply), (b"<think>x</think>Translation: b", b"```\nb\n```")
    ),
    Reader(
        "probabilities",
        ".jsonl",
        _probabilities,
        (b'{"first": "a", "second": "b", "probability": 0.5}\n',),
    ),
    Reader("calibration", ".json", _calibration, (CALIBRATION,)),
    Reader("weights", ".npz", _weights, (_npz(),)),
    Reader("reply of a server", ".json", _server, (REPLY,)),
    Reader("bitext", ".tsv", _bitext, (b"a\tb\n",)),
    Reader("CTranslate2 folder", ".json", _folder, (b'{"bos_token": "<s>"}', b'["a", "b"]')),
    Reader("parse cache", ".sqlite", _cached, _parse_cache()),
    Reader("store", ".sqlite", read_store, stores()),
)
