"""UDPipe models, trained on any treebank of Universal Dependencies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError, installed_version, need
from hyperbaton.language.sentence import Sentence
from hyperbaton.parsing.assemble import Token, Word, sentence_of
from hyperbaton.parsing.parser import Parser, ParserSpec, normalise, numbered, signature

if TYPE_CHECKING:
    from ufal import udpipe

_RANGE = re.compile(r"TokenRange=(\d+):(\d+)")


@dataclass(frozen=True)
class UDPipe(ParserSpec):
    """A UDPipe model on disk: `udpipe:path/to/english-ewt.udpipe`."""

    name: ClassVar[str] = "udpipe"
    positional: ClassVar[str | None] = "model"
    model: str

    def open(self, language: str) -> UDPipeParser:
        path = Path(self.model).expanduser()
        if not path.is_file():
            raise HyperbatonError(f"there is no UDPipe model '{self.model}': check the path")
        need("ufal.udpipe", "udpipe", "UDPipe")
        return UDPipeParser(path, language)


class UDPipeParser(Parser):
    """An open UDPipe model; its labels are those of Universal Dependencies by definition."""

    def __init__(self, path: Path, language: str) -> None:
        self.language = language
        self._path = path
        self.signature = signature(
            f"udpipe:{path.name}",
            hash=fingerprint([path]),
            udpipe=installed_version("ufal.udpipe"),
            labels="ud",
        )

    @cached_property
    def _model(self) -> udpipe.Model:
        from ufal import udpipe

        model = udpipe.Model.load(str(self._path))
        if model is None:
            raise HyperbatonError(f"'{self._path}' is not a UDPipe model")
        return model

    def parse(self, texts: Iterable[str], ids: Iterable[str] | None = None) -> Iterator[Sentence]:
        for text, item in zip(map(normalise, texts), numbered(ids), strict=False):
            sentences = [_tokens(sentence) for sentence in self._sentences(text)]
            yield sentence_of(text, sentences, self.language, "ud", item)

    def _sentences(self, text: str) -> Iterator[udpipe.Sentence]:
        from ufal import udpipe

        model = self._model
        reader = model.newTokenizer("ranges")
        if reader is None:
            raise HyperbatonError(f"the UDPipe model '{self._path}' has no tokenizer")
        reader.setText(text)
        error = udpipe.ProcessingError()
        sentence = udpipe.Sentence()
        while reader.nextSentence(sentence, error):
            # The option strings of UDPipe; empty asks for the model's defaults.
            if not (model.tag(sentence, "", error) and model.parse(sentence, "", error)):
                break
            yield sentence
            sentence = udpipe.Sentence()
        if error.occurred():
            raise HyperbatonError(f"the UDPipe model '{self._path}' fails: {error.message}")


def _tokens(sentence: udpipe.Sentence) -> list[Token]:
    """What is written, each with the words it stands for; word 0 of UDPipe is the root node."""
    words = [Word(w.form, w.upostag, w.head - 1, w.deprel) for w in list(sentence.words)[1:]]
    contracted = {m.idFirst - 1: m for m in sentence.multiwordTokens}
    tokens: list[Token] = []
    at = 0
    while at < len(words):
        contraction = contracted.get(at)
        end = contraction.idLast if contraction else at + 1
        source = contraction or sentence.words[at + 1]
        begin, stop = _range(source.misc)
        tokens.append(Token(begin, stop, tuple(words[at:end])))
        at = end
    return tokens


def _range(misc: str) -> tuple[int, int]:
    match = _RANGE.search(misc)
    if match is None:
        raise HyperbatonError("the UDPipe model gives no token ranges: use a newer model")
    return int(match[1]), int(match[2])
