"""`hyperbaton translate`: lines in, translations out, each paid for once."""

from __future__ import annotations

import argparse
import itertools
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import IO

from hyperbaton.base import options as numbers
from hyperbaton.base.errors import HyperbatonError, printable
from hyperbaton.base.files import atomic_write
from hyperbaton.base.progress import progress
from hyperbaton.base.wording import counted
from hyperbaton.cli.options.inputs import (
    add_cache_option,
    add_format_options,
    chunks,
    input_waits,
    read_items,
)
from hyperbaton.cli.terminal import streams
from hyperbaton.language.languages import parse_pair
from hyperbaton.systems.ct2.pieces import is_in_pieces
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.faults import EMPTY
from hyperbaton.systems.store.store import Store, working_store
from hyperbaton.systems.survey import survey
from hyperbaton.systems.system import SYSTEMS, System, Translation, Translator

DESCRIPTION = """\
Translate a file or standard input, text by text, with any system. The file holds one text per line,
or is TSV, JSON Lines, Parquet, CoNLL-U, TMX, XLIFF, SGM or WMT's XML; it may be compressed (gzip,
xz, bzip2, zstd). Of a file in several languages the texts in SRC are translated.
"""
EXAMPLES = """\
  hyperbaton translate --system apertium:en-es -l en-es news.en > news.es
  hyperbaton translate --system ct2:models/en-de -l en-de --format jsonl -o out.jsonl news.en
  hyperbaton translate --system openai:qwen3@http://localhost:8000/v1 -l en-ja --dry-run \\
      --price 20 news.en
  echo 'a red house' | hyperbaton translate --system 'cmd:sed s/house/casa/' -l en-es

A text that fails becomes an empty line (JSONL: null and the reason), is named on standard error,
and makes the exit status 1; --retry-failed retries such texts. A text with words that comes
back empty has failed too, and for good: that is what the system answers."""

