"""`hyperbaton translate`: lines in, translations out, each paid for once."""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import IO

from hyperbaton.cli.store import add_store_arguments, open_store
from hyperbaton.errors import HyperbatonError
from hyperbaton.files import atomic_write
from hyperbaton.languages import parse_pair
from hyperbaton.progress import progress
from hyperbaton.systems.execution import survey, translate_all
from hyperbaton.systems.store import Store
from hyperbaton.systems.system import SYSTEMS, System, Translation, Translator

__all__ = ["DESCRIPTION", "EXAMPLES", "add_arguments", "run"]

DESCRIPTION = "Translate a file or standard input, line by line, with any system."
EXAMPLES = """\
  hyperbaton translate --system apertium:en-es -l en-es news.en > news.es
  hyperbaton translate --system ct2:models/en-de -l en-de --format jsonl -o out.jsonl news.en
  hyperbaton translate --system openai:qwen3@http://localhost:8000/v1 -l en-ja --dry-run \\
      --price 20 news.en
  echo 'a red house' | hyperbaton translate --system 'cmd:sed s/house/casa/' -l en-es

A line that failed becomes an empty line (JSONL: null and the reason), is named on standard error,
and makes the exit code 1; --retry-failed tries such lines again."""

_LINES = 10_000
_SHOWN = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("file", nargs="?", type=Path, help="text, a line each (default: stdin)")
    parser.add_argument("--system", "-s", required=True, help="see: hyperbaton ls systems")
    parser.add_argument("-l", "--languages", required=True, metavar="SRC-TGT", help="as en-de")
    parser.add_argument("-o", "--output", type=Path, help="a file instead of standard output")
    parser.add_argument("--format", choices=("text", "jsonl"), default="text")
    parser.add_argument("--dry-run", action="store_true", help="count, and translate nothing")
    parser.add_argument("--price", type=float, help="of a million characters, for --dry-run")
    parser.add_argument("--retry-failed", action="store_true", help="try failed lines again")
    parser.add_argument("--no-cache", action="store_true", help="neither read nor fill the store")
    add_store_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Translate; the exit code is 1 when lines failed."""
    system = SYSTEMS.parse(args.system)
    pair = parse_pair(args.languages)
    with ExitStack() as stack:
        source = stack.enter_context(_opened(args.file))
        translator = stack.enter_context(system.open(*pair))
        stored = translator.stored and not args.no_cache
        store = stack.enter_context(open_store(args)) if stored else None
        lines = _lines(source, str(args.file or "standard input"))
        if args.dry_run:
            _count(system, translator, store, lines, args)
            return 0
        sink = stack.enter_context(
            atomic_write(args.output) if args.output else nullcontext(sys.stdout.buffer)
        )
        return _translate(translator, store, lines, sink, args)


def _translate(
    translator: Translator,
    store: Store | None,
    lines: Iterator[str],
    sink: IO[bytes],
    args: argparse.Namespace,
) -> int:
    faults: list[tuple[int, str]] = []
    done = empty = 0
    total = _length(args.file)
    # A person who types waits for each line.
    size = 1 if args.file is None and sys.stdin.isatty() else _LINES
    try:
        with progress("translating", total) as advance:
            while chunk := list(itertools.islice(lines, size)):
                answers = translate_all(
                    translator, chunk, store=store, retry_failed=args.retry_failed, advance=advance
                )
                advance(len(chunk) - len(set(chunk)))
                sink.writelines(_written(done, chunk, answers, args.format))
                sink.flush()
                faults += ((done + n, a.fault) for n, a in enumerate(answers, 1) if a.text is None)
                empty += sum(a.text == "" != c.strip() for c, a in zip(chunk, answers, strict=True))
                done += len(chunk)
    except KeyboardInterrupt:
        if store is not None:
            _say("what is translated is stored: the same command goes on from here")
        raise
    if empty:
        _say(f"{empty:,} of {done:,} lines have an empty translation")
    if faults:
        _report(faults, done)
    return 1 if faults else 0


def _written(
    before: int, texts: Sequence[str], answers: Sequence[Translation], form: str
) -> Iterator[bytes]:
    for number, (text, answer) in enumerate(zip(texts, answers, strict=True), before + 1):
        if form == "text":
            yield f"{answer.text or ''}\n".encode()
            continue
        row = {"line": number, "source": text, "translation": answer.text}
        if answer.text is None:
            row["fault"] = answer.fault
        yield json.dumps(row, ensure_ascii=False).encode() + b"\n"


def _count(
    system: System,
    translator: Translator,
    store: Store | None,
    lines: Iterable[str],
    args: argparse.Namespace,
) -> None:
    job = survey(translator, lines, store=store, retry_failed=args.retry_failed)
    estimate = system.estimate(job.to_send, args.price)
    rows = {
        "system": str(system),
        "signature": translator.signature,
        "lines": f"{job.texts:,}",
        "distinct": f"{job.distinct:,}",
        "in the store": f"{job.stored:,}",
        "failed before": f"{job.failed:,}",
        "to translate": f"{estimate.texts:,}",
        "characters": f"{estimate.characters:,}",
    }
    if estimate.cost is not None:
        rows["cost"] = f"{estimate.cost:,.2f} at {args.price:g} per million characters"
    for name, value in rows.items():
        print(f"{name:<14} {value}")


def _report(faults: Sequence[tuple[int, str]], total: int) -> None:
    _say(f"{len(faults):,} of {total:,} lines failed; --retry-failed tries them again")
    for number, reason in faults[:_SHOWN]:
        print(f"  line {number:,}: {reason}", file=sys.stderr)
    rest = Counter(reason for _, reason in faults[_SHOWN:])
    for reason, count in rest.most_common(_SHOWN):
        print(f"  and {count:,} more: {reason}", file=sys.stderr)


def _say(sentence: str) -> None:
    print(f"hyperbaton: {sentence}", file=sys.stderr)


def _opened(path: Path | None) -> IO[bytes] | nullcontext[IO[bytes]]:
    if path is None:
        return nullcontext(sys.stdin.buffer)
    try:
        return path.open("rb")
    except OSError as error:
        raise HyperbatonError(f"{path} cannot be read: {error.strerror}") from None


def _lines(source: IO[bytes], name: str) -> Iterator[str]:
    for number, line in enumerate(source, 1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise HyperbatonError(
                f"{name}, line {number}: not UTF-8; convert it with iconv"
            ) from None
        yield text.removesuffix("\n").removesuffix("\r")


def _length(path: Path | None) -> int | None:
    if path is None or not path.is_file():
        return None
    with path.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
