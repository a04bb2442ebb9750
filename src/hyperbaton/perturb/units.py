"""The unit family: characters, subwords or words of a text shuffled, whole, by phrase or by flips.

Unlike the word-order families it moves everything, the final mark too. A character has its accents
and other marks with it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.randomness import Rng
from hyperbaton.language.letters import is_mark, letters
from hyperbaton.language.sentence import Order, Sentence, expand
from hyperbaton.language.tokenizing import (
    is_unigram,
    load_folder,
    load_json,
    load_sentencepiece,
    load_unigram,
    pieces_of,
)
from hyperbaton.perturb.perturbation import Reordering, Unit

if TYPE_CHECKING:
    from sentencepiece import SentencePieceProcessor

Ends = Callable[[str], Iterable[int]]
"""Where in a text its tokens end, in characters."""


def flip(flips: Sequence[bool]) -> Order:
    """The order after a stream that holds one unit: a flip emits the new unit, a keep the held one.

    >>> flip([True, True, False])
    (1, 2, 0, 3)
    """
    held = 0
    order = []
    for new, flipped in enumerate(flips, 1):
        if flipped:
            order.append(new)
        else:
            order.append(held)
            held = new
    order.append(held)
    return tuple(order)


class Units(Reordering):
    """What the three share: the units of a text, and a permutation that knows only their number."""

    category = "unit"
    random = True
    unit: Unit
    tokenizer: str | None

    def __post_init__(self) -> None:
        if self.unit == "subword" and self.tokenizer is None:
            raise HyperbatonError(
                f"{self.name}(unit=subword) needs the tokenizer that makes the subwords: "
                f"{self.name}(unit=subword, tokenizer=PATH)"
            )
        if self.unit != "subword" and self.tokenizer is not None:
            raise HyperbatonError(f"{self.name}: tokenizer needs unit=subword")
        if not 0 <= (p := getattr(self, "p", 0)) <= 1:
            raise HyperbatonError(f"{self.name}: p must be between 0 and 1, not {p}")

    def units(self, sentence: Sentence) -> Sequence[str]:
        if self.tokenizer is not None:
            return subwords(sentence.text, self.tokenizer)
        return letters(sentence.text) if self.unit == "char" else sentence.words

    def write(self, sentence: Sentence, order: Order) -> str:
        if self.unit == "word":
            return sentence.arrange(order)
        return "".join(map(self.units(sentence).__getitem__, order))

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        size = len(self.units(sentence))
        return None if size < 2 else self.permute(size, rng)

    @abstractmethod
    def permute(self, size: int, rng: Rng) -> Order:
        """An order of so many units, two at least."""


@dataclass(frozen=True)
class FullShuffle(Units):
    """All units in random order.

    >>> FullShuffle().vary(Sentence.from_words(["typesetting"]), Rng(0, "1", "FullShuffle")).text
    'tpeseytintg'
    """

    name = "FullShuffle"
    unit: Unit = "char"
    tokenizer: str | None = None

    def permute(self, size: int, rng: Rng) -> Order:
        return tuple(rng.permutation(size))


@dataclass(frozen=True)
class PhraseShuffle(Units):
    """Phrases in random order; before each unit a phrase ends with probability p.

    >>> shuffle = PhraseShuffle(p=0.3)
    >>> shuffle.vary(Sentence.from_words(["typesetting"]), Rng(0, "1", str(shuffle))).text
    'tintypesget'
    """

    name = "PhraseShuffle"
    p: float
    unit: Unit = "char"
    tokenizer: str | None = None

    def permute(self, size: int, rng: Rng) -> Order:
        starts = [0, *(i for i, ends in enumerate(rng.coins(self.p, size - 1), 1) if ends), size]
        lengths = [end - start for start, end in pairwise(starts)]
        return expand(rng.permutation(len(lengths)), lengths)


@dataclass(frozen=True)
class NeighbourFlip(Units):
    """A unit in hand is overtaken by the next one with probability p, and by the one after that.

    >>> flips = NeighbourFlip(p=0.3)
    >>> flips.vary(Sentence.from_words(["typesetting"]), Rng(0, "1", str(flips))).text
    'typesteting'
    """

    name = "NeighbourFlip"
    p: float
    unit: Unit = "char"
    tokenizer: str | None = None

    def permute(self, size: int, rng: Rng) -> Order:
        return flip(rng.coins(self.p, size - 1))


@dataclass(frozen=True)
class Identity(Reordering):
    """Every word in its place: the unperturbed benchmark, and the control for a system's own noise.

    >>> Identity().order(Sentence.from_words(["as", "it", "was"]), Rng(0, "1", "identity"))
    (0, 1, 2)
    """

    name = "identity"
    category = "control"
    possible = True

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        return tuple(range(len(sentence.words)))


@lru_cache(maxsize=4096)
def subwords(text: str, tokenizer: str) -> tuple[str, ...]:
    """The pieces of a text; what no token covers, such as white space, leads the next piece.

    Tokens that share a character (bytes of one sign) make one piece, and so do those of a letter
    and its marks: an accent must not move to another letter.
    """
    ends = {end for end in _open(tokenizer)(text) if 0 < end < len(text) and not is_mark(text[end])}
    return tuple(text[a:b] for a, b in pairwise(sorted({0, len(text)} | ends)))


@cache
def _open(tokenizer: str) -> Ends:
    path = Path(tokenizer)
    if not path.exists():
        raise HyperbatonError(
            f"no tokenizer at '{tokenizer}': give a tokenizer.json, a SentencePiece model "
            "or the folder of a Hugging Face tokenizer"
        )
    if is_unigram(path):
        return _unigram(path)
    if path.is_dir():
        inside = path / "tokenizer.json"
        return _fast(inside) if inside.exists() else _transformers(path)
    return _fast(path) if path.suffix == ".json" else _ends(load_sentencepiece(path), path)


def _fast(path: Path) -> Ends:
    """A tokenizer of the `tokenizers` library."""
    tokenizer = load_json(path)

    def ends(text: str) -> Iterable[int]:
        return [end for _, end in tokenizer.encode(text, add_special_tokens=False).offsets]

    return ends


def _transformers(path: Path) -> Ends:
    """A tokenizer folder that only transformers can read."""
    tokenizer = load_folder(path, use_fast=True)
    if not tokenizer.is_fast:
        raise HyperbatonError(
            f"the tokenizer in '{path}' does not say where its tokens stand in the text; "
            "give its SentencePiece model or a tokenizer.json"
        )

    def ends(text: str) -> Iterable[int]:
        coded = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        return [end for _, end in coded["offset_mapping"]]

    return ends


def _unigram(folder: Path) -> Ends:
    """A SentencePiece model that reads characters as what they become: none, one or several."""
    processor, characters = load_unigram(folder)
    ends = _ends(processor, folder)

    def places(text: str) -> Iterable[int]:
        placed = characters.placed(text)
        read = "".join(character for character, _ in placed)
        return [placed[end - 1][1] for end in ends(read) if end]

    return places


def _ends(processor: SentencePieceProcessor, path: Path) -> Ends:
    def ends(text: str) -> Iterable[int]:
        with pieces_of(path):
            return [end for _, end in processor.EncodeAsOffsetMapping(text)["offsets"]]

    return ends
