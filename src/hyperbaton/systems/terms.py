"""The terms on which a server wants to be asked, which the store remembers for each system.

They are kept as the answer to the blank text, for which no system is ever asked.
"""

from __future__ import annotations

from hyperbaton.base.database import Unusable
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import Translation, Translator

_BLANK = ""


def recall_terms(translator: Translator, store: Store | None) -> None:
    """Have a translator ask on the terms that its server is known for."""
    if translator.negotiable and store is not None:
        terms = store.lookup(translator.signature, [_BLANK]).get(_BLANK)
        if terms is not None and terms.text:
            translator.agree(terms.text)


def remember_terms(signature: str, terms: str, store: Store | None) -> None:
    """Keep the terms for the next time that the same is asked for."""
    if store is not None and store.writable:
        try:
            store.save(signature, {_BLANK: Translation(terms)}, replace=True)
        except Unusable as error:
            store.give_up(error)
