"""Every real parser that is installed: its words spell the text, its trees are trees and right."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.parsing.opening import CachedParser
from hyperbaton.parsing.parser import Parser
from tests.parsing.trees import check, facts

KNOWN: dict[str, tuple[str, str, dict[str, str]]] = {
    "en": ("The dog chased a cat.", "chased", {"nsubj": "dog", "dobj": "cat", "punct": "."}),
    "de": ("Der Hund jagt die Katze.", "jagt", {"nsubj": "Hund", "obj": "Katze", "punct": "."}),
    "fr": ("Le chien mange une pomme.", "mange", {"nsubj": "chien", "obj": "pomme", "punct": "."}),
    "es": (
        "El perro come una manzana.",
        "come",
        {"nsubj": "perro", "obj": "manzana", "punct": "."},
    ),
    "it": ("Il cane mangia una mela.", "mangia", {"nsubj": "cane", "obj": "mela", "punct": "."}),
    "ru": ("Собака быстро ест яблоко.", "ест", {"nsubj": "Собака", "obj": "яблоко", "punct": "."}),
    "ja": ("犬が猫を追いかけた。", "追いかけ", {"nsubj": "犬", "obj": "猫", "punct": "。"}),
    "zh": ("我喜欢苹果。", "喜欢", {"nsubj": "我", "obj": "苹果", "punct": "。"}),
}
ODD = [
    "",
    "   ",
    ".",
    "?!…",
    "a",
    "  two  spaces\u00a0and\tmore \n",
    "😀👨‍👩‍👧 ok — e\u0301 \u200b x",
    "https://example.org/a?b=c&d=1 and me@example.org",
    "„Quoted“ «text» 「文」 (and) [more]...",
    "One. Two! Three? 四。五！",
    "日本語 and English と русский",
    "I couldn't've gone to the U.S. on 3.14.2015, y'all's o'clock",
]


def test_known_sentence(language: str, parser: Parser) -> None:
    text, root, related = KNOWN[language]
    [sentence] = parser.parse([text])
    found = facts(sentence)
    assert found[0] == root
    assert related.items() <= found[1].items()
    assert sentence.scheme == ("clear" if language == "en" else "ud")
    assert f"labels:{sentence.scheme}" in parser.signature
    assert sentence.language == language


def test_odd_texts(parser: Parser) -> None:
    for text, sentence in zip(ODD, parser.parse(ODD), strict=True):
        check(sentence, text)


def test_real_texts(parser: Parser, real_lines: list[str]) -> None:
    for text, sentence in zip(real_lines, parser.parse(real_lines), strict=True):
        check(sentence, text)


def test_one_by_one_is_the_same_and_ids_do_not_matter(
    language: str, parser: Parser, real_lines: list[str]
) -> None:
    lines = [KNOWN[language][0], *ODD, *real_lines[::20]]
    batch = list(parser.parse(lines, ids=[f"x{i}" for i in range(len(lines))]))
    single = [next(parser.parse([line])) for line in lines]
    assert batch == single
    assert [s.id for s in batch] == [f"x{i}" for i in range(len(lines))]
    assert {s.id for s in single} == {"0"}
    assert list(parser.parse(reversed(lines))) == batch[::-1]


def test_cached_is_as_fresh(
    language: str, parser: Parser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [KNOWN[language][0], *ODD]
    fresh = list(parser.parse(lines))
    with CachedParser(parser, tmp_path, batch=5) as cached:
        assert list(cached.parse(lines)) == fresh
        monkeypatch.setattr(type(parser), "parse", None)
        assert list(cached.parse(lines)) == fresh


def test_several_sentences(language: str, parser: Parser) -> None:
    text = KNOWN[language][0]
    gap = "" if language in ("ja", "zh") else " "
    joined = gap.join([text, text])
    [sentence] = parser.parse([joined])
    check(sentence, joined)
    # zh_ud_sm is known to divide joined sentences in other places.
    assert language == "zh" or len(sentence) // 2 in sentence.starts


def test_fewer_ids_than_texts(parser: Parser) -> None:
    with pytest.raises(HyperbatonError, match="fewer ids than texts"):
        list(parser.parse(["a", "b"], ids=["1"]))
