"""The starter corpus as pairs of words, with the links that were set by hand."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from hyperbaton.alignment import Link, Links, Words

__all__ = ["LANGUAGES", "agreement", "checked", "words"]

LANGUAGES = ("de", "fr", "ru", "ja")
_LINKS = Path(__file__).parent / "checked-links.txt"


@cache
def words(language: str) -> dict[str, Words]:
    """The words of each item of the starter corpus."""
    text = files("hyperbaton").joinpath(f"data/starter/{language}.conllu").read_text("utf-8")
    items: dict[str, list[str]] = {}
    for block in text.strip().split("\n\n"):
        lines = block.split("\n")
        notes = dict(line[2:].split(" = ", 1) for line in lines if line.startswith("# "))
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        found = items.setdefault(notes.get("item_id", notes["sent_id"]), [])
        found += [row[1] for row in rows if row[0].isdigit()]
    return {item: tuple(found) for item, found in sorted(items.items())}


def checked(language: str) -> dict[str, tuple[set[Link], set[Link]]]:
    """The sure links of each item that was checked, and those that may be set."""
    items = {}
    for line in _LINKS.read_text("utf-8").splitlines():
        code, item, *links = line.split()
        if code == language:
            sure = {_link(link, "-") for link in links if "-" in link}
            items[item] = sure, sure | {_link(link, "?") for link in links if "?" in link}
    return items


def agreement(language: str, alignments: dict[str, Links]) -> tuple[int, int, int, int]:
    """Links that are right, links set, sure links that were found, sure links there are."""
    counts = [0, 0, 0, 0]
    for item, (sure, possible) in checked(language).items():
        found = set(alignments[item])
        counts[0] += len(found & possible)
        counts[1] += len(found)
        counts[2] += len(found & sure)
        counts[3] += len(sure)
    return counts[0], counts[1], counts[2], counts[3]


def _link(text: str, mark: str) -> Link:
    source, target = text.split(mark)
    return int(source), int(target)
