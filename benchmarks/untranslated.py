"""How often right translations are accused of being none, and wrong ones found.

    python -m benchmarks.untranslated DIR

The folder holds `laser-tatoeba-v1` (sentences of 112 languages with English), `ntrex` (news in 16)
and `tatoeba` (8), each as plain text.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from hyperbaton.language.languages import NAMES
from hyperbaton.systems.codes import match
from hyperbaton.systems.identifier import identifier_version
from hyperbaton.systems.untranslated import foreign_languages, untranslated_answers

Bitext = tuple[str, Sequence[str], Sequence[str]]
"""A language, sentences in English, and the same in the language."""
_LENGTHS = (16, 20, 30, 60, 10_000)
_STRAYED = ("en", "de", "fr", "es", "it", "ru", "ja", "zh")


def corpora(folder: Path) -> Iterator[tuple[str, Bitext]]:
    """Every bitext by the name of its collection."""
    for path in sorted((folder / "laser-tatoeba-v1").glob("tatoeba.*-eng.*")):
        if path.suffix != ".eng":
            yield "short sentences", _bitext(path.suffix[1:], path.with_suffix(".eng"), path)
    for path in sorted((folder / "tatoeba").glob("en-*")):
        if path.suffix != ".en":
            yield "short sentences", _bitext(path.suffix[1:], path.with_suffix(".en"), path)
    for path in sorted((folder / "ntrex").glob("*.txt")):
        if path.stem != "en":
            yield "news", _bitext(path.stem, folder / "ntrex" / "en.txt", path)


def _bitext(language: str, english: Path, other: Path) -> Bitext:
    first, second = (
        [line.strip() for line in path.read_text(encoding="utf-8").split("\n")[:-1]]
        for path in (english, other)
    )
    return language, first, second


def main(folder: Path) -> None:
    """Print shares by collection and language."""
    print(identifier_version() or "py3langid is not installed: only copies are found")
    known = [corpus for corpus in corpora(folder) if _is_known(corpus[1][0])]
    for name in ("short sentences", "news"):
        some = [bitext for collection, bitext in known if collection == name]
        began, accused, texts = time.perf_counter(), 0, 0
        worst: list[tuple[float, str, int]] = []
        for language, english, right in some:
            found = untranslated_answers(english, right, ("en", language))
            wrong = sum(what is not None for what in found)
            accused, texts = accused + wrong, texts + len(found)
            worst.append((wrong / len(found), language, len(found)))
        took = (time.perf_counter() - began) / max(1, texts)
        print(
            f"{name}: {accused} of {texts:,} right translations accused ({accused / texts:.3%}), "
            f"{len(some)} languages, {1e6 * took:.0f} µs each"
        )
        print("  most often:", ", ".join(f"{c} {s:.2%}" for s, c, _ in sorted(worst)[-1:-6:-1]))
    _found([bitext for _, bitext in known])


def _is_known(language: str) -> bool:
    """Whether the identifier knows a language at all: a sentence of Greek or Thai tells."""
    other = "Το παιδί παίζει στον κήπο με τον σκύλο." if language != "ell" else "เด็กเล่นกับสุนัขในสวน"
    return foreign_languages([other], "en", language) != [None]


def _found(corpora: Sequence[Bitext]) -> None:
    """How often a text in one of eight languages is found where another large one was asked for."""
    texts = {language: right for language, _, right in corpora}
    texts["en"] = next(english for _, english, _ in corpora)
    for shortest, longest in pairwise(_LENGTHS):
        found = asked = 0
        for language in _STRAYED:
            target = next(code for code in NAMES if match(code, [language]) is None)
            some = [
                text
                for text in texts.get(language, ())[:500]
                if shortest <= sum(map(str.isalpha, text)) < longest
            ]
            asked += len(some)
            found += sum(code is not None for code in foreign_languages(some, "en", target))
        print(f"{shortest} letters or more: {found} of {asked:,} in another language found")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
