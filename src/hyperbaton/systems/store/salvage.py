"""Save from a damaged store every row whose digest is right, wherever it lies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from hyperbaton.base.database import RowDigest
from hyperbaton.base.database_repair import Pages
from hyperbaton.systems.store.store import Store, answer_in
from hyperbaton.systems.system import Translation

_BATCH = 10_000
_TWO = Translation(None, "the damaged store held two translations of this text")


class _Saved(NamedTuple):
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
        answers = chain.from_iterable(map(self._sound, sources))
        doubtful: set[tuple[str, str]] = set()
        with Store(folder) as store:
            while some := list(islice(answers, _BATCH)):
                _keep(store, some, doubtful)
            self.saved = sum(held.translations + held.faults for held in store.holdings())
        return store.path

    def _sound(self, pages: Pages) -> Iterator[_Saved]:
        signatures = _signatures(pages)
        for record in pages.records():
            match record.cells:
                case (int(system), bytes(key), str() | None as text, str(fault), bytes(digest)):
                    output = None if text is None else text.encode()
                case _:
                    continue
            for name, right in signatures[system].items():
                answer = answer_in(right, key, output, fault.encode(), digest)
                if answer is not None:
                    yield _Saved(name, key.hex(), answer)
                    break
            else:
                self.lost += 1


def _signatures(pages: Pages) -> defaultdict[int, dict[str, RowDigest]]:
    """The systems by their number, as a table has them and its index: one of the two may lie."""
    digests: defaultdict[int, dict[str, RowDigest]] = defaultdict(dict)
    for record in pages.records():
        match record.number, record.cells:
            case (int(number), (None, str(name), float() | int())) | (
                None,
                (str(name), int(number)),
            ):
                digests[number][name] = RowDigest(name)
    return digests


def _keep(store: Store, saved: Sequence[_Saved], doubtful: set[tuple[str, str]]) -> None:
    """Store answers; of one text that has two translations nobody knows which was the last."""
    by_system: defaultdict[str, dict[str, list[Translation]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for row in saved:
        by_system[row.signature][row.text].append(row.answer)
    for signature, answers in by_system.items():
        for text, before in store.lookup_ids(signature, list(answers)).items():
            answers[text].append(before)
        for text, some in answers.items():
            if len({answer.text for answer in some} - {None}) > 1:
                doubtful.add((signature, text))
        rows = {
            text: _TWO
            if (signature, text) in doubtful
            else max(some, key=lambda answer: answer.text is not None)
            for text, some in answers.items()
        }
        store.save_ids(signature, rows, replace=True)
