"""Stanza models that are on disk; nothing is ever downloaded from here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from hyperbaton.base.batches import batched
from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError, installed_version, need
from hyperbaton.language.sentence import Sentence
from hyperbaton.parsing.assemble import Token, Word, sentence_of
from hyperbaton.parsing.installed import stanza_code, stanza_folder
from hyperbaton.parsing.parser import Parser, ParserSpec, normalise, numbered, signature

if TYPE_CHECKING:
    import stanza

BATCH = 256
PROCESSORS = ("tokenize", "mwt", "pos", "lemma", "depparse")
"""What a tree takes; Stanza adds and leaves out `mwt` by itself."""


@dataclass(frozen=True)
class Stanza(ParserSpec):
    """A Stanza model by its language code: `stanza:de`, or `stanza:de(package=hdt)`."""

    name: ClassVar[str] = "stanza"
    positional: ClassVar[str | None] = "code"
    code: str
    package: str = "default"
    folder: str | None = None

    def open(self, language: str) -> StanzaParser:
        if not installed_version("stanza"):
            need("stanza", "stanza", "Stanza")
        folder = Path(self.folder).expanduser() if self.folder else stanza_folder(self.code)
        if not (folder / stanza_code(folder, self.code) / "depparse").is_dir():
            raise HyperbatonError(
                f"there is no Stanza parser of '{self.code}' in {folder}: "
                f"python -c \"import stanza; stanza.download('{self.code}')\""
            )
        return StanzaParser(self, folder, language)


class StanzaParser(Parser):
    """An open Stanza pipeline; its labels are those of Universal Dependencies."""

    def __init__(self, spec: Stanza, folder: Path, language: str) -> None:
        self.language = language
        self._spec = spec
        self._folder = folder
        self._code = stanza_code(folder, spec.code)
        models = folder / self._code
        self.signature = signature(
            f"stanza:{spec.code}",
            package=spec.package,
            # Of the models that take part, not of the word vectors that come with them.
            hash=fingerprint(models / part for part in _parts(models)),
            stanza=installed_version("stanza"),
            torch=installed_version("torch"),
            labels="ud",
        )

    @cached_property
    def _pipeline(self) -> stanza.Pipeline:
        library = need("stanza", "stanza", "Stanza")
        try:
            return library.Pipeline(
                lang=self._code,
                dir=str(self._folder),
                package=self._spec.package,
                processors=",".join(p for p in PROCESSORS if p != "mwt"),
                download_method=None,
                verbose=False,
            )
        except Exception as error:  # Stanza raises its own kinds, of no common base
            reason = " ".join(str(error).split())
            raise HyperbatonError(f"stanza:{self._spec.code} does not load: {reason}") from None

    def parse(self, texts: Iterable[str], ids: Iterable[str] | None = None) -> Iterator[Sentence]:
        names = numbered(ids)
        for batch in batched(map(normalise, texts), BATCH):
            # An empty document is more than Stanza takes.
            documents = iter(self._pipeline.bulk_process([text for text in batch if text]))
            for text in batch:
                sentences = [_tokens(s) for s in next(documents).sentences] if text else []
                yield sentence_of(text, sentences, self.language, "ud", next(names))


def _tokens(sentence: stanza.models.common.doc.Sentence) -> list[Token]:
    return [
        Token(
            token.start_char,
            token.end_char,
            tuple(Word(w.text, w.upos, w.head - 1, w.deprel) for w in token.words),
        )
        for token in sentence.tokens
    ]


def _parts(models: Path) -> list[str]:
    return [part for part in PROCESSORS if (models / part).is_dir()]
