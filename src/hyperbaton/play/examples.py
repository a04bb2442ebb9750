"""A sentence and its variant as a file that other commands read."""

from __future__ import annotations

import re

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.conllu_writer import to_conllu
from hyperbaton.play.answers import Question

__all__ = ["FORMATS", "example"]

FORMATS = ("conllu", "tsv")
_SPACE = re.compile(r"\s+")


def example(question: Question, form: object) -> str:
    """CoNLL-U with the tree and the rest in comments, or a table of two lines."""
    texts = {
        "source": question.sentence.text,
        "varied": question.variant.text,
        "reference": question.reference.text if question.reference else "",
    }
    if form == "conllu":
        more = {name: text for name, text in texts.items() if name != "source" and text}
        return to_conllu(question.sentence, more)
    if form == "tsv":
        cells = [_SPACE.sub(" ", text) for text in texts.values()]
        return "\t".join(texts) + "\n" + "\t".join(cells) + "\n"
    raise HyperbatonError(f"an example is saved as one of: {', '.join(FORMATS)}")
