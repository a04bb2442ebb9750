"""What a corpus yields: items with a source and, where there is one, a reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hyperbaton.language.sentence import Sentence

Text = str | Sentence
"""One side of an item: plain text, or text with its parse."""


@dataclass(frozen=True)
class Item:
    """One row of a corpus; further columns and comments of the file are in `columns`.

    >>> Item("7", "Hello.", "Hallo.").reference_text
    'Hallo.'
    """

    id: str
    source: Text
    reference: Text | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    place: str = field(default="", compare=False, repr=False)
    """Its file and line, for messages; empty where the id itself is the number of a line."""

    @property
    def source_text(self) -> str:
        """The source as plain text."""
        return self.source if isinstance(self.source, str) else self.source.text

    @property
    def reference_text(self) -> str | None:
        """The reference as plain text."""
        return self.reference.text if isinstance(self.reference, Sentence) else self.reference
