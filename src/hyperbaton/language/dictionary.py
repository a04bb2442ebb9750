"""The dictionary of one direction: one word of the source, what stands for it in the target."""

from __future__ import annotations

import lzma
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import DATA

FOLDER = DATA / "gloss"
_FAR_MORE = 10
"""By Zipf's law a word of ten times the rank is a tenth as frequent."""
_UNKNOWN = 30.0
"""The cost of a character that no word has: more than any two words."""


@dataclass(frozen=True)
class Lexicon:
    """Words with their translations, the most frequent word first."""

    entries: Mapping[str, str]
    """The translation of each word; empty for a word that mostly has none."""

    @cached_property
    def _ranks(self) -> Mapping[str, int]:
        return {word: rank for rank, word in enumerate(self.entries, 1)}

    @cached_property
    def _costs(self) -> Mapping[str, float]:
        scale = math.log(len(self.entries) + 1)
        return {word: math.log(rank * scale + 1) for rank, word in enumerate(self.entries, 1)}

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.entries), default=1)

    def find(self, word: str) -> str | None:
        """The translation of a word in whatever case it is written.

        Where a word stands does not count: "May" is the month, not a capital at the start, unless
        "may" is far more frequent.

        >>> lexicon = Lexicon({"may": "kann", "May": "Mai", "Paris": "Paris"})
        >>> lexicon.find("may"), lexicon.find("May"), lexicon.find("MAY"), lexicon.find("paris")
        ('kann', 'Mai', 'KANN', 'Paris')
        """
        lower = word.lower()
        rank, small = self._ranks.get(word), self._ranks.get(lower)
        if rank is not None and (small is None or rank <= _FAR_MORE * small):
            return self.entries[word]
        translation = self.entries.get(lower)
        if translation is None:
            return self.entries.get(capitalised(lower))
        if len(word) > 1 and word.isupper():
            return translation.upper()
        return capitalised(translation) if word[0].isupper() else translation

    def cut(self, text: str) -> list[str]:
        """The words of a text without spaces: the most likely ones, unknown characters together.

        By Zipf's law a word of rank r is as likely as 1 / (r log n); so few words win, and of as
        many the frequent ones.

        >>> lexicon = Lexicon({"不": "not", "知道": "know", "不知": "unaware", "道": "way"})
        >>> lexicon.cut("不知道鰐鮫")
        ['不', '知道', '鰐鮫']
        """
        # best[end]: the cost of the text up to there, and where its last word starts.
        best: list[tuple[float, int]] = [(0.0, 0)]
        for end in range(1, len(text) + 1):
            starts = range(max(0, end - self._longest), end)
            best.append(min((best[at][0] + self._cost(text[at:end]), at) for at in starts))
        words: list[str] = []
        end = len(text)
        while end:
            at = best[end][1]
            if words and not self._knows(text[at:end]) and not self._knows(words[-1]):
                words[-1] = text[at:end] + words[-1]
            else:
                words.append(text[at:end])
            end = at
        return words[::-1]

    def _knows(self, word: str) -> bool:
        return word in self._costs

    def _cost(self, word: str) -> float:
        return self._costs.get(word, _UNKNOWN if len(word) == 1 else math.inf)


def capitalised(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


@lru_cache(maxsize=8)
def read_lexicon(path: Path) -> Lexicon:
    """A dictionary from a file of words and translations, a tab between them."""
    return Lexicon(read_rows(path))


def read_rows(path: Path) -> dict[str, str]:
    """What stands behind the first tab of each line, by what stands before it."""
    try:
        text = lzma.decompress(path.read_bytes()).decode("utf-8")
    except (lzma.LZMAError, UnicodeDecodeError):
        raise HyperbatonError(
            f"{path} is damaged: install hyperbaton again (pip install --force-reinstall)"
        ) from None
    rows = (line.partition("\t") for line in text.removesuffix("\n").split("\n"))
    return {first: rest for first, _, rest in rows}
