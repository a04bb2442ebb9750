"""`file:` and `recorded:`: translations made elsewhere, in a file or imported into the store."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.faults import sound
from hyperbaton.systems.store.exchange import read_pairs
from hyperbaton.systems.store.store import text_id
from hyperbaton.systems.system import System, Translation, Translator, signature


@dataclass(frozen=True)
class File(System):
    """Translations in a file: `file:answers.jsonl`, plain text as `file:out.de(sources=in.en)`.

    >>> print(File("out/gpt4.txt", sources="in.en", label="GPT-4"))
    file:out/gpt4.txt(sources=in.en, name=GPT-4)
    """

    name: ClassVar[str] = "file"
    positional: ClassVar[str | None] = "path"
    written: ClassVar[Mapping[str, str]] = {"label": "name"}

    path: str
    """JSONL with source and translation, TSV, or plain text."""
    sources: str = ""
    """The file that plain text is aligned with, line by line."""
    label: str = ""
    """What the system is called, where the file is not called so."""

    def remedy(self, command: str) -> str:
        """Another content is another system, which a run does not mix with the first."""
        return f"add their translations to {self.path}, and run {command} with another --out"

    def open(self, source: str, target: str) -> Translator:
        """Read the file."""
        files = [Path(name).expanduser() for name in (self.path, self.sources) if name]
        for file in files:
            if not file.is_file():
                raise HyperbatonError(f"'{self}': there is no file {file}")
        pairs = read_pairs(files[0], files[1] if self.sources else None, (source, target))
        if not pairs:
            raise HyperbatonError(f"'{self}': {files[0]} holds no translation")
        signed = signature(f"file:{files[0].name}", source, target, content=fingerprint(files))
        return Recording(signed, f"not in {self.path}", pairs)


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
        return _Known(signed, f"no translation was imported: {command}")


class _Known(Translator):
    """Answers that are there already; the others are no more to be had."""

    batch_free = True
    repeatable = False
    # All in one batch: many gaps in a row do not mean that the rest is missing too.
    batch_tokens = sys.maxsize

    def __init__(self, signature: str, fault: str) -> None:
        self.signature = signature
        self._fault = fault

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        return [Translation(None, self._fault)] * len(texts)


class Recording(_Known):
    """The translations in a file, some of which may be of the same text.

    Such a text is the only control that they have: what the system made of it another time.
    """

    recorded = True
    stored = False

    def __init__(self, signature: str, fault: str, pairs: Sequence[tuple[str, str]]) -> None:
        super().__init__(signature, fault)
        self._keys = [key for key, _ in pairs]
        self._answers = [answer for _, answer in pairs]
        self._places: dict[str, list[int]] = {}
        for place, key in enumerate(self._keys):
            self._places.setdefault(key, []).append(place)

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        return [self.recall(text) for text in texts]

    def recall(
        self, text: str, item: str = "", varied: bool = False, again: bool = False
    ) -> Translation:
        """The translation of a text, that of the item's line of the file where it has this text.

        `again` asks for another translation of the same text; none, and no fault, where there is
        only one.
        """
        if not text.strip():
            return Translation("")
        line = line_of(item, varied)
        for form in (text, text.strip()):
            key = text_id(form)
            if (places := self._places.get(key)) is not None:
                there = 0 < line <= len(self._keys) and self._keys[line - 1] == key
                first = line - 1 if there else places[0]
                others = [place for place in places if place != first]
                if again and not others:
                    return Translation(None)
                return sound(Translation(self._answers[others[0] if again else first]))
        return Translation(None, self._fault)


def line_of(item: str, varied: bool) -> int:
    """The line that an item's text is in, of corpora that number them: `7`, or `7/9` for two texts.

    >>> line_of("7/9", False), line_of("7/9", True), line_of("7", True), line_of("news-7", True)
    (7, 9, 7, 0)
    """
    number = item.split("/")[-1 if varied else 0]
    return int(number) if number.isdecimal() and len(number) < 12 else 0
