"""Parsed sentences a second and core, per language: in batches, one by one, and from the cache.

    python benchmarks/parsing.py en=news.en ja=news.ja
    python benchmarks/parsing.py --pairs FOLDER          files named en-de.en, en-de.de, …

Each language is parsed by the best parser that is installed, in this one process and on one
thread; times are processor time, so that other work on the machine disturbs them little. `whole`
is the same spaCy pipeline with all its components (entities, lemmas, …) in spaCy's own batches,
read token by token: what a script without Hyperbaton would do. That all four give the same trees
is checked before anything is printed. Loading the model is not counted, except in `first`: the
seconds from opening the parser to the first sentence; `again` is that with everything cached.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

os.environ.update(
    dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS"), "1")
)

from hyperbaton.language.languages import PAPER_LANGUAGES
from hyperbaton.language.sentence import Sentence
from hyperbaton.parsing.catalogue import best_parser
from hyperbaton.parsing.opening import CachedParser
from hyperbaton.parsing.parser import normalise
from hyperbaton.parsing.spacy_parser import SpacyPipeline

T = TypeVar("T")
Trees = list[tuple[tuple[str, ...], tuple[str, ...] | None, tuple[int, ...] | None]]


def main() -> None:
    """Print one row a language."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", metavar="LANG=FILE")
    parser.add_argument("--pairs", type=Path)
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--single", type=int, default=200, help="sentences parsed one by one")
    args = parser.parse_args()
    files = dict(text.split("=", 1) for text in args.files)
    if args.pairs:
        files |= {p.suffix[1:]: str(p) for p in sorted(args.pairs.glob("*-*.*"), reverse=True)}
    order = [*PAPER_LANGUAGES, *files]
    heads = ("batch", "single", "ratio", "whole", "ratio", "cached", "ratio", "first", "again")
    print("      " + "".join(f"{head:>9}" for head in heads) + "  parser")
    for language in sorted(files, key=order.index):
        lines = Path(files[language]).read_text(encoding="utf-8").splitlines()[: args.sentences]
        measure(language, [normalise(line) for line in lines], args.single)


def measure(language: str, texts: list[str], single: int) -> None:
    """One language: rates in sentences a second, ratios to `batch` (to `cached` for the last)."""
    spec = best_parser(language)
    parser = spec.open(language)
    first, _ = timed(lambda: next(parser.parse(texts)))
    list(parser.parse(texts[:50]))
    batch, parsed = timed(lambda: list(parser.parse(texts)))
    alone, ones = timed(lambda: [next(parser.parse([text])) for text in texts[:single]])
    whole = (
        whole_pipeline(spec.pipeline, texts, parsed) if isinstance(spec, SpacyPipeline) else None
    )
    with tempfile.TemporaryDirectory() as folder:
        with CachedParser(parser, Path(folder)) as store:
            assert list(store.parse(texts)) == parsed
        again, _ = timed(lambda: next(CachedParser(spec.open(language), Path(folder)).parse(texts)))
        with CachedParser(spec.open(language), Path(folder)) as store:
            cached, kept = timed(lambda: list(store.parse(texts)))
    assert ones == parsed[:single]
    assert kept == parsed
    rate, one, quick = len(texts) / batch, single / alone, len(texts) / cached
    rest = f"{whole:9,.0f}{rate / whole:8.1f}×" if whole else " " * 18
    print(
        f"{language:<6}{rate:9,.0f}{one:9,.0f}{rate / one:8.1f}×{rest}{quick:9,.0f}"
        f"{quick / rate:8.0f}×{first:8.2f}s{again:8.3f}s  {parser.signature}",
        flush=True,
    )


def whole_pipeline(name: str, texts: list[str], parsed: list[Sentence]) -> float:
    """The rate of the pipeline as it comes."""
    import spacy

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nlp = spacy.load(name)

    def run() -> Trees:
        return [
            (
                tuple(token.text for token in doc),
                tuple(token.pos_ for token in doc),
                tuple(token.head.i for token in doc),
            )
            for doc in nlp.pipe(texts)
        ]

    list(nlp.pipe(texts[:50]))
    seconds, trees = timed(run)
    assert trees == [(s.words, s.upos, s.heads) for s in parsed]
    return len(texts) / seconds


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Seconds of processor time, and the result."""
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


if __name__ == "__main__":
    main()
