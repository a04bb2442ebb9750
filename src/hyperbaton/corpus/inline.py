"""The text of a segment, without the codes of a document's layout that stand in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.lines import LONGEST_LINE
from hyperbaton.corpus.xml_events import Event

__all__ = ["in_one_line", "segment_text"]

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
            if coded <= 1 and _breaks_line(attributes):
                pieces.append(" ")
        elif depth == 0:
            break
        else:
            depth -= 1
            coded = max(0, coded - 1)
    return in_one_line("".join(pieces))


def _breaks_line(attributes: Mapping[str, str]) -> bool:
    return any(attributes.get(name) in _LINE_BREAKS for name in ("type", "ctype", "subType"))
