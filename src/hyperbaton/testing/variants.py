"""A strategy for Hypothesis: small changes of a text that a reader looks through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.language.languages import writes_spaces
from hyperbaton.language.sentence import Sentence
from hyperbaton.parsing.plain import PlainParser
from hyperbaton.search.candidates import KINDS, Material, candidates, known_words
from hyperbaton.search.changes import Change, both, kind_text
from hyperbaton.search.searching import kind_named

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def variants(
    text: str, language: str = "en", *, under: Sequence[str] = (), most: int = 2, seed: int = 0
) -> SearchStrategy[str]:
    """The text after one change or several, `most` at once; never the text itself.

    Hypothesis shrinks a failing variant to few changes, those first that a reader hardly sees.

        @given(variants("She has 3 cats.", under=["case", "final mark"]))
        def test_the_number_stays(translate, varied):
            assert "3" in translate(varied)
    """
    need("hypothesis", extra="test")
    from hypothesis import strategies as st

    material = material_of(text, language, seed=seed)
    changes = changes_of(material, kinds_named(under))
    if most < 1:
        raise HyperbatonError(f"most is the number of changes at once, at least 1, not {most}")

    def varied(chosen: Sequence[Change]) -> str:
        joined = Change()
        for change in chosen:
            joined = both(joined, change) or joined
        return joined.text(material.words)

    some = st.lists(st.sampled_from(changes), min_size=1, max_size=most, unique=True)
    return some.map(varied).filter(lambda other: other != text)


def kinds_named(under: Sequence[str]) -> tuple[str, ...]:
    """The kinds of changes of these names, or all."""
    return tuple(dict.fromkeys(map(kind_named, under))) or tuple(KINDS)


def material_of(text: str, language: str, number: int = 1, seed: int = 0) -> Material:
    """A text cut into words without a parser, which tests need not wait for."""
    sentence = Sentence.unparsed(text, language, str(number))
    if writes_spaces(language):
        cut = next(PlainParser(language).parse([text], [str(number)]))
        sentence = cut if cut.text == text else sentence
    return Material(sentence, known_words(language), seed)


def changes_of(material: Material, kinds: Sequence[str]) -> list[Change]:
    """Its changes; a text that has none tests nothing."""
    found = [one for some in candidates(material, kinds).values() for one in some]
    if not found:
        names = ", ".join(map(kind_text, kinds))
        raise HyperbatonError(f"'{material.words.text}' has nothing to change: {names}")
    return found
