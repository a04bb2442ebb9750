"""Old runs in which two items have one id: the later ones are given names of their own.

Runs of today are refused such a corpus (`distinct_ids`); those that were made before can be read.
An item never lies in two parts, so an id that comes again in another part is another item; within
a part the source tells them apart.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hyperbaton.pipeline.design import Pair

_TELLING = ("item", "variant", "draw", "source")
"""What tells items apart."""
Parts = Callable[[Sequence[str]], Iterator[tuple[int, pl.DataFrame]]]
"""These columns of every part, with its number."""
Renamed = dict[int, pl.Series]
"""The column `item` of those parts in which it changes."""
_KEYS = ["item", "source"]
_log = logging.getLogger(__name__)


class NewNames:
    """The new names of a run, found when they are first asked for, and told aloud."""

    def __init__(self, folder: Path, aloud: bool) -> None:
        self._folder = folder
        self._aloud = aloud
        self._found: dict[Pair, Renamed] = {}

    def of(self, pair: Pair, parts: Parts) -> Renamed:
        """Those of a pair, whose parts may have to be read twice."""
        if pair not in self._found:
            self._found[pair], ids = _renamed(parts)
            if ids and self._aloud:
                _warn(self._folder, pair, ids)
        return self._found[pair]


@cache
def _warn(folder: Path, pair: Pair, ids: int) -> None:
    """Say it once, however often the run is opened."""
    _log.warning(
        "hyperbaton: %s: in %s %s for several items; the later ones are called 'ID (2)' and so on. "
        "Give every item of the corpus an id of its own before the next run",
        *(folder, pair, "one id stands" if ids == 1 else f"{ids:,} ids stand"),
    )


def _renamed(parts: Parts) -> tuple[Renamed, int]:
    """New names by part, and how many ids stood for several items; nothing in sound runs."""
    known = [_hashes(_keys(frame).unique()["item"]) for _, frame in parts(_TELLING)]
    hashes = np.sort(np.concatenate(known)) if known else np.empty(0, np.uint64)
    again = np.unique(hashes[1:][hashes[1:] == hashes[:-1]])
    if not len(again):
        return {}, 0
    renamed: Renamed = {}
    used: dict[str, int] = {}
    for part, frame in parts(_TELLING):
        keys = _keys(frame)
        items = keys.unique(maintain_order=True)
        repeated = np.isin(_hashes(items["item"]), again)
        new = [
            _name(item, used, hashes) if comes_again else item
            for item, comes_again in zip(items["item"], repeated, strict=True)
        ]
        if new != items["item"].to_list():
            names = items.with_columns(pl.Series("new", new, pl.String))
            joined = keys.join(names, on=_KEYS, how="left", maintain_order="left", nulls_equal=True)
            renamed[part] = joined["new"].alias("item")
    return renamed, len(used)


def _keys(frame: pl.DataFrame) -> pl.DataFrame:
    """What names the item of each row: its id, and the source where one cell has two of them."""
    cell = ["item", "variant", "draw"]
    rows = frame.unique(_TELLING)
    clashing = rows.filter(rows.select(cell).is_duplicated())["item"].unique()
    source = pl.when(pl.col("item").is_in(clashing.implode())).then("source")
    return frame.select("item", source.alias("source"))


def _hashes(items: pl.Series) -> NDArray[np.uint64]:
    return items.hash(seed=0).to_numpy()


def _name(item: str, used: dict[str, int], hashes: NDArray[np.uint64]) -> str:
    """The id itself the first time, then with a number that makes no other id of the run."""
    used[item] = used.get(item, 0) + 1
    if used[item] == 1:
        return item
    name = f"{item} ({used[item]})"
    taken = _hashes(pl.Series([name]))[0]
    at = int(np.searchsorted(hashes, taken))
    return name if at == len(hashes) or hashes[at] != taken else _name(item, used, hashes)
