"""Systems that are not here: their translations were made elsewhere and written down."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.store.exchange import read_answers
from hyperbaton.systems.store.store import text_id
from hyperbaton.systems.system import System, Translation, Translator, signature

__all__ = ["File", "Recorded"]


@dataclass(frozen=True)
class File(System):
    """Translations in a file: `file:answers.jsonl`, plain text as `file:out.de(sources=in.en)`."""

    name: ClassVar[str] = "file"
    positional: ClassVar[str | None] = "path"

    path: str
    """JSONL with source and translation, TSV, or plain text."""
    sources: str = ""
    """The file that plain text is aligned with, line by line."""

    def remedy(self, command: str) -> str:
        """Another content is another system, which a run does not mix with the first."""
        return f"add their translations to {self.path}, and run {command} with another --out"

    def open(self, source: str, target: str) -> Translator:
        """Read the file."""
        files = [Path(name).expanduser() for name in (self.path, self.sources) if name]
        for file in files:
            if not file.is_file():
                raise HyperbatonError(f"'{self}': there is no file {file}")
        answers = read_answers(files[0], files[1] if self.sources else None, (source, target))
        if not answers:
            raise HyperbatonError(f"'{self}': {files[0]} holds no translation")
        return _Lookup(
            answers,
            signature(f"file:{files[0].name}", source, target, content=fingerprint(files)),
            f"not in {self.path}",
        )


@dataclass(frozen=True)
class Recorded(System):
    """Translations that `hyperbaton import` put into the store: `recorded:NAME`."""

    name: ClassVar[str] = "recorded"
    positional: ClassVar[str | None] = "label"

    label: str

    def remedy(self, command: str) -> str:
        """The store may come to hold what it did not."""
        return f"import their translations with --system {self}, and run {command} again"

    def open(self, source: str, target: str) -> Translator:
        """The store answers; what it does not hold was not imported."""
        return _Nowhere(
            signature(f"recorded:{self.label}", source, target),
            f"no translation was imported: hyperbaton import --system recorded:{self.label}",
        )


class _Lookup(Translator):
    batch_free = True
    repeatable = False
    stored = False
    # All in one batch: many gaps in a row do not mean that the rest is missing too.
    batch_tokens = sys.maxsize

    def __init__(self, answers: Mapping[str, str], signature: str, fault: str) -> None:
        self.signature = signature
        self._answers = answers
        self._fault = fault

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        return [self._find(text) for text in texts]

    def _find(self, text: str) -> Translation:
        found = self._answers.get(text_id(text))
        if found is None:
            found = self._answers.get(text_id(text.strip()))
        return Translation(None, self._fault) if found is None else Translation(found)


class _Nowhere(Translator):
    batch_free = True
    repeatable = False
    batch_tokens = sys.maxsize

    def __init__(self, signature: str, fault: str) -> None:
        self.signature = signature
        self._fault = fault

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        return [Translation(None, self._fault) for _ in texts]
