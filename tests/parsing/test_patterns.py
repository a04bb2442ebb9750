"""Long regular expressions are compiled to the same as ever, each of their classes once."""

from __future__ import annotations

import re
from typing import Any

import pytest

from hyperbaton.parsing.patterns import classes_read_once

LETTERS = "".join(chr(code) for code in range(0x100, 0x370) if chr(code).islower())
HYPHENS = "-–—~"
WORDS = [f"^été{n}[{HYPHENS}][{LETTERS}]+\\[[^{LETTERS}]*(?:x[]{LETTERS}]|y)$" for n in range(40)]
LONG = "(?iu)" + "|".join(f"(?:{word})" for word in WORDS)


def test_what_is_made_is_the_same() -> None:
    plain = re.compile(LONG)
    re.purge()
    with classes_read_once():
        fast = re.compile(LONG)
    assert fast is not plain
    assert fast == plain
    assert fast.fullmatch("ÉTÉ7-ĂŒ[x]")
    assert not fast.fullmatch("été7-ăœ[xz")


def test_a_class_is_prepared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler: Any = vars(re)["_compiler"]
    prepare, asked = compiler._optimize_charset, []

    def noted(charset: list[Any], *how: Any) -> Any:
        asked.append(len(charset))
        return prepare(charset, *how)

    monkeypatch.setattr(compiler, "_optimize_charset", noted)
    re.purge()
    with classes_read_once():
        re.compile(LONG)
    assert sum(size > len(HYPHENS) for size in asked) <= 6
    assert compiler._optimize_charset is noted


def test_an_expression_that_is_wrong_is_refused_as_ever() -> None:
    with classes_read_once(), pytest.raises(re.error, match="unterminated"):
        re.compile(f"{LONG}|[{LETTERS}")
    assert re.compile(f"[{LETTERS}]").match("ă")


def test_the_french_of_spacy() -> None:
    words = pytest.importorskip("spacy.lang.fr.tokenizer_exceptions")
    plain = words.TOKEN_MATCH.__self__
    re.purge()
    with classes_read_once():
        assert re.compile(plain.pattern) == plain
