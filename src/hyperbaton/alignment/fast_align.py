"""`fast_align`: links learnt from the pairs themselves (Dyer, Chahuneau and Smith 2013)."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import numpy as np

from hyperbaton.alignment.aligner import Aligner, Link, Links, Pair, Symmetry, symmetrise
from hyperbaton.alignment.gloss import dictionaries, key, lexical
from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError, MissingExtra, need

_COPIES = 3
"""How often an entry that one dictionary has is shown: enough to outweigh a chance meeting."""
_RULES = 3
"""Raised when the code makes other links of the same pairs."""
Table = Mapping[str, Mapping[str, float]]
"""For each word, how likely each word of the other language stands for it."""

NULL = "<eps>"
_VERSION = 2
_WITHOUT = (3, 12)
"""The first Python for which systran-align 3.5.0 was not built."""
_UNSEEN = 1e-9
_TENSION = 4.0
_NULL_SHARE = 0.08
"""fast_align's own settings: the pull of the diagonal, the share of words without a link."""


@dataclass(frozen=True)
class FastAlign(Aligner):
    """Learns links from all pairs together, through systran-align; dictionaries help it start.

    `text` is a file of more pairs to learn from: `source ||| target`, words with spaces between.
    """

    name: ClassVar[str] = "fast_align"

    symmetry: Symmetry = "intersection"
    dictionary: bool = True
    text: str = ""

    def align(self, pairs: Sequence[Pair], source: str = "", target: str = "") -> list[Links]:
        """The links of each pair; the same pairs give the same links."""
        keyed = [(_keys(one), _keys(two)) for one, two in pairs]
        known = [*keyed, *self._more()]
        if not any(one and two for one, two in known):
            return [() for _ in pairs]
        if self.dictionary:
            known += self._entries(known, (source, target))
        forward, backward = _learn(known)
        return [
            symmetrise(
                best(one, two, forward),
                {(i, j) for j, i in best(two, one, backward)},
                self.symmetry,
            )
            for one, two in keyed
        ]

    def signature(self, source: str = "", target: str = "") -> str:
        """The name, and the hash of dictionaries and further text."""
        files = dictionaries(source, target) if self.dictionary else []
        files += [self._file()] if self.text else []
        _library()
        library = f"systran-align:{version('systran-align')}"
        return f"{self}|{library}|files:{fingerprint(files)}|rules:{_RULES}"

    def _entries(
        self, known: Sequence[tuple[list[str], list[str]]], languages: tuple[str, str]
    ) -> list[tuple[list[str], list[str]]]:
        """Dictionary entries as pairs of one word each."""
        sources = {word for one, _ in known for word in one}
        targets = {word for _, two in known for word in two}
        found = lexical(sources, targets, languages)
        return [
            ([one], [two])
            for (one, two), strength in sorted(found.items())
            for _ in range(round(_COPIES * strength))
        ]

    def _file(self) -> Path:
        path = Path(self.text).expanduser()
        if not path.is_file():
            raise HyperbatonError(f"'{self}': there is no file '{self.text}'")
        return path

    def _more(self) -> Iterator[tuple[list[str], list[str]]]:
        if not self.text:
            return
        with self._file().open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                one, bars, two = line.partition(" ||| ")
                if not bars:
                    raise HyperbatonError(
                        f"'{self.text}', line {number}: no ' ||| ' between source and target"
                    )
                yield _keys(one.split()), _keys(two.split())


def _keys(words: Sequence[str]) -> list[str]:
    return [key(word) for word in words]


def _library() -> ModuleType:
    try:
        return need("systran_align", extra="align", package="systran-align")
    except MissingExtra:
        if sys.version_info < _WITHOUT:
            raise
        raise MissingExtra(
            "systran-align is not installed, and PyPI has it for Python 3.11 and older only: "
            "use Python 3.11, or link words with --align gloss"
        ) from None


def _learn(pairs: Sequence[tuple[list[str], list[str]]]) -> tuple[Table, Table]:
    """The tables of both directions."""
    library = _library()
    threads = need("threadpoolctl", extra="align")
    with tempfile.TemporaryDirectory() as folder:
        text, forward, backward = (Path(folder) / name for name in ("text", "forward", "backward"))
        lines = (f"{' '.join(one)} ||| {' '.join(two)}\n" for one, two in pairs if one and two)
        text.write_text("".join(lines), encoding="utf-8")
        # Several threads add up counts in any order, and a link that is nearly a tie may flip.
        with threads.threadpool_limits(1, user_api="openmp"):
            library.generate_alignment_probabilities(
                str(text),
                str(forward),
                str(backward),
                favor_diagonal=True,
                optimize_tension=True,
                variational_bayes=True,
            )
        return read_table(forward), read_table(backward)


def read_table(path: Path) -> Table:
    """A table as systran-align 3.5 writes it.

    Two 32-bit numbers (version, vocabulary), the words, each ended by a zero byte, one number more,
    then a row for each word: its number, how many entries, and those as number and probability.
    Words are counted from 1.
    """
    raw = path.read_bytes()
    version, size = np.frombuffer(raw, "<i4", 2).tolist() if len(raw) >= 8 else (0, 0)
    if version != _VERSION:
        raise HyperbatonError(
            f"this release of systran-align writes tables of version {version}, not {_VERSION}: "
            "pip install 'systran-align==3.5.0'"
        )
    at = 8
    words = []
    for _ in range(size):
        end = raw.index(b"\0", at)
        words.append(raw[at:end].decode("utf-8"))
        at = end + 1
    numbers = np.frombuffer(raw[at:], "<i4")
    chances = np.frombuffer(raw[at:], "<f4")
    table: dict[str, dict[str, float]] = {}
    row = 1
    while row < len(numbers):
        start, stop = row + 2, row + 2 + 2 * int(numbers[row + 1])
        others = [words[number - 1] for number in numbers[start:stop:2].tolist()]
        entries = zip(others, chances[start + 1 : stop : 2].tolist(), strict=True)
        table[words[int(numbers[row]) - 1]] = dict(entries)
        row = stop
    return table


def best(givens: Sequence[str], words: Sequence[str], table: Table) -> set[Link]:
    """For each word the given word that it most likely stands for, as (given, word); or none."""
    if not givens or not words:
        return set()
    rows = [table.get(given, {}) for given in (NULL, *givens)]
    chances = np.array([[row.get(word, _UNSEEN) for word in words] for row in rows])
    places = np.arange(1, len(givens) + 1)[:, None] / len(givens)
    others = np.arange(1, len(words) + 1)[None, :] / len(words)
    pull = np.exp(-_TENSION * np.abs(places - others))
    chances[0] *= _NULL_SHARE
    chances[1:] *= (1 - _NULL_SHARE) * pull / pull.sum(axis=0)
    # Rounded, so that no processor's last digit decides between equals.
    choice = np.round(np.log(chances), 6).argmax(axis=0)
    return {(i - 1, j) for j, i in enumerate(choice.tolist()) if i}
