"""`hyperbaton import`: the answers of a system elsewhere, into the store."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.cli.options.inputs import add_cache_option
from hyperbaton.cli.terminal import streams
from hyperbaton.corpus.opening import markup_format, open_corpus, read_texts
from hyperbaton.language.languages import parse_pair
from hyperbaton.systems.chat.batches import chat_translator, is_results, read_results
from hyperbaton.systems.faults import sound
from hyperbaton.systems.store.exchange import read_answers, read_sources
from hyperbaton.systems.store.store import Store, recall_terms, text_id
from hyperbaton.systems.system import SYSTEMS, System, Translation, Translator

DESCRIPTION = "Read translations made elsewhere into the store, and name what is missing."
EXAMPLES = """\
  hyperbaton export news.en -o sources.jsonl
  hyperbaton import answers.jsonl --sources sources.jsonl --system recorded:deepl -l en-de
  hyperbaton import answers.de --sources news.en --system recorded:human -l en-de
  hyperbaton translate --system recorded:deepl -l en-de news.en

Answers are JSONL (id or source, and translation), TSV, TMX, XLIFF, or plain text or SGM in the
order of --sources; or the results of a batch, as OpenAI, Mistral, Anthropic and Gemini write them.
A translation is one line: line breaks in it become spaces. With the name of another system
they count as its own. The exit status is 1 when some are missing.
"""

_SHOWN = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument(
        "answers", type=Path, help="translations, as JSONL, TSV, TMX, XLIFF, SGM or text"
    )
    parser.add_argument("--sources", type=Path, help="the file of texts that were translated")
    parser.add_argument("--system", required=True, help="recorded:NAME, or any system")
    parser.add_argument(
        "-l", "--languages", required=True, metavar="SRC-TGT", help="language pair, such as en-de"
    )
    parser.add_argument(
        "--replace", action="store_true", help="replace translations that differ from stored ones"
    )
    add_cache_option(parser)


def run(args: argparse.Namespace) -> int:
    """Store the answers; the exit code is 1 when some are missing."""
    system = SYSTEMS.parse(args.system)
    pair = parse_pair(args.languages)
    batch = is_results(args.answers)
    answers = {} if batch else _sound(_answers(args, pair), args.answers)
    sources = _sources(args.sources, pair[0]) if args.sources else {}
    if args.sources:
        strangers = [key for key in answers if key not in sources]
        if strangers and len(strangers) == len(answers):
            raise HyperbatonError(
                f"no answer in {args.answers} belongs to a text of {args.sources}"
            )
        answers = {key: text for key, text in answers.items() if key in sources}
        if strangers:
            streams.say(
                f"skipped {counted(len(strangers), 'answer')} without a source in {args.sources}"
            )
    with system.open(*pair) as translator, Store(args.cache) as store:
        if not translator.stored:
            raise HyperbatonError(f"'{system}' does not use the store: name it recorded:NAME")
        if batch:
            answers = _batch(system, translator, store, sources, args.answers)
        _keep(store, translator.signature, answers, args)
    code = _report_missing(sources, answers)
    try:
        print(f"{counted(len(answers), 'translation')} imported for {system}", flush=True)
    except OSError:
        # Nobody reads it; that answers are missing is in the exit status.
        if not code:
            raise
    return code


def _batch(
    system: System, translator: Translator, store: Store, sources: Mapping[str, str], path: Path
) -> dict[str, str]:
    """The answers in the results of a batch; what failed is told, and asked for another time."""
    if not sources:
        raise HyperbatonError(f"{path} has the results of a batch: name its texts with --sources")
    model = chat_translator(system, translator)
    recall_terms(model, store)
    results = {key: sound(one) for key, one in read_results(path, sources, model) if key in sources}
    faults = Counter(one.fault for one in results.values() if one.text is None)
    for fault, count in faults.most_common(_SHOWN):
        streams.say_lines(f"{counted(count, 'text')} failed: {fault}")
    return {key: one.text for key, one in results.items() if one.text is not None}


def _answers(args: argparse.Namespace, pair: tuple[str, str]) -> dict[str, str]:
    """Translations by the id of their source, in any format that has both or with --sources."""
    kind = markup_format(args.answers)
    if kind is None:
        return read_answers(args.answers, args.sources, pair)
    if kind == "sgm" and args.sources is None:
        raise HyperbatonError(f"{args.answers} is SGM: name the file of its sources with --sources")
    paths = [args.sources, args.answers] if kind == "sgm" else [args.answers]
    found: dict[str, str] = {}
    for item in open_corpus(*paths, languages=pair):
        found.setdefault(text_id(item.source_text), item.reference_text or "")
    return found


def _sources(path: Path, language: str) -> dict[str, str]:
    if markup_format(path) is None:
        return read_sources(path)
    return {text_id(text): text for text in read_texts(path, language)}


def _sound(answers: Mapping[str, str], path: Path) -> dict[str, str]:
    """The answers as they are stored, each in a line; one that no line can hold is an error."""
    made = {key: sound(Translation(text)) for key, text in answers.items()}
    texts: dict[str, str] = {}
    for key, answer in made.items():
        if answer.text is None:
            raise HyperbatonError(
                f"{path}: the answer to {key} cannot be stored ({answer.fault}): "
                "fix the file and import it again"
            )
        texts[key] = answer.text
    changed = sum(text != answers[key] for key, text in texts.items())
    if changed:
        streams.say(
            f"in {counted(changed, 'translation')} line breaks became spaces, "
            "or a byte order mark was left out"
        )
    return texts


def _keep(
    store: Store, signature: str, answers: Mapping[str, str], args: argparse.Namespace
) -> None:
    held = store.lookup_ids(signature, list(answers))
    others = sum(a.text not in (None, answers[key]) for key, a in held.items())
    if others and not args.replace:
        raise HyperbatonError(
            f"the store has {counted(others, 'other translation')} of {args.system} "
            "for the same texts: add --replace, or use another name"
        )
    rows = {key: Translation(text) for key, text in answers.items()}
    store.save_ids(signature, rows, replace=args.replace)


def _report_missing(sources: Mapping[str, str], answers: Mapping[str, str]) -> int:
    missing = {key: text for key, text in sources.items() if text.strip() and key not in answers}
    empty = sum(not text.strip() for key, text in answers.items())
    if empty:
        streams.say(f"imported {counted(empty, 'empty translation')}")
    if not missing:
        return 0
    streams.say(f"no answer to {len(missing):,} of {counted(len(sources), 'text')}")
    for key, text in list(missing.items())[:_SHOWN]:
        streams.say_lines(f"  {key}  {text}")
    if len(missing) > _SHOWN:
        streams.say_lines(f"  and {len(missing) - _SHOWN:,} more")
    return 1
