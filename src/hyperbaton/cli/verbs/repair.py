"""`hyperbaton cache repair`: what can be read of damaged files is saved, nothing is deleted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from hyperbaton.base.database import Damaged, complaint
from hyperbaton.base.database_repair import repair, unfinished
from hyperbaton.base.errors import printable
from hyperbaton.base.wording import counted
from hyperbaton.parsing.parse_store import FOLDER, ParseSalvage, damaged_rows
from hyperbaton.systems.store.salvage import StoreSalvage
from hyperbaton.systems.store.store import FILE, Store

__all__ = ["repair_cache"]


def repair_cache(folder: Path) -> None:
    """Check the store and the parses in a folder; write those files anew that are damaged."""
    if (folder / FILE).exists():
        _repair(folder / FILE, partial(_damaged_translations, folder), StoreSalvage())
    else:
        print(f"{folder / FILE}  is not there")
    for path in sorted((folder / FOLDER).glob("*.sqlite")):
        _repair(path, partial(damaged_rows, folder, path.name), ParseSalvage(path.name))


def _damaged_translations(folder: Path) -> int:
    with Store(folder) as store:
        return store.damaged_rows()


def _repair(path: Path, count: Callable[[], int], salvage: StoreSalvage | ParseSalvage) -> None:
    flaw = complaint(path) or _flaw_of_rows(count)
    if not flaw:
        unfinished(path).unlink(missing_ok=True)
        print(f"{path}  is sound")
        return
    kept = repair(path, salvage)
    lost = f", {counted(salvage.lost, 'row')} could not be read" if salvage.lost else ""
    print(
        f"{path}  was damaged ({printable(flaw)}): {counted(salvage.saved, 'row')} saved{lost}; "
        f"the damaged file is kept as {kept.name}"
    )


def _flaw_of_rows(count: Callable[[], int]) -> str:
    try:
        rows = count()
    except Damaged as error:
        return str(error)
    return counted(rows, "damaged row") if rows else ""
