"""What can be read of a damaged store: every row whose digest is right, wherever it lies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from hyperbaton.base.database import RowDigest
from hyperbaton.base.database_repair import Cells, Pages
from hyperbaton.systems.store.rows import VERSION, answer_in, unchecked
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import Translation

__all__ = ["StoreSalvage"]

_BATCH = 10_000
_TWO = Translation(None, "the damaged store held two translations of this text")


class _Row(NamedTuple):
    """The cells of a row of translations; earlier versions have no digest."""

    system: int
    key: bytes
    output: bytes | None
    fault: bytes
    digest: bytes | None


class _Found(NamedTuple):
    """An answer that was saved, under the signature of its system and the id of its text."""

    signature: str
    text: str
    answer: Translation


class StoreSalvage:
    """Fills a new store from the pages of a damaged one, and counts."""

    def __init__(self) -> None:
        self.saved = 0
        self.lost = 0
        """Rows that can be seen but are not what was written."""

    def __call__(self, sources: Sequence[Pages], folder: Path) -> Path:
        """Write all that is sound into a new store in a folder; the file of that store."""
        found = chain.from_iterable(map(self._sound, sources))
        doubtful: set[tuple[str, str]] = set()
        with Store(folder) as store:
            while some := list(islice(found, _BATCH)):
                _keep(store, some, doubtful)
            self.saved = sum(held.translations + held.faults for held in store.holdings())
        return store.path

    def _sound(self, pages: Pages) -> Iterator[_Found]:
        signatures = _signatures(pages)
        for record in pages.records():
            row = _row(record.cells)
            if row is not None:
                found = _named(row, signatures[row.system], pages.version)
                if found is None:
                    self.lost += 1
                else:
                    yield found


def _signatures(pages: Pages) -> defaultdict[int, dict[str, RowDigest]]:
    """The systems by their number, as a table has them and its index: one of the two may lie."""
    found: defaultdict[int, dict[str, RowDigest]] = defaultdict(dict)
    for record in pages.records():
        match record.number, record.cells:
            case (int(number), (None, str(name), float() | int())) | (
                None,
                (str(name), int(number)),
            ):
                found[number][name] = RowDigest(name)
    return found


def _row(cells: Cells) -> _Row | None:
    match cells:
        case (int(system), bytes(key), str() | None as text, str(fault), *rest):
            output = None if text is None else text.encode()
            match rest:
                case []:
                    return _Row(system, key, output, fault.encode(), None)
                case [bytes(digest)]:
                    return _Row(system, key, output, fault.encode(), digest)
    return None


def _named(row: _Row, names: dict[str, RowDigest], version: int) -> _Found | None:
    """The answer in a row under the signature that its digest fits."""
    for name, right in names.items():
        if row.digest is not None:
            answer = answer_in(right, *row[1:])
        elif version < VERSION and len(names) == 1:
            answer = unchecked(row.output, row.fault)
        else:
            answer = None
        if answer is not None:
            return _Found(name, row.key.hex(), answer)
    return None


def _keep(store: Store, found: Sequence[_Found], doubtful: set[tuple[str, str]]) -> None:
    """Store answers; of one text that has two translations nobody knows which was the last."""
    by_system: defaultdict[str, dict[str, list[Translation]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for one in found:
        by_system[one.signature][one.text].append(one.answer)
    for signature, answers in by_system.items():
        held = store.lookup_ids(signature, list(answers))
        for text, before in held.items():
            answers[text].append(before)
        doubtful |= {
            (signature, text)
            for text, some in answers.items()
            if len({answer.text for answer in some} - {None}) > 1
        }
        rows = {
            text: _TWO if (signature, text) in doubtful else max(some, key=_is_translation)
            for text, some in answers.items()
        }
        store.save_ids(signature, rows, replace=True)


def _is_translation(answer: Translation) -> bool:
    return answer.text is not None
