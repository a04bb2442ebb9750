"""spaCy pipelines, by package name or by path; also GiNZA, which is one of them."""

from __future__ import annotations

import importlib.util
import logging
import os
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import tee
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, cast

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import (
    HyperbatonError,
    MissingExtra,
    did_you_mean,
    installed_version,
    need,
)
from hyperbaton.language.dependency_trees import recognise
from hyperbaton.language.languages import base, writes_spaces
from hyperbaton.language.sentence import Sentence
from hyperbaton.parsing.assemble import Analysis, assemble
from hyperbaton.parsing.catalogue import command_for_package
from hyperbaton.parsing.installed import PipelineFiles, find, installed, is_stub
from hyperbaton.parsing.parser import Parser, ParserSpec, normalise, numbered, signature
from hyperbaton.parsing.patterns import classes_read_once

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

UNNEEDED = frozenset(
    {"ner", "lemmatizer", "trainable_lemmatizer", "senter", "textcat", "textcat_multilabel"}
    | {"entity_linker", "entity_ruler", "span_ruler", "spancat", "span_finder"}
)
"""Factories that give neither words, tags, trees nor sentence boundaries: never run."""
BATCH = 256
COLUMNS: list[int | str] = ["IDX", "LENGTH", "POS", "HEAD", "DEP", "SENT_START"]
SUDACHI_BYTES = 49149
LONGEST_RUN = 2_000
"""Characters without a space, beyond which spaCy takes seconds for a single word."""
SEGMENTERS = {"ja": ("ginza", "sudachipy", "sudachidict_core"), "zh": ("jieba", "spacy-pkuseg")}
"""Packages that decide where the words end, named in the signature."""
NEED_TORCH = ("spacy-transformers", "spacy-curated-transformers", "spacy-experimental", "spacy-llm")
"""Packages whose pipelines run on torch."""
REDUCED = (("_bunsetu", ""),)
"""Ends of labels that a pipeline adds for itself and takes away in its output (GiNZA)."""


@dataclass(frozen=True)
class SpacyPipeline(ParserSpec):
    """A spaCy pipeline: `spacy:en_core_web_sm` or `spacy:path/to/pipeline`."""

    name: ClassVar[str] = "spacy"
    positional: ClassVar[str | None] = "pipeline"
    pipeline: str

    def open(self, language: str) -> SpacyParser:
        files = find(self.pipeline)
        if files is None:
            raise _missing(self.pipeline)
        if base(files.language) not in (base(language), "xx"):
            raise HyperbatonError(
                f"spacy:{self.pipeline} is a parser of '{files.language}', not of '{language}': "
                f"see hyperbaton parsers -l {language}"
            )
        if not installed_version("spacy"):
            raise MissingExtra("spaCy is not installed: pip install 'hyperbaton[spacy]'")
        return SpacyParser(files, language)


@dataclass(frozen=True)
class Ginza(ParserSpec):
    """GiNZA, the Japanese pipeline that PyPI carries; the same as `spacy:ja_ginza`."""

    name: ClassVar[str] = "ginza"

    def open(self, language: str) -> SpacyParser:
        return SpacyPipeline("ja_ginza").open(language)


def _spacy() -> ModuleType:
    """spaCy without torch, whose import takes longer than its own, unless a pipeline may need it.

    thinc imports torch wherever it finds it, and does without where it does not.
    """
    begun = "thinc" in sys.modules or "torch" in sys.modules
    if begun or any(map(installed_version, NEED_TORCH)):
        return need("spacy", "spacy", "spaCy")
    modules: dict[str, ModuleType | None] = cast(Any, sys.modules)
    modules["torch"] = None
    try:
        return need("spacy", "spacy", "spaCy")
    finally:
        del modules["torch"]


@contextmanager
def _products_of_numpy() -> Iterator[None]:
    """Have the models that are loaded multiply by NumPy where they would by BLIS, which is slower.

    Parses are the same: of 17,500 sentences in seven languages none has another. Not where NumPy
    takes several threads, as it does in a program that did not tell it otherwise.
    """
    from thinc.api import NumpyOps, get_current_ops, use_ops

    alone = os.environ.get("OPENBLAS_NUM_THREADS") == "1"
    if alone and type(get_current_ops()) is NumpyOps:
        with use_ops("numpy", use_blis=False):
            yield
    else:
        yield


def _missing(name: str) -> HyperbatonError:
    if is_stub(name):
        return HyperbatonError(
            f"the installed package '{name}' is a stub without a model: "
            f"pip uninstall -y {name.replace('_', '-')} && {command_for_package(name)}"
        )
    if "/" in name or "\\" in name:
        return HyperbatonError(f"'{name}' holds no spaCy pipeline (no config.cfg and meta.json)")
    known = [files.name for files in installed()]
    return HyperbatonError(
        f"the spaCy pipeline '{name}' is not installed: {command_for_package(name)}."
        f"{did_you_mean(name, known)}"
    )


