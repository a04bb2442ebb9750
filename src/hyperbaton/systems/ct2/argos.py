"""`argos:FILE`: a package of Argos Translate, a zip with a CTranslate2 model and its tokenizer."""

from __future__ import annotations

import lzma
import os
import re
import shutil
import struct
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import ClassVar, Literal

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.base.files import cache_folder, temporary_folder
from hyperbaton.systems.ct2.engine import Compute, Device
from hyperbaton.systems.ct2.folder import Frame, check_declared, read_folder, read_settings
from hyperbaton.systems.ct2.pieces import Pieces, SentencePieces
from hyperbaton.systems.ct2.system import RANGES, CTranslate2, CTranslate2Translator
from hyperbaton.systems.system import System, check_ranges

_WANTED = re.compile(
    r"metadata\.json|sentencepiece\.model|bpe\.model"
    r"|model/(config\.json|model\.bin|\w*vocabulary\w*\.(json|txt))"
)
"""What a translation needs; sentence splitters, which may hold code, stay in the package."""
_DAMAGED = (
    *(OSError, EOFError, ValueError, RuntimeError, NotImplementedError, OverflowError, KeyError),
    *(IndexError, MemoryError, struct.error, zipfile.BadZipFile, zlib.error, lzma.LZMAError),
)
"""What zipfile raises on packages that are damaged."""
_SPACES = str.maketrans("▁_", "  ")
_LARGEST = 8 << 30
_MOST_ENTRIES = 10_000

_END = "</w>"
_GOES_ON = re.compile(r"@@( |$)")


@dataclass(frozen=True)
class Argos(System):
    """A package of Argos Translate: `argos:translate-de_en.argosmodel`, or its folder unpacked.

    It decodes as Argos does, but a text is one sentence: Argos cuts a text into sentences first,
    by a model that may hold code.
    """

    name: ClassVar[str] = "argos"
    positional: ClassVar[str | None] = "path"

    path: str
    beam: int = 4
    length_penalty: float = 0.2
    max_length: int = 256
    max_input: int = 512
    overlong: Literal["fault", "truncate"] = "fault"
    device: Device = "auto"
    compute: Compute = "auto"
    batch_tokens: int = 0
    workers: int = 0
    threads: int = 0

    def open(self, source: str, target: str) -> CTranslate2Translator:
        """Unpack the package, once, and load its model."""
        check_ranges(self, RANGES)
        folder = unpacked(Path(self.path).expanduser())
        about = read_settings(folder / "metadata.json")
        declared = (str(about.get("from_code") or ""), str(about.get("to_code") or ""))
        check_declared(declared, source, target, self.path)
        # Argos adds no mark of language or end; CTranslate2 does where the model's settings say so.
        prefix = str(about.get("target_prefix") or "")
        around = Frame((), (), (prefix,) if prefix else (), "")
        return _ArgosTranslator(
            CTranslate2(**{**asdict(self), "path": str(folder / "model")}),
            read_folder(folder / "model"),
            around,
            _pieces(folder, declared),
            (source, target),
            self.name,
            unknown="replaced",
            sentences="whole",
        )


class _ArgosTranslator(CTranslate2Translator):
    """A loaded model that writes a word of the source where it knows none of its own."""

    def _text(self, source: list[str], hypothesis: list[str]) -> str:
        if self._folder.unknown in hypothesis:
            hypothesis = self._engine.without_unknown(source, self._around.prefix, **self._decoding)
        return super()._text(source, hypothesis)


class _ArgosPieces(SentencePieces):
    """SentencePiece, whose pieces Argos joins in a way of its own."""

    def decode(self, pieces: Sequence[Sequence[str]]) -> list[str]:
        """The text that target pieces stand for; underscores become spaces."""
        joined = (str(self._target.decode_pieces(list(line))) for line in pieces)
        return [line.translate(_SPACES).removeprefix(" ") for line in joined]


def unpacked(path: Path) -> Path:
    """The folder of a package; a zip is unpacked into the cache, where it is found again."""
    if path.is_dir():
        return _inner(path)
    try:
        with zipfile.ZipFile(path) as package:
            wanted = _wanted(package, path)
            folder = cache_folder() / "argos" / f"{path.stem[:60]}-{fingerprint([path])}"
            if not folder.is_dir():
                _unpack(package, wanted, folder)
    except FileNotFoundError:
        raise HyperbatonError(f"{path}: no such file") from None
    except _DAMAGED as error:
        why = str(error) or type(error).__name__
        raise HyperbatonError(f"cannot unpack {path} ({why}); is the file complete?") from None
    return folder


def _inner(path: Path) -> Path:
    """The folder that holds `metadata.json`: this one, or the only one in it."""
    folders = [path, *sorted(p for p in path.iterdir() if p.is_dir())]
    for folder in folders:
        if (folder / "metadata.json").is_file():
            return folder
    raise HyperbatonError(f"{path} is not an Argos package (no metadata.json)")


