"""What can be read of a damaged file of parses: every row whose digest is right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

from hyperbaton.base.sqlite.pages import Pages
from hyperbaton.base.sqlite.row_digest import RowDigest
from hyperbaton.parsing.parse_store import FOLDER, ParseStore, file_name, opened

__all__ = ["ParseSalvage"]

_BATCH = 10_000


class ParseSalvage:
    """Fills a new file from the pages of a damaged one, and counts."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.saved = 0
        self.lost = 0
        """Rows that can be seen but are not what was written."""

    def __call__(self, sources: Sequence[Pages], folder: Path) -> Path:
        """Write all that is sound into a new file, which is empty if the parser is unknown."""
        names = (name for pages in sources for name in _names(pages))
        signature = next((name for name in names if file_name(name) == self._name), None)
        if signature is None:
            opened(folder, self._name).close()
        else:
            right = RowDigest(signature)
            rows = (row for pages in sources for row in self._sound(pages, right))
            with closing(ParseStore(folder, signature)) as store:
                while some := list(islice(rows, _BATCH)):
                    store.put_keys(some)
                    self.saved += len(some)
        return folder / FOLDER / self._name

    def _sound(self, pages: Pages, right: RowDigest) -> Iterator[tuple[bytes, str]]:
        for record in pages.records():
            match record.cells:
                case (bytes(key), str(row), bytes(digest)):
                    if digest == right(key, row.encode()):
                        yield key, row
                    else:
                        self.lost += 1


def _names(pages: Pages) -> Iterator[str]:
    """The signature, which stands in a table and in its index."""
    for record in pages.records():
        match record.cells:
            case (str(name),) | (str(name), int()):
                yield name
