"""The words of a text without a parser: of a system's output, say, which nobody has parsed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hyperbaton.language.dictionary import FOLDER, read_lexicon
from hyperbaton.language.languages import base, writes_spaces
from hyperbaton.language.sentence import Sentence

_WORDS = re.compile(r"\w+['’](?=\w)|\w+(?:-\w+)*|[^\w\s]")
_ENGLISH = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")
_SPACED = "0-9A-Za-z_À-ɏЀ-ӿ"
_RUNS = re.compile(rf"(?P<own>[^\W{_SPACED}]+)|[{_SPACED}]+|[^\w\s]")


def cut(text: str, language: str = "") -> list[str]:
    """Words and marks; Japanese and Chinese by dictionary, other texts without spaces by character.

    >>> cut("L'eau est-elle bonne ?", "fr")
    ["L'", 'eau', 'est-elle', 'bonne', '?']
    >>> cut("彼女はTom Foxを見た。", "ja")
    ['彼女', 'は', 'Tom', 'Fox', 'を', '見た', '。']
    """
    if writes_spaces(language):
        return (_ENGLISH if base(language) == "en" else _WORDS).findall(text)
    path = FOLDER / f"{base(language)}-en.tsv.xz"
    lexicon = read_lexicon(path) if path.is_file() else None
    words: list[str] = []
    for run in _RUNS.finditer(text):
        own = run["own"]
        words += [run[0]] if own is None else lexicon.cut(own) if lexicon else own
    return words


def spaced(text: str, words: Sequence[str], language: str = "") -> Sentence:
    """The words of a text with the spaces that they have in it.

    >>> spaced("C'est bon !", ["C'", "est", "bon", "!"], "fr").spaces
    (False, True, True, False)
    """
    spaces, at = [], 0
    for word in words:
        at = max(at, text.find(word, at) + len(word))
        spaces.append(text[at : at + 1].isspace())
    return Sentence(tuple(words), tuple(spaces), language)
