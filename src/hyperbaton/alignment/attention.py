"""`attention`: the links that a translator makes itself, by what it looks at while it writes."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from hyperbaton.alignment.aligner import Aligner, Links, Pair, Symmetry, Words, symmetrise
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.detokenise import detokenised
from hyperbaton.systems.ct2.system import Attended, Attends
from hyperbaton.systems.system import SYSTEMS, System

_CHUNK = 256
"""Pairs whose attention is in memory at once."""
_MARKS = str.maketrans("", "", "▁Ġ")


@dataclass(frozen=True)
class Attention(Aligner):
    """Links each word to the one that a translator looks at most while it writes the other.

    Without a system, a study takes the attention of the one whose translation it is.
    """

    name: ClassVar[str] = "attention"

    system: str = ""
    symmetry: Symmetry = "intersection"

    def of(self, system: str) -> Attention:
        """The same with the attention of a system, unless one is named already."""
        return self if self.system else replace(self, system=system)

    def align(
        self,
        pairs: Sequence[Pair],
        source: str = "",
        target: str = "",
        texts: Sequence[tuple[str, str]] | None = None,
    ) -> list[Links]:
        """The links of each pair; none where the system cannot take it.

        `texts` are what the words were cut from, and what the system is given.
        """
        if texts is None:
            texts = [(detokenised(one, source), detokenised(two, target)) for one, two in pairs]
        found: list[Links] = []
        with self._spec().open(source, target) as translator:
            if not isinstance(translator, Attends):
                raise HyperbatonError(
                    f"'{self}': '{self.system}' does not show its attention; "
                    "bundled, ct2: and argos: do"
                )
            for start in range(0, len(pairs), _CHUNK):
                chunk = pairs[start : start + _CHUNK]
                given = texts[start : start + _CHUNK]
                attended = translator.attend_to(
                    [one for one, _ in given], [two for _, two in given]
                )
                found += [
                    () if one is None else links(pair, one, self.symmetry)
                    for pair, one in zip(chunk, attended, strict=True)
                ]
        return found

    def attends(self, source: str, target: str) -> bool:
        """Whether the system shows its attention."""
        with self._spec().open(source, target) as translator:
            return isinstance(translator, Attends)

    def signature(self, source: str = "", target: str = "") -> str:
        """The name, and the signature of the system where one is named."""
        if not self.system:
            return str(self)
        with self._spec().open(source, target) as translator:
            return f"{self}|{translator.signature}"

    def _spec(self) -> System:
        if not self.system:
            raise HyperbatonError("attention: name the translator, as attention(system=bundled)")
        return SYSTEMS.parse(self.system)


def links(pair: Pair, attended: Attended, symmetry: Symmetry = "intersection") -> Links:
    """The words of a pair by the attention between their pieces; none if these do not fit."""
    sources, targets = owners(attended.source, pair[0]), owners(attended.target, pair[1])
    if sources is None or targets is None:
        return ()
    weights = _by_word(_by_word(attended.attention, targets, len(pair[1])).T, sources, len(pair[0]))
    if not weights.size:
        return ()
    forward = {(int(row), j) for j, row in enumerate(weights.argmax(axis=0)) if weights[row, j]}
    backward = {(i, int(at)) for i, at in enumerate(weights.argmax(axis=1)) if weights[i, at]}
    return symmetrise(forward, backward, symmetry)


def owners(pieces: Sequence[str], words: Words) -> list[int | None] | None:
    """The word that each piece begins in, None for marks; None where pieces and words differ.

    >>> owners(["<2de>", "▁un", "heard", "▁of", ".", "</s>"], ["unheard", "of", "."])
    [None, 0, 0, 1, 2, None]
    """
    letters = [(at, letter) for at, word in enumerate(words) for letter in _plain(word)]
    text = "".join(letter for _, letter in letters)
    place = 0
    found: list[int | None] = []
    for piece in pieces:
        surface = _plain(piece.removeprefix("##").removesuffix("@@").translate(_MARKS))
        fits = bool(surface) and text.startswith(surface, place)
        found.append(letters[place][0] if fits else None)
        place += len(surface) if fits else 0
    return found if place == len(text) else None


def _plain(text: str) -> str:
    """Letters as most tokenizers see them: one form, no case, no spaces."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _by_word(
    weights: NDArray[np.float32], owner: Sequence[int | None], words: int
) -> NDArray[np.float32]:
    """Rows of pieces added up to rows of words."""
    found = np.zeros((words, weights.shape[1]), np.float32)
    for row, word in zip(weights, owner, strict=True):
        if word is not None:
            found[word] += row
    return found
