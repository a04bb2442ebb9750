"""`file:` and `recorded:`: translations made elsewhere, in a file or imported into the store."""

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
        signed = signature(f"file:{files[0].name}", source, target, content=fingerprint(files))
        return _Known(signed, f"not in {self.path}", answers)


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
        command = f"hyperbaton import --system {self}"
        signed = signature(f"recorded:{self.label}", source, target)
        return _Known(signed, f"no translation was imported: {command}", None)


class _Known(Translator):
    """Answers that are known, by the ids of their texts; the others are no more to be had."""

    batch_free = True
    repeatable = False
    # All in one batch: many gaps in a row do not mean that the rest is missing too.
    batch_tokens = sys.maxsize

    def __init__(self, signature: str, fault: str, answers: Mapping[str, str] | None) -> None:
        self.signature = signature
        self.stored = answers is None
        self._fault = fault
        self._answers = answers or {}

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        return [self._find(text) for text in texts]

    def _find(self, text: str) -> Translation:
        for form in (text, text.strip()):
            if (answer := self._answers.get(text_id(form))) is not None:
                return Translation(answer)
        return Translation(None, self._fault)
