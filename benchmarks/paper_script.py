"""What a script after the word-order paper is made of: parsers, variants, measures, its clock."""

from __future__ import annotations

import argparse
import os
import subprocess
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # imports are part of what is timed
    from spacy.language import Language

    from hyperbaton.language.sentence import Sentence
    from hyperbaton.perturb import Perturbation

METRICS = ("BLEU(convention=paper)", "LevenshteinDistance")
Means = dict[str, dict[str, float]]
Measure = Callable[[Sequence[str], Sequence[str]], float]


class Timed(NamedTuple):
    """Seconds by the clock, seconds of processor time, and what was printed."""

    wall: float
    processor: float
    printed: str


def timed(arguments: Sequence[str]) -> Timed:
    """A command in a process of its own, which keeps its bytecode as an installed package does."""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, began = os.times(), time.monotonic()
    done = subprocess.run(arguments, check=True, stdout=subprocess.PIPE, text=True, env=own)
    wall, after = time.monotonic() - began, os.times()
    used = after.children_user + after.children_system
    used -= before.children_user + before.children_system
    return Timed(wall, used, done.stdout)


def measures() -> tuple[tuple[str, Measure], ...]:
    """nltk's, with the authors' order of arguments: translation, then reference."""
    from nltk.metrics.distance import edit_distance
    from nltk.translate.bleu_score import sentence_bleu

    def bleu(translation: Sequence[str], gold: Sequence[str]) -> float:
        return float(sentence_bleu([translation], gold))

    return (METRICS[0], bleu), (METRICS[1], lambda one, two: float(edit_distance(one, two)))


def sentences(
    args: argparse.Namespace, readers: Sequence[Callable[[str, str], Sentence]]
) -> Iterator[tuple[Sentence, Sentence]]:
    """Source and reference of each item, parsed one by one."""
    from hyperbaton.studies.wordorder.paper import with_final_mark

    for number, texts in enumerate(islice(lines(args), args.items), 1):
        one, two = (read(text, str(number)) for read, text in zip(readers, texts, strict=True))
        yield with_final_mark(one), with_final_mark(two)


def moved(sentence: Sentence, gold: Sentence, variant: Perturbation) -> tuple[str, str] | None:
    """Both texts varied; the paper draws the reference apart from the source."""
    from hyperbaton.base.randomness import Rng
    from hyperbaton.perturb import perturb

    apart = Rng(0, gold.id, f"{variant} of the reference")
    varied, other = perturb(sentence, variant), variant.vary(gold, apart)
    return None if varied is None or other is None else (varied.text, other.text)


def means(scores: Mapping[str, Mapping[str, Sequence[float]]]) -> Means:
    """The mean of each list of scores."""
    return {
        variant: {name: sum(values) / len(values) for name, values in row.items()}
        for variant, row in scores.items()
    }


def open_readers(languages: Sequence[str]) -> list[Callable[[str, str], Sentence]]:
    """spaCy as it is loaded by name, for each language."""
    import spacy

    from hyperbaton.parsing.catalogue import best_parser

    readers = []
    for language in languages:
        spec = best_parser(language)
        nlp = spacy.load(str(spec).partition(":")[2])
        readers.append(reader(nlp, spec.open(language).signature, language))
    return readers


class Stages:
    """Processor time by stage."""

    def __init__(self) -> None:
        self.took: dict[str, float] = defaultdict(float)
        self._last = time.process_time()

    def end(self, stage: str) -> None:
        """All since the last call went into this stage."""
        now = time.process_time()
        self.took[stage] += now - self._last
        self._last = now


def lines(args: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The texts as they come from the files, with single spaces."""
    with open(args.source, encoding="utf-8") as one, open(args.reference, encoding="utf-8") as two:
        for text, gold in zip(one, two, strict=True):
            yield " ".join(text.split()), " ".join(gold.split())


def reader(nlp: Language, signature: str, language: str) -> Callable[[str, str], Sentence]:
    """One sentence at a time through the whole pipeline."""
    from hyperbaton.language.sentence import Sentence

    scheme = signature.rpartition("labels:")[2]
    root = "root" if scheme == "ud" else "ROOT"

    def read(text: str, item: str) -> Sentence:
        doc = nlp(text)
        # spaCy's own rule where the labels are spaCy's own, as the study has it.
        chunks = None
        if scheme != "ud":
            chunks = tuple((chunk.start, chunk.end) for chunk in doc.noun_chunks)
        return Sentence(
            words=tuple(token.text for token in doc),
            spaces=tuple(bool(token.whitespace_) for token in doc),
            language=language,
            upos=tuple(token.pos_ for token in doc),
            heads=tuple(token.head.i for token in doc),
            deps=tuple(token.dep_.replace("ROOT", root) for token in doc),
            noun_chunks=chunks,
            starts=tuple(sentence.start for sentence in doc.sents),
            scheme=scheme,
            id=item,
        )

    return read
