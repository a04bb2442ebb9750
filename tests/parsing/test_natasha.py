"""The natasha adapter against natasha itself."""

from __future__ import annotations

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.parsing.natasha_parser import is_tree
from hyperbaton.parsing.parser import PARSERS
from tests.parsing.conftest import SHARED, opened

natasha = pytest.importorskip("natasha")


def _texts() -> list[str]:
    path = SHARED / "tatoeba" / "en-ru.ru"
    if not path.is_file():
        pytest.skip("needs ../shared")
    return path.read_text(encoding="utf-8").splitlines()[:250]


def test_its_own_heads_wherever_they_are_a_tree() -> None:
    from razdel import sentenize

    texts = [text for text in _texts() if len(list(sentenize(text))) == 1]
    embedding = natasha.NewsEmbedding()
    tagger, parser = natasha.NewsMorphTagger(embedding), natasha.NewsSyntaxParser(embedding)
    sentences = list(opened("ru").parse(texts))
    words = [list(sentence.words) for sentence in sentences]
    tagged, parsed = tagger.map(words), parser.map(words)
    trees = broken = 0
    for sentence, tags, arcs in zip(sentences, tagged, parsed, strict=True):
        assert sentence.upos == tuple(token.pos for token in tags.tokens)
        tokens = arcs.tokens
        heads = [int(token.head_id) - 1 for token in tokens]
        if not is_tree(heads):
            broken += 1
            continue
        trees += 1
        assert sentence.heads == tuple(i if h < 0 else h for i, h in enumerate(heads))
        labels = [token.rel for token in tokens]
        assert sentence.deps is not None
        assert [a for a, h in zip(sentence.deps, heads, strict=True) if h >= 0] == [
            b for b, h in zip(labels, heads, strict=True) if h >= 0
        ]
    assert trees > 150
    assert broken > 0


def test_only_russian() -> None:
    with pytest.raises(HyperbatonError, match="natasha parses Russian, not 'de'"):
        PARSERS.parse("natasha").open("de")
