"""PDF that is the same to the byte each time: its objects in one order, its entries by name.

What draws PDF here goes through fonts and images in an order that differs from one process to the
next, and numbers objects as they come.
"""

from __future__ import annotations

import re

_TABLE = re.compile(rb"startxref\s+(\d+)\s+%%EOF\s*\Z")
_ENTRIES = re.compile(rb"xref\s+0 (\d+)\s+")
_ENTRY = re.compile(rb"(\d{10}) (\d{5}) ([nf])\s+")
_TRAILER = re.compile(rb"trailer\s+(<<.*?>>)\s+startxref", re.DOTALL)
_OBJECT = re.compile(rb"(\d+) 0 obj\n(.*?)(stream\r?\n.*)?\s*endobj\s*\Z", re.DOTALL)
_REFERENCE = re.compile(rb"\b(\d+) 0 R\b")
_NAMED = re.compile(rb"(?:^ +/[A-Za-z]+\d+ \d+ 0 R\n){2,}", re.MULTILINE)


def in_one_order(pdf: bytes) -> bytes:
    """The same document with its objects numbered as they are reached from its root.

    A file that is built in another way stays as it is.
    """
    try:
        objects, trailer = _read(pdf)
        order = _reached(objects, trailer)
    except (LookupError, ValueError):
        return pdf
    numbers = {old: new for new, old in enumerate(order, 1)}
    made = bytearray(pdf[: min(place for place, _, _ in objects.values())])
    places = []
    for old in order:
        _, head, stream = objects[old]
        places.append(len(made))
        made += b"%d 0 obj\n%s%sendobj\n\n" % (numbers[old], _renumbered(head, numbers), stream)
    table = len(made)
    made += b"xref\n0 %d\n0000000000 65535 f \n" % (len(order) + 1)
    made += b"".join(b"%010d 00000 n \n" % place for place in places)
    size = re.sub(rb"/Size \d+", b"/Size %d" % (len(order) + 1), trailer)
    made += b"trailer\n%s\nstartxref\n%d\n%%%%EOF\n" % (_renumbered(size, numbers), table)
    return bytes(made)


_Objects = dict[int, tuple[int, bytes, bytes]]
"""Where an object begins, what it says, and the data after it, by number."""


def _read(pdf: bytes) -> tuple[_Objects, bytes]:
    """The objects of a document and its trailer; ValueError where it is not built so."""
    end = _TABLE.search(pdf)
    trailer = _TRAILER.search(pdf, int(end[1])) if end else None
    head = _ENTRIES.match(pdf, int(end[1])) if end else None
    if end is None or trailer is None or head is None:
        raise ValueError("no table of objects")
    entries = [match[1] for match in _ENTRY.finditer(pdf, head.end(), trailer.start())][1:]
    starts = sorted(map(int, entries))
    ends = dict(zip(starts, [*starts[1:], int(end[1])], strict=True))
    objects: _Objects = {}
    for start in starts:
        found = _OBJECT.match(pdf, start, ends[start])
        if found is None:
            raise ValueError("no object where the table says")
        entry = _NAMED.sub(_sorted, found[2])
        stream = found[3].rstrip(b"\n") + b"\n" if found[3] else b""
        objects[int(found[1])] = start, entry.rstrip(b"\n") + b"\n", stream
    return objects, trailer[1]


def _sorted(lines: re.Match[bytes]) -> bytes:
    entries = sorted(lines[0].splitlines(keepends=True), key=lambda line: line.split()[0])
    return b"".join(entries)


def _reached(objects: _Objects, trailer: bytes) -> list[int]:
    """The numbers of all objects in the order in which the document leads to them."""
    order: dict[int, None] = {}
    ahead = [trailer]
    while ahead:
        found = [int(match[1]) for match in _REFERENCE.finditer(ahead.pop())]
        new = [number for number in dict.fromkeys(found) if number not in order]
        order.update(dict.fromkeys(new))
        ahead += [objects[number][1] for number in reversed(new)]
    if len(order) != len(objects):
        raise ValueError("an object that nothing leads to")
    return list(order)


def _renumbered(text: bytes, numbers: dict[int, int]) -> bytes:
    return _REFERENCE.sub(lambda match: b"%d 0 R" % numbers[int(match[1])], text)
