"""Alignments in files: the Pharaoh format, a line a pair, links as `0-0 1-2` between spaces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from hyperbaton.alignment.aligner import Aligner, Links, Pair
from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import write_bytes
from hyperbaton.base.wording import counted

_LINK = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)


@dataclass(frozen=True)
class Pharaoh(Aligner):
    """Reads links from a file in the Pharaoh format, one line for each pair."""

    name: ClassVar[str] = "pharaoh"
    positional: ClassVar[str] = "path"
    given = True

    path: str

    def align(self, pairs: Sequence[Pair], source: str = "", target: str = "") -> list[Links]:
        """The lines of the file, checked against the words of the pairs."""
        links = read_pharaoh(Path(self.path).expanduser())
        if len(links) != len(pairs):
            raise HyperbatonError(
                f"'{self.path}' has {counted(len(links), 'line')} for "
                f"{counted(len(pairs), 'sentence pair')}: "
                "it needs one line for each pair, an empty one where nothing is linked"
            )
        for number, (found, pair) in enumerate(zip(links, pairs, strict=True), 1):
            for i, j in found:
                if i >= len(pair[0]) or j >= len(pair[1]):
                    raise HyperbatonError(
                        f"'{self.path}', line {number}: the link {i}-{j} is outside the pair, "
                        f"which has {len(pair[0])} source and {len(pair[1])} target words "
                        "(links count from 0)"
                    )
        return links

    def signature(self, source: str = "", target: str = "") -> str:
        """The name and the hash of the file."""
        path = Path(self.path).expanduser()
        if not path.is_file():
            read_pharaoh(path)  # which says what is wrong
        return f"{self}|content:{fingerprint([path])}"


def read_pharaoh(path: Path) -> list[Links]:
    """The links of each line."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise HyperbatonError(f"there is no alignment file '{path}'") from None
    except IsADirectoryError:
        raise HyperbatonError(f"'{path}' is a folder: name a file of alignments") from None
    except UnicodeDecodeError:
        raise HyperbatonError(
            f"'{path}' is not a text file: alignments look like 0-0 1-2"
        ) from None
    lines = text.removesuffix("\n").split("\n") if text else []
    return [_links(line, f"'{path}', line {number}") for number, line in enumerate(lines, 1)]


def write_pharaoh(path: Path, alignments: Iterable[Links]) -> None:
    """Write a line for each pair, which `pharaoh:PATH` reads back."""
    lines = (" ".join(f"{i}-{j}" for i, j in links) + "\n" for links in alignments)
    write_bytes(path, "".join(lines).encode())


def _links(line: str, where: str) -> Links:
    links = set()
    for piece in line.split():
        match = _LINK.fullmatch(piece)
        if match is None:
            raise HyperbatonError(
                f"{where}: '{piece[:40]}' is not a link: write source-target, as 0-0"
            )
        links.add((int(match[1]), int(match[2])))
    return tuple(sorted(links))
