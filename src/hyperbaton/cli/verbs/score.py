"""`hyperbaton score`: score translations against references, as sacreBLEU does, and more."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

import numpy as np

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.options import digits, natural, resamples
from hyperbaton.base.wording import counted, decimal
from hyperbaton.cli.terminal.score_formats import (
    FORMATS,
    Result,
    number_format,
    sentences_as_json,
)
from hyperbaton.cli.terminal.streams import say
from hyperbaton.metrics import METRICS, Metric, Scores, SentenceMetric, Statistics
from hyperbaton.systems.faults import has_words, is_blank

DESCRIPTION = """\
Score one or more files of translations against the last file, the references, line by line. SGM is
read segment by segment; of TMX, XLIFF and WMT's XML the texts in the language -l names.
BLEU, chrF and TER are sacreBLEU's corpus scores, on its scale of 0 to 100."""
EXAMPLES = """\
  hyperbaton score -m BLEU -m chrF hypothesis.de reference.de
  hyperbaton score -m BLEU -l zh --confidence system1.zh system2.zh reference.zh
  hyperbaton score -m 'BLEU(smooth=none, tokens=parsed)' --sentences hypothesis.de reference.de
  hyperbaton score -m TER -m METEOR --format latex hypothesis.de reference.de

With --confidence, every system after the first is compared with the first on the same resamples.
hyperbaton ls metrics lists what -m accepts."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="hypotheses …, then references")
    parser.add_argument(
        "-m", "--metric", action="append", help="repeat for more (default: BLEU and chrF)"
    )
    parser.add_argument(
        "-l", "--language", help="chooses tokenizer and stemmer (default: tokenizer 13a)"
    )
    parser.add_argument(
        "-s",
        "--source",
        "--sources",
        dest="sources",
        metavar="FILE",
        help="source texts, for metrics that read them",
    )
    parser.add_argument("--sentences", action="store_true", help="print one score per line")
    parser.add_argument(
        "--confidence", action="store_true", help="print a 95 %% bootstrap interval"
    )
    parser.add_argument(
        "--resamples", type=resamples, default=1000, help="for --confidence (default: 1000)"
    )
    parser.add_argument("--seed", type=natural, default=12345, help="for --confidence")
    parser.add_argument("--format", choices=[*FORMATS], default="text")
    parser.add_argument(
        "--digits",
        type=digits,
        help="digits after the decimal point (default: 1 on the scale of 100, 3 on that of 1)",
    )
    parser.add_argument(
        "--scale", type=int, choices=(1, 100), default=100, help="the best score (default: 100)"
    )


def run(args: argparse.Namespace) -> int:
    """Read, score, print."""
    if len(args.files) < 2:
        raise HyperbatonError(
            "only one file: give hypotheses and references, e.g. hyperbaton score HYP.txt REF.txt"
        )
    if args.sentences and (args.confidence or args.format == "latex"):
        raise HyperbatonError("--sentences prints plain scores: leave out --confidence and latex")
    metrics = [METRICS.parse(text) for text in args.metric or ["BLEU", "chrF"]]
    if args.language:
        metrics = [metric.for_language(args.language) for metric in metrics]
    for metric in metrics:
        if metric.needs_sources and not args.sources:
            raise HyperbatonError(f"{metric} reads the source texts too: add --source FILE")
    *systems, references = args.files
    texts = _read([*systems, references, *([args.sources] if args.sources else [])], args.language)
    sources = texts.pop() if args.sources else None
    _count_empty(systems, texts)
    if args.sentences:
        return _print_sentences(args, metrics, texts, sources)
    results = [
        result for metric in metrics for result in _corpus(args, metric, systems, texts, sources)
    ]
    print(FORMATS[args.format](results, args.digits))
    return 0


def _read(paths: Sequence[str], language: str | None) -> list[list[str]]:
    """The texts of files that must be equally long; like sacreBLEU, without space at their ends."""
    from hyperbaton.corpus.opening import read_texts

    if paths.count("-") > 1:
        raise HyperbatonError("standard input (-) can be only one of the files")
    texts = [[text.rstrip() for text in read_texts(path, language)] for path in paths]
    for path, lines in zip(paths, texts, strict=True):
        if len(lines) != len(texts[0]):
            raise HyperbatonError(
                f"{paths[0]} has {counted(len(texts[0]), 'line')} but {path} has {len(lines):,}; "
                "line-aligned files must be equally long"
            )
    return texts


def _count_empty(systems: Sequence[str], texts: Sequence[list[str]]) -> None:
    """Say how many hypotheses are empty where their reference has words: each is a lost text."""
    *hypotheses, references = texts
    for system, lines in zip(systems, hypotheses, strict=True):
        pairs = zip(lines, references, strict=True)
        empty = sum(is_blank(line) and has_words(reference) for line, reference in pairs)
        if empty:
            of = counted(len(lines), "hypothesis", "hypotheses")
            say(f"{system}: {empty:,} of {of} empty; they are scored as empty, as in sacreBLEU")


def _corpus(
    args: argparse.Namespace,
    metric: Metric,
    systems: Sequence[str],
    texts: Sequence[list[str]],
    sources: Sequence[str] | None,
) -> Iterator[Result]:
    """One result for each system."""
    factor, signature = _scale(metric, args), metric.signature("corpus")
    *hypotheses, references = texts
    result = partial(
        Result,
        metric=metric,
        form=number_format(factor, args.digits),
        fields=metric.fields("corpus"),
    )
    if not args.confidence:
        for system, lines in zip(systems, hypotheses, strict=True):
            value = metric.corpus_score(lines, references, sources) * factor
            yield result(system, signature=signature, score=value)
        return
    from hyperbaton.stats import Bootstrap, compare, estimate

    bootstrap = Bootstrap(resamples=args.resamples, seed=args.seed)
    signature += f"|{bootstrap.signature}"

    def score(sums: Statistics) -> Scores:
        return metric.from_statistics(sums, "corpus") * factor

    baseline: Statistics | None = None
    tables = _statistics(metric, hypotheses, references, sources)
    for system, rows in zip(systems, tables, strict=True):
        if baseline is None:
            baseline = rows
            found, p = estimate(rows, score, bootstrap), None
        else:
            both = compare(rows, baseline, score, bootstrap)
            found, p = both.first, both.p
        yield result(system, signature=signature, score=found.value, estimate=found, p=p)


def _statistics(
    metric: Metric,
    hypotheses: Sequence[list[str]],
    references: list[str],
    sources: Sequence[str] | None,
) -> Sequence[Statistics]:
    """The statistics of each system; where texts are counted, the references are read once."""
    if isinstance(metric, SentenceMetric):  # a model's scores may depend on what is beside a text
        return [metric.statistics(lines, references, sources) for lines in hypotheses]
    count = len(hypotheses)
    lines, origins = list(chain.from_iterable(hypotheses)), None
    if sources is not None:
        origins = list(sources) * count
    return np.split(metric.statistics(lines, references * count, origins), count)


def _scale(metric: Metric, args: argparse.Namespace) -> int:
    """What scores are multiplied by: only those that the field prints on a scale of 0 to 100."""
    return int(args.scale) if metric.percent else 1


def _print_sentences(
    args: argparse.Namespace,
    metrics: Sequence[Metric],
    texts: Sequence[list[str]],
    sources: Sequence[str] | None,
) -> int:
    """A column for each system and metric; what they are goes to standard error."""
    *hypotheses, references = texts
    columns = [
        (
            system,
            metric,
            (metric.sentence_scores(lines, references, sources) * _scale(metric, args)).tolist(),
        )
        for metric in metrics
        for system, lines in zip(args.files[:-1], hypotheses, strict=True)
    ]
    if args.format == "json":
        print(sentences_as_json(columns, args.digits))
        return 0
    for system, metric, _ in columns:
        print(f"# {system}: {metric.signature('sentence')}", file=sys.stderr)
    forms = [number_format(_scale(metric, args), args.digits) for _, metric, _ in columns]
    for row in zip(*(scores for *_, scores in columns), strict=True):
        print("\t".join(decimal(score, form) for score, form in zip(row, forms, strict=True)))
    return 0
