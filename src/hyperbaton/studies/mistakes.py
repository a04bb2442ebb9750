"""The errors of sentences: found where two texts are given, made where there is one clean text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hyperbaton.alignment.words import cut
from hyperbaton.base.randomness import Rng
from hyperbaton.base.spec import Registry
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.m2 import Edit
from hyperbaton.language.languages import base
from hyperbaton.perturb.errors.errors import Errors
from hyperbaton.perturb.errors.noise import with_gaps
from hyperbaton.pipeline import Pair, Parse, Run
from hyperbaton.pipeline.learners import columns_of, edits_of, words_of

__all__ = ["MADE", "Mistakes", "mistakes_of", "types_note", "untyped", "with_errors"]

MADE: Registry[Errors] = Registry(
    "kind of errors", {"errors": "hyperbaton.perturb.errors.errors:Errors"}
)


class Mistakes(NamedTuple):
    """The words of a sentence as written and as corrected, and the edits between them."""

    noisy: Sequence[str]
    clean: Sequence[str]
    edits: list[Edit]


def mistakes_of(item: Item, language: str) -> Mistakes:
    """The edits of an item: those that it came with, or those that an annotator finds.

    Words are cut for the edits alone: lines of text go to a translator as they are.
    """
    words, edits = words_of(item), edits_of(item)
    if words is not None and edits is not None:
        return Mistakes(*words, edits)
    from hyperbaton.parsing.annotators import English, annotator, spacing

    finder = annotator(language)
    written, right = item.columns["varied"], item.source_text
    if words is None and isinstance(finder, English):
        typed = finder.texts(written, right)
        return Mistakes(typed.written, typed.corrected, [Edit(*one) for one in typed.edits])
    noisy, clean = words or (cut(written, language), cut(right, language))
    found = finder(noisy, clean)
    if words is None and not found:
        found = spacing(noisy, clean, written, right)
    return Mistakes(noisy, clean, [Edit(*one) for one in found])


def untyped(language: str) -> str:
    """Why errors in this language have no types although they could; empty where they have."""
    from hyperbaton.parsing.annotators import has_errant

    if base(language) != "en" or has_errant():
        return ""
    return (
        "errors have no types, since ERRANT is not installed: pip install 'hyperbaton[grammar]'; "
        "RB, f-scores and NR need none"
    )


def types_note(run: Run, pair: Pair) -> str:
    """Who found the errors of a run, in words, where that was not ERRANT; else nothing."""
    finder = run.record.parsers.get(f"{pair} probes", "errant")
    if finder.startswith("errant"):
        return ""
    why = (
        "ERRANT was not installed (pip install 'hyperbaton[grammar]')"
        if base(pair.source) == "en"
        else "ERRANT knows English only"
    )
    return f"{pair}: the errors are the least edits of words and have no types, since {why}."


def with_errors(
    items: Sequence[Item], spec: str, seed: int, pair: Pair, parse: Parse
) -> Iterator[Item]:
    """Clean sentences beside the same with errors; those that no error fits are left out."""
    made = MADE.parse(spec)
    ids = [item.id for item in items]
    sentences = parse([item.source for item in items], ids, pair.source)
    for item, sentence in zip(items, sentences, strict=True):
        noisy = made.noisy(sentence, Rng(seed, sentence.id, str(made)))
        if noisy is None:
            continue
        edits = [(c.start, c.end, c.type, " ".join(c.words)) for c in noisy.corrections]
        text = with_gaps(noisy, sentence, item.source_text)
        columns = columns_of(text, noisy.sentence.words, sentence.words, edits)
        yield Item(sentence.id, item.source_text, None, columns)
