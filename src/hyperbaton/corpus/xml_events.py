"""XML piece by piece, from files that nobody vouches for.

Nothing outside the file is opened, no entity is expanded that the file defines, and a file of any
length takes little memory.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple
from xml.parsers import expat

from hyperbaton.base.content import ENOUGH, declared_encoding
from hyperbaton.base.errors import HyperbatonError, printable
from hyperbaton.corpus.lines import DAMAGED, LONGEST_LINE, open_binary, shown

_CHUNK = 1 << 18
LONGEST_TAG = 1 << 23
"""Bytes of a tag or a comment, which the parser must have whole."""
DEEPEST = 256
_XML = "http://www.w3.org/XML/1998/namespace"


class Event(NamedTuple):
    """A tag that opens or closes, or text between tags; names are without their namespace."""

    kind: Literal["start", "end", "text"]
    name: str
    """The name of the element, or the text."""
    attributes: Mapping[str, str]
    line: int


def xml_events(path: str | Path) -> Iterator[Event]:
    """The tags and texts of a file (`-` for standard input) in their order.

    The language of an element, `xml:lang`, is the attribute `lang` where there is no other.
    """
    reader = _Reader(shown(path))
    with open_binary(path) as file:
        try:
            data = file.read(ENOUGH)
            encoding = declared_encoding(data)
            decoder = codecs.getincrementaldecoder(encoding)()
            while data:
                yield from reader.feed(_decoded(decoder, data, reader))
                data = file.read(_CHUNK)
            yield from reader.feed(_decoded(decoder, b"", reader, last=True), last=True)
        except DAMAGED as error:
            raise HyperbatonError(
                f"{reader.where()}: cannot read past this line: {error}; is the file complete?"
            ) from None


def _decoded(
    decoder: codecs.IncrementalDecoder, data: bytes, reader: _Reader, last: bool = False
) -> str:
    try:
        return decoder.decode(data, last)
    except UnicodeDecodeError as error:
        raise HyperbatonError(
            f"{reader.where()} or below: not {error.encoding.upper()} "
            f"(0x{error.object[error.start]:02x}); save the file as UTF-8"
        ) from None


class _Reader:
    """The parser of one file, with what it has found and not yet handed over."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._found: list[Event] = []
        self._depth = 0
        self._fed = 0
        # A declared encoding is overruled by what was decoded here.
        self._parser = expat.ParserCreate("utf-8", namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.buffer_size = 1 << 16
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.EntityDeclHandler = self._refuse_entity
        self._parser.SkippedEntityHandler = self._refuse_entity
        self._parser.AttlistDeclHandler = self._refuse_default

    def where(self) -> str:
        return f"{self._file}, line {self._parser.CurrentLineNumber}"

    def feed(self, text: str, last: bool = False) -> Iterator[Event]:
        data = text.encode("utf-8", "surrogatepass")
        self._fed += len(data)
        try:
            self._parser.Parse(data, last)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise HyperbatonError(
                f"{self._file}, line {error.lineno}: not sound XML ({reason}); is the file "
                "complete?"
            ) from None
        if self._fed - self._parser.CurrentByteIndex > LONGEST_TAG + _CHUNK * 4:
            raise HyperbatonError(
                f"{self.where()}: a tag or comment that is longer than {LONGEST_TAG >> 20} MiB"
            )
        events, self._found = self._found, []
        yield from events

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise HyperbatonError(f"{self.where()}: the XML is nested too deeply")
        if f"{_XML} lang" in attributes:
            attributes.setdefault("lang", attributes[f"{_XML} lang"])
        self._add("start", name.rpartition(" ")[2], attributes)

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._add("end", name.rpartition(" ")[2], {})

    def _text(self, text: str) -> None:
        self._add("text", text, {})

    def _add(
        self, kind: Literal["start", "end", "text"], name: str, attributes: Mapping[str, str]
    ) -> None:
        self._found.append(Event(kind, name, attributes, self._parser.CurrentLineNumber))

    def _refuse_default(self, element: str, name: str, kind: str, default: object, _: int) -> None:
        # Each element has it, so that a small file could fill the memory.
        if default is not None:
            raise HyperbatonError(
                f"{self.where()}: an attribute with a default in the file's own DOCTYPE is not "
                "read: remove the DOCTYPE"
            )

    def _refuse_entity(self, name: str, *_: object) -> None:
        raise HyperbatonError(
            f"{self.where()}: the entity &{printable(name)[:50]}; of the file's own is not read: "
            "write the character itself"
        )


_BREAK = re.compile("[\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]")
_LINE_BREAKS = ("lb", "x-lb", "xlf:lb")


def in_one_line(text: str) -> str:
    r"""Text with a space for each break of a line, as a segment may be written over several.

    >>> in_one_line("\n  Tom  went\n  home.\n")
    'Tom  went home.'
    """
    lines = (line.strip(" ") for line in _BREAK.split(text))
    return " ".join(line for line in lines if line)


def segment_text(events: Iterable[Event], codes: Collection[str], file: str) -> str:
    """The text up to where the open element closes; what stands inside of `codes` is left out.

    A code that is a line break leaves a space.
    """
    pieces: list[str] = []
    size = depth = 0
    coded = 0
    for kind, name, attributes, line in events:
        if kind == "text":
            if not coded:
                pieces.append(name)
                size += len(name)
            if size > LONGEST_LINE:
                raise HyperbatonError(
                    f"{file}, line {line}: a segment that is longer than {LONGEST_LINE >> 20} MiB"
                )
        elif kind == "start":
            depth += 1
            if coded or name in codes:
                coded += 1
            types = map(attributes.get, ("type", "ctype", "subType"))
            if coded <= 1 and any(one in _LINE_BREAKS for one in types):
                pieces.append(" ")
        elif depth == 0:
            break
        else:
            depth -= 1
            coded = max(0, coded - 1)
    return in_one_line("".join(pieces))
