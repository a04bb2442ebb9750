"""The corpus that Hyperbaton ships: 200 everyday sentences in eight languages, parsed.

The texts were written for this project and have its licence. `scripts/build_starter.py` parses
them anew; where the parser was plainly wrong, a `# corrected` comment names the words.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import DATA
from hyperbaton.corpus.conllu import read_conllu
from hyperbaton.corpus.item import Item
from hyperbaton.language.languages import PAPER_LANGUAGES, base
from hyperbaton.language.sentence import Sentence

STARTER_LANGUAGES = PAPER_LANGUAGES
"""The languages of the starter corpus; each of them can be source or target."""

FOLDER = DATA / "starter"


def starter(
    source: str = "en", target: str | None = "de", limit: int | None = None
) -> tuple[Item, ...]:
    """The items of the starter corpus in one pair of languages, or in one language alone.

    The column `tag` names what an item is an example of: question, negation, verse and so on.
    `limit` reads the first items only.

    >>> item = starter("en", "fr")[193]
    >>> item.id, item.source_text, item.reference_text, item.columns["tag"]
    ('s194', 'How old are you?', 'Quel âge as-tu ?', 'short')
    """
    sources = _items(_known(source), limit)
    references = {item.id: item.source for item in _items(_known(target), limit)} if target else {}
    return tuple(
        replace(
            item,
            reference=references[item.id] if references else None,
            columns=MappingProxyType({"tag": item.columns["tag"]}),
            place="",
        )
        for item in sources
    )


def starter_file(language: str) -> Path:
    """Where the sentences of a language are."""
    return FOLDER / f"{_known(language)}.conllu"


def _known(language: str) -> str:
    if base(language) not in STARTER_LANGUAGES:
        raise HyperbatonError(
            f"the starter corpus is not in '{language}': choose from {', '.join(STARTER_LANGUAGES)}"
        )
    return base(language)


@cache
def _items(language: str, limit: int | None) -> tuple[Item, ...]:
    items = tuple(islice(read_conllu(starter_file(language), language), limit))
    if not all(isinstance(item.source, Sentence) for item in items):
        raise HyperbatonError(f"the starter corpus is damaged in '{language}': install it again")
    return items