_LINES = 10_000
_SHOWN = 10
_QUICKLY_COUNTED = 32 << 20
"""Bytes of a file that is read once more for the total of the progress bar."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("file", nargs="?", help="what to translate (default: -, standard input)")
    parser.add_argument("--system", required=True, help="see: hyperbaton ls systems")
    parser.add_argument(
        "-l", "--languages", required=True, metavar="SRC-TGT", help="language pair, such as en-de"
    )
    parser.add_argument("-o", "--output", type=Path, help="a file instead of standard output")
    parser.add_argument("--format", choices=("text", "jsonl"), default="text")
    add_format_options(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="count texts and characters, and translate nothing"
    )
    parser.add_argument(
        "--price", type=numbers.number, help="price of a million characters, for --dry-run"
    )
    parser.add_argument("--retry-failed", action="store_true", help="retry texts that failed")
    parser.add_argument(
        "--no-cache", action="store_true", help="do not read or write stored translations"
    )
    add_cache_option(parser)


def run(args: argparse.Namespace) -> int:
    """Translate; the exit status is 1 when texts failed."""
    system = SYSTEMS.parse(args.system)
    pair = parse_pair(args.languages)
    with ExitStack() as stack:
        paths = [] if args.file is None else [args.file]
        texts: Iterator[str] = (i.source_text for i in read_items(args, paths, pair[:1]))
        first = next(texts, None)  # before a model is loaded: a file that cannot be read says so
        translator = stack.enter_context(system.open(*pair))
        stored = translator.stored and not args.no_cache
        store = stack.enter_context(working_store(args.cache)) if stored else None
        texts = itertools.chain([] if first is None else [first], texts)
        if args.dry_run:
            _count(system, translator, store, texts, args)
            return 0
        sink = stack.enter_context(
            atomic_write(args.output) if args.output else nullcontext(sys.stdout.buffer)
        )
        return _translate(translator, store, texts, sink, args)


def _translate(
    translator: Translator,
    store: Store | None,
    texts: Iterable[str],
    sink: IO[bytes],
    args: argparse.Namespace,
) -> int:
    faults: list[tuple[int, str]] = []
    done = in_pieces = 0
    # A person who types, or a slow program, waits for each text.
    waits = input_waits if args.file in (None, "-") else lambda: False
    try:
        with progress("translating", _total(args)) as advance:
            for chunk in chunks(texts, waits, _LINES):
                answers = translate_all(
                    translator, chunk, store=store, retry_failed=args.retry_failed, advance=advance
                )
                advance(len(chunk) - len(set(chunk)))
                sink.writelines(_written(done, chunk, answers, args.format, sink.isatty()))
                sink.flush()
                faults += ((done + n, a.fault) for n, a in enumerate(answers, 1) if a.text is None)
                pairs = zip(chunk, answers, strict=True)
                in_pieces += sum(is_in_pieces(a.text or "", text) for text, a in pairs)
                done += len(chunk)
    except KeyboardInterrupt:
        if store is not None and store.writable:
            streams.say("finished translations are stored: run the same command again to resume")
        raise
    if in_pieces:
        streams.say(
            f"'▁', '@@' or '<unk>' in {in_pieces:,} of {counted(done, 'translation')}: "
            "is this the tokenizer of the model?"
        )
    if faults:
        _report(faults, done)
    return 1 if faults else 0


def _total(args: argparse.Namespace) -> int | None:
    """How many texts a file holds, where somebody watches the bar and counting takes no time."""
    path = Path(args.file or "-")
    if not sys.stderr.isatty() or not path.is_file() or path.stat().st_size > _QUICKLY_COUNTED:
        return None
    try:
        return sum(1 for _ in read_items(args, [args.file], parse_pair(args.languages)[:1]))
    except HyperbatonError:  # which reading says when it gets there
        return None


def _written(
    before: int, texts: Sequence[str], answers: Sequence[Translation], form: str, terminal: bool
) -> Iterator[bytes]:
    for number, (text, answer) in enumerate(zip(texts, answers, strict=True), before + 1):
        line = answer.text or ""
        if form == "jsonl":
            row = {"line": number, "source": text, "translation": answer.text}
            if answer.text is None:
                row["fault"] = answer.fault
            line = json.dumps(row, ensure_ascii=False)
        # What a server sends must not command the terminal of the person who reads it.
        shown = _CONTROL.sub(lambda found: printable(found[0]), line) if terminal else line
        yield f"{shown}\n".encode()


def _count(
    system: System,
    translator: Translator,
    store: Store | None,
    texts: Iterable[str],
    args: argparse.Namespace,
) -> None:
    job = survey(translator, texts, store=store, retry_failed=args.retry_failed)
    characters = sum(map(len, job.to_send))
    rows = {
        "system": str(system),
        "signature": translator.signature,
        "lines": f"{job.texts:,}",
        "distinct": f"{job.distinct:,}",
        "in the store": f"{job.stored:,}",
        "failed before": f"{job.failed:,}",
        "to translate": f"{len(job.to_send):,}",
        "characters": f"{characters:,}",
    }
    price = getattr(system, "price", 0) or None if args.price is None else args.price
    if price is not None:
        cost = characters * price / 1e6
        rows["cost"] = f"{cost:,.2f} at {price:g} per million characters"
    for name, value in rows.items():
        print(f"{name:<14} {value}")


def _report(faults: Sequence[tuple[int, str]], total: int) -> None:
    passing = any(reason != EMPTY for _, reason in faults)
    again = "; retry them with --retry-failed" if passing else ""
    streams.say(f"{len(faults):,} of {counted(total, 'text')} failed{again}")
    for number, reason in faults[:_SHOWN]:
        streams.say_lines(f"  text {number:,}: {reason}")
    rest = Counter(reason for _, reason in faults[_SHOWN:])
    for reason, count in rest.most_common(_SHOWN):
        streams.say_lines(f"  and {count:,} more: {reason}")
