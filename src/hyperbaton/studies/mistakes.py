"""The errors of sentences: found where two texts are given, made where there is one clean text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from hyperbaton.corpus.item import Item
from hyperbaton.corpus.m2 import Edit
from hyperbaton.perturb.errors.errors import Errors
from hyperbaton.pipeline import Pair, Parse
from hyperbaton.pipeline.learners import columns_of, edits_of
from hyperbaton.randomness import Rng
from hyperbaton.spec import Registry

__all__ = ["MADE", "errors_of", "with_errors"]

MADE: Registry[Errors] = Registry(
    "kind of errors", {"errors": "hyperbaton.perturb.errors.errors:Errors"}
)


def errors_of(item: Item, language: str) -> list[Edit]:
    """The edits of an item: those that it came with, or those that an annotator finds."""
    edits = edits_of(item)
    if edits is not None:
        return edits
    from hyperbaton.parsing.annotators import annotator

    sides = (json.loads(item.columns[f"{side}_words"]) for side in ("noisy", "clean"))
    return [Edit(*found) for found in annotator(language)(*sides) if found.type != "noop"]


def with_errors(
    items: Sequence[Item], spec: str, seed: int, pair: Pair, parse: Parse
) -> Iterator[Item]:
    """Clean sentences beside the same with errors; those that no error fits are left out."""
    made = MADE.parse(spec)
    ids = [item.id for item in items]
    for sentence in parse([item.source for item in items], ids, pair.source):
        noisy = made.noisy(sentence, Rng(seed, sentence.id, str(made)))
        if noisy is None:
            continue
        edits = [(c.start, c.end, c.type, " ".join(c.words)) for c in noisy.corrections]
        columns = columns_of(noisy.sentence.text, noisy.sentence.words, sentence.words, edits)
        yield Item(sentence.id, sentence.text, None, columns)