class SpacyParser(Parser):
    """An open spaCy pipeline with only the components that word order needs."""

    def __init__(self, files: PipelineFiles, language: str) -> None:
        self.language = language
        self._files = files
        self._labels: dict[int, str] = {}
        self.scheme = recognise([_plain(label) for label in files.labels])
        tools = {
            package.replace("-", "_"): installed_version(package)
            for package in SEGMENTERS.get(base(files.language), ())
        }
        self.signature = signature(
            f"spacy:{files.name}" if files.packaged else f"spacy:{files.path.name}",
            version=files.version,
            hash="" if files.packaged else fingerprint([files.path]),
            spacy=installed_version("spacy"),
            **tools,
            labels=self.scheme,
        )

    @cached_property
    def nlp(self) -> Language:
        """The pipeline itself."""
        spacy = _spacy()
        _quiet(base(self._files.language))
        try:
            with classes_read_once(), _products_of_numpy(), warnings.catch_warnings():
                # The version a pipeline was made for is shown by `hyperbaton parsers`.
                warnings.filterwarnings("ignore", message=r"\[W095\]")
                nlp: Language = spacy.load(self._files.path, exclude=self._excluded())
        except (ImportError, OSError, ValueError) as error:
            reason = " ".join(str(error).split())
            raise HyperbatonError(f"spacy:{self._files.name} does not load: {reason}") from None
        if "parser" not in nlp.pipe_names and "experimental_arc_predicter" not in nlp.pipe_names:
            raise HyperbatonError(
                f"spacy:{self._files.name} has no dependency parser: "
                f"see hyperbaton parsers -l {self.language}"
            )
        return nlp

    def _excluded(self) -> list[str]:
        from spacy.util import load_config

        components = load_config(self._files.path / "config.cfg").get("components", {})
        return [
            name
            for name, settings in components.items()
            if name in UNNEEDED or settings.get("factory") in UNNEEDED
        ]

    def parse(self, texts: Iterable[str], ids: Iterable[str] | None = None) -> Iterator[Sentence]:
        plain, again = tee(map(normalise, texts))
        docs = self.nlp.pipe(self._checked(plain), batch_size=BATCH)
        for doc, text, item in zip(docs, again, numbered(ids), strict=False):
            yield assemble(text, self._analysis(doc), self.language, self.scheme, item)

    def _checked(self, texts: Iterable[str]) -> Iterator[str]:
        # Sudachi, the Japanese tokenizer, counts bytes.
        bytewise = base(self._files.language) == "ja"
        limit = SUDACHI_BYTES if bytewise else self.nlp.max_length
        for number, text in enumerate(texts, start=1):
            if len(text.encode() if bytewise else text) > limit:
                raise HyperbatonError(
                    f"text {number} is longer than spacy:{self._files.name} can take "
                    f"({limit:,} {'bytes' if bytewise else 'characters'}): split it into sentences"
                )
            if writes_spaces(self.language) and len(text) > LONGEST_RUN:
                # spaCy strips marks from a word one by one: 8,000 brackets took half a minute.
                longest = max(map(len, text.split()), default=0)
                if longest > LONGEST_RUN:
                    raise HyperbatonError(
                        f"text {number} has {longest:,} characters without a space: no word is "
                        "that long, so look whether it is text at all"
                    )
            yield text

    def _analysis(self, doc: Doc) -> Analysis:
        rows = doc.to_array(COLUMNS).view("int64")
        begins, lengths, upos, heads, deps, starts = rows.T.tolist()
        chunks: Sequence[tuple[int, int]] | None = None
        if self.scheme != "ud" and doc.vocab.get_noun_chunks is not None:
            chunks = [(chunk.start, chunk.end) for chunk in doc.noun_chunks]
        return Analysis(
            offsets=[(b, b + n) for b, n in zip(begins, lengths, strict=True)],
            upos=[self._label(tag) for tag in upos],
            heads=[i + step for i, step in enumerate(heads)],
            deps=[self._label(dep) for dep in deps],
            starts=[i for i, start in enumerate(starts) if start == 1],
            noun_chunks=chunks,
        )

    def _label(self, code: int) -> str:
        known = self._labels.get(code)
        if known is None:
            known = self.nlp.vocab.strings[code & 0xFFFFFFFFFFFFFFFF]
            if known == "ROOT" and self.scheme == "ud":
                known = "root"
            self._labels[code] = known
        return known


def _quiet(language: str) -> None:
    """Keep jieba from telling how it loads its dictionary."""
    if language == "zh" and importlib.util.find_spec("jieba"):
        import jieba  # its import sets the level, so ours comes after

        jieba.setLogLevel(logging.WARNING)


def _plain(label: str) -> str:
    for end, instead in REDUCED:
        if label.endswith(end):
            return label.removesuffix(end) + instead
    return label
