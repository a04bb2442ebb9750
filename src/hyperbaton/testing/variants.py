"""A strategy for Hypothesis: small changes of a text that a reader looks through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.search.changes import Change, both
from hyperbaton.testing.materials import changes_of, kinds_named, material_of

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