def _wanted(package: zipfile.ZipFile, path: Path) -> dict[str, zipfile.ZipInfo]:
    """The entries to unpack, by where they go; names are matched, so none can lead elsewhere."""
    entries = package.infolist()
    if len(entries) > _MOST_ENTRIES:
        raise HyperbatonError(f"{path} holds {len(entries):,} files: this is not an Argos package")
    wanted: dict[str, zipfile.ZipInfo] = {}
    for entry in entries:
        # A package has one folder at its top.
        inner = "/".join(PurePosixPath(entry.filename).parts[1:])
        if _WANTED.fullmatch(inner) and wanted.setdefault(inner, entry) is not entry:
            raise HyperbatonError(f"{path} holds {inner} twice: this is not an Argos package")
    if not {"metadata.json", "model/model.bin"} <= {*wanted}:
        raise HyperbatonError(f"{path} is not an Argos package (no metadata.json or no model)")
    if (size := sum(entry.file_size for entry in wanted.values())) > _LARGEST:
        raise HyperbatonError(
            f"{path} would take {size / 2**30:,.1f} GiB unpacked; "
            f"at most {_LARGEST >> 30} are allowed"
        )
    return wanted


def _unpack(package: zipfile.ZipFile, wanted: dict[str, zipfile.ZipInfo], folder: Path) -> None:
    """Unpack into a folder that appears only when all is there."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with temporary_folder(folder.parent, "unpacking") as made:
        partial = made / "package"
        for inner, entry in wanted.items():
            file = partial / inner
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with package.open(entry) as packed, file.open("wb") as out:
                shutil.copyfileobj(packed, out, 1 << 20)
        try:
            os.replace(partial, folder)
        except OSError:
            if not folder.is_dir():  # unless another process was faster
                raise


def _pieces(folder: Path, languages: tuple[str, str]) -> Pieces:
    if (folder / "sentencepiece.model").is_file():
        return _ArgosPieces(folder / "sentencepiece.model")
    if (folder / "bpe.model").is_file():
        return BytePairs(folder / "bpe.model", *languages)
    raise HyperbatonError(f"{folder} holds no tokenizer (sentencepiece.model or bpe.model)")


class BytePairs:
    """Words of the Moses tokenizer in pieces; `@@` marks a piece that goes on."""

    package = "sacremoses"

    def __init__(self, codes: Path, source: str, target: str) -> None:
        self.files: tuple[Path, ...] = (codes,)
        self._ranks = _ranks(codes)
        library = need("sacremoses", extra="hf")
        self._normalizers = [library.MosesPunctNormalizer(lang) for lang in (source, target)]
        self._tokenizers = [library.MosesTokenizer(lang) for lang in (source, target)]
        self._detokenizer = library.MosesDetokenizer(target)
        self._cut = lru_cache(maxsize=65536)(self._merged)

    def encode(self, texts: Sequence[str], target: bool = False) -> list[list[str]]:
        """The pieces of each text, whose marks are first brought to one form, as in training."""
        usual, words = self._normalizers[target].normalize, self._tokenizers[target].tokenize
        return [[p for word in words(usual(text)) for p in self._cut(word)] for text in texts]

    def decode(self, pieces: Sequence[Sequence[str]]) -> list[str]:
        """The text that target pieces stand for."""
        words = (_GOES_ON.sub("", " ".join(line)).split() for line in pieces)
        return [str(self._detokenizer.detokenize(line)) for line in words]

    def _merged(self, word: str) -> tuple[str, ...]:
        """A word in pieces: the earliest merge of the list that applies is made, until none does.

        The algorithm is that of Sennrich, Haddow and Birch (2016), arXiv:1508.07909.
        """
        parts = [*word[:-1], word[-1:] + _END]
        while len(parts) > 1:
            best = min(pairwise(parts), key=lambda pair: self._ranks.get(pair, len(self._ranks)))
            if best not in self._ranks:
                break
            merged: list[str] = []
            for part in parts:
                if merged and (merged[-1], part) == best:
                    merged[-1] += part
                else:
                    merged.append(part)
            parts = merged
        parts[-1] = parts[-1].removesuffix(_END)
        return (*(f"{part}@@" for part in parts[:-1]), *parts[-1:])


def _ranks(codes: Path) -> dict[tuple[str, str], int]:
    try:
        lines = codes.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise HyperbatonError(f"{codes} cannot be read as a list of merges: {error}") from None
    pairs = [tuple(line.split()) for line in lines if line and not line.startswith("#version")]
    if not pairs or any(len(pair) != 2 for pair in pairs):
        raise HyperbatonError(f"{codes} is not a list of merges, two pieces a line")
    return {(pair[0], pair[1]): rank for rank, pair in reversed([*enumerate(pairs)])}
